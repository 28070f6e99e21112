"""Text of scanned pages and pictures by optical recognition (extra `ocr`): RapidOCR, whose models lie in its package.

It runs in the reading child with one thread, since each more takes address space that the child has not.
"""

from __future__ import annotations

import contextlib
import importlib
import time
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from statistics import median
from typing import Any, Final

from kaozheng.errors import SourceError
from kaozheng.providers.readers.converted import Caps
from kaozheng.providers.readers.pdf_words import Line, Word, in_lines

INSTALL: Final = 'pip install "kaozheng[ocr]"'
LONGEST_SIDE: Final = 2_000
"""Pixels that a page is recognised at, at most: more are slower and read no better."""
_LIKE: Final = 1.3  # heights of one line's letters differ by that much, as recognised
_GUTTER: Final = (0.35, 0.65)  # of the page's width: where the gap between two columns may stand
_COLUMN_LINES: Final = 5


def can_recognise() -> bool:
    """Whether the extra is installed."""
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


class Recogniser:
    """Recognises the pages of one file, as many and for as long as its caps allow. Raises SourceError where the extra
    is missing."""

    def __init__(self, caps: Caps) -> None:
        if not can_recognise():
            raise SourceError(f"its text has to be recognised: {INSTALL}")
        self._left = caps.recognised_pages
        self._until = time.monotonic() + caps.recognition_s
        _grant(caps.recognition_s)

    def why_not(self) -> str:
        """Why no further page is recognised; "" while there is room."""
        if self._left <= 0:
            return "not recognised: too many scanned pages"
        return "not recognised: it would take too long" if time.monotonic() > self._until else ""

    def lines(self, image: Any, scale: float) -> list[Line]:
        """The lines of a picture (BGR, numpy), places in points from its lower left corner; `scale` is pixels a point.
        SourceError where the recogniser fails at it."""
        self._left -= 1
        engine, failures = _engine()
        try:
            found = engine(image)
        except failures as error:
            raise SourceError("not recognised: too large or damaged") from error
        if found.txts is None or found.boxes is None:
            return []
        height = image.shape[0]
        words = [_word(text, box, scale, height) for text, box in zip(found.txts, found.boxes, strict=True)]
        return list(in_lines(_in_order(_of_few_sizes(words), image.shape[1] / scale)))


@cache
def _engine() -> tuple[Any, tuple[type[BaseException], ...]]:
    """The recogniser and what it raises. Loaded once a process: it takes a second."""
    vision, runtime = importlib.import_module("cv2"), importlib.import_module("onnxruntime")
    vision.setNumThreads(1)
    state = runtime.capi.onnxruntime_pybind11_state
    main = importlib.import_module("rapidocr.main")
    wrapped = importlib.import_module("rapidocr.inference_engine.onnxruntime.main").ONNXRuntimeError
    failures = (main.RapidOCRError, wrapped, state.RuntimeException, state.Fail, vision.error)
    engine = main.RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.use_cls": False,  # pages that stand on their heads would cost the others a third of their time
            "Global.max_side_len": LONGEST_SIDE,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            "Det.limit_type": "max",
            "Det.limit_side_len": 1280,
            "Rec.rec_batch_num": 1,
        }
    )
    return engine, (*failures, RuntimeError, ValueError, MemoryError)


def _grant(seconds: float) -> None:
    """More time of the processor than a file has that needs no recognition."""
    with contextlib.suppress(ImportError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
        if soft != resource.RLIM_INFINITY:
            most = soft + int(seconds)
            resource.setrlimit(resource.RLIMIT_CPU, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _word(text: str, box: Any, scale: float, height: int) -> Word:
    xs, ys = [float(x) for x, _ in box], [float(y) for _, y in box]
    base = (height - max(ys)) / scale
    return Word(text, min(xs) / scale, max(xs) / scale, base, base, (max(ys) - min(ys)) / scale)


def _of_few_sizes(words: list[Word]) -> list[Word]:
    """Sizes that are alike made the same: paragraphs are told by them."""
    usual = median(word.size for word in words) if words else 1.0
    same = []
    for word in words:
        like = usual / _LIKE <= word.size <= usual * _LIKE
        size = usual if like else round(word.size)
        same.append(replace(word, size=round(2 * size) / 2))
    return same


def _in_order(words: list[Word], width: float) -> list[Word]:
    """Line by line, column by column where there are two."""
    gutter = _gutter(words, width)
    if gutter:
        left = [word for word in words if word.right <= gutter]
        right = [word for word in words if word.left >= gutter]
        aside = min(word.left for word in right) - min(word.left for word in left)
        # Under the left one, so that both end at one edge, by which paragraphs are told.
        below = [replace(word, left=word.left - aside, right=word.right - aside) for word in _in_order(right, 0.0)]
        return [*_in_order(left, 0.0), *below]
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda word: -word.base):
        if rows and rows[-1][0].base - word.base < 0.5 * max(rows[-1][0].size, word.size):
            rows[-1].append(word)
        else:
            rows.append([word])
    # What stands in one row has one base, as set type has it.
    return [
        replace(word, base=row[0].base, end=row[0].base)
        for row in rows
        for word in sorted(row, key=lambda word: word.left)
    ]


def _gutter(words: list[Word], width: float) -> float:
    """The middle of the gap between two columns of running text, 0.0 where there is none. Cells of a table leave most
    of their column empty, lines of text hardly any of it."""
    gaps = [(two - one, (one + two) / 2) for one, two in pairwise(_edges(words)) if two - one > 0]
    inside = [at for wide, at in sorted(gaps, reverse=True) if _GUTTER[0] * width < at < _GUTTER[1] * width]
    for at in inside[:1]:
        sides = [word for word in words if word.right <= at], [word for word in words if word.left >= at]
        if all(len(side) >= _COLUMN_LINES and _is_full(side) for side in sides):
            return at
    return 0.0


def _edges(words: list[Word]) -> list[float]:
    """The borders of stretches that words stand over: end, begin, end, begin … without the outermost."""
    edges: list[float] = []
    end = 0.0
    for word in sorted(words, key=lambda word: word.left):
        if edges and word.left > end:
            edges += [end, word.left]
        edges = edges or [word.left]
        end = max(end, word.right)
    return edges[1:]


def _is_full(column: list[Word]) -> bool:
    wide = max(word.right for word in column) - min(word.left for word in column)
    return median(word.right - word.left for word in column) > 0.7 * wide
