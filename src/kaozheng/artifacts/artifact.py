"""Artifact: a text named by its content, and the port of the place that keeps it.

A run's state holds references, never the texts: a state of 20 KB stays cheap to checkpoint, and a text that was
changed behind our back is noticed because its reference no longer fits.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from kaozheng.errors import InputError

ArtifactRef: TypeAlias = str
"""`sha256:` and the 64 hex digits of the text in UTF-8."""

_REF = re.compile(r"sha256:[0-9a-f]{64}")
# What no file system of our three refuses, and what cannot leave the run folder or hide in it.
_BAD_IN_NAME = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|]')
_NAME_BYTES = 200


@dataclass(frozen=True, slots=True)
class Artifact:
    """A kept text: its plain name in the run folder, its reference and its size in bytes of UTF-8."""

    name: str
    ref: ArtifactRef
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Version:
    """What once stood under a name: the text's reference, when it was put (ISO 8601, UTC) and the step that made it.

    `at` and `step` are "" when it was kept by a Kaozheng that did not write them down.
    """

    ref: ArtifactRef
    at: str
    step: str


class ArtifactStore(Protocol):
    """Where one run keeps its texts. Every method raises StorageError when the disk refuses or a text is damaged."""

    async def put(self, name: str, text: str) -> ArtifactRef:
        """Keep a text and leave it under its plain name; the same text is kept once. InputError for a bad name.

        A new version of the name, made by the step at work (`made_by`), unless its newest says the same.
        """
        ...

    async def get(self, ref: ArtifactRef) -> str:
        """The text exactly as it was put. StorageError when it is missing or no longer what its reference says."""
        ...

    async def names(self) -> dict[str, ArtifactRef]:
        """Each plain name with the reference that was put last under it, in the order of the names."""
        ...

    async def versions(self, name: str) -> Sequence[Version]:
        """All that stood under a name, oldest first; empty for a name that was never put. InputError for a bad name."""
        ...


def ref_of(text: str) -> ArtifactRef:
    """The reference of a text. InputError when it cannot be written as UTF-8 (half of a surrogate pair)."""
    return f"sha256:{hashlib.sha256(encoded(text)).hexdigest()}"


def artifact_of(name: str, text: str) -> Artifact:
    """What a store would keep for this text under this name."""
    return Artifact(checked_name(name), ref_of(text), len(encoded(text)))


def encoded(text: str) -> bytes:
    """The bytes that are kept: UTF-8, line ends untouched."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(f"a text holds half of a surrogate pair at character {error.start}") from error


def digest_of(ref: ArtifactRef) -> str:
    """The 64 hex digits of a reference. InputError when it is none."""
    if not _REF.fullmatch(ref):
        raise InputError(f"{ref[:80]!r} is no artifact reference (sha256: and 64 hex digits)")
    return ref.removeprefix("sha256:")


def checked_name(name: str) -> str:
    """The name itself when it is one plain file name. InputError for paths, hidden and impossible names."""
    if not name or name.startswith(".") or name.endswith((".", " ")) or _BAD_IN_NAME.search(name):
        raise InputError(f"{name!r} cannot name an artifact: use one plain file name such as section_01.md")
    if len(name.encode("utf-8", "replace")) > _NAME_BYTES:
        raise InputError(f"{name[:20]!r}… is too long for a file name ({_NAME_BYTES} bytes at most)")
    return name
