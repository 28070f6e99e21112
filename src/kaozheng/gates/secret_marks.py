"""Markings that a text is secret, internal or not yet published."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kaozheng.documents.span import Span

_MARK: Final = re.compile(
    r"(?:绝\s?密|机\s?密|秘\s?密)\s*[★☆*▲]|密\s?级\s*[:：]?\s*(?:绝密|机密|秘密)|(?:绝密|机密|秘密)(?=级)(?:级)?"
    r"|(?:^|(?<=[\n\s【\[（(]))(?:绝\s?密|机\s?密|秘\s?密)(?=[\s】\]）)]|$)"
    r"|(?:绝密|机密|秘密|涉密|密件)(?:级)?(?:文件|资料|材料|信息|数据|内容|件)(?!保护|管理|保密|培训|检查)"
    r"|内部(?:资料|文件|材料|刊物|参考|使用|掌握|传阅|数据|口径)(?:[^，。；\n]{0,4}(?:注意保(?:存|密|管)|(?:严禁"
    r"|不得|请勿|禁止|切勿)(?:外传|扩散|传播|转发|公开)))?"
    r"|(?:仅供|仅限)内部[^，。；\n]{0,8}|注意保密|(?:严禁|不得|请勿|禁止|切勿)(?:外传|对外(?:提供|公开|发布|泄露))"
    r"|(?:不宜|不予|不便)(?:对外)?公开"
    r"|(?:尚未|未经?|还未|暂未|暂不|没有)(?:正式|对外|依法)?(?:公开|公布|对外发布|披露|解密"
    r"|脱密)(?:的)?[^，。；\n]{0,8}"
    r"|保密期限|\b(?:top\s+secret|strictly\s+confidential|confidential|classified|for\s+internal\s+use(?:\s+only)?"
    r"|not\s+for\s+(?:public\s+)?(?:release|distribution))\b",
    re.IGNORECASE | re.MULTILINE,
)
_TALK: Final = re.compile(
    r"(?:不含|不涉及|未涉及|不包含|无|没有|没有发现|未发现|不存在|排查|检查|防止|严禁|不得(?:含有|出现|使用)?|删除"
    r"|去除|剔除|脱敏|不使用|不引用|不采用)[^，。；\n]{0,10}$"
    r"|\b(?:no|not|without)\s+(?:\w+\s+)?$",
    re.IGNORECASE,
)


def secret_marks(text: str) -> Iterator[Span]:
    """The markings in a text of half width; what says that there is none is no marking."""
    for found in _MARK.finditer(text):
        if not _TALK.search(text[max(0, found.start() - 24) : found.start()]):
            yield Span(*found.span())
