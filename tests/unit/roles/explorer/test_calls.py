"""Calls that the words of a Python function show, and those that they do not."""

import pytest

from kaozheng.roles.explorer.offline.calls import calls_of
from kaozheng.roles.explorer.offline.terrain import terrain
from kaozheng.sources.code import doubt_of

HELPERS = "def helper(): ...\n\n\ndef other(): ...\n\n\nclass Thing: ...\n\n\ndef third(): ...\n"


def calls(surveyed, body, top=""):
    made = surveyed(
        {"main.py": f"{top}from helpers import helper, other, Thing, third\n\n\n{body}", "helpers.py": HELPERS}
    )
    outline = made.shelf.repository.outlines["main.py"]
    function = next(one for one in outline.symbols if one.name == "main")
    found = calls_of(terrain(made.shelf), function)
    for call in found:
        assert doubt_of(made.shelf, f"main.py#L{call.line}", call.target.name) is None
    return {f"{call.target.path}:{call.target.name}" for call in found}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def main():\n    helper()\n    return Thing(other())\n", {"helper", "other", "Thing"}),
        ("async def main():\n    async with x: await helper()\n", {"helper"}),
        ("@deco(other())\ndef main(a, b=third()) -> dict[str, int]:\n    helper()\n", {"helper"}),
        ("def main():\n    x = {'a': helper()}\n    f(other(), third())\n", {"helper", "other", "third"}),
        ("def main():\n    # helper()\n    'other()'\n    f'third()'\n", set()),
        ("def main(helper, *other, **third):\n    helper()\n    other()\n    third()\n", set()),
        ("def main():\n    helper = 1\n    helper()\n    other, x = f()\n    other()\n", set()),
        (
            "def main():\n    for helper in x: helper()\n    with f() as other: other()\n"
            "    (third := 2)\n    third()\n",
            set(),
        ),
        ("def main():\n    self.helper()\n    x.other()\n", set()),
        (
            "def main():\n    def inner():\n        helper()\n    class K:\n        x = other()\n    third()\n",
            {"third"},
        ),
        ("def main():\n    helper\n    (other)\n    return third\n", set()),
        ("def main(): return helper()\n", {"helper"}),
        ("def main():\n    return (\n        helper()\n    )\n", {"helper"}),
    ],
)
def test_calls_by_name(surveyed, body, expected):
    assert calls(surveyed, body) == {f"helpers.py:{name}" for name in expected}


def test_functions_of_the_same_file_and_imports_inside(surveyed):
    body = "def near(): ...\n\n\ndef main():\n    from far import go, stay\n    near()\n    go()\n    stay()\n"
    made = surveyed({"main.py": body, "far.py": "def go(): ...\ndef stay(): ...\n"})
    function = next(one for one in made.shelf.repository.outlines["main.py"].symbols if one.name == "main")
    found = [(call.line, call.target.name) for call in calls_of(terrain(made.shelf), function)]
    assert found == [(6, "near"), (7, "go"), (8, "stay")]


def test_a_renamed_import_is_not_followed(surveyed):
    body = "def main():\n    helper()\n    h()\n"
    assert calls(surveyed, body, top="from helpers import helper as h\n") == set()


def test_flows_tell_calls_level_by_level(surveyed):
    made = surveyed(
        {
            "app.py": "from core import run\n\n\ndef main():\n    run()\n\n\nif __name__ == '__main__':\n    main()\n",
            "core.py": "from base import Base, load\n\n\ndef run():\n    load()\n    Base()\n",
            "base.py": "class Base: ...\n\n\ndef load():\n    finish()\n\n\ndef finish(): ...\n",
        },
        "zh",
    )
    lines = made.markdown.split("\n")
    assert "- 函数 `main` 调用 `core.py` 中的 `run`（`app.py#L5`）。" in lines
    assert "- 函数 `run` 调用 `base.py` 中的 `load` 和 `Base`（`core.py#L5`、`core.py#L6`）。" in lines
    assert "- 函数 `load` 调用 `finish`（`base.py#L5`）。" in lines
    assert made.doubts() == []
    assert made.violations() == []


def test_imports_are_told_once(surveyed):
    files = {name: f"import shared\n{GUARD}" for name in ("a.py", "b.py")}
    files |= {"shared.py": "import deep\n", "deep.py": "", "c.py": f"import a\n{GUARD}"}
    flow = surveyed(files, "en").said("flows")
    assert flow.count("`shared.py` imports `deep.py`.") == 1
    assert flow.count("`a.py` imports `shared.py`.") == 1


GUARD = 'if __name__ == "__main__":\n    pass\n'
