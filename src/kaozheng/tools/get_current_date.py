"""get_current_date: today."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from kaozheng.tools.tool import Arguments, Tool


class DateArguments(Arguments):
    """Nothing has to be said."""


def get_current_date(now: Callable[[], datetime]) -> Tool[DateArguments]:
    """The tool over this clock. The day and not the time: a conversation that is asked again after a crash shall meet
    the same results."""

    async def run(asked: DateArguments) -> str:
        return f"{now():%Y-%m-%d, %A}"

    about = {"zh": "今天的日期和星期。", "en": "Today's date and day of the week."}
    return Tool("get_current_date", about, DateArguments, run)
