"""The knowledge database: migrations, real processes, what a crash or a copy leaves, what a deletion leaves."""

import asyncio
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from kaozheng.errors import StorageError
from kaozheng.providers.indexes import matrix
from kaozheng.providers.indexes.database import KNOWLEDGE
from kaozheng.providers.indexes.sqlite_index import open_index
from kaozheng.providers.indexes.tables import metadata
from kaozheng.sources.analyser import Analyser, Terms
from kaozheng.sources.chunk import Chunk, chunk_id
from kaozheng.sources.index import Embedded, Entry, Question, Within

SCRIPT = Path(__file__).with_name("indexing.py")
_spec = spec_from_file_location("indexing", SCRIPT)
indexing = module_from_spec(_spec)
_spec.loader.exec_module(indexing)
ANALYSER = Analyser()


def process(what, folder, name, count):
    command = [sys.executable, "-W", "error", str(SCRIPT), what, str(folder / "knowledge.db"), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def query(path, sql, *values):
    file = sqlite3.connect(path)
    try:
        return file.execute(sql, values).fetchall()
    finally:
        file.close()


def nothing_left(path):
    tables = ("documents", "chunks", "texts", "vectors", "words_found", "pairs_found")
    return {table: query(path, f"SELECT count(*) FROM {table}")[0][0] for table in tables} == dict.fromkeys(tables, 0)


def sound(path):
    file = sqlite3.connect(path)
    try:
        for table in ("words", "pairs"):
            file.execute(f"INSERT INTO {table}({table}) VALUES ('integrity-check')")
        return file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        file.close()


def one(name, text):
    chunk = Chunk(chunk_id(name, (), 1, text), name, (), 1, indexing.Span(0, len(text)), indexing.LineRange(1, 1), text)
    return Entry("kb", name, text.encode("utf-8", "replace").hex()[:64]), [chunk]


async def dense(index, vector, limit=5):
    asked = Embedded("e", vector.reshape(1, -1))
    found = await index.search(Question("", Within(("kb",)), asked, limit=limit))
    assert not found.refused
    return [(hit.entry.name, hit.chunk.ordinal) for hit in found.hits]


async def test_migrations_make_the_tables_that_the_code_uses(tmp_path):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    async with open_index(tmp_path / "knowledge.db"):
        pass
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'knowledge.db'}")
    full_text = ("words", "pairs", "sqlite_", "knowledge_version")
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={"include_name": lambda name, kind, _: kind != "table" or not str(name).startswith(full_text)},
        )
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_newest_is_the_head_of_the_migrations():
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(matrix.__file__).parents[1] / "stores" / "migrations"))
    config.set_main_option("version_locations", str(KNOWLEDGE.versions))
    config.set_main_option("path_separator", "newline")
    assert ScriptDirectory.from_config(config).get_current_head() == KNOWLEDGE.newest


async def test_file_that_is_no_database_is_refused_in_one_line(tmp_path):
    (tmp_path / "knowledge.db").write_text("not a database, surely not one " * 100)
    with pytest.raises(StorageError, match="not a Kaozheng database"):
        async with open_index(tmp_path / "knowledge.db"):
            pass


async def test_database_of_a_newer_version_is_refused(tmp_path):
    async with open_index(tmp_path / "knowledge.db"):
        pass
    file = sqlite3.connect(tmp_path / "knowledge.db")
    file.execute("UPDATE knowledge_version SET version_num = '9999'")
    file.commit()
    file.close()
    with pytest.raises(StorageError, match="newer Kaozheng"):
        async with open_index(tmp_path / "knowledge.db"):
            pass


def test_rag_61_two_writers_and_two_readers_lose_nothing(tmp_path):
    count = 15
    writers = [process("write", tmp_path, name, count) for name in ("甲", "乙")]
    for writer in writers:
        assert writer.stdout.readline()
    readers = [process("read", tmp_path, "甲0", 2 * count) for _ in range(2)]
    for started in writers + readers:
        said, errors = started.communicate(timeout=120)
        assert (started.returncode, errors) == (0, ""), (said, errors)
    assert sound(tmp_path / "knowledge.db")
    assert query(tmp_path / "knowledge.db", "SELECT count(*) FROM documents") == [(2 * count,)]
    assert query(tmp_path / "knowledge.db", "SELECT sum(rows) FROM vectors") == [(2 * count * indexing.CHUNKS,)]


