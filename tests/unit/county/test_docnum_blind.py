"""The blind sentences with document numbers: well formed, so that a miss is a miss of the reader."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
import yaml

from kaozheng.county.policy import Policy
from kaozheng.gates.document_numbers import citations

BLIND = yaml.safe_load((Path(__file__).parents[2] / "county" / "docnum_blind.yml").read_text(encoding="utf-8"))


def test_half_of_the_twenty_sentences_are_plain():
    assert [one["level"] for one in BLIND["sentences"]] == ["plain"] * 10 + ["hard"] * 10
    assert len({one["text"] for one in BLIND["sentences"]}) == 20


def test_every_expected_number_is_in_the_normal_form_of_a_known_agency():
    form = re.compile(f"(?:{'|'.join(BLIND['agencies'])})〔(?:19|20)[0-9]{{2}}〕[1-9][0-9]{{0,4}}号")
    assert all(form.fullmatch(number) for one in BLIND["sentences"] for number in one["docnums"])


def test_a_plain_sentence_has_its_numbers_as_they_are_expected():
    plain = [one for one in BLIND["sentences"] if one["level"] == "plain"]
    assert all(number in one["text"] for one in plain for number in one["docnums"])


def registered(*numbers: str) -> list[Policy]:
    return [
        Policy(number, number, "", date(2020, 1, 1), f"某文件{place}号全文") for place, number in enumerate(numbers)
    ]


@pytest.mark.parametrize("case", BLIND["sentences"], ids=lambda case: case["id"])
def test_the_numbers_are_found_where_they_are_registered(case):
    register = registered(*dict.fromkeys(number for one in BLIND["sentences"] for number in one["docnums"]))
    found = citations(case["text"], register)
    assert [one.form for one in found] in [case["docnums"], *case.get("alt", [])]
    assert all(one.policy for one in found if "〔" in one.form)


@pytest.mark.parametrize("case", BLIND["sentences"], ids=lambda case: case["id"])
def test_the_forms_are_right_where_only_the_agencies_are_registered(case):
    found = citations(case["text"], registered(*(f"{agency}〔2001〕1号" for agency in BLIND["agencies"])))
    assert [one.form for one in found] in [case["docnums"], *case.get("alt", [])]
    assert not any(one.policy for one in found)
