"""Settings of a data folder of its own, and the notes that ship with the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from kaozheng.settings import Settings

NOTES = Path(__file__).resolve().parents[2] / "examples" / "notes"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """No key, no model, a fresh data folder, and no .env of the machine."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "KAOZHENG_MODEL", "KAOZHENG_RULES", "KAOZHENG_EMBEDDER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return Settings(data=tmp_path / "data")


@pytest.fixture
def notes() -> Path:
    return NOTES
