"""A mended file keeps its encoding, byte order mark, line ends and every untouched line."""

from __future__ import annotations

import codecs
import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kaozheng.errors import EncodingError
from kaozheng.sources.decoding import decode
from kaozheng.sources.rewriting import rewritten, same_text
from kaozheng.sources.source import normal_lines

PROSE = "这是一段的文字，我们在这里说明系统的数据。"
FORMS = {
    "utf-8": (b"", "utf-8"),
    "utf-8 with mark": (codecs.BOM_UTF8, "utf-8"),
    "gbk": (b"", "gbk"),
    "gb18030": (b"", "gb18030"),
    "utf-16-le with mark": (codecs.BOM_UTF16_LE, "utf-16-le"),
    "utf-16-be with mark": (codecs.BOM_UTF16_BE, "utf-16-be"),
    "utf-32-le with mark": (codecs.BOM_UTF32_LE, "utf-32-le"),
    "utf-16-le": (b"", "utf-16-le"),
}
ENDS = st.sampled_from(["\n", "\r\n", "\r"])
LINES = st.lists(
    st.tuples(st.sampled_from(["", "甲乙", "使用GitHub登录", "plain words", "䂠\u0a0d不 ", "  缩进"]), ENDS), max_size=8
)


def laid_out(lines: list[tuple[str, str]], form: str) -> bytes:
    mark, codec = FORMS[form]
    extra = "𠀀䶮\n" if form == "gb18030" else ""
    text = "".join(itertools.chain.from_iterable(lines))
    assume(form not in {"gbk"} or text.encode("gbk", "ignore").decode("gbk") == text)
    return mark + (PROSE + "\n" + extra + "latin words\n" + text).encode(codec)


@given(lines=LINES, form=st.sampled_from(sorted(FORMS)))
def test_a_text_that_did_not_change_gives_the_same_bytes(lines: list[tuple[str, str]], form: str) -> None:
    data = laid_out(lines, form)
    text = normal_lines(decode(data)[0])
    assert rewritten(data, text) == data
    assert same_text(data, text)


@given(lines=LINES, form=st.sampled_from(sorted(FORMS)))
def test_one_changed_line_changes_its_own_bytes_alone(lines: list[tuple[str, str]], form: str) -> None:
    data = laid_out(lines, form)
    mark, codec = FORMS[form]
    text = normal_lines(decode(data)[0])
    old, new = "latin words", "拉丁 words"
    assert rewritten(data, text.replace(old, new)) == data.replace(old.encode(codec), new.encode(codec), 1)
    assert rewritten(data, text.replace(old, new)).startswith(mark)


def test_new_lines_end_as_most_lines_do() -> None:
    data = b"one\r\ntwo\r\nthree\nfour"
    assert rewritten(data, "one\nnew\ntwo\nthree\nfour") == b"one\r\nnew\r\ntwo\r\nthree\nfour"
    assert rewritten(data, "one\nthree\nfour") == b"one\r\nthree\nfour"


def test_a_sign_that_gbk_lacks_is_named() -> None:
    data = f"{PROSE}使用GitHub登录\r\n".encode("gbk")
    with pytest.raises(EncodingError, match=r"U\+20000.* cannot be written in gbk"):
        rewritten(data, f"{PROSE}𠀀\n")


def test_another_text_in_the_file_is_seen() -> None:
    assert not same_text("甲\r\n".encode(), "乙\n")
