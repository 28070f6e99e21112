"""Code as knowledge: found by its definitions, with their names, its secrets masked."""

import pytest

from kaozheng.providers.readers.code_sources import read_code
from kaozheng.providers.readers.folder_files import open_files
from kaozheng.sources.chunks import chunks_of
from kaozheng.sources.cuts import LONGEST
from kaozheng.sources.files import Loaded
from kaozheng.sources.source import Skipped

BODY = "".join(f"        total += weights[{n}] * values[{n}]\n" for n in range(20))
PYTHON = f'''"""Pumps."""

import math

LIMIT = 42


class Pump:
    """One pump."""

    name: str

    # How hard it works.
    @property
    def load(self) -> float:
        total = 0
{BODY}
        return total

    def stop(self) -> None:
        total = 0
{BODY}

        self.running = False


def find(name: str) -> Pump:
    return Pump(name)


{"".join(f"def small_{n}():{chr(10)}    return {n}{chr(10)}{chr(10)}{chr(10)}" for n in range(3))}'''


def chunks(text, name="pumps.py"):
    source = read_code(Loaded.of(text.encode()), name, "S1")
    return source, chunks_of(source)


def test_functions_are_found_whole_under_the_names_they_stand_in():
    source, found = chunks(PYTHON)
    by_path = {one.path: one for one in found}
    assert list(by_path) == [
        (), ("Pump",), ("Pump", "load"), ("Pump", "stop"), ("find",), ("small_0",), ("small_1",), ("small_2",),
    ]  # fmt: skip
    load = by_path["Pump", "load"]
    assert load.text.lstrip().startswith("# How hard it works.\n    @property\n    def load")
    assert load.text.endswith("return total")
    assert load.prefix == "pumps.py > Pump > load"
    assert by_path["Pump", "stop"].text.rstrip().endswith("self.running = False")
    assert by_path[()].text == '"""Pumps."""\n\nimport math\n\nLIMIT = 42'
    assert all(one.text == source.text[one.span.start : one.span.end] for one in found)


def test_a_function_that_is_too_long_is_cut_and_nothing_of_it_is_lost():
    text = "def long():\n" + "".join(f"    step_{n}(values, weights)\n" for n in range(200))
    found = chunks(text)[1]
    assert {one.path for one in found} == {("long",)}
    assert all(len(one.text) <= LONGEST for one in found)
    assert [n for n in range(200) if not any(f"step_{n}(" in one.text for one in found)] == []


def test_methods_that_stand_outside_of_their_type_name_it():
    found = chunks(
        "package p\n\ntype Pump struct {\n\tname string\n}\n\nfunc (p *Pump) Stop() {\n\tp.x = 1\n}\n", "p.go"
    )[1]
    assert ("Pump", "Stop") in {one.path for one in found}


def test_without_a_grammar_blocks_are_kept_together():
    block = "function f{n} {{\n  echo one\n\n  echo two\n}}\n\n"
    found = chunks("".join(block.format(n=n) for n in range(100)), "a.lua")[1]
    assert len(found) > 1
    assert all(one.text.startswith("function") and one.text.endswith("}") for one in found)


def test_secrets_are_masked_before_anything_is_kept():
    key = "sk-" + "a1B2c3D4e5F6g7H8" * 3
    found = chunks(f'KEY = "{key}"\n\n\ndef call():\n    return KEY\n')[1]
    assert key not in "".join(one.searched for one in found)


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"", "empty"), (b"\x00\x01\x02" * 99, "binary"), (b"x = 1\n" * 400_000, "code of more than 2 MB")],
)
def test_what_is_no_code_to_read_is_one_line(data, why):
    read = read_code(Loaded.of(data), "a.py", "S1")
    assert isinstance(read, Skipped)
    assert read.why == why


async def test_a_folder_s_code_is_found_without_what_nobody_wrote(tmp_path):
    for name in ("a.py", "node_modules/x/b.js", "c_pb2.py", "d.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("# text\n\nx = 1\n", "utf-8")
    async with open_files() as files:
        listing = await files.found(tmp_path)
        assert {one.path.name: one.why for one in listing.files} == {
            "a.py": "",
            "b.js": "code that nobody wrote by hand",
            "c_pb2.py": "code that nobody wrote by hand",
            "d.md": "",
        }
        first = next(one for one in listing.files if one.path.name == "a.py")
        reading = await files.read(first.name, await files.load(first))
    assert reading.sources[0].definitions == ()
    assert reading.sources[0].title == "a.py"
