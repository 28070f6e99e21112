"""Econometrics: model families behind a readiness gate, their conditions, and results that say how they were made.

A family is a request (columns by name) and one function that gives a `ModelResult`: did_two_period, did_staggered,
matching, panel, composite_score, clustering, forecast, spatial. Estimators without a gate stand beside them for
comparison with published figures. The packages are imported when a model runs (extras `county`, `spatial`).
"""

from __future__ import annotations

from kaozheng.indicators.econometrics.readiness import Colour, Item, Readiness
from kaozheng.indicators.econometrics.result import Estimate, ModelResult, Specification, Status
from kaozheng.indicators.econometrics.sample import Columns

__all__ = ["Colour", "Columns", "Estimate", "Item", "ModelResult", "Readiness", "Specification", "Status"]
