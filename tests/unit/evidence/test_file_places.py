"""A footnote to a converted file names a place in that file, not a line of a text that nobody has seen."""

import pytest

from kaozheng.cli.summary import conflict
from kaozheng.evidence.disputes import conflicts
from kaozheng.sources.material import Material, build_material
from kaozheng.sources.source import Place, Reading, Source
from kaozheng.workflows.write.citing import definition

TEXT = "一二三。\n\n四五六。\n\n七八九。\n"


def material(path, *places, text=TEXT, language="zh"):
    kept = build_material(
        Reading([Source("S1", path, text, made_from=path.rpartition(".")[2], places=places)], []), language
    )
    return Material.from_json(kept.to_json())


@pytest.mark.parametrize(
    ("kind", "names", "chinese", "english"),
    [
        ("page", "12", "`a.b`，第 2 页", "`a.b`, page 2"),
        ("slide", "12", "`a.b`，第 2 张幻灯片", "`a.b`, slide 2"),
        ("sheet", ("甲", "乙`"), "`a.b`，工作表 `` 乙` ``", "`a.b`, sheet `` 乙` ``"),
    ],
)
def test_the_place_is_named_in_the_language_of_the_document(kind, names, chinese, english):
    places = Place(0, kind, names[0]), Place(6, kind, names[1])
    for language, words in (("zh", chinese), ("en", english)):
        made = material("a.b", *places, language=language)
        assert definition("1", made.passages[-1].id, made) == f"[^1]: {words}"


def test_a_passage_over_two_pages_names_both():
    made = material("a.pdf", Place(0, "page", "3"), Place(2, "page", "4"), Place(6, "page", "5"))
    assert [definition("1", passage.id, made) for passage in made.passages] == [
        "[^1]: `a.pdf`，第 3–4 页",
        "[^1]: `a.pdf`，第 5 页",
        "[^1]: `a.pdf`，第 5 页",
    ]


def test_a_word_file_names_the_heading_above():
    made = material("a.docx", text="甲。\n\n# 背景\n\n乙。\n")
    assert [definition("1", passage.id, made) for passage in made.passages] == [
        "[^1]: `a.docx`",
        "[^1]: `a.docx`，“背景”一节",
    ]


def test_a_converted_text_is_markdown_whatever_its_file_is_called():
    made = material("a.pdf", text="# 背景\n\n乙。\n")
    assert made.passages[0].path == ("背景",)


def test_places_at_the_edges():
    source = Source("S1", "a.pdf", "abcdef", made_from="pdf", places=(Place(2, "page", "1"), Place(4, "page", "2")))
    assert [[place.name for place in source.places_at(*span)] for span in ((0, 1), (2, 4), (3, 5), (4, 6), (4, 4))] == [
        [], ["1"], ["1", "2"], ["2"], ["2"],
    ]  # fmt: skip


def test_a_contradiction_in_a_converted_file_names_its_page():
    sources = [
        Source("S1", "a.md", "# 备份\n\n日志保留期为 30 天。\n"),
        Source("S2", "b.pdf", "# 备份\n\n日志保留期为 90 天。\n", made_from="pdf", places=(Place(0, "page", "7"),)),
    ]
    (found,) = conflicts(build_material(Reading(sources, [])))
    assert [(place["path"], place["line"], place.get("where")) for place in found["places"]] == [
        ("a.md", 3, None),
        ("b.pdf", 3, "第 7 页"),
    ]
    assert "90 天 (b.pdf, 第 7 页)" in conflict(found)
