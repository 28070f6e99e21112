"""Gate 2: what a text says of policies can be looked up, and what it supposes can be verified.

A document number must be one of the register, with its title and date; a clause must exist and say what is quoted of
it; a reference must name what it refers to; a chunk that is cited (`{{c:P05.8}}`) must be one of the ground; a
supposition must carry its method of verification and the department in charge. What fails is sent back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kaozheng.documents.span import Span
from kaozheng.gates.clause_citations import clause_faults
from kaozheng.gates.document_numbers import check_document_numbers
from kaozheng.gates.finding import Action, Gate, GateFinding, GateReport
from kaozheng.gates.ground import Ground
from kaozheng.gates.hypotheses import hypotheses
from kaozheng.gates.places import PolicyWords, shielded
from kaozheng.gates.titles import titles_without_number
from kaozheng.gates.vague_references import vague_references
from kaozheng.indicators.reason import Reason

_CHUNK: Final = re.compile(r"\{\{c:([^{}|\n]{1,80})\}\}")


def evidence(text: str, ground: Ground) -> GateReport:
    """What of the text cannot be looked up or verified."""
    plain = shielded(text, PolicyWords(ground.policies))
    numbers = check_document_numbers(text, ground.policies, ground.today)
    found = [
        *numbers,
        *_titles(text, ground),
        *_vague(text, plain),
        *_clauses(text, ground),
        *_chunks(text, ground),
        *_hypotheses(text, plain),
    ]
    return GateReport(Gate.EVIDENCE, tuple(sorted(found, key=lambda one: one.span)), text)


def _vague(text: str, plain: str) -> Iterator[GateFinding]:
    reason = Reason("没有写明是哪一份文件：请写文号和条款", "It names no document: give its number and clause.")
    for span in vague_references(plain):
        yield _sent_back("policy-vague", text, span, reason)


def _titles(text: str, ground: Ground) -> Iterator[GateFinding]:
    for code, span, reason in titles_without_number(text, ground.policies):
        yield _sent_back(code, text, span, reason)


def _clauses(text: str, ground: Ground) -> Iterator[GateFinding]:
    for fault in clause_faults(text, ground.policies):
        yield _sent_back(fault.code, text, fault.span, fault.reason, fault.rows)


def _chunks(text: str, ground: Ground) -> Iterator[GateFinding]:
    known = ground.chunks | {clause.id for policy in ground.policies for clause in policy.clauses}
    for found in _CHUNK.finditer(text):
        if found[1].strip() not in known:
            reason = Reason(f"没有编号为{found[1]}的切片", f"There is no chunk {found[1]}.")
            yield _sent_back("chunk-unknown", text, Span(*found.span()), reason)


def _hypotheses(text: str, plain: str) -> Iterator[GateFinding]:
    for span, claim in hypotheses(plain):
        lacks = claim.lacks()
        if lacks:
            reason = Reason("；".join(one.zh for one in lacks), " ".join(one.en for one in lacks))
            yield _sent_back("hypothesis-unchecked", text, span, reason)


def _sent_back(code: str, text: str, span: Span, reason: Reason, rows: tuple[str, ...] = ()) -> GateFinding:
    quote = text[span.start : span.end]
    return GateFinding(Gate.EVIDENCE, code, Action.SEND_BACK, span, quote, reason, rows=rows)
