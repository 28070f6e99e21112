"""The text of a footnote stands behind the part that refers to it, wherever its source defines it."""

from __future__ import annotations

from kaozheng.sources.material import build_material
from kaozheng.sources.source import Reading, Source

TEXT = """# 甲

甲有 3 台[^a]。又见[^b]。

甲的第二段也提到它[^a]。

# 乙

乙有 5 台，没有注。

```
x[^c]
```

[^a]: 甲的注。

[^b]: 另一条注。

[^c]: 没有人提到的注。
"""


def test_a_footnote_follows_the_first_part_that_refers_to_it() -> None:
    material = build_material(Reading([Source.of(TEXT, "n.md")], []))
    first, second = material.units
    assert [one.text for one in first.passages] == [
        "甲有 3 台[^a]。又见[^b]。",
        "[^a]: 甲的注。",
        "[^b]: 另一条注。",
        "甲的第二段也提到它[^a]。",
    ]
    assert {one.path for one in first.passages} == {("甲",)}
    assert [one.text for one in second.passages][-1] == "[^c]: 没有人提到的注。"
    for one in material.passages:
        assert TEXT[one.span.start : one.span.end] == one.text
    assert material.from_json(material.to_json()) == material
