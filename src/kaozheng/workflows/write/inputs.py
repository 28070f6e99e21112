"""What became of each input: taken up, in part or not at all, or not read."""

from __future__ import annotations

from collections.abc import Iterable

from kaozheng.sources.material import Material
from kaozheng.sources.passage import Passage
from kaozheng.workflows.write.code_places import counted_files


def inputs(material: Material, used: set[str]) -> dict[str, object]:
    """Which sources the document rests on: used (with the share of their passages and the lines of those left out),
    unused, unreadable or skipped. Of a code base the files that are cited, with the number of places in each."""
    skipped = [{"path": one.path, "why": one.why} for one in material.skipped]
    if material.about_code:
        files = counted_files(material.passage(name).text for name in used)
        named = [{"path": path, "places": places} for path, places in sorted(files.items())]
        return {"used": named, "unused": [], "skipped": skipped}
    passages: dict[str, list[Passage]] = {}
    for passage in material.passages:
        passages.setdefault(passage.source, []).append(passage)
    taken, unused = [], []
    for source in material.sources:
        own = passages.get(source.id, [])
        left = [passage for passage in own if passage.id not in used]
        if len(left) == len(own):
            unused.append({"path": source.path, "why": "nothing of it was taken up" if own else "holds no text"})
        else:
            share = {"passages": len(own), "cited": len(own) - len(left)}
            taken.append({"path": source.path, **share, "left": [] if source.made_from else _ranges(left)})
    return {"used": taken, "unused": unused, "skipped": skipped}


def _ranges(left: Iterable[Passage]) -> list[list[int]]:
    """The lines of these passages, neighbours joined."""
    ranges: list[list[int]] = []
    for lines in (passage.lines for passage in left):
        if ranges and lines.start <= ranges[-1][1] + 2:  # a blank line may stand between
            ranges[-1][1] = max(ranges[-1][1], lines.end)
        else:
            ranges.append([lines.start, lines.end])
    return ranges
