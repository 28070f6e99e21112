"""A Chinese text summarised in English: figures are held to the text, everything else to the passages named."""

import json
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from kaozheng.testing.scripted_model import ScriptedModel

_spec = spec_from_file_location("summary_desk", Path(__file__).with_name("summary_desk.py"))
desk = module_from_spec(_spec)
_spec.loader.exec_module(desk)

TEXT = """# 县医院

## 建设

县医院 2024 年 3 月 5 日开工，总投资 1.2 亿元。工程分两期，资金来自县财政。

## 规模

新院床位 300 张，未设儿科。全院职工都将迁入新址办公。
"""
INVENTED = "It will be the best in the country for 900 years."
BUILDING = ("Work began on 5 March 2024.", "The county pays 120 million yuan.", INVENTED)
SIZE = ("The new hospital has 300 beds and no paediatric ward.",)


def translator(call):
    """Says the sentences of a passage in English, or says again what stands there in English already."""
    prompt = call.prompt()
    if call.role == "summary_planner":
        ids = list(dict.fromkeys(re.findall(r"\bM0\.\d+", prompt)))
        section = {"title": "All of it", "memories": ids, "subsections": []}
        return json.dumps({"title": "The county hospital", "sections": [section]})
    if call.role == "restorer":
        return json.dumps({"insertions": []})
    said = []
    for number, line in re.findall(r"\[E(\d+)\] (.+)", prompt):
        told = BUILDING if "开工" in line else SIZE if "床位" in line else (line,)
        said += [f"{one}[E{number}]" for one in told]
    return " ".join(said)


async def test_a_translated_sentence_stays_when_its_figures_stand_in_the_passages_that_it_names() -> None:
    made = await desk.in_memory(TEXT, ScriptedModel(translator), language="en", wanted_sections=1)
    assert set(SIZE) <= set(made.sentences)
    assert BUILDING[0] in made.sentences
    assert INVENTED not in made.sentences
    assert INVENTED in [one["text"] for one in made.report["removed"]]
    assert all(evidence["quote"] in TEXT for one in made.trace for evidence in one["evidence"])


async def test_what_a_translation_lost_is_listed_and_does_not_go_back_in_another_language() -> None:
    def without_money(call):
        return re.sub(r"The county pays 120 million yuan\.(?:\[E\d+\])? ?", "", translator(call))

    made = await desk.in_memory(TEXT, ScriptedModel(without_money), language="en", wanted_sections=1)
    assert made.sentences
    assert not re.search("[\u4e00-\u9fff]", " ".join(made.sentences))
    assert any("1.2 亿元" in one["text"] for one in made.report["loss"]["left_out"])
