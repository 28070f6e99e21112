"""What of a question is looked at before anything is done with it."""

import pytest

from kaozheng.errors import InputError
from kaozheng.workflows.ask.request import cleaned


@pytest.mark.parametrize("question", ['" OR 1=1 --', "1", "?", "and or not 7", "\x1b[31m", ""])
def test_question_without_a_word_is_refused(question):
    with pytest.raises(InputError, match="ask something in words"):
        cleaned(question)


@pytest.mark.parametrize("question", ["为何", "Why?", "2024", "GB 4", "C 还是 D", "Orange?"])
def test_question_of_one_word_is_one(question):
    assert cleaned(question) == question


def test_terminal_sequence_goes_wholly():
    assert cleaned("\x1b[31m几台？\x1b[0m") == "几台？"
