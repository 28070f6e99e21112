"""What a model is asked, in the names of indicators or, with a table of one's own, of its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

UNIT = "region"
PERIOD = "period"
TREATED = "treated"
FIRST_TREATED = "first_treated"


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """`outcome` is what is explained or forecast, `features` what explains it, is compared or scored. The rest is asked
    for by some families only: periods `before` and `after` a policy, the `policy_date` and the `anticipation` as a
    person knows them, who stands for the table of directions (`signed_off_by`), the number of `groups`, the `horizon`
    in periods, the `neighbours` of each unit with their weights and where they come from.

    `directions` says of each feature whether more is better. `unit`, `period`, `treated` and `first_treated` name the
    columns."""

    outcome: str = ""
    features: tuple[str, ...] = ()
    before: int | None = None
    after: int | None = None
    policy_date: str = ""
    anticipation: str = ""
    signed_off_by: str = ""
    groups: int = 3
    horizon: int = 1
    monthly: bool = False
    directions: Mapping[str, bool] = field(default_factory=dict)
    neighbours: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    neighbours_source: str = ""
    unit: str = UNIT
    period: str = PERIOD
    treated: str = TREATED
    first_treated: str = FIRST_TREATED
