"""`kaozheng county model`: a family of models behind its readiness gate."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kaozheng.cli import given
from kaozheng.cli.county_options import Years, years_of
from kaozheng.cli.options import Language
from kaozheng.cli.speaking import exit_codes, say_json
from kaozheng.cli.tables import synthetic_mark
from kaozheng.errors import InputError

if TYPE_CHECKING:
    from kaozheng.api.county_model import Modelled
    from kaozheng.indicators.econometrics.readiness import Item
    from kaozheng.indicators.econometrics.result import Estimate

_STATUS = {
    "estimated": {"zh": "已估计", "en": "estimated"},
    "needs_data": {"zh": "数据不足，未估计", "en": "needs data: nothing was estimated"},
    "blocked": {"zh": "条件不满足，不予估计", "en": "blocked: the design does not carry an estimate"},
}
_COLOUR = {"green": "绿", "amber": "黄", "red": "红"}


class FamilyName(StrEnum):
    """The families, as `county.modelling.families` names them."""

    DID = "did"
    PSM = "psm"
    PANEL = "panel"
    SPATIAL = "spatial"
    COMPOSITE = "composite"
    CLUSTER = "cluster"
    FORECAST = "forecast"


Feature = Annotated[
    list[str] | None, typer.Option("--feature", parser=given.words, metavar="KEY", help="A regressor or covariate.")
]


def model(
    family: Annotated[FamilyName, typer.Argument(help="The family of models. 模型族。")],
    outcome: Annotated[str, typer.Option(parser=given.words, metavar="KEY", help="What is explained. 结果指标。")] = "",
    feature: Feature = None,
    data: Annotated[
        Path | None, typer.Option(parser=given.path, metavar="FILE", help="A table (csv, xlsx) instead of the store.")
    ] = None,
    unit: Annotated[str, typer.Option(parser=given.words, metavar="COLUMN", help="Who a row is about.")] = "region",
    period: Annotated[str, typer.Option(parser=given.words, metavar="COLUMN", help="When.")] = "period",
    region: Annotated[
        list[str] | None,
        typer.Option("--region", parser=given.words, metavar="CODE|NAME", help="Rows of these; by default of all."),
    ] = None,
    years: Years = "",
    treated: Annotated[
        str,
        typer.Option(
            parser=given.words,
            metavar="CODE=YEAR,…|COLUMN",
            help="Regions that a policy reached, and when; or the column that says 1 for them.",
        ),
    ] = "",
    first_treated: Annotated[
        str, typer.Option(parser=given.words, metavar="COLUMN", help="The column that says when (0: never).")
    ] = "first_treated",
    before: Annotated[int | None, typer.Option(help="did: the period before the policy.")] = None,
    after: Annotated[int | None, typer.Option(help="did: the period after it.")] = None,
    policy_date: Annotated[str, typer.Option(parser=given.words, metavar="DATE", help="When it took effect.")] = "",
    anticipation: Annotated[
        str, typer.Option(parser=given.words, metavar="TEXT", help="What was known of it before.")
    ] = "",
    signed_off_by: Annotated[
        str, typer.Option(parser=given.words, metavar="NAME", help="composite: who stands for the directions.")
    ] = "",
    less: Annotated[
        list[str] | None, typer.Option("--less-is-better", parser=given.words, metavar="KEY", help="composite.")
    ] = None,
    more: Annotated[
        list[str] | None, typer.Option("--more-is-better", parser=given.words, metavar="KEY", help="composite.")
    ] = None,
    groups: Annotated[int, typer.Option(help="cluster: how many.", min=2)] = 3,
    horizon: Annotated[int, typer.Option(help="forecast: periods ahead.", min=1)] = 1,
    monthly: Annotated[bool, typer.Option("--monthly", help="forecast: the periods are months.")] = False,
    neighbours: Annotated[
        Path | None,
        typer.Option(parser=given.path, metavar="FILE", help="spatial: a table of unit, neighbour[, weight]."),
    ] = None,
    neighbours_source: Annotated[
        str, typer.Option(parser=given.words, metavar="TEXT", help="spatial: where the matrix comes from.")
    ] = "",
    lang: Annotated[Language, typer.Option("--lang", help="Language of the reasons.")] = Language.ZH,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Estimate, or say what is missing: every condition with its value, threshold and colour. 计量分析，先过就绪门。"""
    with exit_codes("stopped"):
        from kaozheng.api.county_model import SampleOf
        from kaozheng.api.county_model import model as estimate
        from kaozheng.county.modelling.request import TREATED, ModelRequest

        request = ModelRequest(
            outcome,
            tuple(feature or ()),
            before,
            after,
            policy_date=policy_date,
            anticipation=anticipation,
            signed_off_by=signed_off_by,
            groups=groups,
            horizon=horizon,
            monthly=monthly,
            directions={**dict.fromkeys(more or (), True), **dict.fromkeys(less or (), False)},
            neighbours_source=neighbours_source,
            unit=unit,
            period=period,
            treated=treated if treated and "=" not in treated else TREATED,
            first_treated=first_treated,
        )
        pairs = _treated(treated) if "=" in treated else None
        sample = SampleOf(data, tuple(region or ()), years_of(years), treated=pairs, neighbours=neighbours)
        modelled = estimate(family.value, request, sample)
    if as_json:
        say_json(modelled.as_dict())
    else:
        typer.echo("\n".join(_lines(modelled, lang.value)))
    raise typer.Exit(modelled.exit_code)


