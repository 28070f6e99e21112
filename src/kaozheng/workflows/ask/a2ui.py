"""The answer as A2UI messages: a card with the text, its citations, and questions that may follow.

A2UI (version 0.8) describes a surface as a flat list of components from a catalogue that the client has; it holds no
code and no markup of its own. What may stand in a message is fixed by these models, which make `a2ui.schema.json`:
nothing goes out that does not fit it.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from kaozheng.evidence.pictures import without_pictures
from kaozheng.workflows.ask.result import AskResult

SURFACE: Final = "answer"
_HEADINGS: Final = {"zh": ("出处", "还可以问"), "en": ("Sources", "You could also ask")}
_CHARS: Final = 200_000


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Said(_Strict):
    """A text as it is to be shown."""

    literal_string: str = Field(alias="literalString", max_length=_CHARS)


class Text(_Strict):
    """Markdown text; `usageHint` says what it is for."""

    text: Said
    usage_hint: Literal["h3", "body", "caption"] = Field(default="body", alias="usageHint")


class Children(_Strict):
    """Ids of components, in order."""

    explicit_list: list[str] = Field(alias="explicitList")


class Column(_Strict):
    """Components below each other."""

    children: Children


class Card(_Strict):
    """A frame around one component."""

    child: str


class ContextEntry(_Strict):
    """One value that an action carries."""

    key: str
    value: Said


class Action(_Strict):
    """What the client is to tell when a button is used: "open_source" (label) or "ask" (question)."""

    name: Literal["open_source", "ask"]
    context: list[ContextEntry]


class Button(_Strict):
    """A component that can be used."""

    child: str
    action: Action


class Shape(_Strict):
    """Exactly one of the kinds of the catalogue."""

    text: Text | None = Field(default=None, alias="Text")
    column: Column | None = Field(default=None, alias="Column")
    card: Card | None = Field(default=None, alias="Card")
    button: Button | None = Field(default=None, alias="Button")


class Component(_Strict):
    """A component under its id."""

    id: str
    component: Shape


class SurfaceUpdate(_Strict):
    """Components of a surface."""

    surface_id: Literal["answer"] = Field(default=SURFACE, alias="surfaceId")
    components: list[Component] = Field(min_length=1)


class BeginRendering(_Strict):
    """Show the surface, beginning with this component."""

    surface_id: Literal["answer"] = Field(default=SURFACE, alias="surfaceId")
    root: str


class A2uiMessage(_Strict):
    """One message: components, or the word to show them."""

    surface_update: SurfaceUpdate | None = Field(default=None, alias="surfaceUpdate")
    begin_rendering: BeginRendering | None = Field(default=None, alias="beginRendering")


def messages_of(result: AskResult, language: str) -> list[dict[str, Any]]:
    """The messages of a result, as plain JSON that fits the schema."""
    sources, more = _HEADINGS["zh" if language == "zh" else "en"]
    parts = [_text("answer_text", result.answer)]
    below = ["answer_text"]
    if result.citations:
        parts.append(_text("sources", sources, "h3"))
        below.append("sources")
        for number, entry in enumerate(result.citations):
            parts += _button(
                f"source_{number}", _named(entry), Action(name="open_source", context=[_value("label", entry["label"])])
            )
            below.append(f"source_{number}")
    if result.follow_ups:
        parts.append(_text("more", more, "h3"))
        below.append("more")
        for number, question in enumerate(result.follow_ups):
            parts += _button(f"more_{number}", question, Action(name="ask", context=[_value("question", question)]))
            below.append(f"more_{number}")
    column = Column(children=Children(explicitList=below))
    card = [
        Component(id="answer_card", component=Shape(Card=Card(child="answer_column"))),
        Component(id="answer_column", component=Shape(Column=column)),
    ]
    update = A2uiMessage(surfaceUpdate=SurfaceUpdate(components=[*card, *parts]))
    begin = A2uiMessage(beginRendering=BeginRendering(root="answer_card"))
    return [message.model_dump(by_alias=True, exclude_none=True) for message in (update, begin)]


def schema() -> dict[str, Any]:
    """The JSON schema of one message, as it is shipped in `a2ui.schema.json`."""
    return A2uiMessage.model_json_schema(by_alias=True)


def _text(id: str, text: str, hint: Literal["h3", "body", "caption"] = "body") -> Component:
    shown = Text(text=Said(literalString=text[:_CHARS]), usageHint=hint)
    return Component(id=id, component=Shape(Text=shown))


def _button(id: str, text: str, action: Action) -> list[Component]:
    button = Component(id=id, component=Shape(Button=Button(child=f"{id}_text", action=action)))
    return [button, _text(f"{id}_text", text, "caption")]


def _value(key: str, value: str) -> ContextEntry:
    return ContextEntry(key=key, value=Said(literalString=value))


def _named(entry: dict[str, Any]) -> str:
    where = entry["place"] or " > ".join(entry["path"])
    first, last = entry["lines"]
    lines = f"{first}" if first == last else f"{first}–{last}"
    named = " · ".join(filter(None, (f"[{entry['label']}]", entry["title"] or entry["document"], where, lines)))
    return without_pictures(named)  # titles and headings are a stranger's words too
