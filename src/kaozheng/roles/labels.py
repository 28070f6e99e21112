"""The labels between a role and its model: evidence goes out under [E1], [E2] …, and sentences come back with what they
name. What a source itself has of such marks is taken for text in both directions."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence

from kaozheng.documents.characters import HAN
from kaozheng.documents.html import without_html
from kaozheng.evidence.answer_text import AnswerText
from kaozheng.evidence.citations import marks_of
from kaozheng.evidence.listing import unlabelled
from kaozheng.evidence.sentence import Sentence
from kaozheng.roles.prompts import FENCES

_CODE_OR_FOOTNOTE = re.compile(r"(?P<code>```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`)|\[\^[^\]\s]+\]:?[ ]?", re.DOTALL)
_CODE_OR_LABEL = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`|(?<!\\)\[(?P<label>E\d+)\]", re.DOTALL)
_WRAPPED = re.compile(r"(?P<fence>`{3,}|~{3,})(?P<kind>markdown|md|text|)\n(?P<body>.*)\n(?P=fence)", re.DOTALL)
_PROSE = frozenset({"markdown", "md", "text", ""})
_FENCE_LINE = re.compile(rf"^[ \t]*</?(?:{'|'.join(FENCES)})>[ \t]*$", re.MULTILINE | re.IGNORECASE)
_LIKE_A_NOTE = re.compile(
    r"^([ \t]*(?:(?:[-*+]|\d{1,2}[.)])[ \t]+)?(?:[\[【]E\d{1,3}[\]】][ \t]*)+)[:：][ \t]*", re.MULTILINE
)
_UNSEEN = re.compile(
    r"&lt;(?P<name>script|style|template)\b[^<>]*>.*?(?:&lt;/(?P=name)>|\Z)", re.DOTALL | re.IGNORECASE
)
_TAG = re.compile(r"&lt;/?(?P<name>[A-Za-z][A-Za-z0-9]*)(?:[ \t][^<>\n]*)?/?>")
_INLINE = frozenset({"a", "b", "code", "em", "font", "i", "mark", "s", "small", "span", "strong", "u"})
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TOUCHING = re.compile(r"(?<=[.!?])((?:\[E\d{1,3}\])+)(?=[A-Z“\"(])")
_LOOSE_STOP = re.compile(r" (?=[,;:!?，。；：！？、]|\.(?: |$))")  # where a label stood before the stop
_WORD = re.compile(r"\w")
_WRAP = re.compile(rf"(?<=[{HAN}，。；：、！？])[ \t]*\n[ \t]*(?=[{HAN}])")


def listed(evidence: Iterable[Sentence]) -> str:
    """The evidence as a model reads it: item i under the label E(i+1), a blank line between two items."""
    return "\n\n".join(
        f"[E{place}] {unlabelled(without_footnotes(one.text.strip()))}" for place, one in enumerate(evidence, start=1)
    )


def labelled_sentences(text: str, evidence: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """The sentences of a model's reply, in order, each with the passages of all evidence that its labels name.

    A label belongs to the sentence that it stands in or behind; at the start of a line to the one that follows. Labels
    of nothing go. So do headings, code, tables, lines that only lead into a list, tags, and repeated sentences.
    """
    prose = _LIKE_A_NOTE.sub(r"\1", _untagged(_FENCE_LINE.sub("", unwrapped(text, _PROSE))))
    said = AnswerText.of(_TOUCHING.sub(r"\1 ", prose))
    found: dict[str, Sentence] = {}
    for one in said.sentences:
        plain = _LOOSE_STOP.sub("", " ".join(_WRAP.sub("", one.plain).split()))
        if one.row or (one.opens and not one.labels) or not _WORD.search(plain):
            continue
        places = (int(label[1:]) - 1 for label in one.labels)
        named = (passage for at in places if 0 <= at < len(evidence) for passage in evidence[at].passages)
        earlier = found.get(plain, Sentence(plain)).passages
        found[plain] = Sentence(plain, tuple(dict.fromkeys((*earlier, *named))))
    return tuple(found.values())


def _untagged(text: str) -> str:
    """The reply without its HTML, which is none of the text's; a tag that no paragraph has inside of it ends one. Code
    keeps its own."""
    shown = _UNSEEN.sub("", without_html(text))
    return _BREAK.sub("\n\n", _TAG.sub(lambda found: "" if found["name"].lower() in _INLINE else "\n\n", shown))


def labels_in(text: str) -> frozenset[int]:
    """The numbers of all labels that stand in a reply, whether or not there is such evidence."""
    return frozenset(int(label[1:]) for mark in marks_of(text) for label in mark.labels)


def without_labels(text: str) -> str:
    """`text` without marks of any form, those that name no evidence too."""
    parts, at = [], 0
    for mark in marks_of(text):
        parts.append(text[at : mark.span.start])
        at = mark.span.end
    return "".join((*parts, text[at:])).strip()


def unwrapped(text: str, kinds: Container[str] = ("markdown", "md")) -> str:
    """A reply without a fence around the whole of it, where the fence says one of `kinds`."""
    wrapped = _WRAPPED.fullmatch(text.strip())
    return wrapped["body"].strip() if wrapped and wrapped["kind"] in kinds else text.strip()


def own_words(text: str) -> str:
    """Prose without marks that would be taken for ours: its source's footnotes, and what looks like a label."""
    return _CODE_OR_LABEL.sub(
        lambda found: f"\\[{found['label']}\\]" if found["label"] else found[0], without_footnotes(text)
    )


def without_footnotes(text: str) -> str:
    """`text` without footnote references; in code the same signs are something else and stay."""
    return _CODE_OR_FOOTNOTE.sub(lambda found: found["code"] or "", text)
