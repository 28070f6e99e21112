"""Pictures of text (scans, photographs, screens) as Markdown, by optical recognition."""

from __future__ import annotations

import importlib
import io
import warnings
from collections.abc import Iterator
from typing import Any, Final

from kaozheng.errors import SourceError
from kaozheng.providers.readers.converted import Caps, Converted, Pages
from kaozheng.providers.readers.markdown_marks import paragraph
from kaozheng.providers.readers.pdf_lines import paragraphs_of
from kaozheng.providers.readers.recognition import LONGEST_SIDE, Recogniser
from kaozheng.sources.source import Skipped

_MOST_PIXELS: Final = 80_000_000
"""A page of A4 at 600 dots an inch has 35 million."""


def read(data: bytes, caps: Caps) -> Converted:
    """See conversion.convert. A file of several pictures (TIFF) has pages."""
    recogniser = Recogniser(caps)
    numpy = importlib.import_module("numpy")
    made = Pages()
    left: list[Skipped] = []
    for number, (picture, count) in enumerate(_pictures(data, caps), start=1):
        if why := recogniser.why_not():
            left.append(Skipped(f"page {number} and what follows", why))
            break
        if count > 1:
            made.place("page", str(number))
        image = numpy.ascontiguousarray(numpy.asarray(picture.convert("RGB"))[:, :, ::-1])
        for one in paragraphs_of(recogniser.lines(image, max(image.shape[:2]) / 842)):
            made.add(paragraph(one.text))
    return made.finished(tuple(left))


def _pictures(data: bytes, caps: Caps) -> Iterator[tuple[Any, int]]:
    """Each picture of the file, upright and no larger than it is recognised at, and how many there are."""
    pillow, ops = importlib.import_module("PIL.Image"), importlib.import_module("PIL.ImageOps")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of odd metadata; its size is judged here
        try:
            file = pillow.open(io.BytesIO(data))
        except pillow.DecompressionBombError as error:
            raise SourceError(f"more than {_MOST_PIXELS:,} pixels") from error
        count = getattr(file, "n_frames", 1)
        if count > caps.pages:
            raise SourceError(f"more than {caps.pages:,} pages ({count:,})")
        for index in range(count):
            file.seek(index)
            if file.width * file.height > _MOST_PIXELS:
                raise SourceError(f"more than {_MOST_PIXELS:,} pixels")
            file.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
            picture = ops.exif_transpose(file).convert("RGB")
            picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
            yield picture, count
