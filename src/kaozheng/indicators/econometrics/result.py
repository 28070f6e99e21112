"""What a model leaves behind: estimates with their intervals, how they were made, and what they do not say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from kaozheng.indicators.econometrics.readiness import Figure, Readiness
from kaozheng.indicators.reason import Reason

Status = Literal["estimated", "needs_data", "blocked"]
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """One figure with its interval, in the unit of the outcome as it was given.

    `low` and `high` bound it at the level of the result (95 %); they and `p` are None where a figure only describes.
    """

    name: str
    point: float
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    p: float | None = None


@dataclass(frozen=True, slots=True)
class Specification:
    """All that someone needs to make the estimate again.

    `sample` is one sentence on the rows used and left out, `data_hash` the SHA-256 of exactly these rows;
    `weights_matrix` and `treatment_coding` are empty for families that have none. `settings` are the rest, by name.
    """

    method: str
    formula: str
    sample: Reason
    data_hash: str
    variance: str = ""
    treatment_coding: str = ""
    weights_matrix: str = ""
    settings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ModelResult:
    """The outcome of a request: without `estimated` there are no estimates, and `readiness.missing` says why.

    `tables` are further figures for the report (group-time effects, weights, scores), each a name and its rows.
    """

    family: str
    status: Status
    readiness: Readiness
    specification: Specification
    estimates: tuple[Estimate, ...] = ()
    limits: tuple[Reason, ...] = ()
    tables: tuple[tuple[str, tuple[tuple[Figure, ...], ...]], ...] = ()

    def estimate(self, name: str) -> Estimate:
        """The estimate of this name. Raises KeyError."""
        for one in self.estimates:
            if one.name == name:
                return one
        raise KeyError(name)


def refused(found: Readiness, specification: Specification) -> ModelResult:
    """The result of a request that is not ready: nothing is estimated."""
    status: Status = "blocked" if found.standing == "blocked" else "needs_data"
    return ModelResult(found.family, status, found, specification)


def concluded(
    found: Readiness,
    specification: Specification,
    estimates: Iterable[Estimate],
    limits: Iterable[Reason],
    tables: Mapping[str, Iterable[tuple[Figure, ...]]] | None = None,
) -> ModelResult:
    """The result of a request that is ready. Each amber item becomes one more limit. A readiness with a red item gives
    `refused`, whatever was computed: there is no way around the gate."""
    if found.standing != "ready":
        return refused(found, specification)
    cautions = tuple(item.reason for item in found.items if item.colour == "amber")
    kept = tuple((name, tuple(rows)) for name, rows in (tables or {}).items())
    return ModelResult(found.family, "estimated", found, specification, tuple(estimates), (*limits, *cautions), kept)
