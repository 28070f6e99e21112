"""What a repository says, put into a document so that it stays what it is: words, never markup, rules or orders.

Every name, command and sentence of the repository stands in a code span. No check of a rule book reads it, no fix
changes it, and nothing in it is Markdown or HTML any more (decision 0022).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from kaozheng.documents.code_span import code_span

_PLACE_LIKE = re.compile(r"#L\d")
_BETWEEN_HAN = re.compile(
    r"(?<=[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]) (?=[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef])"
)


def code(text: str) -> str:
    """`text` as a code span; line ends become blanks. "" for a text of blanks."""
    line = text.replace("\r", " ").replace("\n", " ")
    return code_span(line) if line.strip() else ""


def words(text: str) -> str:
    """`text` as readers see it, in one line: without control, direction and zero-width signs. "" when nothing is left,
    or when it looks like a place in code: what a source says must never pass for a reference of ours."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    line = _BETWEEN_HAN.sub("", line)
    return "" if looks_like_place(line) or not any(sign.isalnum() for sign in line) else line


def looks_like_place(text: str) -> bool:
    """Whether a reader of references could take a part of it for one."""
    return _PLACE_LIKE.search(text) is not None


def cut(text: str, most: int) -> tuple[str, bool]:
    """(the text up to `most` characters, at a blank where there is one; whether something is missing)."""
    if len(text) <= most:
        return text, False
    kept = text[:most]
    blank = kept.rfind(" ")
    return (kept[:blank] if blank > most // 2 else kept).rstrip(), True


def cell(text: str) -> str:
    """`text`, Markdown in one line, as it may stand in a table."""
    return text.replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, without columns that are empty in every row. ValueError: a row has not as many cells as the
    head."""
    body = list(rows)
    for row in body:
        if len(row) != len(head):
            raise ValueError(f"a row of {len(row)} cells in a table of {len(head)}")
    kept = [at for at in range(len(head)) if any(row[at] for row in body)]
    lines = [[head[at] for at in kept], ["---"] * len(kept), *([cell(row[at]) for at in kept] for row in body)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def escaped(text: str) -> str:
    """`text`, one line of the user's, as plain words of a heading."""
    return re.sub(r"([\\`*_\[\]<>#|&~$])", r"\\\1", text)


def folded(text: str) -> str:
    """What two headings have in common that a reader takes for the same."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
