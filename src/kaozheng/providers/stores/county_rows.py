"""Observations in and out of their table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from decimal import Decimal
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from kaozheng.county.last_published import last_published
from kaozheng.county.revision import Content, Name
from kaozheng.county.store import Wanted
from kaozheng.county.table_source import TableSource
from kaozheng.indicators.observation import Missing, Observation
from kaozheng.indicators.panel import Row
from kaozheng.indicators.period import Period, read_period
from kaozheng.indicators.region import Region
from kaozheng.providers.stores.county_database import CountyDatabase
from kaozheng.providers.stores.county_tables import indicators, observations, sources

_SOURCE = tuple(field.name for field in fields(TableSource))
_SAME_SOURCE = observations.c.source == sources.c.number
_IN_ORDER = (observations.c.indicator, observations.c.region, observations.c.period)
_KEPT = (
    *(observations.c[name] for name in ("indicator", "region", "period")),
    *(observations.c[name] for name in ("region_year", "region_name", "raw", "value", "unit", "missing", "cell")),
)


def _lines(connection: sa.Connection, statement: sa.Select[Any]) -> Iterable[tuple[Any, ...]]:
    """The rows of a statement as the driver gives them: SQLAlchemy takes as long again to wrap 700,000 of them."""
    found: Iterable[tuple[Any, ...]] = connection.execute(statement).cursor  # type: ignore[assignment]
    return found


def source_number(connection: sa.Connection, source: TableSource) -> int:
    """The number of the source, which is made when it is new and brought up to date when it has changed."""
    values = {name: getattr(source, name) for name in _SOURCE}
    known = connection.execute(sa.select(sources).where(sources.c.id == source.id)).mappings().first()
    if known is None:
        (number,) = connection.execute(sa.insert(sources).values(values)).inserted_primary_key or (0,)
        return int(number)
    if any(known[name] != value for name, value in values.items()):
        connection.execute(sa.update(sources).where(sources.c.id == source.id).values(values))
    return int(known["number"])


def all_sources(connection: sa.Connection) -> list[TableSource]:
    """All sources by id."""
    chosen = sa.select(*(sources.c[name] for name in _SOURCE)).order_by(sources.c.id)
    return [TableSource(**row) for row in connection.execute(chosen).mappings()]


def contents_of(connection: sa.Connection, source: int) -> Iterator[tuple[Name, Content]]:
    """The rows of a source."""
    for row in _lines(connection, sa.select(*_KEPT).where(observations.c.source == source)):
        yield (row[0], row[1], row[2]), row[3:]


def written(source: int, contents: Mapping[Name, Content]) -> Iterator[tuple[Any, ...]]:
    """The rows of a source as they stand in the table."""
    for name, (region_year, region_name, raw, value, unit, missing, cell) in contents.items():
        number = None if value is None else float(value)
        year, kind = _placed(name[2])
        yield (*name, source, year, kind, region_year, region_name, raw, value, number, unit, missing, cell)


def observed(database: CountyDatabase, connection: sa.Connection, wanted: Wanted) -> list[Observation]:
    """The observations of all revisions."""
    columns = (*_KEPT, sources.c.vintage)
    chosen = sa.select(*columns).join(sources, _SAME_SOURCE).where(*_conditions(database, wanted))
    ordered = chosen.order_by(*_IN_ORDER, sources.c.vintage, sources.c.id)
    return [_observation(row) for row in _lines(connection, ordered)]


def for_panel(database: CountyDatabase, connection: sa.Connection, wanted: Wanted) -> list[Row]:
    """Of each value the revision published last, in the unit of its indicator."""
    of = observations.c
    columns = (of.indicator, of.region, of.period, sources.c.vintage, of.value, of.unit, of.missing)
    chosen = sa.select(*columns).join(sources, _SAME_SOURCE).where(*_conditions(database, wanted))
    units = {key: unit for key, unit in connection.execute(sa.select(indicators.c.key, indicators.c.unit))}
    return list(last_published(_lines(connection, chosen.order_by(*_IN_ORDER)), units))


def has_synthetic(database: CountyDatabase, connection: sa.Connection, wanted: Wanted) -> bool:
    """Whether an observation is of a synthetic source. Where there is none of these, no row has to be looked at."""
    if connection.execute(sa.select(sources.c.number).where(sources.c.synthetic).limit(1)).first() is None:
        return False
    joined = sa.select(observations.c.source).join(sources, _SAME_SOURCE)
    chosen = joined.where(sources.c.synthetic, *_conditions(database, wanted)).limit(1)
    return connection.execute(chosen).first() is not None


def _conditions(database: CountyDatabase, wanted: Wanted) -> Iterator[sa.ColumnElement[bool]]:
    of = observations.c
    if wanted.regions:
        yield database.among(of.region, wanted.regions)
    if wanted.indicators:
        yield database.among(of.indicator, wanted.indicators)
    elif wanted.regions:
        # True of all rows; but the key begins with the indicator, so one county's rows are found by it and not by
        # reading those of all.
        yield of.indicator.in_(sa.select(indicators.c.key))
    if wanted.first_year is not None:
        yield of.year >= wanted.first_year
    if wanted.last_year is not None:
        yield of.year <= wanted.last_year
    if wanted.kind is not None:
        yield of.kind == wanted.kind.value
    if wanted.vintage:
        yield sources.c.vintage <= wanted.vintage
    if wanted.missing_only:
        yield of.missing.is_not(None)


def _observation(row: tuple[Any, ...]) -> Observation:
    indicator, region, period, region_year, region_name, raw, value, unit, missing, cell, vintage = row
    return Observation(
        Region(region, region_year, region_name),
        indicator,
        _period(period),
        raw,
        None if value is None else Decimal(value),
        unit,
        cell,
        vintage,
        None if missing is None else Missing(missing),
    )


@lru_cache(maxsize=4096)
def _period(text: str) -> Period:
    return read_period(text)[0]


@lru_cache(maxsize=4096)
def _placed(period: str) -> tuple[int, str]:
    when = _period(period)
    return when.year, when.kind.value
