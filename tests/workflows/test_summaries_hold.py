"""Of every text: each sentence of its summary leads back to a quote that stands at its offset, and none is cut."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from bench.key_facts import SETS, Annotated, annotated

from kaozheng.documents.sentences import split
from kaozheng.evidence.folding import fold

_spec = spec_from_file_location("summary_desk", Path(__file__).with_name("summary_desk.py"))
desk = module_from_spec(_spec)
_spec.loader.exec_module(desk)

PADDING = "".join(f"第 {n} 组于 {n} 月完成检修，用时 {n + 4} 分钟，没有发现缺陷。\n\n" for n in range(1, 9))
TRICKY = {
    "version": "GPT-4.5 是本次评测的模型，得分为 87.5 分。测试共用时 3.14 小时，比上一版缩短 12%。",
    "book": "《数据安全法》第 21 条规定了分级制度。《红楼梦》一书的第 5.2 节没有收入本次校订。",
    "nested quotes": "王主任说：“李工提到‘泵房必须在 5 月前停用。’我同意。”会议没有通过该预算 120 万元。",
    "abbreviations": "Dr. Smith approved the plan, e.g. the 3.5 million budget. Mr. St. John did not sign No. 7.",
    "ellipsis": "工程一再拖延……最终于 6 月 30 日完工。费用超支 40 万元…但未追加预算。",
    "list": "- 第一项须在 3 月 1 日前完成\n- 第二项不得超过 50 万元\n- 第三项由张伟负责\n",
    "table": "| 项目 | 金额 |\n|---|---|\n| 泵站 | 120 万元 |\n| 管网 | 380 万元 |\n",
    "emoji": "上线成功 🎉，用户增长 35%。👩‍👩‍👧 家庭套餐的价格为 99 元，没有涨价。",
}


def check_whole(made, source: str) -> None:
    """No sentence begins or ends inside a sentence of the passage that it was taken from."""
    for one in made.trace:
        for place in one["evidence"]:
            begin, end = place["span"]
            # A quote may be part of a sentence; what is said may not.
            assert source[begin:end].strip()
        wanted = fold(one["text"])[0].strip(" .。")
        around = source[max(0, one["evidence"][0]["span"][0] - 400) : one["evidence"][0]["span"][1] + 400]
        whole = [fold(around[span.start : span.end])[0].strip(" .。-*|") for span in split(around)]
        assert any(wanted.endswith(each) or each.endswith(wanted) for each in whole), one["text"]


@pytest.mark.parametrize("name", list(TRICKY))
async def test_nothing_is_cut_in_the_middle(name: str) -> None:
    text = f"# 记录\n\n{TRICKY[name]}\n\n{PADDING}"
    made = await desk.in_memory(text, ratio=0.6)
    desk.check_trace(made, {"text": text})
    if name not in ("table", "list"):
        check_whole(made, text)
    for broken in ("GPT-4.", "3.", "Dr.", "Mr. St.", "e.g.", "No."):
        assert not any(one.endswith(broken) for one in made.sentences), made.sentences
    for one in made.sentences:
        for left, right in ("《》", "“”", "‘’"):
            assert one.count(left) == one.count(right), one


async def test_line_ends_of_another_system_change_no_offset() -> None:
    text = f"# 记录\n\n{TRICKY['ellipsis']}\n\n{PADDING}"
    plain = await desk.in_memory(text, ratio=0.6)
    for ends in ("\r\n", "\r"):
        other = text.replace("\n", ends)
        made = await desk.in_memory(other, ratio=0.6)
        desk.check_trace(made, {"text": other})
        assert made.trace == plain.trace


@pytest.mark.skipif(not (SETS / "own").is_dir(), reason="tests/summaries/own is not here")
@pytest.mark.parametrize("document", [*annotated("own"), *annotated("blind")], ids=lambda document: document.name)
async def test_every_sentence_about_a_document_leads_to_a_quote_in_it(document: Annotated) -> None:
    made = await desk.in_memory(document.text)
    assert made.sentences
    desk.check_trace(made, {"text": document.text})
