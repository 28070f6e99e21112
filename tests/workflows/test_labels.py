"""From `[E3]` to footnotes: once each, never in code, nothing glued to a fence."""

from __future__ import annotations

import pytest

from kaozheng.sources.material import build_material
from kaozheng.sources.source import Reading, Source
from kaozheng.workflows.write.citing import labelled

PASSAGES = build_material(Reading([Source.of("# a\n\nx 1\n\ny 2\n", "n.md")], [])).passages


@pytest.mark.parametrize(
    ("body", "cited"),
    [
        ("a.[E1]", "a.[^S1-1]"),
        ("a. [E1] [E1] b", "a.[^S1-1] b"),
        ("a.[E1][E2][E1]", "a.[^S1-1][^S1-2]"),
        ("a.[E9]", "a."),
        ("`x [E1]` y", "`x [E1]` y"),
        ("```py\nx[E2]\n```\n\nb.[E2]", "```py\nx[E2]\n```\n\nb.[^S1-2]"),
        ("```py\nx\n```[E1]", "```py\nx\n```\n\nSource: [^S1-1]"),
        ("```` a```b ```` is code.[E1]\n\nb.[E2]", "```` a```b ```` is code.[^S1-1]\n\nb.[^S1-2]"),
        ("Source: [E1]", "Source: [^S1-1]"),
        ("| a | [E1] |", "| a | [^S1-1] |"),
    ],
)
def test_labels_become_footnotes(body: str, cited: str) -> None:
    assert labelled(body, PASSAGES, "en") == cited
