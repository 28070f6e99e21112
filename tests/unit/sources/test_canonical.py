"""One written form for document numbers, standards, dates, versions and numbers."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.sources.canonical import canonicals, folded

AGENCY = st.text("国办发川府改经信企业财建内函政", min_size=2, max_size=6)
YEAR = st.integers(1949, 2099)
BRACKETS = ["〔〕", "[]", "［］", "()", "（）", "【】", "﹝﹞"]


def forms(text):
    return [place.form for place in canonicals(folded(text))]


def all_terms(text):
    return {term for place in canonicals(folded(text)) for term in place.terms}


@given(AGENCY, YEAR, st.integers(1, 9999), st.sampled_from(BRACKETS), st.sampled_from(["", "第", " ", "第 ", "0"]))
def test_document_number_has_one_form_in_all_brackets(agency, year, number, brackets, between):
    written = f"{agency}{brackets[0]}{year}{brackets[1]}{between}{number}号"
    assert forms(written) == [f"{agency}〔{year}〕{number}号"]


@given(AGENCY, YEAR, st.integers(1, 9999), st.sampled_from(["请问", "根据", "关于", "查询"]))
def test_words_before_the_agency_are_no_part_of_it(agency, year, number, lead):
    assert forms(f"{lead}{agency}〔{year}〕{number}号是什么") == [f"{agency}〔{year}〕{number}号"]


def test_ends_of_an_agencys_name_are_wider_terms():
    (place,) = canonicals("川发改〔2023〕15号")
    assert place.terms == ("川发改〔2023〕15号", "*川发改〔2023〕15号", "*发改〔2023〕15号", "〔2023〕15号", "2023")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("财税〔2016〕36号、〔2017〕5号", ["财税〔2016〕36号", "财税〔2017〕5号"]),
        ("根据财税[2016]36号，[2017]第05号的规定", ["财税〔2016〕36号", "财税〔2017〕5号"]),
        ("财税[2016]36号 和（2017）5号", ["财税〔2016〕36号", "财税〔2017〕5号"]),
        ("财办〔2016〕6号、税发〔2017〕5号以及〔2018〕7号", ["财办〔2016〕6号", "税发〔2017〕5号", "税发〔2018〕7号"]),
        ("财税〔2016〕36号。〔2017〕5号", ["财税〔2016〕36号", "〔2017〕5号"]),
        ("财税〔2016〕36号、（2021）川1028民初123号", ["财税〔2016〕36号"]),
    ],
)
def test_number_in_a_row_has_the_agency_of_the_one_before(text, found):
    assert forms(text) == found


def test_number_in_a_row_is_found_without_its_agency_too():
    assert {"财税〔2017〕5号", "〔2017〕5号", "2017"} <= set(canonicals("财税〔2016〕36号、〔2017〕5号")[1].terms)


@pytest.mark.parametrize("text", ["第3号令、第15号台风", "2023年15号线开通", "（2021）川1028民初123号"])
def test_what_only_looks_like_a_document_number(text):
    assert not any(place.kind == "document number" for place in canonicals(folded(text)))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("GB/T 9704—2012", "gb/t9704-2012"),
        ("gbt 9704-2012", "gb/t9704-2012"),
        ("ＧＢ／Ｔ　９７０４－２０１２", "gb/t9704-2012"),
        ("ISO/IEC 27001:2013", "iso/iec27001-2013"),
        ("RFC 2616", "rfc2616"),
        ("rfc2616", "rfc2616"),
        ("DB51/T 2345-2020", "db51/t2345-2020"),
        ("T/CECS 123-2020", "t/cecs123-2020"),
        ("YY 0505-2012", "yy0505-2012"),
        ("IEEE 802.11ax", "ieee802.11ax"),
        ("2023年5月1日", "2023-05-01"),
        ("2023-5-1", "2023-05-01"),
        ("2023.05.01", "2023-05-01"),
        ("2023/05/01", "2023-05-01"),
        ("二〇二三年五月一日", "2023-05-01"),
        ("二零二三年十月二十日", "2023-10-20"),
        ("二〇二三年十二月三十一日", "2023-12-31"),
        ("May 1, 2023", "2023-05-01"),
        ("1st of May 2023", "2023-05-01"),
        ("2023年5月", "2023-05"),
        ("2023-05", "2023-05"),
        ("二〇二三年", "2023"),
        ("5月1日", "--05-01"),
        ("5月", "--05"),
        ("v2.3.1", "2.3.1"),
        ("2.3.1-rc1", "2.3.1-rc1"),
        ("V2.0", "2.0"),
        ("1,234,567.50", "1234567.50"),
        ("12.3％", "12.3%"),
        ("50%", "50%"),
        ("91510000MA6CXXXX1X", "91510000ma6cxxxx1x"),
    ],
)
def test_form(text, form):
    assert forms(text) == [form]


@pytest.mark.parametrize(
    ("asked", "stands"),
    [
        ("2023年5月", "2023-05-17"),
        ("5月17日", "二〇二三年五月十七日"),
        ("5月", "2023年5月17日"),
        ("GB/T 9704", "GB/T 9704—2012"),
        ("发改〔2023〕15号", "川发改〔2023〕15号"),
        ("12.3", "12.30%"),
        ("1234567.5", "1,234,567.50"),
    ],
)
def test_narrower_text_has_a_term_of_the_wider_question(asked, stands):
    assert all_terms(asked) & all_terms(stands)


@pytest.mark.parametrize("text", ["5月薪", "5个月", "端口 8080", "8 GB 内存", "en 12", "10号楼", "2023年", "第5次"])
def test_no_form(text):
    assert forms(text) == []


WRITTEN = st.one_of(
    st.builds("{}〔{}〕{}号".format, AGENCY, YEAR, st.integers(1, 9999)),
    st.builds("{} {}-{}".format, st.sampled_from(["GB/T", "ISO", "DB51/T", "T/CECS"]), st.integers(1, 99999), YEAR),
    st.dates().map(lambda day: f"{day.year % 150 + 1950}年{day.month}月{day.day}日"),
    st.builds("v{}.{}.{}".format, *[st.integers(0, 99)] * 3),
    st.builds("{:,}.{}".format, st.integers(0, 10**9), st.integers(0, 999)),
    st.builds("{}%".format, st.integers(0, 100)),
)


@given(WRITTEN)
def test_form_is_written_in_its_own_form(text):
    (form,) = forms(text)
    assert forms(form) == [form]


@given(st.lists(st.one_of(WRITTEN, st.text(max_size=10)), max_size=6).map("，".join))
def test_places_are_in_order_and_apart(text):
    places = canonicals(folded(text))
    assert all(before.end <= after.start for before, after in pairwise(places))
    assert all(place.form and place.start < place.end for place in places)
