"""Tool: a thing that a model may call. It has words for the model, arguments with limits, and one function."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

from kaozheng.models.structured import shape_of
from kaozheng.models.tool_call import ToolOffer

Language = Literal["zh", "en"]


class Arguments(BaseModel):
    """Arguments of a tool. Every text and number has a bound: they come from a model. Unknown names are complained of,
    so that the model learns what it misread."""

    model_config = ConfigDict(extra="forbid", frozen=True)


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """`about` says in "zh" and "en" what it does and when to use it. `run` gives the result as text, "" when there
    is nothing; it raises InputError (SourceError, FetchError) with a reason that the model is told. A tool reads only:
    a call that is made again after a crash changes nothing."""

    name: str
    about: Mapping[str, str]
    arguments: type[A]
    run: Callable[[A], Awaitable[str]]

    def offer(self, language: Language) -> ToolOffer:
        """The tool as a model is told of it."""
        return ToolOffer(self.name, self.about[language], _plain(shape_of(self.arguments)))


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without the titles that pydantic makes of the names: they are paid for in each call."""
    properties = {
        name: {key: value for key, value in part.items() if key != "title"}
        for name, part in schema.get("properties", {}).items()
    }
    required = {"required": schema["required"]} if "required" in schema else {}
    return {"type": "object", "properties": properties, **required, "additionalProperties": False}
