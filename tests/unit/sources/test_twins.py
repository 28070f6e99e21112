"""Entries of documents whose content is in their base already."""

from dataclasses import replace

from kaozheng.sources.index import Entry
from kaozheng.sources.twins import documents_of, originals_of, twin

ONE = Entry("kb", "/n/a.md", "0" * 64, "甲")
OTHER = Entry("kb", "/n/b.md", "0" * 64, "甲")


def test_twin_is_told_with_the_title_of_its_document():
    kept = twin(OTHER, ONE)
    assert kept.sha256 != ONE.sha256
    assert [(one.entry, one.duplicate_of) for one in documents_of([ONE, kept])] == [(ONE, ""), (OTHER, "/n/a.md")]
    assert originals_of([ONE, kept]) == [ONE]


def test_entry_is_no_twin_of_what_has_changed_or_gone():
    kept = twin(OTHER, ONE)
    assert [one.duplicate_of for one in documents_of([replace(ONE, sha256="1" * 64), kept])] == ["", ""]
    assert documents_of([kept])[0].entry == kept


def test_two_twins_of_a_document_are_no_twins_of_each_other():
    third = replace(OTHER, name="/n/c.md")
    assert twin(OTHER, ONE).sha256 != twin(third, ONE).sha256
