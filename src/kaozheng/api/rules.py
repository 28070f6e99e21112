"""Rule books made ready for models."""

from __future__ import annotations

from typing import Any

from kaozheng.api.choosing import book_of, with_choices
from kaozheng.api.running import run_sync
from kaozheng.settings import Settings
from kaozheng.wiring import vectors


def build_rules(book: str = "", force: bool = False, settings: Settings | None = None) -> dict[str, Any]:
    """Cut the rule book, embed it when an embedder is set, and keep it.

    Says {"book", "pieces", "path", "reused"}: how many pieces, where, and whether they were there already.
    """
    from kaozheng.rules.retrieval import RuleStore
    from kaozheng.wiring import open_embedder

    chosen = with_choices(settings, rules=book or None)

    async def built() -> dict[str, Any]:
        async with open_embedder(chosen) as embedder:
            loaded = book_of(chosen)
            done = await RuleStore(loaded, vectors(chosen), embedder).build(force=force)
            return {"book": loaded.name, "pieces": done.chunks, "reused": done.reused, "path": done.path}

    return run_sync(built())
