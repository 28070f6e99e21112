"""Rule books made ready for models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kaozheng.api.choosing import book_of, with_choices
from kaozheng.api.running import run_sync
from kaozheng.settings import Settings
from kaozheng.wiring import vectors

OnNote = Callable[[str], None]


def build_rules(
    book: str = "", force: bool = False, settings: Settings | None = None, on_note: OnNote | None = None
) -> dict[str, Any]:
    """Cut the rule book, embed it when an embedder is set, and keep it.

    `on_note` takes a line about what is made ready once. Says {"book", "pieces", "path", "reused"}: how many pieces,
    where, and whether they were there already.
    """
    from kaozheng.rules.retrieval import RuleStore
    from kaozheng.wiring import open_embedder

    chosen = with_choices(settings, rules=book or None)

    def told(kind: str, data: dict[str, Any]) -> None:
        if on_note and kind == "note":
            on_note(str(data["said"]))

    async def built() -> dict[str, Any]:
        async with open_embedder(chosen, emit=told) as embedder:
            loaded = book_of(chosen)
            done = await RuleStore(loaded, vectors(chosen), embedder).build(force=force)
            return {"book": loaded.name, "pieces": done.chunks, "reused": done.reused, "path": done.path}

    return run_sync(built())
