"""`kaozheng chat`: a conversation with the knowledge bases."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from kaozheng.cli.ask import Article, Lang, Model, Sensitive, Session, Strict
from kaozheng.cli.kb import Bases
from kaozheng.cli.screen import Screen, citation_lines, exit_code, follow_up_lines
from kaozheng.cli.speaking import exit_codes
from kaozheng.errors import InputError, KaozhengError, KnowledgeBaseError

if TYPE_CHECKING:
    from kaozheng.workflows.ask.result import AskResult

HELP: Final = """\
/new            begin a new conversation               新会话
/kb [NAME...]   search these bases only; none: all     选择知识库
/article FILE   ask about this text; off: none         当前文章
/sources        the last answer's sources in full      出处全文
/help           this                                   帮助
/quit           leave (Ctrl-D too)                     退出
Ctrl-C stops the answer that is coming, nothing else."""
PROMPT: Final = "? "


@dataclass(frozen=True, slots=True)
class Asking:
    """What the next question is asked with."""

    bases: tuple[str, ...] = ()
    session: str = ""
    article: Path | None = None


Ask = Callable[[str, Asking, Screen], "AskResult"]
"""Answers a question; raises KaozhengError, and KeyboardInterrupt when the user has stopped it."""


@dataclass(slots=True)
class Chat:
    """A conversation, a line at a time. `known` says which bases there are; `code` is the worst exit code of its
    answers."""

    ask: Ask
    asking: Asking
    live: bool
    known: Callable[[], Collection[str]] | None = None
    code: int = 0
    _last: AskResult | None = None
    _commands: dict[str, Callable[[list[str]], None]] = field(init=False)

    def __post_init__(self) -> None:
        self._commands = {
            "/new": self._new,
            "/kb": self._kb,
            "/article": self._article,
            "/sources": self._sources,
            "/help": lambda words: typer.echo(HELP),
        }

    def take(self, line: str) -> bool:
        """Do what a line says; False when it says to leave."""
        name, *words = line.split() or [""]
        if name in ("/quit", "/exit", "/q"):
            return False
        if name in self._commands:
            self._commands[name](words)
        elif name.startswith("/"):
            typer.echo(f"there is no {name}; /help lists what there is", err=True)
        elif line.strip():
            self._answer(line.strip())
        return True

    def _answer(self, question: str) -> None:
        screen = Screen(self.live)
        try:
            result = self.ask(question, self.asking, screen)
        except KeyboardInterrupt:
            screen.close()
            typer.echo("\n(stopped 已停止)", err=True)
            return
        except KaozhengError as error:
            screen.close()
            typer.echo(f"kaozheng: {error}", err=True)
            self.code = max(self.code, error.exit_code)
            return
        screen.finish(result)
        for line in follow_up_lines(result) if self.live else ():
            typer.echo(line)
        self._last = result
        self.asking = replace(self.asking, session=result.session or self.asking.session)
        self.code = max(self.code, exit_code(result))

    def _new(self, words: list[str]) -> None:
        self.asking, self._last = replace(self.asking, session=""), None
        typer.echo("a new conversation 新会话")

    def _kb(self, words: list[str]) -> None:
        if self.known is not None and words and (unknown := sorted({*words} - {*self.known()})):
            typer.echo(f"there is no knowledge base {unknown[0]!r}", err=True)
            return
        self.asking = replace(self.asking, bases=tuple(words))
        typer.echo(f"searched: {', '.join(words) or 'all bases 全部知识库'}")

    def _article(self, words: list[str]) -> None:
        name = " ".join(words)
        if name in ("", "off"):
            self.asking = replace(self.asking, article=None)
            typer.echo("no article 无当前文章")
        elif (file := Path(name).expanduser()).is_file():
            self.asking = replace(self.asking, article=file)
            typer.echo(f"article 当前文章: {file}")
        else:
            typer.echo(f"{name}: no such file", err=True)

    def _sources(self, words: list[str]) -> None:
        if self._last is None or not self._last.citations:
            typer.echo("no sources yet 暂无出处")
            return
        for one in self._last.citations:
            for line in citation_lines(one, whole=True):
                typer.echo(line)


def chat(
    kb: Bases = None,
    session: Session = "",
    article: Article = None,
    model: Model = None,
    lang: Lang = None,
    strict: Strict = False,
    sensitivity: Sensitive = None,
) -> None:
    """Talk with the knowledge bases; also from a pipe, a question a line. 对话。"""
    with exit_codes("stopped"):
        from kaozheng import api
        from kaozheng.api.choosing import with_choices
        from kaozheng.cli.loop_thread import LoopThread

        if article and not article.is_file():
            raise InputError(f"{article}: no such file")
        settings = with_choices(None, model=model, sensitivity=sensitivity.value if sensitivity else None)
        options: dict[str, Any] = {"strict": strict, "language": lang.value if lang else None}
        talks = sys.stdin is not None and sys.stdin.isatty()
        with LoopThread() as loop:
            opened = api.open_knowledge_desk(settings)
            desk = loop.run(opened.__aenter__())
            try:

                def answered(question: str, asking: Asking, screen: Screen) -> AskResult:
                    work = api.aask(
                        question,
                        kb=asking.bases,
                        session=asking.session,
                        article=asking.article,
                        on_event=screen,
                        settings=settings,
                        desk=desk,
                        **options,
                    )
                    return loop.run(work)

                def known() -> list[str]:
                    return [base.name for base in loop.run(desk.index.bases())]

                if unknown := sorted({*(kb or ())} - {*known()}):
                    raise KnowledgeBaseError(f"there is no knowledge base {unknown[0]!r}")
                if session:
                    loop.run(desk.sessions.get("", session))
                talk = Chat(answered, Asking(tuple(kb or ()), session, article), sys.stdout.isatty(), known)
                for line in _lines(talks):
                    if not talk.take(line):
                        break
            finally:
                loop.run(opened.__aexit__(None, None, None))
    raise typer.Exit(0 if talks else talk.code)


def _lines(talks: bool) -> Iterator[str]:
    """What is typed, or comes out of a pipe. Ctrl-C at the prompt forgets the line; twice in a row it leaves."""
    if not talks:
        yield from sys.stdin or ()
        return
    with suppress(ImportError):
        import readline  # noqa: F401 - arrows and history for input()
    typer.echo("/help lists the commands 命令一览; /quit leaves 退出", err=True)
    left = False
    while True:
        try:
            line = input(PROMPT)
        except EOFError:
            typer.echo("", err=True)
            return
        except KeyboardInterrupt:
            typer.echo("", err=True)
            if left:
                return
            left = True
            continue
        left = False
        yield line
