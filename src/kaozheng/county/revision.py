"""What an import makes of the rows of one source: which it takes, and what it changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from kaozheng.county.store import Imported
from kaozheng.county.table_source import TableSource
from kaozheng.county.whole_texts import require_whole_texts
from kaozheng.errors import InputError
from kaozheng.indicators.indicator import Indicator
from kaozheng.indicators.observation import Missing, Observation, converted

Name = tuple[str, str, str]
"""Indicator, code of the region, period: one row of a source. They sort as these three do."""
Content = tuple[int, str, str, str | None, str, str | None, str]
"""Year and name of the region, raw text, value with the digits that were written, unit, reason for none, cell."""


@dataclass(frozen=True, slots=True)
class Revision:
    """What has to be done so that the rows of a source are those that were given: `gone` out, `new` in."""

    gone: tuple[Name, ...]
    new: Mapping[Name, Content]
    imported: Imported


def contents(
    source: TableSource, rows: Iterable[Observation], indicators: Mapping[str, Indicator]
) -> dict[Name, Content]:
    """The rows of a source by their names. A row that comes twice and says the same counts once, as it came first.

    Raises InputError for a row of an unknown indicator, of a unit that measures something else, of another vintage than
    the source's, with characters that no database keeps, and for two rows of one name that say different things.
    """
    found: dict[Name, Content] = {}
    fitting: set[tuple[str, str]] = set()
    for row in rows:
        if (row.indicator, row.unit) not in fitting:
            _require_fitting(row, indicators)
            fitting.add((row.indicator, row.unit))
        if row.vintage not in ("", source.vintage):
            raise InputError(f"{row.source}: it is of {row.vintage}, its source {source.id} of {source.vintage}")
        name = (row.indicator, row.region.code, str(row.period))
        content = _content(row)
        before = found.setdefault(name, content)
        if before is not content and _said(before, unit := indicators[row.indicator].unit) != _said(content, unit):
            raise InputError(
                f"{'.'.join(name)} has two values in {source.id}: {before[2]!r} ({before[6]}) and "
                f"{row.raw!r} ({row.source})"
            )
    return found


def revised(kept: Iterable[tuple[Name, Content]], given: Mapping[Name, Content]) -> Revision:
    """What has changed from the rows that are kept of a source to those that were given."""
    new = dict(given)
    gone: list[Name] = []
    changed = unchanged = 0
    for name, content in kept:
        if (now := new.get(name)) == content:
            del new[name]
            unchanged += 1
        else:
            gone.append(name)
            changed += now is not None
    imported = Imported(len(new) - changed, changed, len(gone) - changed, unchanged)
    return Revision(tuple(gone), new, imported)


def require_comparable(kept: Indicator, given: Indicator) -> None:
    """Raises InputError when rows of the one would mean something else under the other."""
    for what in ("unit", "calibre", "period_type"):
        before, now = getattr(kept, what), getattr(given, what)
        if before != now:
            raise InputError(
                f"{kept.key}: its rows are of the {what} {str(before)!r}, not {str(now)!r}: use another key"
            )


def _require_fitting(row: Observation, indicators: Mapping[str, Indicator]) -> None:
    indicator = indicators.get(row.indicator)
    if indicator is None:
        raise InputError(f"{row.source}: there is no indicator {row.indicator!r}: add it, or correct the mapping")
    if row.value is not None and converted(row.value, row.unit, indicator.unit) is None:
        raise InputError(f"{row.source}: {row.raw} {row.unit} cannot be said in {indicator.unit} ({indicator.name})")


def _content(row: Observation) -> Content:
    region = row.region
    require_whole_texts((region.name, row.raw, row.unit, row.source), row.indicator)
    value = None if row.value is None else str(row.value)
    missing = None if row.missing is None else row.missing.value
    return region.year, region.name, row.raw, value, row.unit, missing, row.source


def _said(content: Content, unit: str) -> Decimal | Missing | None:
    _, _, _, value, given, missing, _ = content
    if value is not None:
        return converted(Decimal(value), given, unit)
    return None if missing is None else Missing(missing)
