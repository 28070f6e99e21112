"""From bytes to text. The encoding is proved where possible and never guessed from a table of Latin code pages."""

from __future__ import annotations

import codecs
import contextlib
import re

from kaozheng.errors import EncodingError

# The longer mark first: UTF-32-LE begins with the mark of UTF-16-LE.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32", "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16"),
)
_MAGIC = (
    b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF-", b"PK\x03\x04", b"PK\x05\x06", b"\x7fELF", b"\x1f\x8b", b"BZh",
    b"\xfd7zXZ\x00", b"7z\xbc\xaf\x27\x1c", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"SQLite format 3\x00", b"\x00asm",
)  # fmt: skip
_SAMPLE = 1 << 20
_FEW = 10  # below this many Han characters a frequent one need not be among them
_JUDGED = 100_000  # characters, spread over the text, are enough to judge by
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")  # \t \n \v \f \r, ESC of logs, NEL are text
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3041-\u30fe]")
_PUNCTUATION = re.compile(r"[\u3000-\u3003\u3008-\u3011\u3014-\u301f\uff01-\uff5e\u2014\u2018-\u2026]")
# One in four to seven characters of any Chinese prose is among these; of misread Korean or Russian hardly any.
_FREQUENT = frozenset(
    "的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能"
    "好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意"
    "第系统数据理部法定工度机体使与其及等进业务表员应理制项目市区建设规则文件报告請這個們來時說會對後為國"
)
_TRADITIONAL = frozenset(
    "這個們來時說會對後為國學沒於發當無開經頭從動長現樣將與係統數據機體務應項設區規則報請裡麼過進還點關問間實總產業縣萬億號"
    "內認檔測試圖書館員處資訊網電話單位條約議題標準類選擇錄讀寫變檢查續繼結構組織買賣價錢廣東西車門見親愛聽聲"
)
_HIRAGANA = frozenset("のにはをたがでてとしれさいるなもかっすま")
_HALF_KANA = re.compile(r"[\uff61-\uff9f]")


def decode(data: bytes) -> tuple[str, str]:
    """(text, encoding). In this order: byte order mark, strict UTF-8, UTF-16 without a mark (by the places of its NUL
    bytes), GB18030 when the result reads as Chinese, Shift-JIS and Big5 when it reads as Japanese or as traditional
    Chinese. Line ends stay as they are. Raises EncodingError."""
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return _strict(data, codec), name
    wide = _utf16_without_mark(data)
    if wide:
        return _strict(data, wide), wide
    if looks_binary(data):
        raise EncodingError("these are not the bytes of a text (binary data)")
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        place = error.start
    for codec, name, reads in _EASTERN:
        with contextlib.suppress(UnicodeDecodeError):
            text = data.decode(codec)
            if text and reads(text):
                return text, name
    raise EncodingError(
        f"not UTF-8 (byte {place}), not UTF-16, and it reads as no Chinese or Japanese in GB18030, Shift-JIS or Big5"
    )


def looks_binary(data: bytes) -> bool:
    """Whether the bytes are no text at all: the beginning of a known binary format, NUL bytes that are not those of
    UTF-16 or UTF-32, or many control characters."""
    if data.startswith(_MAGIC):
        return True
    if data.startswith(tuple(mark for mark, _, _ in _MARKS)):
        return False
    sample = data[:_SAMPLE]
    if b"\x00" in data:
        return not _utf16_without_mark(data)
    control = sum(sample.count(byte) for byte in (*range(1, 9), *range(14, 27), *range(28, 32), 127))
    return control > 8 and control * 50 > len(sample)


