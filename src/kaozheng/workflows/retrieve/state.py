"""What the loop remembers between its steps. Plain JSON only; the passages are an artifact, the state names them."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypedDict

from kaozheng.models.messages import Message
from kaozheng.models.tool_call import ToolCall
from kaozheng.sources.index import LABELS, Within

MOST_REWRITES: Final = 3
_ROLES: Final = {"human": "user", "ai": "assistant", "user": "user", "assistant": "assistant"}


def spoken(old: list[dict[str, str]] | None, new: Any) -> list[dict[str, str]]:
    """Reducer: the turns of the conversation, new ones behind; each as {"role", "content"}, however it was given."""
    return [*(old or []), *(turn for one in (new if isinstance(new, list) else [new]) if (turn := _turn(one)))]


def _turn(one: Any) -> dict[str, str] | None:
    """A turn of a user or an assistant; other roles are not part of what was said."""
    if isinstance(one, str):
        return {"role": "user", "content": one}
    if isinstance(one, tuple | list) and len(one) == 2:
        one = {"role": one[0], "content": one[1]}
    get = one.get if isinstance(one, dict) else lambda name, default=None: getattr(one, name, default)
    role = _ROLES.get(str(get("role") or get("type") or "user"))
    content = get("content") or ""
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) if isinstance(part, dict) else str(part) for part in content)
    return {"role": role, "content": str(content)} if role else None


class RetrieveState(TypedDict, total=False):
    """Every field is optional. Give `messages` (the user's last turn is the question) or `resolved`, and `within`."""

    messages: Annotated[list[dict[str, str]], spoken]
    """The conversation: {"role", "content"}. The answer is added to it."""
    resolved: str
    """The question in words that stand alone, from a host that has worked them out; it holds for one question."""
    question: str
    """What is answered: what the host has resolved, else the last turn of the user."""
    within: dict[str, list[str]]
    """Where to search: "bases" and, if narrowed, "domain", "data_type", "data_period", "level". Set by the host."""
    language: Literal["zh", "en"]
    targets: list[str]
    """What is compared, in a comparison."""
    memory: str
    """What is known of the conversation, as text."""
    searching: bool
    """A direct reply is not wanted: what the model does not look for, code does."""
    opened: str
    """Which question the fields below belong to; a new one begins with all of them anew."""
    query: str
    """What the question was rewritten to; "" in the first round."""
    queries: list[str]
    """All searches that were made for this question."""
    calls: list[dict[str, str]]
    """The searches that this round is to make, as calls of a tool."""
    turns: list[dict[str, Any]]
    """The model's own turns of this question and the short results of their calls."""
    bundle: str
    """Reference of the evidence bundle: all that was found, under labels that stay."""
    fresh: list[str]
    """Labels of what this round found."""
    idf: dict[str, float]
    """How telling each term of the question is in the bases."""
    scored: bool | None
    """Whether a search of this round is enough for an answer by its scores; None when none was made."""
    notes: list[str]
    """What went wrong on the side: a leg of the search that was refused."""
    score: Literal["yes", "no", "unknown"]
    """The last grade."""
    grades: list[dict[str, Any]]
    """Each round's grade: {"labels", "score", "by", "reason"}."""
    retry_count: int
    """Rewrites made, at most three."""
    exhausted: bool
    """No query is left that was not tried."""
    answer: str
    """The direct reply, or the answer with its labels."""
    answered: dict[str, str]
    """Who gave it: {"by", "reason", "model", "kind"}; kind is "direct" or "grounded"."""


def within_of(state: RetrieveState) -> Within:
    """Where to search."""
    given = state.get("within", {})
    return Within(tuple(given.get("bases", ())), **{name: tuple(given.get(name, ())) for name in LABELS})


def within_as_dict(within: Within) -> dict[str, list[str]]:
    """The same as a state holds it."""
    return {"bases": list(within.bases), **{name: list(values) for name, values in within.narrowed.items()}}


def history_of(state: RetrieveState) -> tuple[Message, ...]:
    """The turns before the question."""
    turns = state.get("messages", [])
    return tuple(
        Message("user" if one["role"] == "user" else "assistant", one["content"]) for one in turns[: _at(turns)]
    )


def last_said(state: RetrieveState) -> str:
    """What the user said last, never what was asked first."""
    turns = state.get("messages", [])
    at = _at(turns)
    return turns[at]["content"].strip() if at < len(turns) else ""


def _at(turns: list[dict[str, str]]) -> int:
    """Where the last turn of the user stands; behind all of them when there is none."""
    return next((at for at in range(len(turns) - 1, -1, -1) if turns[at]["role"] == "user"), len(turns))


def purpose_of(state: RetrieveState, purpose: str) -> str:
    """The purpose of a model call: that of a later question of one conversation is another one."""
    return f"question{1 + sum(turn.role == 'user' for turn in history_of(state))}/{purpose}"


def as_turn(message: Message) -> dict[str, Any]:
    """A turn with its calls as plain JSON."""
    kept: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        kept["calls"] = [[call.id, call.name, call.arguments] for call in message.tool_calls]
    if message.answers:
        kept["answers"] = message.answers
    if message.reasoning:
        kept["reasoning"] = message.reasoning
    return kept


def from_turn(kept: dict[str, Any]) -> Message:
    """What `as_turn` made plain."""
    calls = tuple(ToolCall(*call) for call in kept.get("calls", ()))
    return Message(kept["role"], kept["content"], calls, kept.get("answers", ""), kept.get("reasoning", ""))
