"""Artifacts in a run's folder.

    <run folder>/section_01.md                what people open; free to be edited
    <run folder>/.artifacts/<64 hex>          what the run reads: the text by its content
    <run folder>/.artifacts/names/section_01.md   what stood under that name, a line a version, oldest first:
                                              reference <tab> time <tab> step

One small file a name instead of one index: sections are written at the same time, and no write waits for another.
Before there were versions, such a file held one reference and nothing else; it is still read.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from kaozheng.artifacts.artifact import ArtifactRef, Version, checked_name, digest_of, encoded, ref_of
from kaozheng.artifacts.provenance import version_of
from kaozheng.errors import InputError, StorageError
from kaozheng.providers.stores.atomic import write_atomically
from kaozheng.providers.stores.refusals import disk_refusals


def _utc_now() -> datetime:
    return datetime.now(UTC)


class FolderArtifacts:
    """The ArtifactStore of one run folder, which must exist by the first put. Safe from several tasks and threads."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = _utc_now) -> None:
        self.folder = folder
        self._now = now
        self._locks: dict[str, threading.Lock] = {}
        self._texts = folder / ".artifacts"
        self._names = self._texts / "names"

    async def put(self, name: str, text: str) -> ArtifactRef:
        """Keep a text under its content and its name; putting the same text again repairs a damaged copy."""
        checked_name(name)
        return await asyncio.to_thread(self._put, name, encoded(text))

    async def get(self, ref: ArtifactRef) -> str:
        """The text of a reference, checked against it."""
        return await asyncio.to_thread(self._get, ref)

    async def names(self) -> dict[str, ArtifactRef]:
        """Plain name -> reference, sorted by name; empty for a folder without artifacts."""
        return await asyncio.to_thread(self._list)

    async def versions(self, name: str) -> list[Version]:
        """What stood under the name, oldest first."""
        return await asyncio.to_thread(self._versions, checked_name(name))

    def _put(self, name: str, data: bytes) -> ArtifactRef:
        digest = hashlib.sha256(data).hexdigest()
        ref = f"sha256:{digest}"
        with disk_refusals(self.folder / name):
            # Not `parents`: a run folder that somebody removed must not come back as an empty shell.
            self._texts.mkdir(0o700, exist_ok=True)
            self._names.mkdir(exist_ok=True)
            kept = self._texts / digest
            if not _holds(kept, data):
                write_atomically(kept, data)
            # Two puts of one name at once must not lose a version; other names do not wait.
            with self._locks.setdefault(name, threading.Lock()):
                write_atomically(self.folder / name, data, scratch=self._texts)
                self._append(name, version_of(ref, self._now))
        return ref

    def _append(self, name: str, new: Version) -> None:
        known = _read_versions(self._names / name)
        if known and known[-1].ref == new.ref:
            return
        lines = (f"{one.ref}\t{one.at}\t{one.step}\n" for one in (*known, new))
        write_atomically(self._names / name, "".join(lines).encode(), scratch=self._texts)

    def _versions(self, name: str) -> list[Version]:
        with disk_refusals(self._names):
            return _read_versions(self._names / name)

    def _get(self, ref: ArtifactRef) -> str:
        path = self._texts / digest_of(ref)
        with disk_refusals(path):
            try:
                data = path.read_bytes()
            except FileNotFoundError as error:
                raise StorageError(f"{path}: a text of this run is missing; put it back, then go on") from error
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            text = ""
        if ref_of(text) != ref:
            raise StorageError(f"{path}: a text of this run was changed or damaged; put it back, then go on")
        return text

    def _list(self) -> dict[str, ArtifactRef]:
        with disk_refusals(self._names):
            if not self._names.is_dir():
                return {}
            return {path.name: _read_versions(path)[-1].ref for path in sorted(self._names.iterdir())}


def _read_versions(path: Path) -> list[Version]:
    """What the file says; nothing when there is none. A file always holds at least one version."""
    try:
        lines = path.read_bytes().decode("utf-8", "replace").removesuffix("\n").split("\n")
    except FileNotFoundError:
        return []
    damaged = StorageError(f"{path}: a name of this run is damaged; remove that file, then go on")
    versions = []
    for line in lines:
        match line.split("\t"):
            case [ref]:
                version = Version(ref, "", "")
            case [ref, at, step]:
                version = Version(ref, at, step)
            case _:
                raise damaged
        try:
            digest_of(version.ref)
        except InputError as error:
            raise damaged from error
        versions.append(version)
    return versions


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.read_bytes() == data
    except FileNotFoundError:
        return False
