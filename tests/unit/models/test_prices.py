from __future__ import annotations

import datetime
import tomllib
from importlib.resources import files

import pytest

from kaozheng.errors import SettingsError
from kaozheng.models import Usage
from kaozheng.models.prices import load_prices


def test_every_bundled_price_is_dated_and_positive():
    table = tomllib.loads(files("kaozheng.models").joinpath("prices.toml").read_text(encoding="utf-8"))
    for name, row in table["models"].items():
        assert isinstance(row["as_of"], datetime.date), name
        assert 0 < row["cached"] <= row["input"] < row["output"], name
        assert row["currency"] in table["rates"]


@pytest.mark.parametrize("name", ["gpt-4.1", "gpt-4.1-2025-04-14", "gpt-4.1-latest"])
def test_a_name_stands_for_its_versions(name):
    assert load_prices().of(name) == load_prices().of("gpt-4.1")


@pytest.mark.parametrize("name", ["gpt-4.1-pro", "gpt-5.1-codex", "gpt-4", "scripted", ""])
def test_another_model_has_no_price(name):
    assert load_prices().of(name) is None
    assert load_prices().cost(name, Usage(1000, 1000)) == 0.0


def test_cached_tokens_cost_less():
    assert load_prices().cost("gpt-4.1", Usage(1_000_000, 0, 500_000)) == pytest.approx(1.25)


def test_an_own_file_goes_before_and_chooses_the_currency(tmp_path):
    own = tmp_path / "prices.toml"
    own.write_text(
        'currency = "CNY"\n[rates]\nCNY = 0.125\n[models]\n"my-model" = { currency = "USD", input = 1, output = 2 }\n',
        encoding="utf-8",
    )
    prices = load_prices(own)
    assert prices.currency == "CNY"
    assert prices.cost("my-model", Usage(1_000_000, 1_000_000)) == pytest.approx(24.0)
    assert prices.of("gpt-4.1").input == pytest.approx(16.0)


@pytest.mark.parametrize(
    "text",
    [
        "models = 1",
        "[models]\na = { input = 1 }",
        'currency = "XAU"',
        "[models]\na = 3",
        "[",
        '[models]\na = { currency = "USD", input = -1, output = 1 }',
    ],
)
def test_a_broken_file_is_named(tmp_path, text):
    own = tmp_path / "prices.toml"
    own.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=r"prices\.toml"):
        load_prices(own)
