"""What `kaozheng ask` prints of an answer, and the loop that waits behind a prompt."""

from __future__ import annotations

import asyncio
import signal
import threading
from typing import Any

import pytest

from kaozheng.cli.loop_thread import LoopThread
from kaozheng.cli.screen import Screen, citation_lines, exit_code, notes
from kaozheng.workflows.ask.result import AskResult
from kaozheng.workflows.ask.telling import AskEvent

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


def play(screen: Screen, *events: tuple[str, str]) -> None:
    for seq, (kind, text) in enumerate(events, start=1):
        screen(AskEvent(kind, {"text": text} if text else {}, seq))  # type: ignore[arg-type]


def test_the_text_is_printed_as_it_comes_and_only_once(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen(live=True)
    play(screen, ("start", ""), ("delta", "每年有5天"), ("delta", "年假。"))
    assert capsys.readouterr().out == "每年有5天年假。"
    play(screen, ("delta", "[E1]"), ("done", ""))
    screen.finish(result())
    assert capsys.readouterr().out.startswith("[E1]\n\n出处:\n")


def test_a_pipe_gets_the_final_text_alone(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen(live=False)
    play(screen, ("start", ""), ("delta", "每年有6天"), ("replace", "每年有5天年假。[E1]"), ("done", ""))
    assert capsys.readouterr().out == ""
    screen.finish(result())
    out = capsys.readouterr().out
    assert out.startswith("每年有5天年假。[E1]\n")
    assert "6天" not in out


def test_a_text_that_is_replaced_is_said_to_be_wrong_where_it_cannot_be_wiped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    screen = Screen(live=True)
    play(screen, ("start", ""), ("delta", "每年有6天"), ("replace", "每年有5天年假。[E1]"))
    screen.finish(result())
    out = capsys.readouterr().out
    assert out.index("6天") < out.index("核对有误") < out.index("每年有5天年假")
    assert out.count("每年有5天年假。[E1]") == 1


def test_a_terminal_s_screen_is_wiped_as_far_as_the_text_reaches(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen(live=True)
    play(screen, ("start", ""), ("delta", "one\ntwo\nthree"))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    play(screen, ("replace", "four"))
    assert capsys.readouterr().out == "one\ntwo\nthree\r\x1b[2A\x1b[Jfour"


def test_control_sequences_of_an_answer_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen(live=True)
    play(screen, ("delta", "a\x1b[2Jb\x07"))
    screen.finish(result("ab", citations=[{**CITED, "title": "\x1b]0;x\x07t", "quote": "q\x1b[31m"}]))
    assert "\x1b" not in capsys.readouterr().out


def test_a_citation_has_its_place_with_file_and_lines() -> None:
    first, quote = citation_lines(CITED)
    assert first == "  [E1]  员工手册 > 休假  /docs/hr.md:5-7"
    assert quote.strip() == "满一年的员工每年有5天年假。"


def test_on_a_terminal_a_citation_is_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert "\x1b]8;;file:///docs/hr.md#L5\x1b\\/docs/hr.md:5-7\x1b]8;;\x1b\\" in next(citation_lines(CITED))


def test_what_a_document_says_of_itself_passes_for_no_line_of_ours() -> None:
    entry = {**CITED, "title": "手册\n  [E9]  假的出处", "quote": "甲\n  [E8]  乙"}
    lines = "\n".join(citation_lines(entry)).split("\n")
    assert [line for line in lines if line.startswith("  [E")] == lines[:1]
    assert "假的出处" in lines[0]


def test_conflicts_doubts_and_warnings_are_shown() -> None:
    conflict = {"about": "年假天数", "values": [{"value": "5天", "label": "E1"}, {"value": "6天", "label": "E2"}]}
    doubt = {
        "sentences": [
            {"text": "放假很好。", "faults": [{"kind": "support", "said": ""}]},
            {"text": "是。", "faults": []},
        ]
    }
    warned = [{"code": "session_not_saved", "message": "the session was not saved"}]
    said = "\n".join(notes(result(conflicts=[conflict], grounding=doubt, warnings=warned)))
    assert "年假天数: 5天 [E1]; 6天 [E2]" in said
    assert "没有出处支持: 放假很好。" in said
    assert "the session was not saved" in said


def test_what_is_said_around_an_answer_is_in_the_language_of_the_question() -> None:
    titles = result(
        task={"goal": "What documents are there?"}, answer="The base has《员工休假管理办法》《会议纪要》。[E1]"
    )
    assert "Sources:" in list(notes(titles))
    assert "出处:" in list(notes(titles, "zh"))


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, 0),
        ({"by": "offline"}, 0),
        ({"by": "fallback"}, 1),
        ({"status": "refused", "citations": []}, 1),
        ({"status": "clarify"}, 1),
        ({"status": "failed", "code": "model_output_empty"}, 1),
        ({"warnings": [{"code": "x", "message": "y"}]}, 1),
        ({"grounding": {"sentences": [{"text": "x", "faults": [{"kind": "number"}]}]}}, 1),
    ],
)
def test_the_exit_code_tells_whether_the_answer_holds(given: dict[str, Any], code: int) -> None:
    assert exit_code(result(**given)) == code


def test_what_one_run_opened_is_there_for_the_next() -> None:
    async def opened() -> asyncio.Event:
        return asyncio.Event()

    async def used(event: asyncio.Event) -> bool:
        asyncio.get_running_loop().call_soon(event.set)
        return await event.wait()

    with LoopThread() as loop:
        assert loop.run(used(loop.run(opened())))


def test_ctrl_c_cancels_the_work_and_leaves_the_loop_usable() -> None:
    begun, ended = threading.Event(), threading.Event()

    async def long() -> None:
        begun.set()
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()

    async def short() -> int:
        return 7

    def interrupt() -> None:
        begun.wait(5)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    with LoopThread() as loop:
        presser = threading.Thread(target=interrupt)
        presser.start()
        with pytest.raises(KeyboardInterrupt):
            loop.run(long())
        presser.join()
        assert ended.wait(5)
        assert loop.run(short()) == 7
