"""The encoding of a web page: what its server or the page itself names, else what its bytes prove."""

from __future__ import annotations

import codecs
import re

from kaozheng.sources.decoding import decode

_META = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
# Python knows codecs that are no encodings of pages (punycode, unicode_escape, …).
_ENCODINGS = re.compile(r"utf-(8|16|32)|ascii|gb|big5|hz|euc|shift_jis|iso(8859|2022)|cp(125|932|936|949|950)|koi8|mac")


def decoded_page(body: bytes, charset: str | None = None, is_html: bool = True) -> str:
    """By the encoding that the answer (`charset`) or the page names; where that does not fit, by the bytes themselves.
    Raises EncodingError."""
    meta = _META.search(body[:4096]) if is_html else None
    named = charset or (meta[1].decode("ascii", "ignore") if meta else "")
    try:
        codec = codecs.lookup(named.replace("gb2312", "gb18030")).name if named else ""
        if _ENCODINGS.match(codec):
            return body.decode(codec)
    except (LookupError, ValueError):  # an unknown name, or bytes that are not in it
        pass
    return decode(body)[0]
