"""What every CountyStore promises."""

from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kaozheng.county.policy import Clause, Policy
from kaozheng.county.records import (
    BusinessTerms,
    ChainLink,
    Enterprise,
    ExpertRule,
    FactorConstraint,
    Mechanism,
    Project,
)
from kaozheng.county.regions.entry import RegionEntry
from kaozheng.county.store import Imported, Wanted
from kaozheng.county.table_source import TableSource
from kaozheng.county.ticket import Ticket, TicketState
from kaozheng.errors import InputError
from kaozheng.indicators.indicator import Calibre, Direction, Indicator, PeriodType
from kaozheng.indicators.observation import Missing, Observation
from kaozheng.indicators.period import Period, PeriodKind, read_period
from kaozheng.indicators.region import Region
from kaozheng.indicators.series import series_of
from kaozheng.providers.stores.county_sql import open_county_store
from kaozheng.testing.county import MemoryCounty


@asynccontextmanager
async def _memory():
    yield MemoryCounty()


def opened(kind, request):
    if kind == "memory":
        return _memory()
    if kind == "sqlite":
        return open_county_store(request.getfixturevalue("tmp_path") / "county.db")
    return open_county_store(request.getfixturevalue("postgres"))


@pytest.fixture(params=["sqlite", "postgres", "memory"])
async def store(request):
    async with opened(request.param, request) as store:
        yield store


GDP = Indicator(
    "gdp", "地区生产总值", "亿元", Calibre.CURRENT, PeriodType.CUMULATIVE, Direction.MORE, "统计局", ("GDP",)
)
INCOME = Indicator("income", "城镇居民人均可支配收入", "元", owner="统计局")
FIRST, SECOND = (
    TableSource("y24", "年鉴 2024", "2024", "统计局", "y24.xlsx", "ab", note="n"),
    TableSource("y25", "年鉴 2025", "2025"),
)
EVERYTHING = Wanted()


def row(value="340.0", region="511083", period="2023", indicator="gdp", **more):
    """An observation; `value` is a number, or the reason that there is none."""
    missing = value if isinstance(value, Missing) else None
    when = read_period(period)[0]
    given = {"raw": "—" if missing else value, "unit": {"gdp": "亿元", "income": "元"}[indicator], "source": "年鉴!B7"}
    number = None if missing else Decimal(value)
    place = Region(region, when.year, {"511083": "隆昌市"}.get(region, ""))
    return Observation(place, indicator, when, value=number, missing=missing, **{**given, **more})


async def imported(store, source, *rows):
    return await store.import_rows(source, rows, [GDP, INCOME])


async def values(store, wanted=EVERYTHING):
    """The rows for a panel by the names of their values, digits as they are kept."""
    return {
        f"{key}.{region}.{period}": None if value is None else str(value)
        for region, key, period, value in await store.rows(wanted)
    }


async def test_rows_come_back_as_they_were_given(store):
    given = [
        row(),
        row("3.5E+4", raw="35000", unit="万元", period="2023Q2"),
        row(Missing.NOTHING, period="2023-05"),
        row("0.00", region="511002"),
        row("-12", indicator="income", source="年鉴!<C9>'\""),
    ]
    assert await imported(store, FIRST, *given) == Imported(5, 0, 0, 0)
    kept = await store.observations(EVERYTHING)
    names = [(one.indicator, one.region.code, str(one.period)) for one in kept]
    assert names == [
        ("gdp", "511002", "2023"),
        ("gdp", "511083", "2023"),
        ("gdp", "511083", "2023-05"),
        ("gdp", "511083", "2023Q2"),
        ("income", "511083", "2023"),
    ]
    assert set(kept) == {replace(one, vintage="2024") for one in given}
    assert [str(one.value) for one in kept] == ["0.00", "340.0", "None", "3.5E+4", "-12"]
    assert kept[1].region.name == "隆昌市"
    assert list(await store.sources()) == [FIRST]
    assert list(await store.indicators()) == [GDP, INCOME]


async def test_importing_the_same_again_changes_nothing(store):
    rows = [row(), row("341", period="2024")]
    await imported(store, FIRST, *rows)
    before = await store.observations(EVERYTHING)
    assert await imported(store, FIRST, *reversed(rows)) == Imported(0, 0, 0, 2)
    assert await store.observations(EVERYTHING) == before


