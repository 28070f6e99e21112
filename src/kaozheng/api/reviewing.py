"""Review texts by a rule book, and mend them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kaozheng.api.choosing import book_of, with_choices
from kaozheng.api.inputs import language_of_text
from kaozheng.api.running import run_sync
from kaozheng.errors import EncodingError, InputError, StorageError
from kaozheng.settings import Settings
from kaozheng.wiring import check_embedder, checked_model, open_model, reader, vectors

if TYPE_CHECKING:
    from kaozheng.rules.violation import Violation


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One reviewed text. `fixed` differs from `text` when fixes were asked for and found."""

    path: str
    text: str
    fixed: str
    violations: list[Violation]


def review(
    paths: Sequence[str | Path],
    *,
    fix: bool = False,
    unsafe: bool = False,
    settings: Settings | None = None,
    **options: Any,
) -> list[Reviewed]:
    """Check Markdown files by the rule book's checks, and by a model for the other rules when `model` is set.

    With `fix` the texts are mended (in the result, not on disk). Options as in `awrite`: `rules`, `model`, `language`,
    `sensitivity`.
    """
    settings = with_choices(settings, **{name: options.get(name) for name in ("model", "rules", "sensitivity")})
    return run_sync(_areview([Path(path) for path in paths], fix, unsafe, settings, options.get("language")))


async def _areview(
    paths: Sequence[Path], fix: bool, unsafe: bool, settings: Settings, language: str | None
) -> list[Reviewed]:
    from kaozheng.workflows.review.once import review_text

    checked_model(settings)
    check_embedder(settings)
    reviewed = []
    async with open_model(settings) as model:
        for path in paths:
            if path.is_dir():
                raise InputError(f"{path} is a folder: name the files to review")
            reading = await reader().read(path)
            source = reading.sources[0]
            book = book_of(settings, language or language_of_text(source.text))
            fixed, violations = await review_text(source.text, book, model, vectors(settings), fix, unsafe, language)
            reviewed.append(Reviewed(str(path), source.text, fixed, violations))
    return reviewed


def save_fixed(one: Reviewed) -> None:
    """Put the mended text back into its file; its encoding, byte order mark, line ends and untouched lines stay.

    Raises EncodingError when a change cannot be written in the file's encoding, InputError when the file has changed
    since it was reviewed or cannot be read or written (there is no run that could go on); it is then left as it is.
    """
    from kaozheng.sources.rewriting import rewritten, same_text
    from kaozheng.wiring import write_bytes

    path = Path(one.path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    try:
        if not same_text(data, one.text):
            raise InputError(f"{path}: has changed since it was read; review it again")
        mended = rewritten(data, one.fixed)
    except EncodingError as error:
        raise EncodingError(f"{path}: left as it is: {error}") from error
    try:
        write_bytes(path, mended)
    except StorageError as error:
        raise InputError(str(error)) from error
