"""Groups of regions that are alike, by k-means on standardised columns; whether there are groups is asked first.

Thresholds: 30 rows and 10 a group; no constant column; missing at most 10 %; silhouette from 0.25 amber, from 0.5
green, and above that of 20 clouds without groups; the same groups in resampled data (adjusted Rand index) from 0.6
amber, from 0.8 green.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kaozheng.errors import InputError
from kaozheng.indicators.econometrics.libraries import library
from kaozheng.indicators.econometrics.readiness import Item, at_least, at_most, readiness
from kaozheng.indicators.econometrics.result import Estimate, ModelResult, Specification, concluded, refused
from kaozheng.indicators.econometrics.sample import Columns, Sample, draw
from kaozheng.indicators.reason import Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FAMILY = "clustering"
_SEED, _STARTS, _RESAMPLES = 0, 10, 20
LIMITS = (
    Reason(
        "分组是对所选指标的描述，不是排名，也不是因果；换指标、换年份、换组数，分组会变。",
        "Groups describe the chosen indicators; they are no ranking and no cause. Other indicators, years or "
        "numbers of groups give other groups.",
    ),
    Reason(
        "组中心不给区间：分组由数据自身选出。",
        "Centres have no interval: the groups were chosen by the data themselves.",
    ),
)


@dataclass(frozen=True, slots=True)
class Clustering:
    """Columns by name; `unit` names the rows; `groups` how many to make."""

    unit: str
    features: tuple[str, ...]
    groups: int


def clustering(columns: Columns, request: Clustering) -> ModelResult:
    """The group of each unit, the centres, and how stable they are. Groups are numbered by the first feature, highest
    first. Nothing is shown where a condition is red.

    Raises InputError for a unit with two rows, MissingExtraError without the extra `county`."""
    import numpy as np

    if request.groups < 2 or not request.features:
        raise InputError("clustering wants at least 2 groups and 1 feature")
    sample = draw(columns, request.features, [request.unit])
    names = sample.labels[request.unit]
    if len(set(names)) < len(names):
        raise InputError(f"{request.unit} has a name twice")
    specification = _specification(sample, request)
    enough = readiness(FAMILY, _countable(sample, request))
    if enough.standing != "ready":
        return refused(enough, specification)
    values = sample.matrix(request.features)
    standard = (values - values.mean(axis=0)) / values.std(axis=0)
    group = groups_of(standard, request.groups)
    agreement = stability(standard, group)
    found = readiness(FAMILY, (*enough.items, *_apart(standard, group, agreement)))
    low, high = (float(one) for one in np.quantile(agreement, [0.025, 0.975]))
    estimates = [Estimate("stability", float(agreement.mean()), low, high)]
    estimates += [
        Estimate(f"group {one + 1}: {feature}", float(values[group == one, place].mean()))
        for one in range(request.groups)
        for place, feature in enumerate(request.features)
    ]
    members = sorted(zip(names, (int(one) + 1 for one in group), strict=True), key=lambda pair: (pair[1], pair[0]))
    return concluded(found, specification, estimates, LIMITS, {"members": members})


def groups_of(standard: Floats, groups: int) -> NDArray[np.intp]:
    """The group of each row, 0 for the one with the highest first feature. The same rows give the same groups."""
    import numpy as np

    model = library("sklearn.cluster").KMeans(n_clusters=groups, n_init=_STARTS, random_state=_SEED)
    found = model.fit_predict(standard)
    order = np.argsort([-standard[found == one, 0].mean() for one in range(groups)], kind="stable")
    places: NDArray[np.intp] = np.argsort(order)[found]
    return places


def stability(standard: Floats, group: NDArray[np.intp]) -> Floats:
    """The adjusted Rand index between the groups and those that resampled rows lead to, one a resample."""
    import numpy as np

    chance = np.random.default_rng(_SEED)
    groups = int(group.max()) + 1
    agreement = library("sklearn.metrics").adjusted_rand_score
    clusters = library("sklearn.cluster")
    found = []
    for _ in range(_RESAMPLES):
        rows = np.unique(chance.integers(0, len(standard), len(standard)))
        model = clusters.KMeans(n_clusters=groups, n_init=3, random_state=_SEED).fit(standard[rows])
        found.append(float(agreement(group, model.predict(standard))))
    return np.array(found)


def _countable(sample: Sample, request: Clustering) -> Iterator[Item]:
    import numpy as np

    yield at_least("units", sample.rows, green=30, what=Reason("单元数", "units"), lack="data")
    what = Reason("每组平均单元数", "units a group")
    yield at_least("units_per_group", sample.rows / request.groups, green=10, amber=5, what=what, lack="data")
    lost = 1 - sample.rows / max(1, sample.rows_given)
    yield at_most("missing", lost, green=0.10, what=Reason("缺失行占比", "share of rows with a gap"), lack="data")
    constant = [name for name in request.features if sample.rows and np.ptp(sample.numbers[name]) == 0]
    if constant:
        shown = ", ".join(constant)
        reason = Reason(f"指标无变化：{shown}", f"columns without variation: {shown}")
        yield Item("constant", len(constant), "0", "red", reason, "design")


def in_clouds(standard: Floats, groups: int) -> Floats:
    """The silhouettes of as many groups in normal clouds with the same correlations: what k-means finds where there is
    nothing to find."""
    import numpy as np

    chance = np.random.default_rng(_SEED)
    covariance = np.atleast_2d(np.cov(standard, rowvar=False))
    found = []
    for _ in range(_RESAMPLES):
        cloud = chance.multivariate_normal(np.zeros(len(covariance)), covariance, len(standard))
        model = library("sklearn.cluster").KMeans(n_clusters=groups, n_init=3, random_state=_SEED)
        found.append(float(library("sklearn.metrics").silhouette_score(cloud, model.fit_predict(cloud))))
    return np.array(found)


def _apart(standard: Floats, group: NDArray[np.intp], agreement: Floats) -> Iterator[Item]:
    score = float(library("sklearn.metrics").silhouette_score(standard, group))
    yield at_least("silhouette", score, green=0.5, amber=0.25, what=Reason("轮廓系数", "silhouette"), lack="design")
    none = in_clouds(standard, int(group.max()) + 1)
    what = Reason("无分组的随机数据轮廓系数不低于此的占比", "share of clouds without groups with as high a silhouette")
    yield at_most("against_none", float((none >= score).mean()), green=0.0, what=what, lack="design")
    what = Reason(
        "重抽样下分组一致性（调整兰德指数均值）", "agreement of groups in resamples (mean adjusted Rand index)"
    )
    yield at_least("stability", float(agreement.mean()), green=0.8, amber=0.6, what=what, lack="design")


def _specification(sample: Sample, request: Clustering) -> Specification:
    return Specification(
        method=f"k-means, {request.groups} groups, columns standardised (scikit-learn)",
        formula=" + ".join(request.features),
        sample=sample.told,
        data_hash=sample.data_hash,
        variance=f"{_RESAMPLES} resamples",
        settings=(("random_state", str(_SEED)), ("n_init", str(_STARTS))),
    )
