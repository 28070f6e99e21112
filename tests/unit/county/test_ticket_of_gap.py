"""A gap asks its department once, and only for values that no row explains."""

from datetime import UTC, datetime

import pytest

from kaozheng.county.ticket import TicketState
from kaozheng.county.ticket_of_gap import NOBODY, tickets_of
from kaozheng.indicators.coverage import Gap
from kaozheng.indicators.indicator import Indicator

NOW = datetime(2026, 12, 1, 8, 30, tzinfo=UTC)
POP = Indicator("pop", "常住人口", "万人", owner="统计局")


def test_ticket_names_region_indicator_year_and_department():
    (ticket,) = tickets_of([Gap("511083", POP, 2024, missing=1, explained=0)], NOW)
    assert (ticket.key, ticket.department, ticket.state) == ("511083.pop.2024", "统计局", TicketState.OPEN)
    assert (ticket.reason, ticket.opened_at) == ("常住人口缺 1 个数值", "2026-12-01T08:30:00+00:00")


@pytest.mark.parametrize(("missing", "explained", "asked"), [(1, 0, 1), (4, 1, 3), (1, 1, None), (12, 12, None)])
def test_only_what_no_row_explains_is_asked_for(missing, explained, asked):
    found = list(tickets_of([Gap("511083", POP, 2024, missing, explained)], NOW))
    assert [one.reason for one in found] == ([f"常住人口缺 {asked} 个数值"] if asked else [])


def test_indicator_without_an_owner_still_asks():
    (ticket,) = tickets_of([Gap("511083", Indicator("x", "某", "个"), 2024, 1, 0)], NOW)
    assert ticket.department == NOBODY
