"""`kaozheng chat`: what each line does, and how the conversation goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kaozheng.cli.chat import Asking, Chat
from kaozheng.cli.screen import Screen
from kaozheng.errors import KnowledgeBaseError
from kaozheng.workflows.ask.result import AskResult

CITED = {
    "label": "E1",
    "base": "default",
    "document": "/docs/hr.md",
    "title": "员工手册",
    "path": ["休假"],
    "lines": [5, 7],
    "quote": "满一年的员工每年有5天年假。",
}


def result(answer: str = "每年有5天年假。[E1]", **given: Any) -> AskResult:
    return AskResult(**{"status": "answered", "answer": answer, "by": "model", "citations": [CITED], **given})


class Asked:
    """Answers every question, and keeps what it was asked with."""

    def __init__(self, *answers: AskResult | BaseException) -> None:
        self.calls: list[tuple[str, Asking]] = []
        self._answers = list(answers)

    def __call__(self, question: str, asking: Asking, screen: Screen) -> AskResult:
        self.calls.append((question, asking))
        answer = self._answers.pop(0) if self._answers else result(session="s1")
        if isinstance(answer, BaseException):
            raise answer
        return answer


def test_a_conversation_goes_on_in_its_session_until_a_new_one_is_wished_for() -> None:
    asked = Asked()
    talk = Chat(asked, Asking(), live=False)
    for line in ("一", "二", "/new", "三"):
        assert talk.take(line)
    assert [asking.session for _, asking in asked.calls] == ["", "s1", ""]


def test_bases_and_the_article_are_chosen_while_talking(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    article = tmp_path / "my article.md"
    article.write_text("x")
    asked = Asked()
    talk = Chat(asked, Asking(), live=False)
    for line in ("/kb hr law", f"/article {article}", "一", "/kb", "/article off", "二", "/article nowhere.md"):
        talk.take(line)
    assert [(asking.bases, asking.article) for _, asking in asked.calls] == [(("hr", "law"), article), ((), None)]
    assert "nowhere.md: no such file" in capsys.readouterr().err


def test_sources_are_shown_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    talk = Chat(Asked(result(citations=[{**CITED, "quote": "长" * 300}])), Asking(), live=False)
    talk.take("/sources")
    assert "no sources yet" in capsys.readouterr().out
    talk.take("一")
    capsys.readouterr()
    talk.take("/sources")
    assert "长" * 300 in capsys.readouterr().out


def test_ctrl_c_stops_the_answer_only() -> None:
    asked = Asked(KeyboardInterrupt(), result(session="s1"))
    talk = Chat(asked, Asking(session="s0"), live=False)
    assert talk.take("一")
    assert talk.take("二")
    assert [asking.session for _, asking in asked.calls] == ["s0", "s0"]


def test_an_error_is_a_line_and_the_conversation_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    talk = Chat(Asked(KnowledgeBaseError("no base 'hr'")), Asking(), live=False)
    assert talk.take("一")
    assert talk.take("二")
    assert "kaozheng: no base 'hr'" in capsys.readouterr().err
    assert talk.code == 2


@pytest.mark.parametrize(
    ("line", "stays"), [("/quit", False), ("/exit", False), ("", True), ("/help", True), ("/x", True)]
)
def test_commands_ask_nothing(line: str, stays: bool) -> None:
    asked = Asked()
    assert Chat(asked, Asking(), live=False).take(line) is stays
    assert not asked.calls


def test_base_that_is_not_there_is_said_at_once_and_the_choice_stays(capsys: pytest.CaptureFixture[str]) -> None:
    chat = Chat(Asked(), Asking(("default",)), live=False, known=lambda: ["default", "handbook"])
    chat.take("/kb handbook nosuch")
    assert "there is no knowledge base 'nosuch'" in capsys.readouterr().err
    assert chat.asking.bases == ("default",)
    chat.take("/kb handbook")
    assert chat.asking.bases == ("handbook",)
