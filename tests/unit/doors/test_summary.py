"""What `kaozheng write` prints at its end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kaozheng.api import RunResult
from kaozheng.cli.summary import summary


def lines(**told: Any) -> list[str]:
    report = {
        "inputs": {"used": [{}], "unused": [], "skipped": []},
        "statements": 3,
        "unsupported": [],
        "code": None,
        "contradictions": [],
        "violations_left": [],
        "sections": [],
        "offline": [],
        "gaps": [],
        "budget": [],
        "fallbacks": [],
    }
    usage = told.pop("usage", {})
    return summary(RunResult("r1", "write", Path("run"), Path("run/document.md"), "", report | told, usage, 0), None)


def below(found: list[str], word: str) -> list[str]:
    """The indented lines under the line that begins with `word`."""
    start = next(at for at, line in enumerate(found) if line.startswith(word)) + 1
    end = next((at for at in range(start, len(found)) if not found[at].startswith("  ")), len(found))
    return found[start:end]


def test_links_that_were_not_fetched_are_told_with_the_reason() -> None:
    links = [{"url": "https://a.example/", "failure": ""}, {"url": "https://b.example/", "failure": "no such\npage"}]
    found = lines(explored={"links": links})
    assert "links     1 of 2 not fetched" in found
    assert below(found, "links") == ["  https://b.example/: no such page"]
    assert not [line for line in lines(explored={"links": links[:1]}) if line.startswith("links")]


def test_the_first_three_conflicts_stand_with_their_places() -> None:
    places = [{"path": "a.md", "line": 3, "value": "30 天"}, {"path": "b.md", "line": 9, "value": "90\n天"}]
    found = lines(contradictions=[{"subject": f"保留期{n}", "places": places} for n in range(5)])
    assert "conflicts 5 between the inputs" in found
    assert below(found, "conflicts") == [
        "  保留期0: 30 天 (a.md:3) / 90 天 (b.md:9)",
        "  保留期1: 30 天 (a.md:3) / 90 天 (b.md:9)",
        "  保留期2: 30 天 (a.md:3) / 90 天 (b.md:9)",
        "  and 2 more, see the report",
    ]


def test_files_that_were_not_read_are_named_and_images_counted() -> None:
    skipped = [{"path": f"{n}.PNG", "why": "not a kind of file that is read (.png)"} for n in range(12)]
    skipped += [{"path": f"{n}.md", "why": "empty"} for n in range(7)]
    found = lines(inputs={"used": [{}], "unused": [], "skipped": skipped})
    assert "inputs    1 used, 0 unused, 19 not read" in found
    assert below(found, "inputs") == [
        *(f"  {n}.md: empty" for n in range(5)),
        "  and 2 more, see the report",
        "  12 images",
    ]


def test_one_image_is_one_image() -> None:
    skipped = [{"path": "a.svg", "why": "not a kind of file that is read (.svg)"}]
    assert below(lines(inputs={"used": [], "unused": [], "skipped": skipped}), "inputs") == ["  1 image"]


def test_sections_that_the_model_did_not_write_are_told_with_the_first_reason() -> None:
    sections = [
        {"title": "甲", "by": "model", "reason": ""},
        {"title": "乙", "by": "fallback", "reason": "the provider is overloaded"},
        {"title": "丙", "by": "fallback", "reason": "cut"},
    ]
    found = lines(sections=sections, offline=["乙", "丙"])
    assert "fallback  2 of 3 sections were written without the model: the provider is overloaded" in found
    one = lines(sections=sections[:2], offline=["乙"])
    assert "fallback  1 of 2 sections was written without the model: the provider is overloaded" in one


def test_no_fallback_is_told_when_nobody_asked_for_a_model() -> None:
    sections = [{"title": "甲", "by": "offline", "reason": ""}]
    assert not any(line.startswith("fallback") for line in lines(sections=sections, offline=["甲"]))


def test_what_is_left_stands_under_its_count() -> None:
    left = [{"rule": "2.1", "start_line": 4, "message": "m"}] * 12
    assert below(lines(violations_left=left), "left") == ["  2.1 line 4: m"] * 10 + ["  and 2 more, see the report"]


def test_what_does_not_hold_in_the_code_is_named() -> None:
    doubts = [{"claim": "a.py#L9", "why": "a.py has 3 lines"}]
    told = lines(code={"places": 4, "names": 2, "doubts": doubts})
    assert "code      4 places and 2 names read again, 1 do not hold" in told
    assert "  a.py#L9: a.py has 3 lines" in told


def test_what_a_model_did_not_write_can_be_tried_again() -> None:
    told = lines(fallbacks=["section 1: 503"], sections=[{"by": "fallback", "reason": "503"}])
    assert "again     what the model did not write: kaozheng runs resume r1" in told