async def test_a_correction_replaces_the_rows_of_its_source_only(store):
    await imported(store, FIRST, row(), row("341", period="2024"), row("7", region="511002"))
    await imported(store, SECOND, row("350"))
    corrected = replace(FIRST, vintage="2024-06-01", sha256="cd")
    assert await imported(store, corrected, row(), row("342", period="2024"), row("9", region="511011")) == Imported(
        1, 1, 1, 1
    )
    kept = {
        (one.region.code, str(one.period), str(one.value), one.vintage) for one in await store.observations(Wanted())
    }
    assert kept == {
        ("511083", "2023", "340.0", "2024-06-01"),
        ("511083", "2023", "350", "2025"),
        ("511083", "2024", "342", "2024-06-01"),
        ("511011", "2023", "9", "2024-06-01"),
    }
    assert list(await store.sources()) == [corrected, SECOND]


@pytest.mark.parametrize(
    "changed",
    [
        row("340"),
        row(raw="340.0 "),
        row(source="年鉴!B8"),
        row("3400000", raw="340.0", unit="万元"),
        row(Missing.WITHHELD, raw="340.0"),
        replace(row(), region=Region("511083", 2022, "隆昌市")),
        replace(row(), region=Region("511083", 2023, "隆昌县")),
    ],
)
async def test_everything_that_is_kept_of_a_row_counts_as_a_change(store, changed):
    await imported(store, FIRST, row())
    assert await imported(store, FIRST, changed) == Imported(0, 1, 0, 0)
    (kept,) = await store.observations(EVERYTHING)
    assert (kept, str(kept.value), kept.region.name) == (
        replace(changed, vintage="2024"),
        str(changed.value),
        changed.region.name,
    )


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([row(), row(indicator="gdp", region="511002"), replace(row(), indicator="gpd")], "gpd"),
        ([row(), row("341", source="年鉴!B9")], "年鉴!B9"),
        ([row(), row(Missing.NO_DATA)], "two values"),
        ([row(Missing.NOTHING), row(Missing.NO_DATA)], "two values"),
        ([row(unit="元/人")], "元/人"),
        ([row(unit="美元")], "美元"),
        ([row(vintage="2023")], "2023"),
        ([row(raw="340\0")], "NUL"),
        ([row(source="年鉴\ud83d")], "half a character"),
    ],
)
async def test_an_import_that_is_refused_leaves_everything_as_it_was(store, rows, said):
    await imported(store, FIRST, row("1", region="511002"))
    new = replace(INCOME, key="new")
    for source in (FIRST, SECOND):
        with pytest.raises(InputError, match=said):
            await store.import_rows(source, rows, [GDP, new])
    assert await values(store) == {"gdp.511002.2023": "1"}
    assert list(await store.sources()) == [FIRST]
    assert list(await store.indicators()) == [GDP, INCOME]


async def test_two_rows_of_one_name_that_say_the_same_count_once(store):
    same = row("3400000", raw="3400000", unit="万元", source="年鉴!Z9")
    assert await imported(store, FIRST, row(), same, row()) == Imported(1, 0, 0, 0)
    assert await store.observations(EVERYTHING) == [replace(row(), vintage="2024")]


async def test_an_unfinished_import_of_a_broken_iterable_leaves_nothing(store):
    await imported(store, FIRST, row("1"))

    def broken():
        yield row("2")
        raise InputError("the file ended")

    with pytest.raises(InputError, match="the file ended"):
        await store.import_rows(FIRST, broken())
    assert await values(store) == {"gdp.511083.2023": "1"}


async def test_a_panel_gets_the_value_published_last_in_the_indicators_unit(store):
    await imported(store, SECOND, row("345.10"), row(Missing.NO_DATA, period="2022"))
    await imported(store, FIRST, row("340.0"), row("33", period="2021"), row("3.5E+4", unit="万元", period="2022"))
    assert await values(store) == {
        "gdp.511083.2021": "33",
        "gdp.511083.2022": None,
        "gdp.511083.2023": "345.10",
    }
    assert await values(store, Wanted(vintage="2024")) == {
        "gdp.511083.2021": "33",
        "gdp.511083.2022": "3.5",
        "gdp.511083.2023": "340.0",
    }
    assert await values(store, Wanted(vintage="2023")) == {}


