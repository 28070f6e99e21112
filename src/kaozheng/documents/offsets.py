"""From the parser's UTF-8 byte offsets to character offsets, in linear time."""

from __future__ import annotations

from collections.abc import Iterable

_CONTINUATION = bytes(range(0x80, 0xC0))


def character_offsets(data: bytes, byte_offsets: Iterable[int]) -> dict[int, int]:
    """Map each byte offset into UTF-8 `data` to the number of characters before it.

    Counts the bytes that begin a character between neighbouring offsets, so a long line costs no more than many.
    """
    found: dict[int, int] = {}
    characters = previous = 0
    for offset in sorted(set(byte_offsets)):
        characters += len(data[previous:offset].translate(None, _CONTINUATION))
        found[offset] = characters
        previous = offset
    return found
