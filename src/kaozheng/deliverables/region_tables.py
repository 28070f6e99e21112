"""The figures of one region as tables: values with growth, place and peers, each with its row; warnings; profile."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from kaozheng.county.region_figures import Figure, RegionFigures
from kaozheng.deliverables.table import Column, Kind, Table, Value
from kaozheng.indicators.growth import Growth
from kaozheng.indicators.ranks import Against, Rank
from kaozheng.indicators.reason import Reason
from kaozheng.indicators.undefined import Undefined

_COLOURS: Final = {
    "red": Reason("红", "red"),
    "yellow": Reason("黄", "yellow"),
    "grey": Reason("灰", "grey"),
    "green": Reason("绿", "green"),
}
_NO_ROW: Final = Reason("无此行", "no row")
_NOMINAL: Final = Reason(
    "现价指标的同比是名义增速，不是公布的可比价增速",
    "Growth of an indicator in current prices is nominal, never the published real rate",
)
_PEERS_ARE: Final = Reason("对标县（标准化欧氏距离最近）", "Peers (nearest by standardised distance)")
_NO_PEERS: Final = Reason("没有对标县", "No peers")


def region_tables(
    found: RegionFigures, names: Mapping[str, str], titles: Mapping[str, str], synthetic: bool, language: str
) -> list[Table]:
    """Values, warnings, profile. `names` of regions by code, `titles` of publications by the file that they came in."""
    zh = language == "zh"
    period = found.period.zh if zh else str(found.period)
    about = f"{found.region.name} {period}"
    return [
        _values(found, about, _notes(found, names, language), titles, synthetic, language),
        _warnings(found, about, synthetic, language),
        _profile(found, about, synthetic, language),
    ]


def region_numbers(found: RegionFigures, synthetic: bool, language: str) -> Table:
    """The same growth and places with every number in a cell of its own, to be sorted and charted."""
    zh = language == "zh"
    heads = (
        ("指标", "数值", "单位", "同比", "同比单位", "环比", "环比单位", "位次", "有数地区数")
        if zh
        else ("indicator", "value", "unit", "on year", "in", "on period", "in ", "rank", "of")
    )
    kinds = (Kind.TEXT, Kind.NUMBER, Kind.TEXT, *(Kind.NUMBER, Kind.TEXT) * 2, Kind.NUMBER, Kind.NUMBER)
    columns = [
        Column(head, kind, decimals=1 if place in (3, 5) else None)
        for place, (head, kind) in enumerate(zip(heads, kinds, strict=True))
    ]
    rows = [
        (
            one.indicator.name,
            one.value,
            one.indicator.unit,
            *_rate(one.on_year),
            *_rate(one.on_period),
            *((None, None) if isinstance(one.place, Undefined) else (one.place.place, one.place.of)),
        )
        for one in found.figures
    ]
    about = f"{found.region.name} {found.period.zh if zh else found.period}"
    return Table(f"{about}：数表" if zh else f"{about}: numbers", columns, rows, synthetic=synthetic)


def _rate(growth: Growth | Undefined | None) -> tuple[Decimal | None, str]:
    return (growth.rate, growth.unit) if isinstance(growth, Growth) else (None, "")


def _values(
    found: RegionFigures, about: str, notes: tuple[str, ...], titles: Mapping[str, str], synthetic: bool, language: str
) -> Table:
    zh = language == "zh"
    heads = (
        ("指标", "数值", "单位", "同比", "环比", "位次", "对标县中位数", "口径", "数据行", "来源")
        if zh
        else (
            "indicator",
            "value",
            "unit",
            "on year",
            "on period",
            "rank",
            "median of peers",
            "calibre",
            "row",
            "source",
        )
    )
    kinds = (Kind.TEXT, Kind.NUMBER, *[Kind.TEXT] * 4, Kind.NUMBER, *[Kind.TEXT] * 3)
    chosen = [
        place for place in range(len(heads)) if place != 4 or any(one.on_period is not None for one in found.figures)
    ]
    rows = [_row(one, language) for one in found.figures]
    columns = [Column(heads[place], kinds[place]) for place in chosen]
    title = f"{about}：指标" if zh else f"{about}: indicators"
    files = {row.source.partition("!")[0] for one in found.figures if (row := one.observation)}
    source = ("；" if zh else "; ").join(f"{titles[file]}（{file}）" for file in sorted(files) if file in titles)
    cells = [[row[place] for place in chosen] for row in rows]
    return Table(title, columns, cells, source=source, notes=notes, synthetic=synthetic)


def _row(one: Figure, language: str) -> tuple[Value, ...]:
    indicator, row = one.indicator, one.observation
    value: Value = one.value
    if one.value is None:
        value = (row.missing.meaning if row and row.missing else _NO_ROW).said(language)
    source = f"{row.source}@{row.vintage}" if row else ""
    calibre = "·".join(filter(None, (indicator.calibre.value, indicator.period_type.value)))
    return (
        indicator.name,
        value,
        indicator.unit,
        _growth(one.on_year, language),
        _growth(one.on_period, language),
        _place(one.place, language),
        one.against.median if isinstance(one.against, Against) else None,
        calibre,
        str(one.row),
        source,
    )


def _growth(growth: Growth | Undefined | None, language: str) -> str:
    if growth is None:
        return ""
    if isinstance(growth, Undefined):
        return "—"
    revised = "*" if growth.revised else ""
    return f"{growth.rate:+.1f}{growth.unit if language == 'zh' else growth.unit.replace('个百分点', ' pp')}{revised}"


def _place(place: Rank | Undefined, language: str) -> str:
    if isinstance(place, Undefined):
        return "—"
    tied = (
        f"（并列{place.tied + 1}）"
        if place.tied and language == "zh"
        else f" ({place.tied + 1} tied)"
        if place.tied
        else ""
    )
    return f"{place.place}/{place.of}{tied}"


def _notes(found: RegionFigures, names: Mapping[str, str], language: str) -> tuple[str, ...]:
    zh = language == "zh"
    notes = [_NOMINAL.said(language)]
    if any(isinstance(one.on_year, Growth) and one.on_year.revised for one in found.figures):
        notes.append("* 两期数值来自不同修订版本" if zh else "* the two values come from different revisions")
    if isinstance(found.peers, Undefined):
        notes.append(
            f"{_NO_PEERS.said(language)}：{found.peers.reason.zh}" if zh else f"{_NO_PEERS.en}: {found.peers.reason.en}"
        )
    else:
        near = "、".join(
            f"{names.get(peer.region, '')}（{peer.region}，{peer.distance:.2f}）" for peer in found.peers.nearest
        )
        notes.append(f"{_PEERS_ARE.said(language)}：{near}" if zh else f"{_PEERS_ARE.en}: {near}")
    return tuple(notes)


def _warnings(found: RegionFigures, about: str, synthetic: bool, language: str) -> Table:
    zh = language == "zh"
    rows = [
        (_COLOURS[signal.colour.value].said(language), signal.rule.id, one.indicator.name, signal.reason.said(language))
        for one in found.figures
        for signal in one.signals
    ]
    columns = [
        Column(head) for head in (("预警", "规则", "指标", "原因") if zh else ("colour", "rule", "indicator", "reason"))
    ]
    title = f"{about}：预警" if zh else f"{about}: warnings"
    note = "预警界限须由主管部门确认" if zh else "The bounds are to be confirmed by the department in charge"
    return Table(title, columns, rows, notes=(note,), synthetic=synthetic)


def _profile(found: RegionFigures, about: str, synthetic: bool, language: str) -> Table:
    zh = language == "zh"
    columns = [
        Column("维度" if zh else "dimension"),
        Column("得分（0—100）" if zh else "score (0-100)", Kind.NUMBER, decimals=1),
        Column("说明" if zh else "note"),
    ]
    rows: list[tuple[Value, ...]] = []
    for dimension, score in found.profile.items():
        if isinstance(score, Undefined):
            rows.append((dimension.value, None, score.reason.said(language)))
        else:
            rows.append((dimension.value, score, ""))
    title = f"{about}：五维画像" if zh else f"{about}: profile"
    note = (
        "得分为在有数地区中的百分位，不加总"
        if zh
        else "A score is the percentile among the regions with values; there is no sum"
    )
    return Table(title, columns, rows, notes=(note,), synthetic=synthetic)
