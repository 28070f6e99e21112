"""One region over the years in which its code and name stood."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RegionEntry:
    """`code` stood for `name` from the end of `since` to the end of `until` (None: still). `kind` is 市辖区, 县级市,
    县, 自治县 or for the levels above 省, 地级市, 自治州; `parent` is the code of the level above. `stable` is the code
    that the region has today: it joins a series over recodings. `aliases` are other names and codes that mean it,
    each with a note."""

    code: str
    name: str
    since: int
    until: int | None
    kind: str
    parent: str
    stable: str = ""
    aliases: tuple[tuple[str, str], ...] = ()
