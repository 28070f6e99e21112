"""All checks by their slug, listed by hand: what runs is what stands here."""

# Adding a check:
#   1. write checks/<family>/<slug_with_underscores>.py: a docstring with What / Why / Bad / Good / Fix / Settings /
#      Source, one `check(context)` generator that yields `finding(...)`, and `CHECK = Check("<slug>", ...)`;
#   2. import it below and name it in `_ALL` (one line each);
#   3. put its cases into tests/rules/cases/<slug>.yml and bind it to a rule of a book with a ```check fence.

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from kaozheng.rules.check import Check

_ALL: tuple[Check, ...] = ()

CHECKS: Mapping[str, Check] = MappingProxyType({check.slug: check for check in _ALL})
