from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from kaozheng.documents.document import Document
from kaozheng.providers.readers.code_files import read_folder
from kaozheng.roles.explorer.offline import survey
from kaozheng.roles.explorer.overview import Overview
from kaozheng.rules.book import load_book
from kaozheng.rules.engine import inspect
from kaozheng.sources.code import CodeShelf, doubt_of
from kaozheng.sources.code.claims import places_in

_BOOKS = {"zh": "zh-tech", "en": "en-tech"}
_REFERENCES = {"zh": "参考资料", "en": "References"}
_ROW = re.compile(r"^\| (?P<first>`.*?) \|.*\| (?P<last>`[^|]*(?:\\\|[^|]*)*`) \|$")


class Surveyed(NamedTuple):
    """An overview together with what it was made from."""

    shelf: CodeShelf
    overview: Overview

    @property
    def markdown(self) -> str:
        return self.overview.markdown()

    def said(self, chapter: str) -> str:
        return "\n".join(remark.text for remark in self.overview.remarks if remark.chapter == chapter)

    def doubts(self) -> list[str]:
        """Places that do not hold: those of the remarks, and those that a reader finds in the document."""
        given = [place for remark in self.overview.remarks for place in remark.places]
        found = [str(place) for place in places_in(self.markdown)]
        return [str(doubt) for place in dict.fromkeys([*given, *found]) if (doubt := doubt_of(self.shelf, place))]

    def names(self) -> list[tuple[str, str]]:
        """(public name, place) of every row of the tables of names."""
        pairs = []
        for remark in self.overview.remarks:
            if remark.chapter == "modules" and remark.text.startswith("|"):
                rows = [found for line in remark.text.split("\n") if (found := _ROW.match(line))]
                pairs.extend((unquoted(row["first"]), place) for row, place in zip(rows, remark.places, strict=True))
        return pairs

    def violations(self) -> list[str]:
        """What the rule book of the language finds in the document made of it."""
        references = f"## {_REFERENCES[self.overview.language]}\n\n- x\n"
        document = Document(f"---\ntitle: x\ndate: 2026-01-01\n---\n{self.markdown}\n{references}")
        rules = [rule for module in load_book(_BOOKS[self.overview.language]).modules for rule in module.rules]
        found = inspect(document, rules, self.overview.language)
        return [f"{one.rule} {one.check}: {one.quote[:80]}" for one in found]


def unquoted(span: str) -> str:
    """What a code span of a table cell says."""
    inner = span.strip("`") if "``" not in span else re.sub(r"^(`+) ?(.*?) ?\1$", r"\2", span)
    return inner.replace("\\|", "|")


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


@pytest.fixture
def surveyed(tmp_path):
    """Survey of a tree of files: `surveyed({"a.py": "…"}, "en")`."""
    pytest.importorskip("tree_sitter", reason="the extra `code` is not installed")

    def build(files: dict[str, str | bytes], language: str = "zh", topic: str = "") -> Surveyed:
        shelf = read_folder(write(tmp_path / "demo", files))
        return Surveyed(shelf, survey(shelf, language, topic))

    return build


@pytest.fixture
def surveyed_folder():
    """Survey of a folder that is there already."""
    pytest.importorskip("tree_sitter", reason="the extra `code` is not installed")

    def build(root: Path, language: str = "zh", most_files: int = 20_000) -> Surveyed:
        shelf = read_folder(root, most_files)
        return Surveyed(shelf, survey(shelf, language))

    return build