async def test_of_one_vintage_a_value_wins_over_a_reason_and_two_values_leave_none(store):
    await imported(store, FIRST, row(Missing.NO_DATA), row("5", period="2022"), row("7.0", period="2021"))
    await imported(store, replace(FIRST, id="z24"), row("340.0"), row("6", period="2022"), row("7", period="2021"))
    found = await values(store)
    assert found.keys() == {"gdp.511083.2021", "gdp.511083.2022", "gdp.511083.2023"}
    assert (Decimal(found["gdp.511083.2021"]), found["gdp.511083.2022"], found["gdp.511083.2023"]) == (7, None, "340.0")


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Wanted(regions=("511002",)), {"gdp.511002.2023", "income.511002.2023"}),
        (Wanted(regions=("511002", "511083"), indicators=("income",)), {"income.511002.2023"}),
        (Wanted(indicators=("gdp",), first_year=2024), {"gdp.511083.2024", "gdp.511083.2024Q1"}),
        (Wanted(last_year=2022), {"gdp.511083.2022-12"}),
        (Wanted(first_year=2023, last_year=2023, indicators=("gdp",)), {"gdp.511002.2023"}),
        (Wanted(kind=PeriodKind.YEAR), {"gdp.511002.2023", "gdp.511083.2024", "income.511002.2023"}),
        (Wanted(kind=PeriodKind.QUARTER), {"gdp.511083.2024Q1"}),
        (Wanted(kind=PeriodKind.MONTH), {"gdp.511083.2022-12"}),
        (Wanted(regions=("510000",)), set()),
        (Wanted(indicators=("'; DROP TABLE observations; --",)), set()),
    ],
)
async def test_only_what_is_wanted_comes(store, wanted, expected):
    await imported(
        store,
        FIRST,
        *(row("1", region, period) for region, period in (("511002", "2023"), ("511083", "2024"))),
        *(row("1", period=period) for period in ("2024Q1", "2022-12")),
        row("1", region="511002", indicator="income"),
    )
    assert (await values(store, wanted)).keys() == expected
    named = {f"{one.indicator}.{one.region.code}.{one.period}" for one in await store.observations(wanted)}
    assert named == expected


async def test_only_what_has_no_value_comes_where_that_is_asked_for(store):
    await imported(store, FIRST, row("1"), row(Missing.NOTHING, period="2022"), row(Missing.NO_DATA, period="2021"))
    found = await store.observations(Wanted(missing_only=True))
    assert [(str(one.period), one.missing) for one in found] == [("2021", Missing.NO_DATA), ("2022", Missing.NOTHING)]
    assert await values(store, Wanted(missing_only=True)) == {"gdp.511083.2021": None, "gdp.511083.2022": None}


async def test_more_regions_and_indicators_than_a_statement_has_parameters(store):
    codes = tuple(f"{number:06}" for number in range(40_000))
    await imported(store, FIRST, row("1", region=codes[-1]), row("2"))
    assert (await values(store, Wanted(regions=codes))).keys() == {f"gdp.{codes[-1]}.2023"}
    assert (await values(store, Wanted(indicators=("gdp", *codes)))).keys() == {
        f"gdp.{codes[-1]}.2023",
        "gdp.511083.2023",
    }


async def test_an_indicator_may_change_everything_but_what_its_rows_mean(store):
    await store.put_indicators([GDP, INCOME])
    await store.put_indicators([replace(INCOME, unit="万元")])
    await store.import_rows(FIRST, [row()])
    renamed = replace(GDP, name="GDP", owner="发改局", aliases=(), direction=Direction.NEUTRAL)
    await store.put_indicators([renamed])
    for change in ({"unit": "万元"}, {"calibre": Calibre.COMPARABLE}, {"period_type": PeriodType.SINGLE}):
        with pytest.raises(InputError, match="gdp"):
            await store.put_indicators([replace(INCOME, name="?"), replace(GDP, **change)])
        with pytest.raises(InputError, match="gdp"):
            await store.import_rows(SECOND, [row()], [replace(GDP, **change)])
    assert list(await store.indicators()) == [renamed, replace(INCOME, unit="万元")]
    await store.remove_source("y24")
    await store.put_indicators([replace(GDP, unit="万元")])


