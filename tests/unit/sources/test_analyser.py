"""Terms for what is kept and for what is asked."""

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.sources.analyser import Analyser, exact_terms

ANALYSER = Analyser()
CASES = Path(__file__).parents[4] / "shared" / "cases" / "docnum_zh.jsonl"


def test_han_text_is_read_as_words_and_as_pairs():
    terms = ANALYSER.terms("合同履约保证金退还流程")
    assert "保证金" in terms.words
    assert {"合同", "同履", "保证", "证金"} <= set(terms.pairs)


def test_text_without_han_has_no_pairs():
    terms = ANALYSER.terms("The documents were indexed by getUserName()")
    assert terms.pairs == []
    assert {"document", "index", "getusername", "user"} <= set(terms.words)


def test_agencys_name_can_be_asked_for_alone():
    terms = ANALYSER.terms("国办发〔2021〕17号")
    assert {"国办发〔2021〕17号", "国办发"} <= set(terms.words)
    assert {"国办发〔2021〕17号", "国办", "办发"} <= set(terms.pairs)


def test_numbers_in_canonical_terms_are_no_terms_of_their_own():
    assert not {"15", "号", "5", "1"} & set(ANALYSER.terms("川发改〔2023〕15号，2023年5月1日").words)


def test_name_tells_the_version_of_the_dictionary():
    assert "rjieba-" in ANALYSER.name


def test_words_added_to_the_modules_dictionary_change_nothing():
    code = (
        "import rjieba; rjieba.add_word('川发改', 99999, None)\n"
        "from kaozheng.sources.analyser import Analyser; print(Analyser().terms('川发改文件').words)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == str(ANALYSER.terms("川发改文件").words)


def test_analyser_is_not_loaded_before_it_is_asked():
    code = (
        "import sys, kaozheng.sources.analyser, kaozheng.sources.index\n"
        "print('rjieba' in sys.modules, 'numpy' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["False", "False"]


def test_threads_get_the_same_terms():
    analyser, found = Analyser(), []
    threads = [threading.Thread(target=lambda: found.append(analyser.terms("成渝地区双城经济圈"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [ANALYSER.terms("成渝地区双城经济圈")] * 8


@given(st.text(max_size=60))
def test_no_term_has_a_blank_or_is_empty(text):
    terms = ANALYSER.terms(text)
    assert all(
        term and not any(c.isspace() or c < "\x20" or c == '"' for c in term) for term in terms.words + terms.pairs
    )


@given(st.text("川发改〔2023〕[]15号GB/T 9704—年5月1日v.2%,a", max_size=30))
def test_a_term_of_a_text_is_a_term_of_the_text_in_other_widths(text):
    wide = text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)})
    assert ANALYSER.terms(wide) == ANALYSER.terms(text)


@pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here")
def test_document_numbers_of_real_sentences_are_exact_terms():
    for row in map(json.loads, CASES.read_text(encoding="utf-8").splitlines()):
        assert [form for form, _ in exact_terms(row["text"])] == row["docnums"]
