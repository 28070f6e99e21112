"""Claims that one thing was the cause of another, and the words that leave an association of it.

A导致B becomes A与B提示存在关联，需实地核验: the causal word makes room for 与, and the clause of the effect
ends with the formula. Left alone are denials (不能认为…导致), questions, warnings (防止…导致), suppositions (可能导致:
gate 2 asks for their check), aims (以…带动), arithmetic (第二产业拉动…个百分点), technical reasons (修约, 口径) and
words of policies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from kaozheng.documents.edits import TextEdit
from kaozheng.documents.span import Span
from kaozheng.gates.asserting import FORMULA, asserts
from kaozheng.gates.carried_claims import FALLS, RISES, Carried, CausalClaim, Results
from kaozheng.gates.places import PolicyWords, Sentence, inner_end, sentences

_WINDOW: Final = 80
"""Characters of a clause that are looked at on either side of a causal word."""
_BLOCK: Final = 240
_CHANGE: Final = re.compile(f"{RISES}|{FALLS}|增速|不足|困难|短缺|流失|外流|突破|偏低|偏高|改变")
_ADVERB: Final = (
    r"(?:(?:从而|进而|由此|直接|主要|根本上|很大程度上|有力地?|有效地?|显著地?|明显地?|持续|大幅|强力|必然|最终"
    r"|进一步|完全|正是"
    r"|就是|这是|均|都|也|已经?|将|会|就|又|还){0,4})"
)
_LINK: Final = re.compile(
    rf"{_ADVERB}(?:是(?=由|因|得益|源))?(?:导致|致使|使得|促使|造成|引发|引起|促成|催生|诱发|招致|酿成|得益于"
    rf"|受益于|归因于|归功于|归咎于"
    r"|(?<!来)源于|缘于|(?<!来)源自|制约了|阻碍了|抑制了|离不开|起因于|归结为|归结于|取决于|决定了|拖累了?|推高了?|拉低了?|换来了?|带来了?|由于|是因为|因为"
    r"|所致)了?"
)
_NEEDS_CHANGE: Final = frozenset(
    {"带来", "换来", "拖累", "推高", "拉低", "由于", "因为", "取决", "源自", "促成", "离不", "制约", "阻碍", "抑制"}
)
_WEAK: Final = re.compile(
    rf"{_ADVERB}(?:带动|拉动|推动|促进|刺激|助推|支撑|驱动|激发|撬动|改善|提升|提高|降低|减少|增加|拉升|压降|加快)了?"
)
_MUCH: Final = re.compile(r"快速|较快|迅速|明显|显著|大幅|持续")
_MAKE: Final = re.compile(rf"{_ADVERB}(?<![促致即假行])使(?![用命得者馆节])")
_JOINT: Final = re.compile(r"\s*(?:因此|因而|所以|从而|进而|由此|才(?:有了?|能|会|使)?|就|便)?(?:使得?|就|也)?")
_THEREFORE: Final = re.compile(r"\s*(?:因此|因而|所以|从而|进而|由此)(?:使|就|也)?")
_LEAD: Final = re.compile(
    r"\s*(?:这?(?:主要|正|都)?是?(?:因为|由于)|正因(?:为)?|受(?=[^，。；]{2,40}(?:影响|制约|拖累|冲击|拉动|带动))"
    r"|(?:在|随着)(?=[^，。；]{2,40}(?:作用|推动|带动|拉动|影响|刺激)下)|得益于|受益于"
    r"|因(?![地企时村县人业势此而素子果应公故病材为]))"
)
_LEAD_TAIL: Final = re.compile(
    r"(?:等因素)?(?:的)?(?:影响|制约|拖累|冲击|拉动|带动|(?:作用|推动|带动|拉动|影响|刺激)下)$"
)
_IS_CAUSE: Final = re.compile(
    r"(?:正?是(?!否)|为|系|成为|对)(?P<of>[^，。；：]{2,40}?)的?(?:(?:起到?|发挥|作出|做出)了)?(?:最?主要|根本|直接|重要|首要|关键|核心|决定性|深层次?|唯一)?"
    r"(?:原因|根源|成因|主因|诱因|决定因素|(?<=了)作用|(?<=性)作用|(?<=要)作用|(?<=了)贡献|(?<=要)贡献)(?:所在|之一)?"
)
_CAUSE_IS: Final = re.compile(
    r"(?:其|的)?(?:最?主要|根本|直接|重要|首要|关键|核心|深层次?)?(?:原因|根源|成因|主因|诱因)(?:就|主要)?(?:是"
    r"|在于|为|系)(?:由于|因为)?"
)
_WHY: Final = re.compile(r"之所以([^。；]{2,60}?)[，,]?(?:主要|正|就)?是(?:因为|由于)")
_ACTOR: Final = re.compile(
    r"政策|措施|试点|补助|补贴|项目|改革|行动|方案|监测|改造|招商|建设|实施|投入|资金|平台|机制|转型|出台|引进"
)

_AIM: Final = re.compile(
    r"(?:^|[，将以要])(?:将|拟|要|力争|以期|旨在|争取|计划|为了?|努力|着力|支持|鼓励|引导|加快|必须|应|需|通过|以"
    r"|用|围绕|坚持|建议|持续|继续|加强|发挥|推进"
    r"|不断|深入|全力|积极)|目标|到20\d\d年|下一步|预期|任务"
)
_ARITHMETIC: Final = re.compile(r"(?:产业|需求|消费|投资|出口|行业|工业|农业|服务业|建筑业)(?:增加值)?(?:合计|分别)?$")
_BACKWARD: Final = re.compile(r"由于|因为|得益|受益|归|源|取决")
"""B得益于A: the cause stands behind the word."""
_BACK: Final = re.compile(r"[该这此其]|上述|前述|以上")


@dataclass(frozen=True, slots=True)
class Cause:
    """A causal claim: `span` is the causal word, `carried` what stands behind it, `edits` what makes an association of
    it (the first replaces the word)."""

    span: Span
    carried: Carried
    edits: tuple[TextEdit, ...]


@dataclass(slots=True)
class _Reading:
    """One walk over the shielded text."""

    text: str
    results: Results
    policies: PolicyWords
    carried: dict[CausalClaim, Carried] = field(default_factory=dict)

    def causes(self) -> Iterator[Cause]:
        before = Span(0, 0)
        for sentence in sentences(self.text):
            yield from self._of_sentence(sentence, before)
            before = sentence.span

    def _of_sentence(self, sentence: Sentence, before: Span) -> Iterator[Cause]:
        taken: set[int] = set()
        for index, piece in enumerate(sentence.pieces):
            for found in self._of_piece(sentence, index, piece):
                spans = [found.word, *(edit.span for edit in found.edits), found.formula.span]
                touched = {at for span in spans for at in range(span.start, span.end + bool(len(span)))}
                if not taken.isdisjoint(touched):
                    continue
                own = Span(max(min(piece.start, found.word.start), found.word.start - _WINDOW), found.word.start)
                after = Span(found.word.end, min(sentence.span.end, found.word.end + 2 * _WINDOW))
                if not asserts(self.text, own, found.cause, after) or self.policies.says(self.text, found.word):
                    continue
                taken |= touched
                carried = self._carry(found, sentence, before)
                yield Cause(found.word, carried, (TextEdit(found.word, found.instead), *found.edits, found.formula))

    def _carry(self, found: _Found, sentence: Sentence, before: Span) -> Carried:
        """What stands behind the claim, from the words around it (all of a sentence of usual length)."""
        block = found.word.start // _BLOCK * _BLOCK
        start, end = max(sentence.span.start, block - _BLOCK), min(sentence.span.end, block + 2 * _BLOCK)
        words = self.text[start:end]
        if _BACK.search(words):
            words = self.text[max(before.start, before.end - _BLOCK) : before.end] + words
        effect = self.text[max(found.effect.start, start) : min(found.effect.end, end)]
        claim = CausalClaim(words, effect)
        if claim not in self.carried:
            self.carried[claim] = self.results.carry(claim)
        return self.carried[claim]

    def _of_piece(self, sentence: Sentence, index: int, piece: Span) -> Iterator[_Found]:
        following = sentence.pieces[index + 1] if index + 1 < len(sentence.pieces) else None
        for form in (self._why, self._is_cause, self._cause_is):
            yield from form(sentence, piece)
        yield from self._lead(piece, following)
        yield from self._links(piece, has_before=index > 0)
        if index and (found := _THEREFORE.match(self.text, piece.start, piece.end)):
            rest = self.text[found.end() : piece.end]
            if _CHANGE.search(rest) and self.results.names_outcome(rest) and not _AIM.search(rest):
                yield self._found(Span(*found.span()), "与", piece, Span(piece.start, piece.start))

    def _links(self, piece: Span, *, has_before: bool) -> Iterator[_Found]:
        text = self.text
        for pattern in (_LINK, _MAKE, _WEAK):
            for found in pattern.finditer(text, piece.start, piece.end):
                word = Span(*found.span())
                before = text[max(piece.start, word.start - _WINDOW) : word.start]
                after = text[word.end : min(piece.end, word.end + _WINDOW)]
                subject = bool(before.strip()) or has_before
                if not subject and (pattern is not _LINK or not self._changes(after)):
                    continue
                if pattern is _LINK and found[0].strip("，")[:2] in _NEEDS_CHANGE and not self._changes(before + after):
                    continue
                if pattern is _MAKE and not self._changes(after):
                    continue
                if pattern is _WEAK and not self._moves(found[0], before, after):
                    continue
                if text.startswith("的", word.end) and before.strip():
                    yield self._attribute(Span(word.start, word.end + 1), piece)
                    continue
                cause = Span(word.end, piece.end) if _BACKWARD.search(found[0]) else Span(piece.start, word.start)
                yield self._found(word, "与" if subject else "前述情况与", piece, cause)

    def _attribute(self, word: Span, piece: Span) -> _Found:
        """A造成的B: the cause is told by the way, as an attribute."""
        end = max(inner_end(self.text, piece), word.end)
        formula = TextEdit(Span(end, end), f"（{FORMULA}）")
        return _Found(word, "可能相关的", (), formula, piece, Span(piece.start, word.start))

    def _changes(self, text: str) -> bool:
        return bool(_CHANGE.search(text)) or self.results.names_outcome(text)

    def _moves(self, word: str, before: str, after: str) -> bool:
        """带动, 提高 and their like claim a cause of an indicator that moved, not an aim, not arithmetic."""
        if _AIM.search(before) or (word.startswith("拉动") and _ARITHMETIC.search(before)):
            return False
        named = self.results.names_outcome(after)
        if word.rstrip("了").endswith(("提高", "提升", "降低", "减少", "增加", "改善", "压降", "加快")):
            return named and bool(_ACTOR.search(before))
        changes = bool(_CHANGE.search(after))
        return (named and (changes or "了" in word)) or (changes and ("了" in word or bool(_MUCH.search(after))))

    def _lead(self, piece: Span, following: Span | None) -> Iterator[_Found]:
        found = _LEAD.match(self.text, piece.start, piece.end)
        if not found:
            return
        link = _LINK.search(self.text, found.end(), piece.end)
        if following is None or link:
            if link and found.end() < link.start():
                drop = (TextEdit(Span(*found.span()), ""),)
                yield self._found(Span(*link.span()), "与", piece, Span(found.end(), link.start()), drop)
            return
        if not self._changes(self.text[following.start : following.end]):
            return
        tail = _LEAD_TAIL.search(self.text[piece.start : piece.end])
        start = piece.start + tail.start() if tail else piece.end
        so = _JOINT.match(self.text, following.start, following.end)
        joint = Span(start, so.end() if so else following.start)
        cause = Span(found.end(), max(start, found.end()))
        yield self._found(Span(*found.span()), "", following, cause, (TextEdit(joint, "与"),))

    def _why(self, sentence: Sentence, piece: Span) -> Iterator[_Found]:
        found = _WHY.match(self.text, self.text.find("之所以", piece.start, piece.end), sentence.span.end)
        if "之所以" in self.text[piece.start : piece.end] and found:
            last = next(one for one in sentence.pieces if one.end >= found.end())
            joint = TextEdit(Span(found.end(1), found.end()), "与")
            cause = Span(found.end(), max(last.end, found.end()))
            yield self._found(Span(found.start(), found.start(1)), "", last, cause, (joint,))

    def _is_cause(self, sentence: Sentence, piece: Span) -> Iterator[_Found]:
        found = _IS_CAUSE.search(self.text, piece.start, piece.end)
        if found and found.start() > piece.start and "什么" not in found[0]:
            word = Span(found.start(), found.start("of"))
            formula = TextEdit(Span(found.end("of"), found.end()), FORMULA)
            yield _Found(word, "与", (), formula, piece, Span(piece.start, word.start))

    def _cause_is(self, sentence: Sentence, piece: Span) -> Iterator[_Found]:
        found = _CAUSE_IS.search(self.text, piece.start, piece.end)
        if found and found.end() < piece.end:
            if found.start() > piece.start:
                yield self._found(Span(*found.span()), "与", piece, Span(found.end(), piece.end))
                return
            end = max(inner_end(self.text, piece), found.end())
            formula = TextEdit(Span(end, end), f"（{FORMULA}）")
            cause = Span(found.end(), piece.end)
            yield _Found(Span(*found.span()), "可能相关的因素为", (), formula, piece, cause)

    def _found(self, word: Span, instead: str, effect: Span, cause: Span, edits: tuple[TextEdit, ...] = ()) -> _Found:
        end = max(inner_end(self.text, effect), word.end)
        return _Found(word, instead, edits, TextEdit(Span(end, end), FORMULA), effect, cause)


@dataclass(frozen=True, slots=True)
class _Found:
    """A causal word, what stands instead, further edits, the edit that puts the formula, the clause of the effect, and
    where the cause is named."""

    word: Span
    instead: str
    edits: tuple[TextEdit, ...]
    formula: TextEdit
    effect: Span
    cause: Span


def causes(text: str, results: Results, policies: PolicyWords) -> Iterator[Cause]:
    """The causal claims of a shielded Chinese text, in order of the sentences."""
    yield from _Reading(text, results, policies).causes()
