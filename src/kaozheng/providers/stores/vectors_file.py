"""Vectors on disk: `<key>.npz` beside `<key>.json`, which holds the texts and the hash of the other file.

The JSON is written last, so a kill between the two leaves a pair that does not fit together and counts as nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import re
import zipfile
from pathlib import Path

import numpy as np

from kaozheng.providers.stores.atomic import write_atomically
from kaozheng.providers.stores.refusals import disk_refusals
from kaozheng.sources.vectors import StoredVectors

_PLAIN_KEY = re.compile(r"[\w][\w.\-]{0,80}")


class FileVectors:
    """The VectorShelf in one folder, made by the first save."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def load(self, key: str) -> StoredVectors | None:
        """What was saved under the key; None for nothing, or for files that are damaged."""
        return await asyncio.to_thread(self._load, key)

    async def save(self, key: str, stored: StoredVectors) -> str:
        """Keep it and return the path of its JSON file."""
        return await asyncio.to_thread(self._save, key, stored)

    def _load(self, key: str) -> StoredVectors | None:
        path = self._path(key)
        try:
            said = json.loads(path.read_bytes())
            if said["key"] != key:
                return None
            if said["vectors"] is None:
                return StoredVectors([str(text) for text in said["texts"]])
            data = path.with_suffix(".npz").read_bytes()
            if hashlib.sha256(data).hexdigest() != said["vectors"]:
                return None
            with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
                return StoredVectors([str(text) for text in said["texts"]], arrays["vectors"].astype(np.float32))
        except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile):
            return None  # what cannot be read is made again

    def _save(self, key: str, stored: StoredVectors) -> str:
        path = self._path(key)
        said: dict[str, object] = {"key": key, "texts": stored.texts, "vectors": None}
        with disk_refusals(path):
            self._folder.mkdir(parents=True, exist_ok=True)
            if stored.vectors is not None:
                buffer = io.BytesIO()
                np.savez(buffer, vectors=stored.vectors)
                data = buffer.getvalue()
                said["vectors"] = hashlib.sha256(data).hexdigest()
                write_atomically(path.with_suffix(".npz"), data)
            write_atomically(path, json.dumps(said, ensure_ascii=False).encode("utf-8", "surrogatepass"))
        return str(path)

    def _path(self, key: str) -> Path:
        # A key may hold a model's name with slashes; files are then named by its hash.
        name = key if _PLAIN_KEY.fullmatch(key) else hashlib.sha256(key.encode()).hexdigest()
        return self._folder / f"{name}.json"
