"""Circles of imports, compared with what a search from every file finds."""

from hypothesis import given
from hypothesis import strategies as st

from kaozheng.roles.explorer.offline.cycles import circles

NODES = "abcdefg"
GRAPHS = st.dictionaries(st.sampled_from(NODES), st.lists(st.sampled_from(NODES), unique=True), max_size=7)


def reach(graph, start):
    seen, pending = set(), list(graph.get(start, ()))
    while pending:
        one = pending.pop()
        if one not in seen:
            seen.add(one)
            pending.extend(graph.get(one, ()))
    return seen


@given(GRAPHS)
def test_parts_are_those_whose_files_reach_each_other(graph):
    far = {node: reach(graph, node) for node in NODES}
    parts = {frozenset(b for b in NODES if b in far[a] and a in far[b]) for a in NODES}
    expected = sorted(len(part) for part in parts if len(part) > 1)
    assert sorted(circle.files for circle in circles(graph)) == expected


@given(GRAPHS)
def test_the_circle_shown_is_made_of_imports(graph):
    for circle in circles(graph):
        assert len(set(circle.path)) == len(circle.path) >= 2
        assert all(b in graph[a] for a, b in zip(circle.path, (*circle.path[1:], circle.path[0]), strict=True))


def test_the_shortest_circle_of_a_part_is_shown():
    graph = {"a": ["b"], "b": ["c"], "c": ["a", "d"], "d": ["c"]}
    assert [(circle.path, circle.files) for circle in circles(graph)] == [(("c", "d"), 4)]
