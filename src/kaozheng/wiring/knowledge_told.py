"""What `doctor` says of the knowledge bases: whether it is well, and in which words."""

from __future__ import annotations

import time
from collections.abc import Iterable

from kaozheng.access.naming import owner_of
from kaozheng.errors import KaozhengError
from kaozheng.settings import Settings
from kaozheng.sources.index import BaseStats
from kaozheng.wiring.knowledge import knowledge_file


def knowledge_told(settings: Settings) -> tuple[bool, str]:
    """The bases of the file, which is left as it is; a server is not asked."""
    from kaozheng.providers.indexes.looking import bases_in

    try:
        file = knowledge_file(settings)
        bases = bases_in(file) if file else ()
    except KaozhengError as error:
        return False, str(error)
    return True, _described(bases) if file else "in PostgreSQL (--ping asks it)"


async def knowledge_pinged(settings: Settings) -> tuple[bool, str]:
    """The bases of the server, whose tables are brought up to date by that, and how long it took."""
    from kaozheng.providers.indexes.opening import open_bases

    began = time.monotonic()
    try:
        async with open_bases(settings.knowledge.strip()) as index:
            bases = await index.bases()
    except KaozhengError as error:
        return False, str(error)
    return True, f"answered in {time.monotonic() - began:.1f} s: {_described(bases)}"


def _described(bases: Iterable[BaseStats]) -> str:
    told = (
        f"{base.name} ({base.documents} documents, {base.chunks} chunks, "
        f"{f'embedded by {base.embedder}' if base.embedder else 'by words alone'}"
        f"{f', of the key {owner}' if (owner := owner_of(base.name)) else ''})"
        for base in bases
    )
    return ", ".join(told) or "none yet (kaozheng kb add FOLDER)"
