"""What a question wants of some rows of a whole table: the row with most or least of a column, and all rows that have a
value which the question names, listed or added up.

Sure means: a word of the question is a column, a value of a row, a name of the document, or only asks. A word more
could be a condition that the table does not show.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from kaozheng.evidence.folding import narrow
from kaozheng.evidence.table_totals import has_total_row, plain_name
from kaozheng.sources.tables import Table

Language = Literal["zh", "en"]
_MOST: Final = re.compile(
    r"最[多高大长晚新重快]|\b(?:most|highest|largest|biggest|longest|maximum|latest|newest)\b", re.I
)
_LEAST: Final = re.compile(
    r"最[少低小短早旧轻慢]|\b(?:least|fewest|lowest|smallest|shortest|minimum|earliest|oldest)\b", re.I
)
_LISTS = re.compile(r"哪些|哪几|有什么|了什么|\b(?:which|what|list)\b", re.I)
_ADDS = re.compile(r"多少|几|合计|总共|一共|总计|总和|\b(?:how (?:many|much)|total|sum|altogether)\b", re.I)
_FILLER = re.compile(
    r"哪一?[个家种项款座位类条名台批][^的，。？?\s]{0,3}?(?=[的\s，。？?]|$)|哪些|哪几[个家种项款]?|最[多高大长晚新重快少低小短早旧轻慢]|多少|几[个家种项款台]?"
    r"|合计|总共|一共|总计|总和|请问|什么|谁|其中|表格?[里中]?|所有|全部|分别|[的是有了在里中由从和与共，。？?！!、：:,.“”\"'《》\s呢吗于]"
    r"|\b(?:which|what|who|where|list|has|had|have|was|were|are|is|did|does|do|the|of|in|at|on|a|an|all|there|by|with|for"
    r"|from|to|how|many|much|total|sum|altogether|most|highest|largest|biggest|longest|maximum|latest|newest|least"
    r"|fewest|lowest|smallest|shortest|minimum|earliest|oldest|one|ones|table|number|value)\b",
    re.I,
)
_NUMBER = re.compile(r"[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_TOKEN = re.compile(r"[a-z]+|\d+|[\u3400-\u9fff]+", re.I)
_MOST_SHOWN: Final = 12
_OVER: Final = {
    "zh": "由程序按《{name}》中整张表（{rows} 行）计算：",
    "en": "Computed by code over all {rows} rows of the table in {name}: ",
}
_WHERE: Final = {"zh": "{column}为“{value}”的有 {count} 行", "en": "{count} rows have “{value}” as {column}"}
_TOTAL: Final = {"zh": "，“{column}”合计 {value}", "en": ", the total of “{column}” is {value}"}
_EXTREME: Final = {
    "zh": {True: "“{column}”最大的是 {value}", False: "“{column}”最小的是 {value}"},
    "en": {True: "the highest “{column}” is {value}", False: "the lowest “{column}” is {value}"},
}


@dataclass(frozen=True, slots=True)
class _Asked:
    """The question without what is known of it, the columns it names, and the values it names by their column."""

    rest: str
    columns: tuple[int, ...]
    values: dict[int, tuple[str, ...]]


def rows_asked_for(question: str, table: Table, names: Sequence[str], language: Language) -> str:
    """A sentence with the rows, or their sum, that the question wants of the whole table; "" where that is not sure.
    `names` are what the question may call the document, the first one what the sentence calls it."""
    if not table.whole or has_total_row(table.rows):
        return ""
    asked = _read(question, table)
    rows = [row for row in table.rows.values() if all(_plain(row[at]) in said for at, said in asked.values.items())]
    sure = not _unknown(asked.rest, (*names, *table.head))
    most, least = bool(_MOST.search(question)), bool(_LEAST.search(question))
    said = ""
    if most != least and sure:
        said = _extreme(asked, rows, table, most, language)
    elif asked.values and len(rows) > 1 and not (most or least):
        said = _chosen(question, asked, rows, table, sure, language)
    return _OVER[language].format(name=names[0], rows=len(table.rows)) + said if said else ""


def _read(question: str, table: Table) -> _Asked:
    rest = narrow(question).casefold()
    values: dict[int, tuple[str, ...]] = {}
    found = {
        (at, plain)
        for row in table.rows.values()
        for at, cell in enumerate(row)
        if len(plain := _plain(cell)) > 1 and not _NUMBER.fullmatch(plain) and plain in rest
    }
    for at, plain in sorted(found, key=lambda one: -len(one[1])):
        if plain in rest:  # else a part of a longer value that was named
            values[at] = (*values.get(at, ()), plain)
    for plain in {one for said in values.values() for one in said}:
        rest = rest.replace(plain, " ")
    columns = []
    for at, head in sorted(enumerate(table.head), key=lambda one: -len(one[1])):
        tokens = _TOKEN.findall(plain_name(head))
        if tokens and all(_has(token, rest) for token in tokens):
            columns.append(at)
            for token in tokens:
                rest = re.sub(_pattern(token), " ", rest)
    return _Asked(rest, tuple(sorted(columns)), values)


def _pattern(token: str) -> str:
    return rf"(?<![a-z0-9]){re.escape(token)}s?(?![a-z0-9])" if token.isascii() else re.escape(token)


def _has(token: str, text: str) -> bool:
    return re.search(_pattern(token), text) is not None


def _unknown(rest: str, names: Sequence[str]) -> list[str]:
    """What is left of the question and is neither a word that only asks nor one of the names."""
    known = narrow(" ".join(names)).casefold()
    return [piece for piece in _FILLER.split(rest) if piece and piece not in known]


def _extreme(asked: _Asked, rows: Sequence[tuple[str, ...]], table: Table, most: bool, language: Language) -> str:
    """The rows with most, or least, of the one named column that can be put in order."""
    ordered = [(at, key) for at in asked.columns if (key := _order(row[at] for row in rows)) is not None]
    if len(ordered) != 1 or not rows:
        return ""
    at, key = ordered[0]
    have = [row for row in rows if row[at]]
    best = (max if most else min)(key(row[at]) for row in have)
    chosen = [row for row in have if key(row[at]) == best]
    said = _EXTREME[language][most].format(column=table.head[at], value=chosen[0][at])
    return f"{said}{_shown(chosen, table, language)}"


def _chosen(
    question: str, asked: _Asked, rows: Sequence[tuple[str, ...]], table: Table, sure: bool, language: Language
) -> str:
    """All rows with the named values; their sum where that is wanted, which a word that is not known forbids."""
    numeric = [at for at in asked.columns if all(_NUMBER.fullmatch(row[at]) for row in rows)]
    adds = bool(_ADDS.search(question)) and len(numeric) == 1
    if (adds and not sure) or not (adds or _LISTS.search(question)) or re.search(r"\d", asked.rest):
        return ""
    column, values = next(iter(asked.values.items()))
    value = next(row[column] for row in rows if _plain(row[column]) in values)
    said = _WHERE[language].format(column=table.head[column], value=value, count=len(rows))
    if adds:
        total = sum((Decimal(row[numeric[0]].replace(",", "").replace("−", "-")) for row in rows), Decimal(0))
        said += _TOTAL[language].format(column=table.head[numeric[0]], value=f"{total:f}")
    return f"{said}{_shown(rows, table, language)}"


def _order(cells: object) -> Callable[[str], Decimal | str] | None:
    """How the cells of a column are put in order; None where they cannot be. Cells without a value do not count."""
    given = [cell for cell in cells if cell]  # type: ignore[attr-defined]
    if given and all(_NUMBER.fullmatch(cell) for cell in given):
        return lambda cell: Decimal(cell.replace(",", "").replace("−", "-"))
    return str if given and all(_DAY.fullmatch(cell) for cell in given) else None


def _shown(rows: Sequence[tuple[str, ...]], table: Table, language: Language) -> str:
    """The rows with the names of their columns."""
    colon, comma, end = ("：", "，", "。") if language == "zh" else (": ", ", ", ".")
    said = [
        comma.join(f"{name} {cell}" for name, cell in zip(table.head, row, strict=True) if cell)
        for row in rows[:_MOST_SHOWN]
    ]
    more = " …" if len(rows) > _MOST_SHOWN else ""
    return f"{colon}{' | '.join(said)}{more}{end}"


def _plain(cell: str) -> str:
    return narrow(cell).strip("*_ ").casefold()