@pytest.mark.parametrize("after", [1, 4])
async def test_killed_writer_leaves_whole_documents_only(tmp_path, after):
    writer = process("write", tmp_path, "甲", 10_000)
    acknowledged = [writer.stdout.readline().strip() for _ in range(after)]
    writer.kill()
    acknowledged += writer.communicate()[0].split()
    assert sound(tmp_path / "knowledge.db")
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        names = {entry.name for entry in await index.entries("kb")}
        assert names >= set(acknowledged)
        for name in names:
            _, chunks, embedded = indexing.document(name)
            assert list(await index.chunks("kb", name)) == chunks
            assert await dense(index, embedded.vectors[0], limit=1) == [(name, 1)]
        assert (await index.put(*indexing.document("乙"))).outcome == "added"


async def test_matrix_file_is_written_mapped_and_used_by_the_next_process(tmp_path, monkeypatch):
    monkeypatch.setattr(matrix, "_TAIL_ROWS", 8)
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        for number in range(4):
            await index.put(*indexing.document(f"a{number}"))
        asked = indexing.document("a2")[2].vectors[3]
        first = await dense(index, asked)
    (file,) = (tmp_path / "knowledge.db.vectors").iterdir()
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        assert await dense(index, asked) == first
        assert first[0] == ("a2", 4)
        await index.put(*indexing.document("late"))
        assert (await dense(index, indexing.document("late")[2].vectors[0]))[0] == ("late", 1)
        await index.delete("kb", "a2")
        assert "a2" not in {name for name, _ in await dense(index, asked, limit=50)}
    assert list((tmp_path / "knowledge.db.vectors").iterdir()) == [file]


async def test_matrix_file_is_written_anew_when_much_has_come_or_gone(tmp_path, monkeypatch):
    monkeypatch.setattr(matrix, "_TAIL_ROWS", 8)
    folder = tmp_path / "knowledge.db.vectors"
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        for number in range(4):
            await index.put(*indexing.document(f"a{number}"))
        await dense(index, indexing.document("a2")[2].vectors[3])
        (first,) = folder.iterdir()
        for number in range(4, 8):
            await index.put(*indexing.document(f"a{number}"))
        await dense(index, indexing.document("a2")[2].vectors[3])
        (second,) = folder.iterdir()
        assert second != first
        for number in range(1, 8):
            await index.delete("kb", f"a{number}")
        assert {name for name, _ in await dense(index, indexing.document("a0")[2].vectors[0], 50)} == {"a0"}
        assert await index.drop("kb")
    assert list(folder.iterdir()) == []


async def test_damaged_vectors_are_told_in_one_line(tmp_path):
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        await index.put(*indexing.document("a"))
    with closing(sqlite3.connect(tmp_path / "knowledge.db")) as database, database:
        database.execute("UPDATE vectors SET vectors = substr(vectors, 1, 7)")
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        with pytest.raises(StorageError, match="vectors that the database holds are damaged"):
            await dense(index, indexing.document("a")[2].vectors[0])


@pytest.mark.parametrize("damage", ["cut", "other", "empty", "gone"])
async def test_damaged_matrix_file_is_made_again(tmp_path, monkeypatch, damage):
    monkeypatch.setattr(matrix, "_TAIL_ROWS", 8)
    asked = indexing.document("a2")[2].vectors[3]
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        for number in range(4):
            await index.put(*indexing.document(f"a{number}"))
        first = await dense(index, asked)
    (file,) = (tmp_path / "knowledge.db.vectors").iterdir()
    data = file.read_bytes()
    file.write_bytes({"cut": data[:-7], "other": b"x" * len(data), "empty": b"", "gone": b""}[damage])
    if damage == "gone":
        file.unlink()
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        assert await dense(index, asked) == first


async def test_database_put_back_from_a_copy_does_not_use_the_newer_matrix(tmp_path, monkeypatch):
    monkeypatch.setattr(matrix, "_TAIL_ROWS", 8)
    path = tmp_path / "knowledge.db"
    async with open_index(path, ANALYSER) as index:
        await index.put(*indexing.document("a0"))
    shutil.copy(path, tmp_path / "copy.db")
    async with open_index(path, ANALYSER) as index:
        for number in range(1, 4):
            await index.put(*indexing.document(f"a{number}"))
        await dense(index, indexing.document("a1")[2].vectors[0])
    shutil.copy(tmp_path / "copy.db", path)
    async with open_index(path, ANALYSER) as index:
        for number in range(1, 4):
            await index.put(*indexing.document(f"b{number}"))
        assert (await dense(index, indexing.document("b2")[2].vectors[1]))[0] == ("b2", 2)
        assert {name[0] for name, _ in await dense(index, indexing.document("a1")[2].vectors[0], 50)} == {"a", "b"}


