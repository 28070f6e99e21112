"""Reading a rule book: Markdown in, numbered rules out.

# Title of the book
## 命名白名单 {#naming_and_tags}      a module (the key in braces may be left out)
### 名称                              a section
- 5.1 专有名词按官方写法。             a rule; its text goes on until the next number, heading or fence
```check                              TOML: the check that judges it, its settings, fix = "never"
name = "name-case"
```
```bad                                an example that breaks the rule (and ```good: one that obeys it)
用 github 登录
```
"""

from __future__ import annotations

import difflib
import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, NoReturn

from kaozheng.documents.headings import strip_numbering
from kaozheng.errors import RuleBookError, SettingsError
from kaozheng.rules.booklines import book_lines
from kaozheng.rules.registry import CHECKS
from kaozheng.rules.rule import Example, FixPolicy, Module, Rule, RuleBook

BUNDLED = ("zh-tech", "en-tech")

_DEFAULT_KEYS = {
    "元数据与结构": "metadata_and_structure",
    "metadata and structure": "metadata_and_structure",
    "排版与符号": "typography_and_symbols",
    "typography and symbols": "typography_and_symbols",
    "代码与图表": "code_and_diagrams",
    "code and diagrams": "code_and_diagrams",
    "特定章节": "specific_sections",
    "specific sections": "specific_sections",
    "命名白名单": "naming_and_tags",
    "naming and tags": "naming_and_tags",
    "内容风格": "content_style",
    "content style": "content_style",
}
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_BRACES = re.compile(r"\s*\{#([^{}]*)\}\s*$")
_LONGEST_KEY = 60  # it is a part of file names
_LONGEST_TITLE = 120  # progress, reports and pictures show it on one line
_LONGEST_NUMBER = 40
_KEY = re.compile(rf"[A-Za-z][A-Za-z0-9_-]{{0,{_LONGEST_KEY - 1}}}")
_RULE = re.compile(
    r"\s{0,6}(?:[-*+]\s+)?(?P<bold>\*\*|__)?【?(?P<number>\d+(?:\.\d+)+)】?"
    r"(?P<end>\*\*|__)?(?:[.．、:：)）][ \t]*|[ \t]+|(?<=】)|(?<=\*\*)|(?<=__))(?P<text>\S.*)$"
)