def _strict(data: bytes, codec: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise EncodingError(f"it begins like {codec}, but byte {error.start} does not fit: {error.reason}") from error


def _utf16_without_mark(data: bytes) -> str:
    """ "utf-16-le" or "utf-16-be", or "" when it is neither. The places of the NUL bytes alone would not do: 一 has one
    on the other side than ASCII. So both ways are tried, and one must read as text."""
    sample = data[:_SAMPLE]
    if len(data) % 2 or b"\x00" not in sample:
        return ""
    familiar = {codec: _familiar(sample.decode(codec, "ignore")) for codec in ("utf-16-le", "utf-16-be")}
    best = max(familiar, key=familiar.__getitem__)
    return best if familiar[best] else ""


def _familiar(text: str) -> float:
    """The share of ASCII, Chinese marks and frequent Han characters; 0.0 when it is under 15 %, when a fifth of the
    text is in neither ASCII nor Han, or when there are control characters. Pairs of ASCII letters read as UTF-16 are
    Han characters too, but rare ones."""
    text = text[:: len(text) // _JUDGED + 1]
    if not text or len(_CONTROL.findall(text)) * 100 > len(text):
        return 0.0
    known = sum(char.isascii() or char in _FREQUENT or bool(_PUNCTUATION.match(char)) for char in text)
    other_han = sum(bool(_HAN.match(char)) and char not in _FREQUENT for char in text)
    return known / len(text) if known * 20 >= len(text) * 3 and (known + other_han) * 5 >= len(text) * 4 else 0.0


def _reads_as_chinese(text: str) -> bool:
    """Whether GB18030 gave Chinese and not another encoding misread: the double-byte characters are mostly those of
    GB 2312, its common half above all, and the most frequent Han characters occur as often as they must."""
    if _CONTROL.search(text):
        return False
    text = text[:: len(text) // _JUDGED + 1]
    wide = [char for char in text if not char.isascii()]
    han = [char for char in wide if _HAN.match(char)]
    if not han:  # English typed on a Chinese system: nothing but its quotes and dashes is wide
        return bool(wide) and all(_PUNCTUATION.match(char) for char in wide)
    if len(_KANA.findall(text)) * 20 > len(wide):
        return False
    plain = sum(_is_common(char) for char in han) + sum(bool(_PUNCTUATION.match(char)) for char in wide)
    frequent = sum(char in _FREQUENT for char in han)
    if len(han) >= _FEW and frequent * 20 < len(han):
        return False
    # The second way is for traditional characters, which GB 2312 lacks.
    return plain * 5 >= len(wide) * 4 or frequent * 5 >= len(han)


def _is_common(char: str) -> bool:
    """Whether it is in the first level of GB 2312, the 3,755 characters that make up 99 % of modern text."""
    code = char.encode("gb18030")
    return len(code) == 2 and 0xB0 <= code[0] <= 0xD7 and code[1] >= 0xA1


def _reads_as_japanese(text: str) -> bool:
    """Whether Shift-JIS gave Japanese: a quarter of its wide characters are kana, hiragana among them, and hardly
    any is one of the half-width katakana that the bytes of other encodings turn into."""
    if _CONTROL.search(text):
        return False
    text = text[:: len(text) // _JUDGED + 1]
    wide = [char for char in text if not char.isascii()]
    kana = len(_KANA.findall(text))
    common = sum(char in _HIRAGANA for char in wide)
    return kana >= 3 and kana * 4 >= len(wide) and common * 8 >= kana and len(_HALF_KANA.findall(text)) * 20 < len(wide)


def _reads_as_traditional(text: str) -> bool:
    """Whether Big5 gave Chinese: nearly all characters are in its common half, and the most frequent ones occur."""
    if _CONTROL.search(text):
        return False
    text = text[:: len(text) // _JUDGED + 1]
    wide = [char for char in text if not char.isascii()]
    han = [char for char in wide if _HAN.match(char)]
    plain = sum(_is_common_in_big5(char) for char in han) + sum(bool(_PUNCTUATION.match(char)) for char in wide)
    frequent = sum(char in _FREQUENT or char in _TRADITIONAL for char in han)
    return len(han) >= 3 and plain * 20 >= len(wide) * 19 and frequent * 6 >= len(han)


def _is_common_in_big5(char: str) -> bool:
    """Whether it is one of the 5,401 characters of the first level."""
    code = char.encode("cp950", "ignore")
    return len(code) == 2 and 0xA4 <= code[0] <= 0xC6


_EASTERN = (
    ("gb18030", "gb18030", _reads_as_chinese),
    ("cp932", "shift_jis", _reads_as_japanese),
    ("cp950", "big5", _reads_as_traditional),
)
