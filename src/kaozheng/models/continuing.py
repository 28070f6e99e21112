"""An answer that reached the model's length limit is asked on and joined, so that long sections arrive whole."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from kaozheng.models.joint import joined
from kaozheng.models.messages import Call, Completion, Delta, Finish, Message
from kaozheng.models.model import Model, OnDelta
from kaozheng.models.reply import after_thinking

_HAN = re.compile(r"[\u4e00-\u9fff]")
_HAN_SHARE: Final = 0.15
_SHOWN_CHARS: Final = 40
_LONGEST_CHARS: Final = 200_000  # no section is longer: a model that wrote so much repeats itself
_GO_ON = {
    "zh": "上面的回答因长度限制中断了，最后几个字是：\n{end}\n请从最后一个字符之后接着写，直到写完。"
    "不要重复已写的内容，不要说明，不要重新开始，也不要重新打开代码块。",
    "en": "The answer above was cut off by the length limit. Its last characters are:\n{end}\n"
    "Go on exactly after the last character until the answer is complete. Repeat nothing, explain nothing, "
    "do not start over and do not open a code fence again.",
}


class Continuing:
    """Asks on, at most `most` times, while an answer ends with `Finish.LENGTH`; the parts are joined without what the
    model said twice (`models.joint`), the last part's finish counts, usage is summed.

    It stands outermost, so that each part is an own call with a purpose of its own ("…/more2"): kept in the ledger,
    counted by the budget, reported. Calls with a schema or tools go through untouched: an object is asked for anew,
    and a tool call is no prose. A part that adds nothing, or a text of more than 200,000 characters, ends it with
    `Finish.LENGTH`. The listener hears a continuation when its joint is known, as one delta. Raises what the model
    raises; the parts that came are then in the ledger.
    """

    def __init__(self, model: Model, most: int = 5) -> None:
        self._model = model
        self._most = most

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, call: Call, on_delta: OnDelta | None = None) -> Completion:
        answer = await self._model.complete(call, on_delta)
        if call.schema is not None or call.tools:
            return answer
        for part in range(2, self._most + 2):
            written = answer.text[after_thinking(answer.text) :]
            if answer.finish is not Finish.LENGTH or not 0 < len(written.strip()) <= _LONGEST_CHARS:
                return answer
            more = await self._model.complete(_asked_on(call, written, part))
            new = joined(written, more.text[after_thinking(more.text) :])[len(written) :]
            answer = replace(
                answer,
                text=answer.text + new,
                finish=more.finish,
                usage=answer.usage + more.usage,
                reasoning="\n".join(one for one in (answer.reasoning, more.reasoning) if one),
                replayed=answer.replayed and more.replayed,
            )
            if on_delta and (new or more.reasoning):
                on_delta(Delta(new, more.reasoning))
            if not new:
                return answer
        return answer


def _asked_on(call: Call, written: str, part: int) -> Call:
    language = "zh" if len(_HAN.findall(written)) > _HAN_SHARE * len(written) else "en"
    turns = (Message("assistant", written), Message("user", _GO_ON[language].format(end=written[-_SHOWN_CHARS:])))
    return replace(call, purpose=f"{call.purpose}/more{part}", messages=(*call.messages, *turns))
