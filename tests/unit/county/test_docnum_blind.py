"""The blind sentences with document numbers: well formed, so that a miss is a miss of the reader."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

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