def _treated(text: str) -> dict[str, int] | None:
    made: dict[str, int] = {}
    for pair in filter(None, (one.strip() for one in text.replace("，", ",").split(","))):
        region, _, when = pair.partition("=")
        if not (region.strip() and when.strip().isdigit()):
            raise InputError(f"--treated {pair}: a region and the period that it was reached in, as 511083=2021")
        made[region.strip()] = int(when)
    return made or None


def _lines(modelled: Modelled, language: str) -> list[str]:
    result = modelled.result
    lines = [synthetic_mark(language)] if modelled.synthetic else []
    colour = result.readiness.colour
    lines.append(f"{result.family}: {_STATUS[result.status][language]}")
    lines.append(f"就绪门：{_COLOUR[colour]}" if language == "zh" else f"readiness: {colour}")
    lines += [_item(one, language) for one in result.readiness.items]
    if result.estimates:
        lines += ["", "结果（95%区间）" if language == "zh" else "estimates (95 % interval)"]
        lines += [_estimate(one) for one in result.estimates]
    said = result.specification
    lines += ["", f"{'方法' if language == 'zh' else 'method'}: {said.method}"]
    told = {
        ("设定", "formula"): said.formula,
        ("样本", "sample"): said.sample.said(language),
        ("方差", "variance"): said.variance,
        ("处理变量编码", "coding of treatment"): said.treatment_coding,
        ("空间权重", "weights matrix"): said.weights_matrix,
        ("数据指纹", "data hash"): said.data_hash,
    }
    lines += [f"{names[language != 'zh']}: {text}" for names, text in told.items() if text]
    lines += [f"- {one.said(language)}" for one in result.limits]
    return lines


def _item(item: Item, language: str) -> str:
    colour = _COLOUR[item.colour] if language == "zh" else item.colour
    value = f"{item.value:.4g}" if isinstance(item.value, float) else item.value
    shown = "-" if value is None else value
    return f"  [{colour}] {item.key}: {shown} ({item.threshold})  {item.reason.said(language)}"


def _estimate(one: Estimate) -> str:
    interval = "" if one.low is None or one.high is None else f"  [{one.low:.6g}, {one.high:.6g}]"
    return f"  {one.name}: {one.point:.6g}{interval}" + ("" if one.p is None else f"  p = {one.p:.3g}")
