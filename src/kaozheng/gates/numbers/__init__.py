"""Gate 1: every number of a finished text is a row, a registered derivation, or stands in a policy or model result.

The place to begin is `numbers`. `judged` says of each number which rows it is: what a reader is led to by a click.
"""

from __future__ import annotations

from kaozheng.gates.numbers.gate import Judged, judged, numbers
from kaozheng.gates.numbers.scopes import is_place

__all__ = ["Judged", "is_place", "judged", "numbers"]
