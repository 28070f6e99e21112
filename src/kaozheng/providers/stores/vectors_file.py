"""Vectors on disk, one file a key.

    <folder>/zh-tech-1f0c….npz     texts as one JSON array, vectors (absent when ranked by words) as float32

A file that cannot be read is treated as absent: everything on the shelf can be made again.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import re
import zipfile
from pathlib import Path

from kaozheng.providers.stores.atomic import write_atomically
from kaozheng.providers.stores.private import private_folder
from kaozheng.providers.stores.refusals import disk_refusals
from kaozheng.sources.vectors import StoredVectors

_SAFE = re.compile(r"[^\w.-]+")


class FolderVectors:
    """The VectorShelf of one folder, which is made by the first save. Safe from several processes at once: files are
    replaced whole, and two that save the same key save the same."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def load(self, key: str) -> StoredVectors | None:
        """See VectorShelf.load."""
        return await asyncio.to_thread(self._load, key)

    async def save(self, key: str, stored: StoredVectors) -> str:
        """See VectorShelf.save."""
        await asyncio.to_thread(self._save, key, stored)
        return self.where(key)

    async def forget(self, key: str) -> None:
        """See VectorShelf.forget."""
        path = self._path(key)
        with disk_refusals(path):
            await asyncio.to_thread(path.unlink, missing_ok=True)

    def where(self, key: str) -> str:
        """The path of the file."""
        return str(self._path(key))

    def _path(self, key: str) -> Path:
        digest = hashlib.sha256(key.encode()).hexdigest()[:16]
        return self.folder / f"{_SAFE.sub('-', key)[:40].strip('-.')}-{digest}.npz"

    def _load(self, key: str) -> StoredVectors | None:
        import numpy as np

        try:
            data = self._path(key).read_bytes()
            with np.load(io.BytesIO(data), allow_pickle=False) as file:
                head = json.loads(file["head"].tobytes().decode())
                vectors = file.get("vectors")
            return StoredVectors(head["texts"], vectors) if head["key"] == key else None
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None

    def _save(self, key: str, stored: StoredVectors) -> None:
        import numpy as np

        head = json.dumps({"key": key, "texts": stored.texts}, ensure_ascii=False).encode()
        arrays = {"head": np.frombuffer(head, dtype=np.uint8)}
        if stored.vectors is not None:
            arrays["vectors"] = np.asarray(stored.vectors, dtype=np.float32)
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]  # numpy's stub takes the names for its own options
        path = self._path(key)
        with disk_refusals(path):
            private_folder(self.folder)
            write_atomically(path, buffer.getvalue())
