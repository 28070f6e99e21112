"""Texts that every database can keep."""

import pytest

from kaozheng.county.policy import Clause
from kaozheng.county.records import BusinessTerms
from kaozheng.county.store import Wanted
from kaozheng.county.whole_texts import require_keepable
from kaozheng.errors import InputError


@pytest.mark.parametrize("text", ["", "plain", "市中区①…—", "𠮷野家", "tab\tand\nline", "\x01"])
def test_what_can_be_kept_passes(text):
    require_keepable([BusinessTerms(text, text, text, ((text, text),))])


@pytest.mark.parametrize("text", ["\0", "公司\0", "\ud83d", "甲\udcff乙"])
def test_what_cannot_be_kept_is_refused_wherever_it_stands(text):
    for thing in (BusinessTerms("1", text, ""), BusinessTerms("1", "", "", (("a", text),)), Clause("1", "p", 1, text)):
        with pytest.raises(InputError, match=type(thing).__name__):
            require_keepable([BusinessTerms("0", "", ""), thing])


def test_nothing_is_asked_for_that_no_database_has():
    for asked in ({"regions": ("511083", "5110\0")}, {"indicators": ("\ud83d",)}, {"vintage": "\0"}):
        with pytest.raises(InputError, match="wanted"):
            Wanted(**asked)
