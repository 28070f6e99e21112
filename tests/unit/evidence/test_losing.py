from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kaozheng.evidence.covering import Covering
from kaozheng.evidence.key_statements import KeyStatement, key_statements
from kaozheng.evidence.losing import lost
from kaozheng.evidence.naming import names_name
from kaozheng.evidence.repetition import repeated
from kaozheng.evidence.support import Supporter
from kaozheng.sources.material import Material, build_material
from kaozheng.sources.source import Reading, Source

SUBJECTS = ["东区泵站", "西区学校", "城南图书馆", "老城道路", "滨河公园"]
DEEDS = ["改造投资{}万元。", "没有通过验收，罚款{}万元。", "须在6月{}日前完工。", "由李雪负责，共{}人参加。"]
SENTENCES = st.builds(
    lambda subject, deed, number: subject + deed.format(number),
    st.sampled_from(SUBJECTS),
    st.sampled_from(DEEDS),
    st.integers(2, 28),
)
TEXTS = st.lists(SENTENCES, min_size=1, max_size=8, unique=True)


def material(sentences: list[str]) -> Material:
    return build_material(Reading([Source.of("\n\n".join(sentences), "text.md", "S1")], []))


def statements(sentences: list[str]) -> list[KeyStatement]:
    return key_statements(material(sentences).passages, "zh")


@given(TEXTS)
def test_a_summary_that_says_everything_loses_nothing(sentences: list[str]) -> None:
    assert lost(statements(sentences), sentences) == []


@given(TEXTS)
def test_an_empty_summary_loses_every_fact(sentences: list[str]) -> None:
    found = statements(sentences)
    assert [(loss.statement, loss.missing) for loss in lost(found, [])] == [(one, one.facts) for one in found]


@given(TEXTS, st.integers(0, 7), st.integers(29, 99))
def test_a_changed_number_is_lost_neither_carried_nor_a_repetition(
    sentences: list[str], place: int, number: int
) -> None:
    at = place % len(sentences)
    changed = "".join(character for character in sentences[at] if not character.isdigit() or character == "6")
    for unit in ("万元", "人"):
        changed = changed.replace(unit, f"{number}{unit}")
    if str(number) not in changed:
        return  # a day of June: 29 to 99 would be none
    said = [*sentences[:at], changed, *sentences[at + 1 :]]
    found = statements(sentences)
    assert found[at] in [loss.statement for loss in lost(found, said)]
    assert Covering(Supporter(material(sentences).passages)).of(changed) == []
    assert len(sentences) not in repeated([*sentences, changed])


@given(st.lists(st.one_of(SENTENCES, st.text(max_size=30)), max_size=12))
def test_what_is_repeated_is_an_earlier_sentence_that_repeats_nothing(sentences: list[str]) -> None:
    found = repeated(sentences)
    assert all(first < index and first not in found for index, first in found.items())


@given(st.lists(SENTENCES, min_size=1, max_size=6))
def test_a_sentence_said_twice_is_a_repetition(sentences: list[str]) -> None:
    found = repeated([*sentences, sentences[0]])
    assert len(sentences) in found


@given(TEXTS, st.text(max_size=40))
def test_quotes_stand_at_their_places(sentences: list[str], sentence: str) -> None:
    text = material(sentences)
    covering = Covering(Supporter(text.passages))
    for said in (sentence, "".join(sentences[:2]), sentences[-1]):
        assert all(evidence.holds_in(text.sources[0].text) for evidence in covering.of(said))
    assert covering.of(sentences[-1])


def test_a_name_is_known_in_its_usual_shorter_forms() -> None:
    assert names_name("王强局长", "会议由王强主持。")
    assert names_name("华岳科技有限公司", "华岳科技中标。")
    assert names_name("《数据安全法》", "会议学习了数据安全法。")
    assert names_name("Dr. Helen Marsh", "Marsh agreed.")
    assert names_name("Northgate Water Authority", "The NWA agreed.")
    assert not names_name("王强局长", "会议由王刚主持。")
    assert not names_name("华岳科技有限公司", "华兴科技中标。")
    assert not names_name("Northgate Water Authority", "The water was cold.")
