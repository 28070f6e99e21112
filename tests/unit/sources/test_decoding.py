"""Bytes to text: what is known, and what is refused instead of guessed."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kaozheng.errors import EncodingError
from kaozheng.sources.decoding import decode, looks_binary

CHINESE = "权限控制的说明：管理员可以在配置文件里设置账号，重启之后规则才会生效。\n第二行有 ASCII 和 123。\n"


@pytest.mark.parametrize(
    ("codec", "named"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("utf-32", "utf-32"),
        ("gb18030", "gb18030"),
        ("gbk", "gb18030"),
    ],
)
def test_chinese_comes_back_from_every_known_encoding(codec, named):
    assert decode((CHINESE * 3).encode(codec)) == (CHINESE * 3, named)


@pytest.mark.parametrize(
    "text",
    ["你好，世界", "中", "标题\n\n繁體字也可以：這個系統會讀取檔案。", "€100 的价格", "the “rule” — it’s a test…"],
)
def test_short_gb18030_is_read(text):
    assert decode(text.encode("gb18030"))[0] == text


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("Les élèves français étudient à la bibliothèque où ils préfèrent être. ", "latin-1"),
        ("Größe, Übung, Straße und schöne Äpfel für alle Mädchen. ", "cp1252"),
        ("Это русский текст, который не должен стать китайским. ", "koi8-r"),
        ("Это русский текст, который не должен стать китайским. ", "cp1251"),
        ("これは日本語の文書です。漢字とかなが混ざっています。", "euc_jp"),
        ("이것은 한국어 문서입니다. 인코딩을 잘못 추측하지 마십시오. ", "euc_kr"),
        ("안녕하세요 반갑습니다", "euc_kr"),
    ],
)
def test_other_encodings_are_refused_and_never_taken_for_chinese(text, codec):
    with pytest.raises(EncodingError):
        decode(text.encode(codec))


TRADITIONAL = "這是一個測試文件，內容為繁體中文，請確認編碼。管理員可以在設定檔裡設定帳號，重新啟動之後才會生效。"
JAPANESE = "これは日本語の文書です。漢字とかなが混ざっています。設備は毎月一回点検すること。"


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (TRADITIONAL, "big5"),
        (TRADITIONAL[:12], "big5"),
        ("地區,產值（億元）\n臺北市,12.3\n新竹縣,4.5\n", "big5"),
        (JAPANESE, "shift_jis"),
        (JAPANESE[:13], "shift_jis"),
        ("品名,数量\nポンプの予備,12\nモーターは不要,3\n", "shift_jis"),
    ],
)
def test_traditional_chinese_and_japanese_come_back(text, codec):
    assert decode(text.encode(codec)) == (text, codec)


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("이것은 한국어 문서입니다. 인코딩을 잘못 추측하지 마십시오. 설비는 매월 점검합니다. ", "euc_kr"),
        ("これは日本語の文書です。漢字とかなが混ざっています。設備は毎月一回点検すること。", "euc_jp"),
        ("Это русский текст, который не должен стать китайским. Оборудование проверяют ежемесячно. ", "cp1251"),
        ("Это русский текст, который не должен стать китайским. Оборудование проверяют ежемесячно. ", "koi8-r"),
        ("Größe, Übung, Straße und schöne Äpfel für alle Mädchen. Prüfung jährlich. ", "cp1252"),
        (CHINESE, "gb18030"),
    ],
)
def test_no_part_of_another_encoding_is_taken_for_big5_or_shift_jis(text, codec):
    for start in range(0, len(text) - 12, 3):
        for length in (12, 20, 40):
            try:
                named = decode(text[start : start + length].encode(codec))[1]
            except EncodingError:
                continue
            assert named not in ("big5", "shift_jis")


def test_cut_character_at_the_end_is_refused():
    with pytest.raises(EncodingError):
        decode(("中文" * 50).encode("gb18030")[:-1])


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)) * 20,
        b"\x89PNG\r\n\x1a\n" + b"\0" * 40,
        b"%PDF-1.7 text",
        b"PK\x03\x04abc",
        b"text\0text\0text",
        b"\x01\x02\x03\x04\x05\x06" * 30,
    ],
)
def test_binary_data_is_told_from_text(data):
    assert looks_binary(data)
    with pytest.raises(EncodingError):
        decode(data)


def test_log_with_colours_is_text():
    data = b"\x1b[31merror\x1b[0m something failed\n" * 20
    assert not looks_binary(data)
    assert decode(data)[1] == "utf-8"


def test_broken_utf16_after_its_mark_is_refused():
    with pytest.raises(EncodingError, match="utf-16"):
        decode("中文".encode("utf-16")[:-1])


def test_no_bytes_are_the_empty_text():
    assert decode(b"") == ("", "utf-8")


@given(st.text(max_size=200).filter(lambda text: "\0" not in text))
def test_utf8_always_comes_back(text):
    # Some letters at the start are the signs of other formats.
    data = text.encode()
    assume(not looks_binary(data))
    assert decode(data)[0].removeprefix("\ufeff") == text.removeprefix("\ufeff")


@given(st.binary(max_size=300))
def test_any_bytes_give_text_or_an_encoding_error(data):
    try:
        text, _ = decode(data)
    except EncodingError:
        return
    assert isinstance(text, str)


def test_a_large_gb18030_file_is_judged_quickly():
    data = (CHINESE * 100_000).encode("gb18030")
    assert decode(data)[1] == "gb18030"
