"""What a conversion gives, and how much one file may ask of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from kaozheng.sources.source import Place, PlaceKind, Skipped


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that one file may take. `ratio` is unpacked to packed size, judged above `ratio_from_bytes` only: small
    parts pack well. `memory_bytes` is the address space of the whole child process, `time_s` one file's share; what has
    to be recognised has `recognition_s` more, for `recognised_pages`."""

    file_bytes: int = 50_000_000
    unpacked_bytes: int = 200_000_000
    part_bytes: int = 100_000_000
    ratio: int = 100
    ratio_from_bytes: int = 20_000_000
    parts: int = 5_000
    cells: int = 200_000
    pages: int = 2_000
    chars: int = 20_000_000
    memory_bytes: int = 900_000_000
    time_s: float = 60.0
    recognised_pages: int = 300
    recognition_s: float = 600.0


@dataclass(frozen=True, slots=True)
class Converted:
    """A file as Markdown. `left_out` names parts that gave no text, with the reason ("page 3")."""

    text: str
    places: tuple[Place, ...] = ()
    left_out: tuple[Skipped, ...] = ()


@dataclass(slots=True)
class Pages:
    """Collects Markdown blocks and the places that they stand at. Blocks are apart by an empty line."""

    _pieces: list[str] = field(default_factory=list)
    _places: list[Place] = field(default_factory=list)
    _length: int = 0
    _last: str = ""

    def place(self, kind: PlaceKind, name: str) -> None:
        """What comes from here on stands there."""
        self._places.append(Place(self._length + (2 if self._length else 0), kind, name))

    def place_here(self, kind: PlaceKind, name: str) -> None:
        """The same for text that is joined."""
        self._places.append(Place(self._length, kind, name))

    def add(self, block: str, kind: Literal["block", "item"] = "block") -> None:
        """One more block; a blank one is none. Items that follow on each other are one list."""
        block = block.strip("\n")
        if not block.strip():
            return
        apart = "\n" if kind == self._last == "item" else "\n\n"
        self.join((apart if self._length else "") + block)
        self._last = kind

    def join(self, text: str) -> None:
        """Text that goes on right behind the last."""
        self._pieces.append(text)
        self._length += len(text)

    def finished(self, left_out: tuple[Skipped, ...] = ()) -> Converted:
        """Everything collected, with a line end behind it."""
        text = "".join(self._pieces)
        places = tuple(place for place in self._places if place.start < len(text))
        return Converted(text + "\n" if text else "", places, left_out)
