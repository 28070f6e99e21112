"""Pictures of a workflow: Mermaid text, and an SVG drawn here, so that no service is asked to draw it.

Layout: a node stands one row below the lowest of the nodes that lead to it (loops left out); edges that go back up
bend round the side.
"""

from __future__ import annotations

from html import escape
from typing import Any

_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _MARGIN = 250, 34, 40, 40, 30
_ENDS = {"__start__": "START", "__end__": "END"}
_STYLE = (
    "text{font:13px sans-serif;fill:#1b1f24}.node{fill:#f2f5f9;stroke:#5b6b7f}.end{fill:#dfe7f1;stroke:#5b6b7f}"
    ".edge{fill:none;stroke:#5b6b7f}.maybe{stroke-dasharray:5 4}"
)


def mermaid(graph: Any) -> str:
    """The compiled graph as Mermaid text."""
    return str(graph.get_graph().draw_mermaid())


def svg(graph: Any) -> str:
    """The compiled graph as an SVG document; dashed edges are taken on a condition."""
    drawn = graph.get_graph()
    names = list(drawn.nodes)
    edges = [(edge.source, edge.target, bool(edge.conditional)) for edge in drawn.edges]
    rows, looping = _rows(names, [(source, target) for source, target, _ in edges])
    places = _places(rows, looping)
    width = max(x for x, _ in places.values()) + _WIDTH + 3 * _MARGIN
    height = max(y for _, y in places.values()) + _HEIGHT + _MARGIN
    shapes = [_edge(places, *edge) for edge in edges] + [_node(name, *places[name]) for name in names]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f"<style>{_STYLE}</style>"
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#5b6b7f"/></marker></defs>'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(shapes)}</svg>\n'
    )


def _rows(names: list[str], edges: list[tuple[str, str]]) -> tuple[dict[str, int], set[str]]:
    """The row of each node (the longest way down to it), and the nodes that an edge leads back up from.

    A node that only leads back stands beside the node that it leads to.
    """
    onward = {name: [target for source, target in edges if source == name] for name in names}
    done, back = _visited(onward)
    rows = dict.fromkeys(names, 0)
    for name in reversed(done):
        for target in onward[name]:
            if (name, target) not in back:
                rows[target] = max(rows[target], rows[name] + 1)
    rows.update({name: rows[target] for name, target in back if onward[name] == [target]})
    return rows, {name for name, _ in back}


def _visited(onward: dict[str, list[str]]) -> tuple[list[str], set[tuple[str, str]]]:
    """Nodes in the order in which a depth-first walk leaves them, and the edges that close a loop."""
    done: list[str] = []
    back: set[tuple[str, str]] = set()
    state: dict[str, str] = {}
    for root in onward:
        stack = [(root, iter(onward[root]))] if root not in state else []
        state.setdefault(root, "open")
        while stack:
            name, targets = stack[-1]
            target = next(targets, None)
            if target is None:
                state[name] = "done"
                done.append(name)
                stack.pop()
            elif state.get(target) == "open":
                back.add((name, target))
            elif target not in state:
                state[target] = "open"
                stack.append((target, iter(onward[target])))
    return done, back


def _places(rows: dict[str, int], looping: set[str]) -> dict[str, tuple[int, int]]:
    """Left top corners; what loops back stands right of what goes on, so that the main line is straight."""
    by_row: dict[int, list[str]] = {}
    for name, row in sorted(rows.items(), key=lambda item: item[0] in looping):
        by_row.setdefault(row, []).append(name)
    return {
        name: (_MARGIN + column * (_WIDTH + _GAP_X), _MARGIN + row * (_HEIGHT + _GAP_Y))
        for row, members in by_row.items()
        for column, name in enumerate(members)
    }


def _node(name: str, x: int, y: int) -> str:
    kind, radius = ("end", _HEIGHT // 2) if name in _ENDS else ("node", 5)
    label = escape(_ENDS.get(name, name))
    return (
        f'<rect class="{kind}" x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="{radius}"/>'
        f'<text x="{x + _WIDTH // 2}" y="{y + _HEIGHT // 2 + 5}" text-anchor="middle">{label}</text>'
    )


def _edge(places: dict[str, tuple[int, int]], source: str, target: str, conditional: bool) -> str:
    (x1, y1), (x2, y2) = places[source], places[target]
    kind = "edge maybe" if conditional else "edge"
    if y2 > y1:
        start, end = (x1 + _WIDTH // 2, y1 + _HEIGHT), (x2 + _WIDTH // 2, y2)
        bend = max(20, (end[1] - start[1]) // 2)
        path = _curve(start, (start[0], start[1] + bend), (end[0], end[1] - bend), end)
    elif y2 == y1 and x1 != x2:
        low, left = (2, x1) if x1 > x2 else (1, x1 + _WIDTH)
        at = y1 + low * _HEIGHT // 3
        path = f"M{left} {at} L{x2 + _WIDTH if x1 > x2 else x2} {at}"
    else:
        start, end = (x1 + _WIDTH, y1 + _HEIGHT // 2), (x2 + _WIDTH, y2 + _HEIGHT // 2)
        out = max(start[0], end[0]) + _GAP_X
        path = _curve(start, (out, start[1]), (out, end[1]), end)
    return f'<path class="{kind}" d="{path}" marker-end="url(#tip)"/>'


def _curve(*points: tuple[int, int]) -> str:
    start, *rest = (f"{x} {y}" for x, y in points)
    return f"M{start} C{', '.join(rest)}"
