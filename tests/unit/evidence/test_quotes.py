from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kaozheng.evidence.folding import fold, narrow
from kaozheng.evidence.quotes import NUMBERS_DIFFER, locate, similarity


def found(quote: str, text: str) -> str | None:
    span = locate(quote, text)
    return text[span.start : span.end] if span else None


def test_width_quotes_blanks_and_markup_do_not_hide_a_quote() -> None:
    text = "请使用 **ＧｉｔＨｕｂ** 登录，“不要” 用 `密码`。"
    assert found('使用GitHub登录,"不要"用密码', text) == "使用 **ＧｉｔＨｕｂ** 登录，“不要” 用 `密码"


def test_kangxi_radicals_are_the_characters_they_look_like() -> None:
    assert found("一个用户", "⼀个⽤户") == "⼀个⽤户"


def test_quote_over_a_line_break_and_a_quote_prefix() -> None:
    assert found("first line second line", "> first line\n> second line") == "first line\n> second line"


def test_link_addresses_are_not_part_of_the_words() -> None:
    assert found("see the guide now", "see [the guide](https://a.example/x(1)) now") is not None


def test_a_number_is_not_found_inside_a_longer_one() -> None:
    assert locate("5 天", "15 天") is None
    assert found("5 天", "15 天，5 天") == "5 天"


def test_blank_or_punctuation_is_no_quote() -> None:
    assert locate("。", "一。") is None
    assert locate("", "一") is None


def test_similarity_is_capped_when_numbers_differ() -> None:
    assert similarity("距会场550米", "距会场550米，步行可达") == 1.0
    assert similarity("距会场500米", "距会场550米，步行可达") <= NUMBERS_DIFFER


def test_reworded_is_more_alike_than_unrelated() -> None:
    text = "生产者至多重试两次，然后返回失败。"
    assert similarity("生产者至多重试两次", text) > 0.9 > 0.2 > similarity("消费者按队列拉取消息", text)


@given(st.text(max_size=80))
def test_fold_maps_every_character_to_its_origin(text: str) -> None:
    folded, places = fold(text)
    assert len(folded) == len(places)
    assert places == sorted(places)
    assert all(0 <= place < len(text) for place in places)
    assert len(narrow(text)) == len(text)


@given(
    st.text(alphabet="用户至多重试abc 12，。*`（）", min_size=1, max_size=40),
    st.text(max_size=20),
    st.text(max_size=20),
)
def test_what_was_cut_is_found_again(quote: str, before: str, after: str) -> None:
    span = locate(quote, f"{before}\n\n{quote}\n\n{after}")
    assert span is not None or not any(character.isalnum() for character in fold(quote)[0])
