"""Sessions: what was asked and answered before, what is remembered of it, and the port that keeps both by owner."""

from __future__ import annotations

from kaozheng.sessions.interaction import Interaction
from kaozheng.sessions.memory import Memory, remembered
from kaozheng.sessions.session import Session, Turn
from kaozheng.sessions.store import SessionStore

__all__ = ["Interaction", "Memory", "Session", "SessionStore", "Turn", "remembered"]
