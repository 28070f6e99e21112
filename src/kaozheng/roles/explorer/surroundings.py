"""What a model is shown of a repository before it looks around itself, and what it gets when it cannot."""

from __future__ import annotations

from collections import Counter
from typing import Final

from kaozheng.errors import SourceError
from kaozheng.sources.code import CodeShelf, list_tree, mask_secrets, outline_text, read_lines

_TREE_CHARS: Final = 6_000
_ENTRIES: Final = 20
_OUTLINES, _OUTLINE_CHARS, _README_LINES = 12, 3_000, 60


def first_sight(shelf: CodeShelf) -> str:
    """The tree, entry points and commands, with their places."""
    repository = shelf.repository
    tree = list_tree(repository) if repository.files else ""
    if len(tree) > _TREE_CHARS:
        tree = f"{tree[: tree.rfind(chr(10), 0, _TREE_CHARS)]}\n…"
    points = [
        f"{one.kind}: {one.name}{f' -> {one.target}' if one.target else ''} ({one.path}#L{one.line})"
        for one in repository.entry_points[:_ENTRIES]
    ]
    tasks = [f"{one.purpose}: {one.command} ({one.path}#L{one.line})" for one in repository.tasks[:_ENTRIES]]
    # The shelf masked the texts; names of files may hold secrets as well.
    return mask_secrets("\n".join([tree, *points, *tasks]), "sight.md")


def outlines(shelf: CodeShelf) -> str:
    """The beginning of the README and the outlines of the files that most others import, with line numbers: what a
    model without tools can still say something about."""
    repository = shelf.repository
    importers = Counter({path: 0 for path in repository.outlines})
    importers.update(edge.target for edge in repository.edges if edge.inside and edge.target in repository.outlines)
    files = {file.path: file for file in repository.files}
    entries = {point.path for point in repository.entry_points}
    chosen = sorted(
        (path for path in importers if path in files and files[path].kind == "source"),
        key=lambda path: (path not in entries, -importers[path], -files[path].lines, path),
    )
    parts = [_readme(shelf), *(outline_text(repository, path)[:_OUTLINE_CHARS] for path in chosen[:_OUTLINES])]
    return "\n\n".join(part for part in parts if part)


def _readme(shelf: CodeShelf) -> str:
    found = [file.path for file in shelf.repository.files if file.path.lower() in ("readme.md", "readme.rst", "readme")]
    try:
        return f"{found[0]}\n{read_lines(shelf, found[0], 1, _README_LINES)}" if found else ""
    except SourceError:  # empty, or gone since the reading
        return ""
