"""What is quoted under a mark: what the answer says, with its own lines."""

from __future__ import annotations

from kaozheng.documents.span import LineRange, Span
from kaozheng.evidence.bundle import EvidenceBundle, EvidenceItem
from kaozheng.evidence.grounding import check
from kaozheng.workflows.ask.citing import cited

TABLE = "| 假期天数 | 审批人 |\n| --- | --- |\n| 1—3天 | 部门负责人 |\n| 8天以上 | 总经理 |"


def citation(answer: str, text: str) -> dict[str, object]:
    lines = LineRange(17, 17 + text.count("\n"))
    item = EvidenceItem("E1", "库", "休假.md", "休假", (), lines, Span(100, 100 + len(text)), text, chunk="c")
    bundle = EvidenceBundle((item,), "ok")
    (entry,) = cited(answer, bundle, check(answer, bundle))
    return entry


def test_of_a_table_the_row_is_quoted_with_its_line() -> None:
    entry = citation("- 假期天数：8天以上；审批人：总经理[E1]", TABLE)
    assert (entry["quote"], entry["lines"]) == ("| 8天以上 | 总经理 |", [20, 20])


def test_of_two_rows_under_one_mark_both_are_quoted() -> None:
    entry = citation("- 假期天数：1—3天；审批人：部门负责人[E1]\n- 假期天数：8天以上；审批人：总经理[E1]", TABLE)
    assert entry["lines"] == [19, 20]
    assert "假期天数" not in str(entry["quote"])


def test_sentences_under_one_mark_are_quoted_together_where_that_is_short() -> None:
    entry = citation("请附上密钥。[E1]密钥 180 天后过期。[E1]", "请附上密钥。密钥 180 天后过期。过期后须重新申请。")
    assert str(entry["quote"]).startswith("请附上密钥。密钥 180 天后过期")
    assert "重新申请" not in str(entry["quote"])


def test_of_sentences_far_apart_the_one_with_a_number_is_quoted() -> None:
    between = "其他事项另行规定，由主管部门负责解释。" * 20
    entry = citation("请附上密钥。[E1]密钥 180 天后过期。[E1]", f"请附上密钥。{between}密钥 180 天后过期。")
    assert "180 天" in str(entry["quote"])
    assert "其他事项" not in str(entry["quote"])


def test_of_a_list_the_item_is_quoted() -> None:
    text = "- 一级故障：30 分钟内到场\n- 二级故障：2 小时内到场\n- 三级故障：次日到场"
    entry = citation("二级故障：2 小时内到场[E1]", text)
    assert entry["lines"] == [18, 18]
    assert "一级" not in str(entry["quote"])
