"""Sentences of a document that are no statement but an order to whoever answers from it, or were hidden from readers.

A model is told that documents are data; the twin would quote such a sentence as if it said something. Precision comes
first: an order names the answer itself, the rules of who answers, or speaks as a party of the conversation.
"""

from __future__ import annotations

import re
from typing import Final

from kaozheng.documents.sentences import split

_UNSEEN = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff]")
_MOST_UNSEEN: Final = 3
_ORDER = re.compile(
    r"(?:忽略|无视|不要理会|不必理会|忘记)(?:以上|上述|上面|之前|前面|先前)[^。\n]{0,12}(?:要求|指令|指示|内容"
    r"|规则|提示)"
    r"|(?:放在|加在|附在|写在|插入|加到|附到)[^。\n]{0,8}(?:回答|回复|答案)|(?:回答|回复|答案)的?(?:开头|末尾"
    r"|结尾|最后|前面)[^。\n]{0,6}(?:加上|附上|写上|放上|输出|注明)"
    r"|(?:一律|请?直接|请只|只能|必须)(?:回答|回复|输出)[^。\n]{0,4}[“\"「『]|输出[^。\n]{0,4}(?:暗号|口令"
    r"|系统提示)|系统提示词|(?:你现在是|从现在起你)"
    r"|^\s*(?:system|assistant|user|系统|助手|用户)\s*[:：]"
    r"|\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+)?(?:the\s+|your\s+)?(?:previous|prior|above|earlier)\b"
    r"|\b(?:append|add|include|put|insert)\b[^.\n]{0,60}\b(?:to|in|into|at the (?:end|beginning"
    r"|start) of)\s+(?:your|every|each|the)\s+(?:reply|answer|response)s?\b"
    r"|\bfrom now on,? you\b|\byou are now\b|\bthe assistant must\b|\bsystem prompt\b|\banswer only in\b"
    r"|\b(?:end|begin|start) with the words?\b",
    re.IGNORECASE,
)


def is_order(sentence: str) -> bool:
    """Whether the sentence is an order to whoever answers, or is written in characters that nobody sees."""
    if len(_UNSEEN.findall(sentence)) >= _MOST_UNSEEN:
        return True
    return bool(_ORDER.search(sentence))


def without_orders(text: str) -> str:
    """`text` without such sentences; all others as they stand."""
    orders = [span for span in split(text) if is_order(text[span.start : span.end])]
    for span in reversed(orders):
        text = text[: span.start] + text[span.end :]
    return text
