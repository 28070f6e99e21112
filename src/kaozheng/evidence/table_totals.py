"""What a question wants counted or added up over a whole table, computed by code where it is sure what is meant.

A search gives some rows of a table, and nobody who sees some can count all. Sure means: the question names one column,
and beside the counting it says nothing but the document's own name. A word more could be a condition on the rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final, Literal

from kaozheng.evidence.folding import narrow
from kaozheng.sources.tables import Table

_KINDS = "[个種种家类位名条项户所笔次份]"
_COUNTED = re.compile(
    rf"(?:多少|几){_KINDS}|不同|不重复|去重|\bhow many\b|\b(?:different|distinct|unique)\b|\bnumber of\b", re.I
)
_DIFFERENT = re.compile(r"不同|不重复|去重|\b(?:different|distinct|unique)\b", re.I)
_AVERAGE = re.compile(r"平均|均值|\b(?:average|mean)\b", re.I)
_SUM = re.compile(r"一共|总共|共计|合计|总计|总和|总额|求和|加起来|\b(?:in total|total|sum|altogether)\b", re.I)
_MOST = re.compile(
    r"最(?:多|少|高|低|大|小|早|晚|长|短)的?(?:是|有)?(?:哪|谁|什么|几)|(?:哪|谁|什么)[^，。？?]{0,12}最"
    r"|(?<!at )\b(?:most|fewest|highest|lowest|largest|smallest|maximum|minimum)\b",
    re.I,
)
_FILLER = re.compile(
    rf"不同|不重复|去重后?|平均(?:值|数)?|均值|一共|总共|共计|合计|总计|总和|总额|求和|加起来|请问|数据|表格|表[里中]?|(?:多少|几){_KINDS}?"
    r"|其中|里面?|中|共|有|是|的|各|这|那|张|呢|吗|值|数|[\s，。？?！!、：:,.“”\"'《》]"
    r"|\b(?:how many|how much|different|distinct|unique|average|mean|in total|total|sum|altogether|number|count|values?"
    r"|what|which|are|is|there|the|of|in|a|an|all|rows?|table|does|do|have|has|it|please|overall)\b",
    re.I,
)
_NUMBER = re.compile(r"[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_TOTAL_ROW = re.compile(r"\**(?:合计|总计|小计|总和|平均|均值|total|sub-?total|sum|average|mean)\b", re.I)
_BRACKET = re.compile(r"[(（][^()（）]*[)）]\s*$")
_OVER: Final = {
    "zh": "由程序按《{name}》中整张表（{rows} 行）计算：",
    "en": "Computed by code over all {rows} rows of the table in {name}: ",
}
_SAID: Final = {
    "zh": {
        "count": "“{column}”一列有 {values} 个值，其中不同的有 {different} 个。",
        "sum": "“{column}”一列的合计为 {value}。",
        "average": "“{column}”一列的平均值约为 {value}（{values} 个数，合计 {total}）。",
    },
    "en": {
        "count": "“{column}” has {values} values, {different} of them different.",
        "sum": "the total of “{column}” is {value}.",
        "average": "the average of “{column}” is about {value} ({values} numbers, {total} in total).",
    },
}


def asks_for_all_rows(question: str) -> bool:
    """Whether an answer from some rows of a table may be wrong for the whole: it counts, adds up or compares all."""
    return any(pattern.search(question) for pattern in (_COUNTED, _AVERAGE, _SUM, _MOST))


def has_total_row(rows: dict[int, tuple[str, ...]]) -> bool:
    """Whether one of the rows is a total or an average that somebody else has made."""
    return any(row and _TOTAL_ROW.match(row[0]) for row in rows.values())


def computed(question: str, table: Table, names: Sequence[str], language: Literal["zh", "en"]) -> str:
    """A sentence with the value that the question wants of the whole table; "" where that is not sure. `names` are what
    the question may call the document, the first one what the sentence calls it."""
    asked = narrow(question)
    column = _column(asked, table)
    if not table.whole or column is None or has_total_row(table.rows):
        return ""
    rest = asked.casefold().replace(plain_name(table.head[column]), " ")
    if any(
        _may_be_condition(piece, table, " ".join((*names, table.head[column])))
        for piece in _FILLER.split(rest)
        if piece
    ):
        return ""
    said = _value(rest, [row[column] for row in table.rows.values() if row[column]], language, table.head[column])
    return _OVER[language].format(name=names[0], rows=len(table.rows)) + said if said else ""


def _value(asked: str, cells: Sequence[str], language: Literal["zh", "en"], column: str) -> str:
    """What is asked of the cells of a column, in words; "" where it cannot be had, or may be meant in another way.
    `asked` is the question without the column's name, which may itself be "total" or "average age"."""
    numbers = [Decimal(cell.replace(",", "").replace("−", "-")) for cell in cells if _NUMBER.fullmatch(cell)]
    numeric = bool(numbers) and len(numbers) == len(cells)
    said = _SAID[language]
    if _COUNTED.search(asked):
        # How many of what is itself a number may be meant as their sum.
        if numeric and not _DIFFERENT.search(asked):
            return ""
        return said["count"].format(column=column, values=len(cells), different=len(set(cells)))
    if not numeric:
        return ""
    total = sum(numbers, Decimal(0))
    if _AVERAGE.search(asked):
        average = round(total / len(numbers), 2)
        return said["average"].format(column=column, value=f"{average:f}", values=len(numbers), total=f"{total:f}")
    return said["sum"].format(column=column, value=f"{total:f}") if _SUM.search(asked) else ""


def _may_be_condition(piece: str, table: Table, names: str) -> bool:
    """Whether a word of the question may choose among the rows: it is no name of the document and no unit of the
    column, or stands in a row."""
    rows = table.rows.values()
    return piece not in narrow(names).casefold() or any(
        piece in narrow(cell).casefold() for row in rows for cell in row
    )


def _column(asked: str, table: Table) -> int | None:
    """The one column that the question names; the longest name where one holds another."""
    text = asked.casefold()
    named = [place for place, name in enumerate(table.head) if (plain := plain_name(name)) and plain in text]
    longest = [
        one
        for one in named
        if not any(plain_name(table.head[one]) in plain_name(table.head[two]) for two in named if two != one)
    ]
    return longest[0] if len(longest) == 1 else None


def plain_name(name: str) -> str:
    """A column's name without the unit behind it."""
    return _BRACKET.sub("", narrow(name)).strip("*_ ").casefold()
