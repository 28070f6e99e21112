"""Who is asking: the key of a request, whose sessions and bases that means, and what its results may call them."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request

from kaozheng.access import digest_of
from kaozheng.access.naming import kept_name, owned, shown_name
from kaozheng.web.refusals import RefusedError
from kaozheng.web.service import Service

_log = logging.getLogger(__name__)
_OF_FAULTS = frozenset({"message", "reason", "failures"})
_INSIDE = re.compile(r"\w+://\S+|(?<![\w/])(?:/[^\s/:,;()]+){2,}|\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b")


def discreet(value: Any) -> Any:
    """A text without addresses and paths; anything else as it is."""
    return _INSIDE.sub("…", value) if isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class Visitor:
    """`name` owns sessions; `owner` owns bases: the same, save that an admin's are those of the command line ("")."""

    name: str
    admin: bool = False

    @property
    def owner(self) -> str:
        """Whose bases these are."""
        return "" if self.admin else self.name

    def kept(self, base: str) -> str:
        """The name under which this visitor's base is kept. Raises KnowledgeBaseError for what is no name."""
        return kept_name(self.owner, base)

    def shown(self, value: Any) -> Any:
        """Plain JSON, with the names of bases as this visitor knows them, and what went wrong said without the paths
        and addresses that only the operator should see."""
        if isinstance(value, dict):
            return {key: self._named(key, one) for key, one in value.items()}
        return [self.shown(one) for one in value] if isinstance(value, list | tuple) else value

    def _named(self, key: str, value: Any) -> Any:
        if key == "base" and isinstance(value, str):
            return shown_name(self.owner, value)
        if key in _OF_FAULTS and not self.admin:
            return [discreet(str(one)) for one in value] if isinstance(value, list) else discreet(value)
        if key == "bases" and isinstance(value, list | tuple):
            return [shown_name(self.owner, one) if isinstance(one, str) else self.shown(one) for one in value]
        return self.shown(value)


async def visitor_of(request: Request) -> Visitor:
    """Who asks, once more than allowed in a minute refused. Raises RefusedError (401), BusyError."""
    visitor = await _admitted(request)
    request.app.state.pace.spend(visitor.name)
    return visitor


async def _admitted(request: Request) -> Visitor:
    service: Service = request.app.state.service
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    token = token.strip()
    if scheme.lower() == "bearer" and token and (key := await service.keys.find(digest_of(token))):
        return Visitor(key.name, key.admin)
    if service.keyless:
        if not await service.keys.list():
            _tell_open(request)
            return Visitor("", True)
        request.app.state.shut = True
    said = "this key is not known" if token else "a key is needed: Authorization: Bearer KEY"
    raise RefusedError(401, "invalid_api_key", said, {"WWW-Authenticate": "Bearer"})


def _tell_open(request: Request) -> None:
    """Say once that the last key is gone: whoever removed it may think that nobody comes in any more."""
    if getattr(request.app.state, "shut", False):
        request.app.state.shut = False
        _log.warning("the last key was removed: without a key this server is open to this machine again")


async def searched(service: Service, visitor: Visitor, wanted: Sequence[str]) -> tuple[str, ...]:
    """The kept names of the bases that a question goes to: those wanted, or all that the visitor may see. Raises
    RefusedError (404) for one that is not this visitor's: nobody learns whether it is another's."""
    there = [one.name for one in await service.index.bases()]
    mine = owned(visitor.owner, there)
    common = [name for name in service.shared if name in there]
    if not wanted:
        return tuple(dict.fromkeys([*mine, *common]))
    return tuple(dict.fromkeys(_found(visitor, base, mine, common) for base in wanted))


def _found(visitor: Visitor, base: str, mine: Sequence[str], common: Sequence[str]) -> str:
    if (kept := visitor.kept(base)) in mine:
        return kept
    if base in common:
        return base
    raise unknown_base(base)


def unknown_base(base: str) -> RefusedError:
    """That there is no such base, for this visitor."""
    return RefusedError(404, "unknown_base", f"there is no base {base}")


Asking = Annotated[Visitor, Depends(visitor_of)]
"""A parameter of a resource: who asks."""


def service_of(request: Request) -> Service:
    """What stands behind this door."""
    service: Service = request.app.state.service
    return service


Behind = Annotated[Service, Depends(service_of)]
"""A parameter of a resource: what stands behind the door."""
