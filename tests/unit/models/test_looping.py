"""An answer in circles is broken off; whatever only looks repetitive is not."""

from __future__ import annotations

import pytest

from kaozheng.errors import ShapeError
from kaozheng.models import Call, Completion, Delta, Finish, Message, Usage
from kaozheng.models.looping import Unlooped, goes_round

CALL = Call("role", "section/1", (Message("user", "hi"),))
NUMBERED = "".join(f"第 {n} 条：由第 {n * 7} 组负责。\n" for n in range(2_000))
TABLE = "| 项目 | 值 |\n| --- | --- |\n" + "| | |\n" * 60


class Says:
    """Says a text in pieces of `size` characters and knows how far it came."""

    name = "says"

    def __init__(self, text: str, size: int = 7, reasoning: bool = False) -> None:
        self.text, self.size, self.reasoning, self.said = text, size, reasoning, 0

    async def complete(self, call, on_delta=None):
        for at in range(0, len(self.text), self.size):
            piece = self.text[at : at + self.size]
            self.said += len(piece)
            on_delta(Delta("", piece) if self.reasoning else Delta(piece))
        return Completion(self.text, Finish.STOP, Usage(), self.name)


@pytest.mark.parametrize(
    "round_", ["啊", "word ", "\n", "[", "The company has many hosts. ", "长" * 700 + "句。" * 3 + "\n"]
)
@pytest.mark.parametrize("reasoning", [False, True])
async def test_circles_are_broken_off_soon(round_, reasoning):
    model = Says(NUMBERED[:3_000] + round_ * (200_000 // len(round_)), reasoning=reasoning)
    with pytest.raises(ShapeError, match=r"says repeats itself, broken off after \d+ characters \(section/1\)"):
        await Unlooped(model).complete(CALL)
    assert model.said < 3_000 + max(1_200, 5 * len(round_)) + 1_024


async def test_a_circle_with_a_heading_in_between_is_one_too():
    with pytest.raises(ShapeError):
        await Unlooped(Says(("It is hard to keep track of them all. " * 6 + "\n\n## People\n\n") * 50)).complete(CALL)


@pytest.mark.parametrize("text", [NUMBERED, TABLE, "=" * 1_000, "x", "", "同一句话说了两遍。" * 30])
async def test_what_is_no_circle_arrives_whole(text):
    heard: list[Delta] = []
    completion = await Unlooped(Says(text)).complete(CALL, heard.append)
    assert completion.text == text == "".join(delta.text for delta in heard)


def test_a_circle_counts_only_at_the_end():
    assert goes_round("begin " + "na " * 600)
    assert not goes_round("na " * 600 + "end.")
