"""What tokens cost: a table as data, so that a price change is no new version of the program."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from kaozheng.errors import SettingsError
from kaozheng.models.usage import Usage

_MILLION = 1_000_000
_VERSION = re.compile(r"[-@:](?:\d[\d.\-]*|latest)")


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in the table's currency."""

    input: float
    output: float
    cached: float


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices by model name, all in `currency`."""

    currency: str
    by_model: Mapping[str, Price]

    def of(self, model: str) -> Price | None:
        """The price of a model: that of its name, or of its name without a date or version at the end."""
        known = [name for name in self.by_model if model == name or _is_version(model, name)]
        return self.by_model[max(known, key=len)] if known else None

    def cost(self, model: str, usage: Usage) -> float:
        """What this usage costs. A model without a price costs nothing: ask `of` before you rely on it."""
        price = self.of(model)
        if price is None:
            return 0.0
        fresh = max(0, usage.input_tokens - usage.cached_tokens)
        spent = fresh * price.input + usage.cached_tokens * price.cached + usage.output_tokens * price.output
        return spent / _MILLION


def load_prices(own: Path | None = None) -> Prices:
    """The bundled prices with those of the operator's own file on top. Raises SettingsError that says what is wrong."""
    if own is None:
        return _bundled_prices()
    table, added = _bundled(), _read(own)
    try:
        return _prices(
            {
                "currency": added.get("currency", table["currency"]),
                "rates": {**table["rates"], **added.get("rates", {})},
                "models": {**table["models"], **added.get("models", {})},
            }
        )
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError) as error:
        raise SettingsError(f"prices: {own}: {error!r}; see models/prices.toml") from None


@cache
def _bundled() -> dict[str, Any]:
    """Read once: each question asks for it, and it takes milliseconds."""
    return tomllib.loads(files("kaozheng.models").joinpath("prices.toml").read_text(encoding="utf-8"))


@cache
def _bundled_prices() -> Prices:
    return _prices(_bundled())


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"prices: {path} cannot be read: {error}") from None


def _prices(table: dict[str, Any]) -> Prices:
    currency, rates = str(table["currency"]), table["rates"]
    unit = float(rates[currency])
    models = {}
    for name, row in table["models"].items():
        rate = float(rates[row["currency"]]) / unit
        per = {key: float(row[key]) * rate for key in ("input", "output")}
        models[name] = Price(**per, cached=float(row.get("cached", row["input"])) * rate)
        if min(models[name].input, models[name].output, models[name].cached) < 0:
            raise ValueError(f"{name} has a price below 0")
    return Prices(currency, models)


def _is_version(model: str, name: str) -> bool:
    return model.startswith(name) and bool(_VERSION.fullmatch(model, len(name)))
