"""References and names of artifacts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.artifacts import artifact_of, checked_name, ref_of
from kaozheng.artifacts.artifact import digest_of
from kaozheng.errors import InputError


def test_reference_is_the_hash_of_the_utf8_bytes():
    assert ref_of("abc") == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@given(st.text(), st.text())
def test_two_texts_share_a_reference_only_when_they_are_the_same(one, other):
    assert (ref_of(one) == ref_of(other)) == (one == other)


def test_size_counts_bytes_not_characters():
    assert artifact_of("a.md", "考证").size_bytes == 6


def test_half_of_a_surrogate_pair_is_refused_with_its_place():
    with pytest.raises(InputError, match="character 2"):
        ref_of("ab\ud83d")


@pytest.mark.parametrize("name", ["section_01.md", "考证 报告.md", "trace.json", "a-b(1).md"])
def test_plain_names_are_kept_as_they_are(name):
    assert checked_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", ".artifacts", "a/b.md", "..\\b.md", "/etc/passwd", "a\x00b", "a\nb", "c:x", "a.", "a ", "长" * 70],
)
def test_names_that_leave_the_folder_or_no_disk_takes_are_refused(name):
    with pytest.raises(InputError):
        checked_name(name)


@given(st.text(max_size=80))
def test_a_name_that_passes_stays_inside_the_folder(tmp_path_factory, name):
    folder = tmp_path_factory.getbasetemp()
    try:
        kept = checked_name(name)
    except InputError:
        return
    assert (folder / kept).parent == folder


@pytest.mark.parametrize("ref", ["", "sha256:", "sha256:" + "g" * 64, "md5:" + "0" * 64, "sha256:" + "0" * 64 + "\n"])
def test_what_is_no_reference_is_refused_before_it_reaches_the_disk(ref):
    with pytest.raises(InputError):
        digest_of(ref)
