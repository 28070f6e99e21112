"""Logs of the libraries that talk to databases, at DEBUG: aiosqlite logs every statement with its values, SQLAlchemy
the rows that come back. These are answers of models, events and states of graphs: a log file is no place for them."""

from __future__ import annotations

import logging

_TALKATIVE = ("aiosqlite", "sqlalchemy.engine.Engine")


def keep_values_out_of_logs() -> None:
    """Let nothing of them below INFO pass; may be called again. Values at INFO: SQLAlchemy's `hide_parameters`."""
    for name in _TALKATIVE:
        logging.getLogger(name).addFilter(_without_values)


def _without_values(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.INFO
