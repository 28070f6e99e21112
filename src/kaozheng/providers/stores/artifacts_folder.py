"""Artifacts in a run's folder.

    <run folder>/section_01.md                what people open; free to be edited
    <run folder>/.artifacts/<64 hex>          what the run reads: the text by its content
    <run folder>/.artifacts/names/section_01.md   the reference that was put last under that name

One small file a name instead of one index: sections are written at the same time, and no write waits for another.
"""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

from kaozheng.artifacts.artifact import ArtifactRef, checked_name, digest_of, encoded, ref_of
from kaozheng.errors import InputError, StorageError
from kaozheng.providers.stores.atomic import write_atomically
from kaozheng.providers.stores.refusals import disk_refusals


class FolderArtifacts:
    """The ArtifactStore of one run folder, which must exist by the first put. Safe from several tasks and threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
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

    def _put(self, name: str, data: bytes) -> ArtifactRef:
        digest = hashlib.sha256(data).hexdigest()
        ref = f"sha256:{digest}"
        with disk_refusals(self.folder / name):
            # Not `parents`: a run folder that somebody removed must not come back as an empty shell.
            self._texts.mkdir(exist_ok=True)
            self._names.mkdir(exist_ok=True)
            kept = self._texts / digest
            if not _holds(kept, data):
                write_atomically(kept, data)
            write_atomically(self.folder / name, data, scratch=self._texts)
            write_atomically(self._names / name, ref.encode("ascii"), scratch=self._texts)
        return ref

    def _get(self, ref: ArtifactRef) -> str:
        path = self._texts / digest_of(ref)
        with disk_refusals(path):
            try:
                data = path.read_bytes()
            except FileNotFoundError as error:
                raise StorageError(f"{path}: a text of this run is missing; put it back or start a new run") from error
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            text = ""
        if ref_of(text) != ref:
            raise StorageError(f"{path}: a text of this run was changed or damaged; put it back or start a new run")
        return text

    def _list(self) -> dict[str, ArtifactRef]:
        with disk_refusals(self._names):
            if not self._names.is_dir():
                return {}
            return {path.name: _read_ref(path) for path in sorted(self._names.iterdir())}


def _read_ref(path: Path) -> ArtifactRef:
    ref = path.read_bytes().decode("ascii", "replace")
    try:
        digest_of(ref)
    except InputError as error:
        raise StorageError(f"{path}: a name of this run is damaged; remove that file, then go on") from error
    return ref


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.read_bytes() == data
    except FileNotFoundError:
        return False