async def test_folder_that_cannot_be_written_costs_the_file_only(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(matrix, "_TAIL_ROWS", 2)
    (tmp_path / "knowledge.db.vectors").write_text("a file where the folder should be")
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        await index.put(*indexing.document("a0"))
        assert (await dense(index, indexing.document("a0")[2].vectors[2]))[0] == ("a0", 3)
    assert "searched without a file" in caplog.text


class OtherAnalyser(Analyser):
    name = "others"

    def terms(self, text):
        return Terms(["everything"], [])


async def test_terms_of_another_analyser_are_made_anew(tmp_path, caplog):
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        await index.put(*one("a.md", "水稻种植"))
    async with open_index(tmp_path / "knowledge.db", OtherAnalyser()) as index:
        assert len((await index.search(Question("anything", Within(("kb",))))).hits) == 1
        assert query(tmp_path / "knowledge.db", "SELECT term FROM words_found") == [("everything",)]
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        assert len((await index.search(Question("水稻", Within(("kb",))))).hits) == 1
        assert await index.delete("kb", "a.md")
    assert nothing_left(tmp_path / "knowledge.db")
    assert caplog.text.count("made anew") == 2


async def test_process_of_another_version_writes_no_terms_that_this_one_cannot_find(tmp_path):
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        async with open_index(tmp_path / "knowledge.db", OtherAnalyser()):
            pass
        with pytest.raises(StorageError, match="another version"):
            await index.put(*one("a.md", "水稻种植"))


async def test_cancelled_put_is_written_whole(tmp_path):
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        task = asyncio.create_task(index.put(*indexing.document("a0")))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        assert len(await index.chunks("kb", "a0")) == indexing.CHUNKS


async def test_deleted_text_is_overwritten_in_the_file(tmp_path):
    secret = "青峰工程的预算"
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        await index.put(*one("a.md", f"{secret}。" * 20))
        await index.put(*one("b.md", "别的"))
        await index.delete("kb", "a.md")
    file = sqlite3.connect(tmp_path / "knowledge.db")
    file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    file.close()
    assert secret.encode() not in (tmp_path / "knowledge.db").read_bytes()


TEXTS = st.text(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from("川发改〔2023〕15号GB/T-—.%,'\" 水稻the")), max_size=60
)
STEPS = st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.one_of(st.none(), TEXTS)), max_size=8)


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


@settings(max_examples=40, deadline=None)
@given(TEXTS)
def test_terms_of_a_text_find_it(folder, text):
    async def found():
        async with open_index(folder / "terms.db", ANALYSER) as index:
            await index.put(*one("a.md", text))
            answer = await index.search(Question(text, Within(("kb",))))
            await index.drop("kb")
            return answer

    answer = asyncio.run(found())
    assert bool(answer.hits) == bool(ANALYSER.terms(text).words)
    assert all(idf > 0 for idf in answer.idf.values())


@settings(max_examples=25, deadline=None)
@given(STEPS)
def test_after_any_steps_what_is_kept_is_found_and_what_is_deleted_has_left_nothing(folder, steps):
    path = folder / "steps.db"

    async def walk():
        kept = {}
        async with open_index(path, ANALYSER) as index:
            for name, text in steps:
                if text is None:
                    assert await index.delete("kb", name) == (kept.pop(name, None) is not None)
                elif (await index.put(*one(name, text))).outcome == "twin":
                    kept.pop(name, None)
                else:
                    kept[name] = text
            if kept:
                assert {entry.name for entry in await index.entries("kb")} == set(kept)
            for name, text in kept.items():
                assert [chunk.text for chunk in await index.chunks("kb", name)] == [text]
            for name in kept:
                await index.delete("kb", name)

    asyncio.run(walk())
    assert nothing_left(path)
    assert sound(path)


async def test_many_searches_at_once_agree(tmp_path):
    async with open_index(tmp_path / "knowledge.db", ANALYSER) as index:
        for number in range(4):
            await index.put(*indexing.document(f"a{number}"))
        vector = Embedded("e", np.ones((1, 16), dtype=np.float32))
        found = await asyncio.gather(*(index.search(Question("图书馆", Within(("kb",)), vector)) for _ in range(20)))
    assert len({tuple(hit.chunk.id for hit in one.hits) for one in found}) == 1
