"""The overview of a repository without a model: five chapters, each statement computed or quoted."""

from __future__ import annotations

from typing import Literal

from kaozheng.roles.explorer.offline.flows import flows
from kaozheng.roles.explorer.offline.modules import modules
from kaozheng.roles.explorer.offline.naming import project_name
from kaozheng.roles.explorer.offline.purpose import purpose
from kaozheng.roles.explorer.offline.speech import Speech
from kaozheng.roles.explorer.offline.structure import structure
from kaozheng.roles.explorer.offline.terrain import terrain
from kaozheng.roles.explorer.offline.usage import usage
from kaozheng.roles.explorer.overview import Overview
from kaozheng.roles.explorer.quoting import code, escaped
from kaozheng.roles.titles import clean_title
from kaozheng.sources.code import CodeShelf


def survey(shelf: CodeShelf, language: Literal["zh", "en"], topic: str = "") -> Overview:
    """What code can tell of the repository on the shelf. `topic` becomes the title; without one it is the name of the
    project. Nothing is executed, and what the repository says is quoted, never followed. Takes seconds for thousands of
    files; call it in a thread where a loop must stay free."""
    land, speech = terrain(shelf), Speech(language)
    title = escaped(clean_title(topic)) or speech.say("title", name=code(project_name(land)) or "`/`")
    chapters = (purpose, structure, flows, modules, usage)
    return Overview(title, language, tuple(remark for chapter in chapters for remark in chapter(land, speech)))
