"""Migrations of the county database, the newest last."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kaozheng.providers.stores.migrate import Schema

COUNTY: Final = Schema(Path(__file__).parent, "0001", "county_version")
