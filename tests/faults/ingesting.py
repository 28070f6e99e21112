"""A process of its own that ingests: `ingesting.py FOLDER DATABASE LOG`. Prints the name of each document that is done;
the log has a line for each text that was embedded."""

import asyncio
import json
import sys
from pathlib import Path

from kaozheng.providers.indexes.sqlite_index import open_index
from kaozheng.providers.readers.folder_files import open_files
from kaozheng.providers.stores.vectors_file import FolderVectors
from kaozheng.testing.memory_vectors import HashedEmbedder
from kaozheng.testing.scripted_fetcher import ScriptedFetcher
from kaozheng.workflows.ingest.ingest import IngestPorts, ingest
from kaozheng.workflows.ingest.request import IngestRequest


class Logging(HashedEmbedder):
    """Writes down what it was given before it answers, as a provider would count it."""

    def __init__(self, log):
        super().__init__()
        self._log = log

    async def embed(self, texts, kind):
        for text in texts:
            self._log.write(json.dumps(text) + "\n")
        self._log.flush()
        await asyncio.sleep(0.01)
        return await super().embed(texts, kind)


def tell(progress):
    if progress.latest:
        print(progress.latest.status, progress.latest.name, flush=True)


async def main(folder, database, lines):
    async with open_index(Path(database)) as index, open_files() as files:
        request = IngestRequest("kb", (Path(folder),), prune=True)
        shelf = FolderVectors(Path(database).with_suffix(".shelf"))
        report = await ingest(request, IngestPorts(index, files, ScriptedFetcher({}), shelf, Logging(lines)), tell)
        print(json.dumps(report.counts), flush=True)


if __name__ == "__main__":
    _, where, to, log = sys.argv
    with Path(log).open("a", encoding="utf-8") as kept:
        asyncio.run(main(where, to, kept))