def load_book(name_or_path: str | Path) -> RuleBook:
    """A bundled book by its name (`zh-tech`, `en-tech`), else the file at this path. Raises RuleBookError."""
    name = str(name_or_path)
    if name in BUNDLED:
        return parse_book(resources.files("kaozheng.rules").joinpath("books", f"{name}.md").read_text("utf-8"), name)
    path = Path(name_or_path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise RuleBookError(f"no rule book {name}: give a file or one of {', '.join(BUNDLED)}") from None
    except UnicodeDecodeError as error:
        raise RuleBookError(f"rule book {name} is not UTF-8 (byte {error.start})") from None
    except OSError as error:
        raise RuleBookError(f"rule book {name} cannot be read: {error.strerror}") from None
    return parse_book(text, path.name)


def parse_book(text: str, name: str) -> RuleBook:
    """Read a rule book. Raises RuleBookError with the line when it is not one."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    reader = _Reader(name)
    for number, line, fence in book_lines(text, name):
        if fence is not None:
            reader.fence(number, line, fence)
        else:
            reader.line(number, line)
    modules = reader.modules()
    if not modules:
        raise RuleBookError(f"rule book {name} has no numbered rule (a line such as `- 1.2 text` under a `##` heading)")
    return RuleBook(
        name=name,
        title=reader.title or name,
        language=_language(modules),
        modules=modules,
        text=text,
        sha256=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
    )


@dataclass(slots=True)
class _Draft:
    """A rule while its lines are still coming in."""

    number: str
    section: str
    line: int
    text: list[str]
    from_section: bool = False
    open: bool = True
    check: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    fix: FixPolicy = "auto"
    examples: list[Example] = field(default_factory=list)

    def is_rule(self) -> bool:
        """A numbered `###` heading is a rule only when something stands under it; else it is a section's number."""
        return not self.from_section or len(self.text) > 1 or self.check is not None or bool(self.examples)


@dataclass(slots=True)
class _ModuleDraft:
    key: str
    title: str
    line: int
    rules: list[_Draft] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    """Holds what has been read so far; every complaint names the book and the line."""

    name: str
    title: str = ""
    section: str = ""
    drafts: list[_ModuleDraft] = field(default_factory=list)

    def line(self, number: int, line: str) -> None:
        heading = _HEADING.match(line)
        if heading:
            self._heading(number, len(heading[1]), (heading[2] or "").strip())
            return
        rule = _RULE.match(line)
        if rule:
            self._start(number, rule, from_section=False)
        elif line.strip():
            current = self._current()
            if current is not None and current.open:
                current.text.append(line.strip())

    def fence(self, number: int, info: str, body: str) -> None:
        word = info.split()[0] if info else ""
        current = self._current()
        if current is not None:
            current.open = False
        if word not in ("check", "good", "bad"):
            return
        if current is None:
            self._fail(number, f"a `{word}` fence must stand after the rule it belongs to")
        if word == "check":
            self._bind(number, current, body)
        else:
            current.examples.append(Example(body, good=word == "good", line=number))

    def modules(self) -> tuple[Module, ...]:
        """Everything read, checked as a whole. Modules without a rule are prose of the book, not modules."""
        seen: dict[str, int] = {}
        keys: dict[str, int] = {}
        modules: list[Module] = []
        for draft in self.drafts:
            rules = [rule for rule in draft.rules if rule.is_rule()]
            if not rules:
                continue
            if len(draft.title) > _LONGEST_TITLE:
                what = f"the title of this module has {len(draft.title)} characters; {_LONGEST_TITLE} are the most"
                self._fail(draft.line, what)
            if draft.key in keys:
                self._fail(draft.line, f"module key {draft.key} is already used on line {keys[draft.key]}")
            keys[draft.key] = draft.line
            for rule in rules:
                if len(rule.number) > _LONGEST_NUMBER:
                    self._fail(rule.line, f"a rule number has {len(rule.number)} characters, {_LONGEST_NUMBER} at most")
                if rule.number in seen:
                    self._fail(rule.line, f"rule number {rule.number} is already used on line {seen[rule.number]}")
                seen[rule.number] = rule.line
            modules.append(Module(draft.key, draft.title, tuple(_finished(rule, draft.key) for rule in rules)))
        return tuple(modules)

    def _heading(self, number: int, level: int, text: str) -> None:
        current = self._current()
        if current is not None:
            current.open = False
        if level == 1:
            self.title = self.title or text
        elif level == 2:
            braces = _BRACES.search(text)
            title = text[: braces.start()] if braces else text
            self.section = ""
            key = self._given_key(number, braces[1]) if braces else self._key(title)
            self.drafts.append(_ModuleDraft(key, title, number))
        else:
            rule = _RULE.match(text)
            if rule:
                self._start(number, rule, from_section=level == 3)
            if level == 3:
                self.section = rule["text"] if rule else text

    def _start(self, number: int, match: re.Match[str], *, from_section: bool) -> None:
        if not self.drafts:
            self._fail(number, f"rule {match['number']} stands before the first module (a `##` heading)")
        text = match["text"].strip()
        if match["bold"] and not match["end"]:
            text = text.replace(match["bold"], "", 1)
        section = text if from_section else self.section
        draft = _Draft(match["number"], section, number, [text], from_section)
        self.drafts[-1].rules.append(draft)

    def _current(self) -> _Draft | None:
        return self.drafts[-1].rules[-1] if self.drafts and self.drafts[-1].rules else None

    def _given_key(self, number: int, key: str) -> str:
        if not _KEY.fullmatch(key):
            form = f"an English letter, then English letters, digits, _ or -, at most {_LONGEST_KEY} in all"
            self._fail(number, f"{key[:80]!r} cannot be the key of a module: a key is {form}")
        return key

    def _key(self, title: str) -> str:
        plain = strip_numbering(title)
        known = _DEFAULT_KEYS.get(plain.casefold())
        slug = re.sub(r"\W+", "_", plain.casefold())[:_LONGEST_KEY].strip("_")
        return known or (slug if slug.isascii() and slug else f"module_{len(self.drafts) + 1}")

    def _bind(self, number: int, draft: _Draft, body: str) -> None:
        if draft.check is not None:
            self._fail(number, f"rule {draft.number} already has the check {draft.check}")
        try:
            table = tomllib.loads(body)
        except tomllib.TOMLDecodeError as error:
            self._fail(number, f"the check of rule {draft.number} is not valid TOML: {error}")
        except RecursionError:
            self._fail(number, f"the check of rule {draft.number} is nested too deeply")
        slug = table.pop("name", None)
        if not isinstance(slug, str):
            self._fail(number, f'the check of rule {draft.number} needs a line name = "…"')
        check = CHECKS.get(slug)
        if check is None:
            near = difflib.get_close_matches(slug, CHECKS, n=3, cutoff=0.5)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            self._fail(number, f"there is no check {slug!r}{hint}")
        try:
            draft.settings, draft.fix = split_policy(table)
            check.complete(draft.settings)
        except SettingsError as error:
            self._fail(number, str(error))
        draft.check = slug

    def _fail(self, number: int, what: str) -> NoReturn:
        raise RuleBookError(f"rule book {self.name} line {number}: {what}")


def split_policy(table: Mapping[str, Any]) -> tuple[Mapping[str, Any], FixPolicy]:
    """Part a rule's own `fix = "never" | "auto"` from its check's settings (which may have one of that name)."""
    rest = {name: value for name, value in table.items() if not (name == "fix" and value in ("never", "auto"))}
    return rest, "never" if table.get("fix") == "never" else "auto"


def _finished(draft: _Draft, module: str) -> Rule:
    return Rule(
        number=draft.number,
        text="\n".join(draft.text),
        module=module,
        section=draft.section,
        check=draft.check,
        settings=draft.settings,
        fix=draft.fix,
        examples=tuple(draft.examples),
        line=draft.line,
    )


def _language(modules: tuple[Module, ...]) -> str:
    """The language of the rules' own sentences; settings and examples are full of the other one."""
    text = "".join(rule.text for module in modules for rule in module.rules)
    han = len(re.findall(r"[\u4e00-\u9fff]", text))
    words = len(re.findall(r"[A-Za-z]+", text))
    return "zh" if han > words else "en"
