"""Where the values of manifests stand, whatever their layout."""

import json

from hypothesis import given
from hypothesis import strategies as st

from kaozheng.sources.code.manifest_lines import ini_options, json_lines, line_of, toml_lines

NAMES = st.text(alphabet='ab{}[]:,"\\/#', min_size=1, max_size=5)


@given(
    st.dictionaries(NAMES, st.dictionaries(NAMES, st.text(alphabet='x{}[]:,"\\/', max_size=6), max_size=4), max_size=4)
)
def test_each_key_of_a_json_text_is_found_in_its_line(data):
    pretty = json_lines(json.dumps(data, indent=1))
    rows = json.dumps(data, indent=1).split("\n")
    for outer, inner in data.items():
        assert rows[pretty[outer,] - 1].startswith(f" {json.dumps(outer)}:")
        for key in inner:
            assert rows[pretty[outer, key] - 1].startswith(f"  {json.dumps(key)}:")
    assert set(json_lines(json.dumps(data)).values()) <= {1}


def test_lists_and_comments_of_json_are_counted():
    lines = json_lines('{ // "x": {\n"a": [1,\n{"b": 2}],\n/* "c":\n1 */ "d": "e:f"}')
    assert lines == {("a",): 2, ("a", "1", "b"): 3, ("d",): 5}


def test_strings_and_lists_of_several_lines_hold_no_keys_of_toml():
    text = (
        "a.b = 1\n[p] # [q]\nd = '''\n[no]\nx = 1\n'''\nl = [\n \"]\",\n 'y = 2',\n]\n[[bin]]\nn = 1\n[[bin]]\nn = 2\n"
    )
    assert toml_lines(text) == {
        ("a",): 1, ("a", "b"): 1, ("p",): 2, ("p", "d"): 3, ("p", "l"): 7, ("bin",): 11, ("bin", "0"): 11,
        ("bin", "0", "n"): 12, ("bin", "1"): 13, ("bin", "1", "n"): 14,
    }  # fmt: skip


def test_what_has_no_line_of_its_own_has_that_of_what_holds_it():
    lines = toml_lines("[tool.x]\ny = {z = 1}\n")
    assert [line_of(lines, keys) for keys in (("tool", "x", "y", "z"), ("tool", "x"), ("tool",), ("q",))] == [
        2,
        1,
        1,
        0,
    ]


def test_ini_options_leave_out_comments_and_broken_texts():
    assert list(ini_options("[a]\nx =\n  1\n  # 2\n  3\n")) == [("a", "x", "1", 3), ("a", "x", "3", 5)]
    assert list(ini_options("no section = 1\n")) == []


@given(st.text(alphabet="[]{}=.\"'#\\\n ax,:", max_size=60))
def test_no_text_is_too_broken(text):
    lines = len(text.split("\n"))
    for found in (json_lines(text), toml_lines(text)):
        assert all(1 <= line <= lines for line in found.values())
    assert all(1 <= number <= lines for *_, number in ini_options(text))


def test_what_is_never_closed_is_read_once():
    """Each of these would take hours if it were tried again behind each opening sign."""
    for text in ('"' + '\\"' * 300_000, "/*" * 300_000, '{"a": ' + "[" * 300_000):
        assert set(json_lines(text).values()) <= {1}
        assert set(toml_lines(text).values()) <= {1}
