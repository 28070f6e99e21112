"""What all runs of one process share: opened models, HTTP clients, and how many calls a provider takes at once.

Clients and asyncio's locks belong to the event loop that used them first, so things are shared within a loop and are
never seen from another one; the number of calls is counted across loops and threads.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Hashable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final, Self, TypeVar, cast
from weakref import WeakValueDictionary

from kaozheng.models.limits import Slots

T = TypeVar("T")
Make = Callable[[AsyncExitStack], T]
"""Makes a thing; the stack is closed when nobody uses it any more."""


class Pool:
    """Things by key: made when the first user takes them, closed when the last one leaves or the event loop ends.
    A key may hold a secret in a form that hides itself (`SecretStr`): keys are compared, never shown."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._rooms: dict[asyncio.AbstractEventLoop, _Room] = {}
        self._slots: WeakValueDictionary[Hashable, Slots] = WeakValueDictionary()
        self.resident = Visit(self)
        """A user that never leaves, for a host that says no word when a run ends: it keeps things until a loop ends."""

    def __repr__(self) -> str:
        return f"Pool({len(self._rooms)} event loops)"

    def visit(self) -> Visit:
        """A user of its own: `async with pool.visit() as visit: ...`."""
        return Visit(self)

    def take(self, key: Hashable, make: Make[T], user: Hashable) -> T:
        """What the running event loop shares under this key, in use by `user` from now on. Does not wait, so two tasks
        cannot both make it. Raises RuntimeError outside of an event loop, and what `make` raises."""
        return cast("T", self._room().take(key, make, user))

    async def leave(self, user: Hashable) -> None:
        """`user` needs nothing of the running event loop's any more; what nobody else uses is closed."""
        room = self._rooms.get(asyncio.get_running_loop())
        if room is not None:
            await room.leave(user)

    def slots(self, key: Hashable, at_once: int) -> Slots:
        """The places of this key in the whole process: the same ones for everybody who asks while one is in use."""
        with self._lock:
            slots = self._slots.get((key, at_once))
            if slots is None:
                slots = self._slots[key, at_once] = Slots(at_once)
            return slots

    def _room(self) -> _Room:
        loop = asyncio.get_running_loop()
        room = self._rooms.get(loop)
        if room is None:
            with self._lock:
                # A loop that was closed without ending its generators (asyncio.run does) left its room behind.
                for gone in [one for one in list(self._rooms) if one.is_closed()]:
                    self._rooms.pop(gone, None)
                room = self._rooms[loop] = _Room(lambda: self._rooms.pop(loop, None))
        return room


class Visit:
    """One user of a pool: a command, a server's desk. Leaving gives back what it took in the running event loop."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._pool.leave(self)

    def take(self, key: Hashable, make: Make[T]) -> T:
        """See `Pool.take`."""
        return self._pool.take(key, make, self)

    def slots(self, key: Hashable, at_once: int) -> Slots:
        """See `Pool.slots`."""
        return self._pool.slots(key, at_once)


@dataclass(slots=True)
class _Shared:
    thing: Any
    stack: AsyncExitStack
    users: set[Hashable] = field(default_factory=set)


class _Room:
    """What one event loop shares."""

    def __init__(self, on_end: Callable[[], object]) -> None:
        self._shared: dict[Hashable, _Shared] = {}
        self._on_end = on_end
        # asyncio.run and every server end the generators of their loop before they close it: the only word that a
        # loop gives of its end. Begun here, inside the loop, so that the loop knows of it.
        self._watch = self._until_the_loop_ends()
        with suppress(StopIteration):
            self._watch.__anext__().send(None)

    def take(self, key: Hashable, make: Make[Any], user: Hashable) -> Any:
        shared = self._shared.get(key)
        if shared is None:
            stack = AsyncExitStack()
            shared = self._shared[key] = _Shared(make(stack), stack)
        shared.users.add(user)
        return shared.thing

    async def leave(self, user: Hashable) -> None:
        idle = []
        for key, shared in list(self._shared.items()):
            shared.users.discard(user)
            if not shared.users:
                idle.append(self._shared.pop(key))
        await _close(idle)

    async def _until_the_loop_ends(self) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            self._on_end()
            left, self._shared = list(self._shared.values()), {}
            await _close(left)


async def _close(idle: list[_Shared]) -> None:
    """The newest first, and all of them, whatever one of them raises."""
    async with AsyncExitStack() as all_of_them:
        for shared in idle:
            all_of_them.push_async_callback(shared.stack.aclose)


PROCESS: Final = Pool()
"""The pool of this process. The one thing in the house that outlives its caller: a limit of a process cannot be counted
anywhere else (decision 0023)."""
