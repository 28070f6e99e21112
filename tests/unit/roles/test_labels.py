from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.documents.sentences import split
from kaozheng.evidence.sentence import Sentence
from kaozheng.roles.labels import labelled_sentences, listed, unwrapped, without_labels

EVIDENCE = (Sentence("甲。", ("S1:1",)), Sentence("乙。", ("S1:2", "S2:7")), Sentence("丙。", ()))

CASES = {
    "behind the stop": ("设备到货。[E1]验收通过。[E2]", [("设备到货。", 1), ("验收通过。", 2)]),
    "before the stop": ("设备到货[E1]。验收通过[E2]。", [("设备到货。", 1), ("验收通过。", 2)]),
    "at the start of a line": ("[E1] 设备到货。\n[E2] 验收通过。", [("设备到货。", 1), ("验收通过。", 2)]),
    "like a footnote": ("[E1]: 设备到货。\n\n- [E2]：验收通过。", [("设备到货。", 1), ("验收通过。", 2)]),
    "in other brackets": ("设备到货。【E1】验收通过。（E2）", [("设备到货。", 1), ("验收通过。", 2)]),
    "as a footnote": ("设备到货。[^E1] 验收通过。[^2]", [("设备到货。", 1), ("验收通过。", None)]),
    "english": ("It arrived.[E1] It passed (E2).", [("It arrived.", 1), ("It passed.", 2)]),
    "english without a blank": ("It arrived.[E1]It passed.[E2]", [("It arrived.", 1), ("It passed.", 2)]),
    "of nothing": ("设备到货。[E9]", [("设备到货。", None)]),
    "a list": ("要点如下：\n\n1. 设备到货[E1]\n2. **验收**通过[E2]", [("设备到货", 1), ("验收通过", 2)]),
    "headings and bold titles": ("# 结论\n\n**进度**\n\n设备到货。[E1]", [("设备到货。", 1)]),
    "a fence around all": ("```markdown\n设备到货。[E1]\n```", [("设备到货。", 1)]),
    "tags": (
        "<p>设备<b>到货</b>。[E1]</p><script>alert(1)</script><br>验收通过。[E2]",
        [("设备到货。", 1), ("验收通过。", 2)],
    ),
    "our own fence": ("<evidence>\n设备到货。[E1]\n</evidence>", [("设备到货。", 1)]),
    "a wrapped line": ("设备已于三月\n到货。[E1]", [("设备已于三月到货。", 1)]),
    "a table": ("| 项 | 值 |\n|---|---|\n| 甲 | 1 |\n\n设备到货。[E1]", [("设备到货。", 1)]),
    "stops inside": (
        "《3.14 计划》用 GPT-4.5 写成，“很好。”他说。[E1]",
        [("《3.14 计划》用 GPT-4.5 写成，“很好。”他说。", 1)],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_label_belongs_to_the_sentence_it_stands_in_or_behind(name: str) -> None:
    text, wanted = CASES[name]
    found = labelled_sentences(text, EVIDENCE)
    assert [one.text for one in found] == [said for said, _ in wanted]
    assert [one.passages for one in found] == [EVIDENCE[at - 1].passages if at else () for _, at in wanted]


def test_several_labels_give_all_their_passages_once() -> None:
    (found,) = labelled_sentences("设备到货。[E2][E1][E2]", EVIDENCE)
    assert found.passages == ("S1:2", "S2:7", "S1:1")


def test_a_range_names_all_between() -> None:
    assert labelled_sentences("设备到货。[E1-E3]", EVIDENCE)[0].passages == ("S1:1", "S1:2", "S2:7")


def test_a_sentence_said_twice_stands_once_with_the_passages_of_both() -> None:
    (found,) = labelled_sentences("设备到货。[E1] 设备到货。[E2]", EVIDENCE)
    assert found.passages == ("S1:1", "S1:2", "S2:7")


def test_evidence_is_listed_under_our_labels_alone() -> None:
    text = listed([Sentence("见 [E2] 与【E3】。[^4]", ("S1:1",)), Sentence("乙。", ("S1:2",))])
    assert text == "[E1] 见 \\[E2] 与\\【E3】。\n\n[E2] 乙。"


def test_labels_of_all_forms_go() -> None:
    assert without_labels("预算[E1]为 3 元。【E2】（E3）") == "预算为 3 元。"


def test_code_of_a_section_is_no_wrapper() -> None:
    assert unwrapped("```\nls\n```") == "```\nls\n```"
    assert unwrapped("```md\n甲。\n```") == "甲。"


sentences = st.lists(
    st.tuples(
        st.sampled_from(
            ["第{}台设备验收合格。", "Device {} passed the test.", "GPT-4.{} 是新版本！", "“第{}条。”他说。"]
        ),
        st.lists(st.integers(1, 12), max_size=3),
    ),
    min_size=1,
    max_size=8,
)


@given(sentences)
def test_what_was_labelled_is_read_back(said: list[tuple[str, list[int]]]) -> None:
    evidence = [Sentence(f"证据 {place}。", (f"S1:{place}",)) for place in range(1, 11)]
    texts = [text.format(place) for place, (text, _) in enumerate(said, start=1)]
    reply = " ".join(
        text + "".join(f"[E{label}]" for label in labels) for text, (_, labels) in zip(texts, said, strict=True)
    )
    found = labelled_sentences(reply, evidence)
    assert [one.text for one in found] == texts
    wanted = [tuple(dict.fromkeys(f"S1:{label}" for label in labels if label <= 10)) for _, labels in said]
    assert [one.passages for one in found] == wanted


@given(st.text(alphabet="甲。[]E12 <b>`*\n.#|-：", max_size=80))
def test_any_reply_is_read_without_labels_left(reply: str) -> None:
    for one in labelled_sentences(reply, EVIDENCE):
        assert one.text == one.text.strip()
        assert split(one.text)
        assert "\n" not in one.text