async def test_a_source_is_taken_out_with_its_rows_and_records(store):
    await imported(store, FIRST, row(), row("2", period="2022"))
    await imported(store, SECOND, row())
    await store.put_records([Enterprise("1", "511083", "甲公司"), POLICY], "y24")
    await store.put_records([Enterprise("2", "511083", "乙公司")])
    assert await store.remove_source("y24") == 4
    assert await store.remove_source("y24") == 0
    assert await store.remove_source("") == 0
    assert list(await store.sources()) == [SECOND]
    assert [one.vintage for one in await store.observations(EVERYTHING)] == ["2025"]
    assert [one.id for one in await store.records(Enterprise)] == ["2"]
    assert list(await store.records(Policy)) == []


async def test_synthetic_data_is_known_wherever_it_is_asked_for(store):
    await imported(store, replace(FIRST, synthetic=True), row())
    await imported(store, SECOND, row(region="511002"))
    assert await store.synthetic(EVERYTHING)
    assert await store.synthetic(Wanted(regions=("511083",)))
    assert not await store.synthetic(Wanted(regions=("511002",)))
    assert not await store.synthetic(Wanted(first_year=2024))


POLICY = Policy(
    "P05",
    "川府发〔2022〕21号",
    "四川省人民政府",
    date(2022, 8, 4),
    "关于稳增长的措施",
    "省级",
    (Clause("P05.1", "P05", 1, "甲"), Clause("P05.10", "P05", 10, "乙")),
    21,
)
RECORDS = [
    POLICY,
    Enterprise("91510", "511083", "甲公司", "玻璃", "生产", is_large=True),
    Project("x1", "511083", "乙项目", "玻璃", Decimal("1200.50"), 2023, 2025, "在建"),
    FactorConstraint("f1", "511083", "土地", 2024, Decimal("3.0"), "亩", "n"),
    ChainLink("c1", "玻璃", "原片", "砂", "深加工", "511083"),
    ExpertRule("r1", "土地", "不超过", "某", "511083"),
    Mechanism("m1", "招商", "商务局", "牵头", "511083"),
    BusinessTerms("b1", "工业", "t", (("产值", "observations: gdp"), ("企业", "enterprises")), "511083"),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
async def test_a_record_comes_back_as_it_was_and_is_replaced_by_its_id(store, record):
    kind = type(record)
    last = {"id": "一", "region": "511002"} if hasattr(record, "region") else {"id": "一", "clauses": ()}
    other = replace(record, **last)
    await store.put_records([other, record, replace(record, id="0", **({"clauses": ()} if kind is Policy else {}))])
    assert [one.id for one in await store.records(kind)] == ["0", record.id, "一"]
    assert record in await store.records(kind)
    found = await store.records(kind, "511083")
    assert [one.id for one in found] == ([] if kind is Policy else ["0", record.id])
    renamed = {"title": "新"} if kind is Policy else {"region": ""}
    await store.put_records([replace(record, **renamed)])
    assert replace(record, **renamed) in await store.records(kind)
    assert len(await store.records(kind)) == 3
    assert record not in await store.records(kind)


async def test_records_without_their_optional_parts_come_back_too(store):
    bare = [Project("x1", "", "乙项目"), FactorConstraint("f1", "", "水", 2024, None), BusinessTerms("b1", "工业", "t")]
    await store.put_records(bare)
    assert [one for record in bare for one in await store.records(type(record))] == bare


async def test_a_policy_that_loses_a_clause_has_it_no_more(store):
    await store.put_records([POLICY])
    shorter = replace(POLICY, clauses=POLICY.clauses[1:])
    await store.put_records([shorter])
    assert list(await store.records(Policy)) == [shorter]


async def test_records_are_kept_wholly_or_not_at_all(store):
    stranger = replace(POLICY, clauses=(Clause("P06.1", "P06", 1, "丙"),))
    for bad in (stranger, Enterprise("2", "511083", "公司\0"), Enterprise("2", "511083", "\udcff")):
        with pytest.raises(InputError):
            await store.put_records([Enterprise("1", "511083", "甲公司"), bad])
    assert list(await store.records(Enterprise)) == []
    assert list(await store.records(Policy)) == []


async def test_regions_are_kept_by_code_and_first_year(store):
    county = RegionEntry("511028", "隆昌县", 1985, 2016, "县", "511000", "511083")
    city = RegionEntry("511083", "隆昌市", 2017, None, "县级市", "511000", "511083", (("510283", "误写的代码"),))
    older = RegionEntry("511028", "隆昌", 1980, 1984, "县", "511000", "511083")
    await store.put_regions([city, county, older])
    await store.put_regions([replace(city, name="隆昌")])
    assert list(await store.regions()) == [older, county, replace(city, name="隆昌")]


TICKET = Ticket("k1", "511083", "gdp", 2024, "统计局", "缺", "2026-12-01T00:00:00+00:00")


async def test_of_one_key_there_is_one_ticket(store):
    assert await store.open_ticket(TICKET) == (TICKET, True)
    assert await store.open_ticket(replace(TICKET, reason="again")) == (TICKET, False)
    assert list(await store.tickets()) == [TICKET]


async def test_a_ticket_is_closed_once_and_not_opened_again(store):
    await store.open_ticket(TICKET)
    await store.open_ticket(replace(TICKET, key="k2"))
    assert await store.close_ticket("k1", answered=True)
    assert not await store.close_ticket("k1", answered=False)
    assert not await store.close_ticket("none", answered=True)
    assert await store.close_ticket("k2", answered=False)
    answered = replace(TICKET, state=TicketState.ANSWERED)
    assert await store.open_ticket(TICKET) == (answered, False)
    assert [one.state for one in await store.tickets()] == [TicketState.ANSWERED, TicketState.WITHDRAWN]


async def test_tickets_come_by_department_region_year_and_indicator(store):
    orders = [("b", "511083", 2024, "gdp"), ("a", "511083", 2024, "gdp"), ("a", "511002", 2025, "gdp")]
    orders += [("a", "511002", 2024, "income"), ("a", "511002", 2024, "gdp"), ("农业局", "511002", 2024, "gdp")]
    for number, (department, region, year, indicator) in enumerate(orders):
        await store.open_ticket(Ticket(str(number), region, indicator, year, department, "缺", "t"))
    assert [one.key for one in await store.tickets()] == ["4", "3", "2", "1", "0", "5"]
    assert [one.key for one in await store.tickets("511083")] == ["1", "0"]


periods = st.builds(Period, st.integers(2020, 2022)) | st.builds(Period, st.just(2021), st.integers(1, 4))
written = st.decimals(allow_nan=False, allow_infinity=False).map(str) | st.sampled_from(Missing)
row_sets = st.dictionaries(
    st.tuples(st.sampled_from(["511002", "511083"]), periods.map(str), st.sampled_from(["gdp", "income"])), written
).map(lambda cells: [row(value, *name, raw=str(value)) for name, value in cells.items()])


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(first=row_sets, second=row_sets)
async def test_a_source_has_the_rows_it_was_given_last_and_twice_is_once(store, first, second):
    other = row("1", "510000")
    await imported(store, SECOND, other)
    for rows in (first, second):
        before = [one for one in await store.observations(EVERYTHING) if one.vintage == "2024"]
        counts = await imported(store, FIRST, *rows)
        assert counts.removed + counts.changed + counts.unchanged == len(before)
        assert counts.added + counts.changed + counts.unchanged == len(rows)
        assert await imported(store, FIRST, *rows) == Imported(0, 0, 0, len(rows))
        expected = {(replace(one, vintage="2024"), str(one.value)) for one in rows}
        kept = await store.observations(EVERYTHING)
        assert {(one, str(one.value)) for one in kept} == expected | {(replace(other, vintage="2025"), "1")}


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(revisions=st.lists(st.tuples(st.sampled_from(["2023", "2024", "2025"]), row_sets), max_size=4))
async def test_a_panel_says_what_the_series_says(store, revisions):
    for source in await store.sources():
        await store.remove_source(source.id)
    for number, (vintage, rows) in enumerate(revisions):
        await imported(store, TableSource(f"s{number}", "", vintage), *rows)
    found = {(key, region, period): value for region, key, period, value in await store.rows(EVERYTHING)}
    kept = await store.observations(EVERYTHING)
    assert found.keys() == {(one.indicator, one.region.code, one.period) for one in kept}
    for (key, region, period), value in found.items():
        indicator = {"gdp": GDP, "income": INCOME}[key]
        assert value == series_of(indicator, [one for one in kept if one.region.code == region]).value(period)
