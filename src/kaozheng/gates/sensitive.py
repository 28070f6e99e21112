"""Gate 5: nothing leaves that is marked secret, leads to a person, or is what an enterprise keeps to itself.

The quotes of its findings are masked, because reports of gates are kept and shown: the span says where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kaozheng.documents.span import Span
from kaozheng.evidence.folding import narrow
from kaozheng.gates.enterprise_data import enterprise_data
from kaozheng.gates.finding import Action, Gate, GateFinding, GateReport
from kaozheng.gates.ground import Ground
from kaozheng.gates.personal_data import personal_data
from kaozheng.gates.places import PolicyWords, shielded
from kaozheng.gates.secret_marks import secret_marks
from kaozheng.indicators.reason import Reason
from kaozheng.sources.code.secrets import MASK, mask_secrets

_MARKED: Final = Reason("文中有密级、内部或未公开标识", "The text is marked secret, internal or unpublished.")
_CREDENTIAL: Final = Reason("文中有口令或密钥", "The text holds a password or key.")
_KEPT: Final = Reason("点名企业的经营数据未公开，不得外传", "What a named enterprise keeps to itself does not leave.")
_PERSONAL: Final = {
    "identity-number": Reason("文中有未脱敏的身份证号", "An identity number is not masked."),
    "mobile-number": Reason("文中有未脱敏的手机号", "A mobile number is not masked."),
    "bank-card": Reason("文中有未脱敏的银行账号", "A bank account is not masked."),
    "passport": Reason("文中有未脱敏的护照号", "A passport number is not masked."),
    "home-address": Reason("文中有个人住址", "A home address is told."),
}
_SHOWN: Final = 2


def sensitive(text: str, ground: Ground) -> GateReport:
    """What must not leave."""
    plain = narrow(text)
    found = [*_marks(text, ground), *_personal(text, plain), *_enterprise(text, plain), *_credentials(text)]
    return GateReport(Gate.SENSITIVE, tuple(sorted(found, key=lambda one: one.span)), text)


def _marks(text: str, ground: Ground) -> Iterator[GateFinding]:
    for span in secret_marks(shielded(text, PolicyWords(ground.policies))):
        yield _blocked("secret-marking", span, text[span.start : span.end], _MARKED)


def _personal(text: str, plain: str) -> Iterator[GateFinding]:
    for kind, span in personal_data(plain):
        yield _blocked(kind, span, _masked(text[span.start : span.end]), _PERSONAL[kind])


def _enterprise(text: str, plain: str) -> Iterator[GateFinding]:
    for name, kept in enterprise_data(plain):
        span = Span(name.start, kept.end)
        told = f"{_masked(text[name.start : name.end])}…{text[kept.start : kept.end]}"
        yield _blocked("enterprise-data", span, told, _KEPT)


def _credentials(text: str) -> Iterator[GateFinding]:
    """Lines in which the masking of secrets in code finds one; it keeps the number of lines."""
    at = 0
    for line, masked in zip(text.split("\n"), mask_secrets(text).split("\n"), strict=True):
        if line != masked and MASK in masked:
            yield _blocked("credential", Span(at, at + len(line)), masked, _CREDENTIAL)
        at += len(line) + 1


def _masked(told: str) -> str:
    hidden = len(told) - 2 * _SHOWN
    return told[:_SHOWN] + "*" * hidden + told[-_SHOWN:] if hidden > 0 else "*" * len(told)


def _blocked(code: str, span: Span, quote: str, reason: Reason) -> GateFinding:
    return GateFinding(Gate.SENSITIVE, code, Action.BLOCK, span, quote, reason)
