"""The overview made by code alone: what it says of small trees, and what every overview must be."""

import re
from pathlib import Path

import pytest
import yaml

from kaozheng.documents.document import Document
from kaozheng.roles.explorer.overview import CHAPTERS
from kaozheng.sources.code import doubt_of

HERE = Path(__file__).parent
ROOT = HERE.parents[3]
CASES = yaml.safe_load((HERE / "cases.yml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_small_trees(surveyed, case):
    made = surveyed(case["files"], case["language"])
    lines = made.markdown.split("\n")
    assert [line for line in case["has"] if line not in lines] == []
    assert [word for word in case.get("lacks", ()) if word in made.markdown] == []
    assert made.doubts() == []


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_every_tree_gives_five_chapters_that_the_rule_book_accepts(surveyed, case, language):
    made = surveyed(case["files"], language)
    assert made.violations() == []
    headings = [heading for heading in Document(made.markdown).headings if heading.level == 2]
    assert len(headings) == len(CHAPTERS)
    assert {remark.chapter for remark in made.overview.remarks} == set(CHAPTERS)
    assert made.doubts() == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_this_project_holds_every_claim(surveyed_folder, language):
    made = surveyed_folder(ROOT / "src", language)
    assert made.doubts() == []
    assert made.violations() == []
    names = made.names()
    assert len(names) > 100
    assert [str(doubt) for name, place in names if (doubt := doubt_of(made.shelf, place, name))] == []
    absent = re.compile(r"未发现|\bNo\b|\bno\b")
    assert [one.text for one in made.overview.remarks if not one.places and not absent.search(one.text)] == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_number_over_more_than_the_places_is_marked_as_counted(surveyed_folder, language):
    made = surveyed_folder(ROOT / "src", language)
    said = [one for one in made.overview.remarks if not one.text.startswith(("|", "```"))]
    numbers = [(one, re.findall(r"\d+", re.sub(r"`[^`]*`", "", one.text))) for one in said]
    unmarked = [one.text for one, found in numbers if not one.counted and any(int(n) > len(one.places) for n in found)]
    assert unmarked == []
    assert len([one for one, found in numbers if found]) > 20


def test_quoted_sentences_stand_in_their_lines(surveyed_folder):
    made = surveyed_folder(ROOT / "src" / "kaozheng" / "sources", "en")
    quoted = 0
    for remark in made.overview.remarks:
        if remark.chapter != "modules" or "Description (quoted)" not in remark.text:
            continue
        for line, place in zip(remark.text.split("\n")[2:], remark.places, strict=True):
            doc = line.split(" | ")[2].strip("` ")
            if not doc or "(cut)" in doc or "\\|" in line:
                continue
            path, _, lines = place.rpartition("#L")
            start, _, end = lines.partition("-L")
            chosen = made.shelf.text(path).split("\n")[int(start) - 1 : int(end or start)]
            assert " ".join(doc.split()) in " ".join(" ".join(chosen).split()), place
            quoted += 1
    assert quoted >= 20


def test_the_picture_has_only_safe_nodes(surveyed):
    names = ["end", "a b", 'q"q', "x[y]", "a|b", "graph", "c`d", "中文", "style", "#h"]
    files = {f"{name}/{name}.py": f"import m{at}\n" for at, name in enumerate(names)}
    files |= {f"lib/m{at}.py": "" for at, _ in enumerate(names)}
    files["setup.cfg"] = ""
    files |= {f"m{at}.py": "" for at, _ in enumerate(names)}
    made = surveyed(files, "en")
    drawn = next(remark.text for remark in made.overview.remarks if remark.text.startswith("```"))
    inner = drawn.split("\n")[2:-1]
    assert len(inner) >= 2 * len(names)
    assert all(re.fullmatch(r'    n\d+(?:\["[^"`<>#\\]+"\]| -->(?:\|\d+\|)? n\d+)', line) for line in inner)
    assert made.doubts() == []


def test_what_is_left_out_is_counted_exactly(surveyed):
    files = {f"p{folder:02}/m.py": "".join(f"class C{n}: ...\n" for n in range(17)) for folder in range(43)}
    made = surveyed(files, "en")
    lines = made.markdown.split("\n")
    total, listed = 43 * 17, 24 * 10
    assert any(line.startswith(f"The code defines {total} public names, in 43 folders;") for line in lines)
    assert any(
        line.startswith(f"At most 10 names a folder are listed; {total - listed} public names are not, and 19 folders")
        for line in lines
    )
    assert len(made.names()) == listed
    tables = [remark for remark in made.overview.remarks if remark.chapter == "modules" and remark.text.startswith("|")]
    assert len(tables) == 24


def test_files_that_were_not_read_are_told(surveyed_folder, tmp_path):
    for number in range(5):
        (tmp_path / f"m{number}.py").write_text("class A: ...\n")
    made = surveyed_folder(tmp_path, "en", most_files=3)
    assert "Beyond the limit of reading: 2 files, which no figure counts." in made.said("purpose")


def test_imported_names_come_first(surveyed):
    files = {"pkg/m.py": "".join(f"class A{n}: ...\n" for n in range(30)), "app/x.py": "from pkg.m import A29, A7\n"}
    chosen = [name for name, place in surveyed(files, "en").names() if place.startswith("pkg/")]
    assert len(chosen) == 10
    assert {"A29", "A7"} <= set(chosen)


def test_names_that_a_package_gives_away_come_before_those_that_it_keeps(surveyed):
    files = {
        "p/__init__.py": "from .a import Last\nfrom .b import *\n",
        "p/a.py": "".join(f"class A{n}: ...\n" for n in range(20)) + "class Last: ...\n",
        "p/b.py": "__all__ = ['z', 'LIMIT']\nLIMIT = 1\ndef y(): ...\ndef z(): ...\n",
        "lib/index.ts": "export {\n  one as other,\n} from './x';\nexport * from './y';\n",
        "lib/x.ts": "".join(f"export class B{n} {{}}\n" for n in range(20)) + "export function one() {}\n",
        "lib/y.ts": "export function two() {}\n",
        "r/Cargo.toml": "[package]\nname = 'r'\n",
        "r/src/lib.rs": "mod m;\npub use m::kept;\nuse m::used;\n",
        "r/src/m.rs": "".join(f"pub fn f{n}() {{}}\n" for n in range(20)) + "pub fn kept() {}\npub fn used() {}\n",
    }
    tables = {}
    for name, place in surveyed(files, "en").names():
        tables.setdefault(place.partition("/")[0], []).append(name)
    assert {name: len(found) for name, found in tables.items()} == {"p": 10, "lib": 10, "r": 10}
    assert {"Last", "z", "LIMIT"} <= set(tables["p"])
    assert tables["p"][-1] == "LIMIT"
    assert {"one", "two"} <= set(tables["lib"])
    assert {"kept", "used"} <= set(tables["r"])


def test_flows_stop_at_eight_modules_and_say_how_many_there_are(surveyed):
    files = {"main.py": "".join(f"import a{n}\n" for n in range(6)) + 'if __name__ == "__main__":\n    pass\n'}
    files |= {f"a{n}.py": "".join(f"import b{n}{k}\n" for k in range(5)) for n in range(6)}
    files |= {f"b{n}{k}.py": "" for n in range(6) for k in range(5)}
    made = surveyed(files, "en")
    flow = made.said("flows")
    targets = re.findall(r"`((?:a\d|b\d\d)\.py)`", re.sub(r"- `[^`]+` imports", "", flow))
    assert len(targets) == len(set(targets)) == 8
    assert "it reaches 36 files; 8 of them are listed above." in flow
    assert "and 2 other files besides." in flow


def test_many_starts_are_counted(surveyed):
    files = {f"s{n:02}.py": 'if __name__ == "__main__":\n    pass\n' for n in range(11)}
    made = surveyed(files, "en")
    assert made.said("flows").count("can be run as a script") == 8
    assert "Not listed: 3 entry points." in made.said("flows")


def test_the_topic_is_the_title(surveyed):
    assert surveyed({"a.py": ""}, "zh", "  # 词频*统计*。").markdown.startswith("# 词频\\*统计\\*\n")


def test_the_same_tree_gives_the_same_words(surveyed):
    files = {
        "a.py": "import b\n",
        "b.py": "import a\nclass X: ...\n",
        "README.md": "# x\n\nThis is a sentence about it.\n",
    }
    assert surveyed(files, "en").markdown == surveyed(files, "en").markdown
