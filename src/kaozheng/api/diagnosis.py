"""What is configured, and whether it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kaozheng.api.running import run_sync
from kaozheng.settings import Settings, load_settings

if TYPE_CHECKING:
    from kaozheng.wiring import Finding


def doctor(settings: Settings | None = None, *, ping: bool = False) -> list[Finding]:
    """What is configured and what is missing; no secret is shown. With `ping` each configured model is asked for one
    word, which costs a few tokens, and a server that keeps knowledge bases whether it is there; what is wrongly
    configured is not asked."""
    from kaozheng import wiring

    settings = settings or load_settings()
    findings = wiring.diagnose(settings)
    wrong = {one.what for one in findings if not one.ok}
    if ping and "model" not in wrong:
        findings += run_sync(wiring.ping(settings))
    if ping and "knowledge" not in wrong:
        findings += run_sync(wiring.ping_knowledge(settings))
    return findings
