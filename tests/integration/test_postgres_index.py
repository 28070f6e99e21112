"""Knowledge bases on PostgreSQL: real processes, what a crash leaves, the same figures as SQLite, secrets."""

import asyncio
import random
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import psycopg
import pytest
import sqlalchemy as sa

from kaozheng.errors import KnowledgeBaseError, MissingExtraError, SettingsError, StorageError
from kaozheng.providers.indexes import postgres_database, postgres_postings
from kaozheng.providers.indexes.opening import open_bases
from kaozheng.providers.indexes.postgres_database import KNOWLEDGE
from kaozheng.providers.indexes.postgres_tables import metadata
from kaozheng.providers.stores import engines
from kaozheng.providers.stores.postgres_schema import shown
from kaozheng.sources.analyser import Analyser, Terms
from kaozheng.sources.chunk import Chunk, chunk_id
from kaozheng.sources.index import Embedded, Entry, Labels, Question, Within

SCRIPT = Path(__file__).with_name("indexing.py")
_spec = spec_from_file_location("indexing", SCRIPT)
indexing = module_from_spec(_spec)
_spec.loader.exec_module(indexing)
ANALYSER = Analyser()
FILLED = ("documents", "chunks", "texts", "vectors", "words", "pairs", "term_counts")


def process(what, address, name, count):
    command = [sys.executable, "-W", "error", str(SCRIPT), what, address, name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def query(address, sql, *values):
    with psycopg.connect(address, options="-csearch_path=knowledge,public") as connection:
        return connection.execute(sql, values).fetchall()


def sizes(address):
    return {table: query(address, f"SELECT count(*) FROM {table}")[0][0] for table in FILLED}


def counts_agree(address):
    """What is counted as it comes and goes is what there is."""
    for reading in ("words", "pairs"):
        counted = f"SELECT lexeme, count(*) FROM {reading}, unnest(terms) GROUP BY lexeme"
        there = query(address, f'{counted} ORDER BY lexeme COLLATE "C"')
        assert there == query(address, "SELECT term, chunks FROM term_counts WHERE reading = %s ORDER BY term", reading)
        assert query(address, f"SELECT count(*), coalesce(sum(length), 0) FROM {reading}") == query(
            address, "SELECT chunks, terms FROM lengths WHERE reading = %s", reading
        )
    return True


def one(name, text, base="kb", **labels):
    chunk = Chunk(chunk_id(name, (), 1, text), name, (), 1, indexing.Span(0, len(text)), indexing.LineRange(1, 1), text)
    return Entry(base, name, text.encode().hex()[:64], labels=Labels(**labels)), [chunk]


def many(count, seed=7):
    """Documents of words that are common, rare or in between, as words are."""
    chance = random.Random(seed)
    words = [f"{chance.choice('县市省国')}{chance.choice('图馆粮食财政水利')}{number}" for number in range(300)]
    for number in range(count):
        said = chance.choices(words, weights=[1 / (place + 1) for place in range(300)], k=chance.randint(5, 80))
        yield one(f"d{number}", "，".join(said), level=chance.choice(["县级", "省级"]))


@pytest.mark.filterwarnings("ignore:Did not recognize type 'vector'")
async def test_migrations_make_the_tables_that_the_code_uses(postgres):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    engine = sa.create_engine(postgres.replace("postgresql:", "postgresql+psycopg:"))
    sa.event.listen(engine, "connect", postgres_database.ROOM.prepare, insert=True)
    with engine.connect() as connection:
        told = {"include_name": lambda name, kind, _: kind != "table" or name != KNOWLEDGE.table}
        assert compare_metadata(MigrationContext.configure(connection, opts=told), metadata) == []
    engine.dispose()


def test_newest_is_the_head_of_the_migrations():
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    stores = Path(postgres_database.__file__).parents[1] / "stores"
    config.set_main_option("script_location", str(stores / "migrations"))
    config.set_main_option("version_locations", str(KNOWLEDGE.versions))
    config.set_main_option("path_separator", "newline")
    assert ScriptDirectory.from_config(config).get_current_head() == KNOWLEDGE.newest


async def test_database_of_a_newer_version_is_refused(postgres):
    with psycopg.connect(postgres) as connection:
        connection.execute("UPDATE knowledge.knowledge_version SET version_num = '9999'")
    with pytest.raises(StorageError, match="newer Kaozheng"):
        async with open_bases(postgres):
            pass


async def test_processes_that_start_at_once_on_an_empty_database_make_it_once(postgres):
    with psycopg.connect(postgres) as connection:
        connection.execute("DROP SCHEMA knowledge CASCADE")

    async def opened():
        async with open_bases(postgres, ANALYSER) as index:
            return await index.bases()

    assert await asyncio.gather(*(opened() for _ in range(4))) == [[]] * 4


def test_two_writers_and_two_readers_lose_nothing(postgres):
    count = 15
    writers = [process("write", postgres, name, count) for name in ("甲", "乙")]
    for writer in writers:
        assert writer.stdout.readline()
    readers = [process("read", postgres, "甲0", 2 * count) for _ in range(2)]
    for started in writers + readers:
        said, errors = started.communicate(timeout=120)
        assert (started.returncode, errors) == (0, ""), (said, errors)
    chunks = 2 * count * indexing.CHUNKS
    assert {key: sizes(postgres)[key] for key in ("documents", "words", "pairs", "vectors")} == {
        "documents": 2 * count, "words": chunks, "pairs": chunks, "vectors": chunks,
    }  # fmt: skip
    assert counts_agree(postgres)


@pytest.mark.parametrize("after", [1, 4])
async def test_killed_writer_leaves_whole_documents_only(postgres, after):
    writer = process("write", postgres, "甲", 10_000)
    acknowledged = [writer.stdout.readline().strip() for _ in range(after)]
    writer.kill()
    acknowledged += writer.communicate()[0].split()
    async with open_bases(postgres, ANALYSER) as index:
        names = {entry.name for entry in await index.entries("kb")}
        assert names >= set(acknowledged)
        for name in names:
            _, chunks, embedded = indexing.document(name)
            assert list(await index.chunks("kb", name)) == chunks
            assert [line.tolist() for line in (await index.vectors("kb", name, "e")).values()] == (
                embedded.vectors.tolist()
            )
        assert (await index.put(*indexing.document("乙"))).outcome == "added"
    assert counts_agree(postgres)


async def test_deleted_documents_leave_nothing(postgres):
    async with open_bases(postgres, ANALYSER) as index:
        for number in range(3):
            await index.put(*indexing.document(f"a{number}"))
        await index.put(*one("b", "它's \\ 'quoted' C:\\temp", base="other"))
        await index.delete("kb", "a0")
        assert counts_agree(postgres)
        await index.drop("kb")
        await index.drop("other")
    assert sizes(postgres) == dict.fromkeys(FILLED, 0)
    assert query(postgres, "SELECT sum(chunks), sum(terms) FROM lengths") == [(0, 0)]
    assert query(postgres, "SELECT count(*) FROM spaces") == [(0,)]


class OtherAnalyser(Analyser):
    name = "others"

    def terms(self, text):
        return Terms(["everything"], [])


async def test_terms_of_another_analyser_are_made_anew(postgres, caplog):
    async with open_bases(postgres, ANALYSER) as index:
        await index.put(*one("a.md", "水稻种植"))
    async with open_bases(postgres, OtherAnalyser()) as index:
        assert len((await index.search(Question("anything", Within(("kb",))))).hits) == 1
        assert query(postgres, "SELECT term FROM term_counts") == [("everything",)]
    async with open_bases(postgres, ANALYSER) as index:
        assert len((await index.search(Question("水稻", Within(("kb",))))).hits) == 1
    assert counts_agree(postgres)
    assert caplog.text.count("made anew") == 2


QUESTIONS = ("县图0 省馆1 县馆299", "市粮17 图馆", "财政 水利", "国食120")


async def both_found(postgres, tmp_path, within, count=80):
    """What both databases find for some questions."""
    found = []
    for address in (tmp_path / "knowledge.db", postgres):
        async with open_bases(address, ANALYSER) as index:
            for number, (entry, chunks) in enumerate(many(count)):
                vectors = np.random.default_rng(number).normal(size=(1, 16)).astype(np.float32)
                await index.put(entry, chunks, Embedded("e", vectors / np.linalg.norm(vectors)))
            asked = Embedded("e", np.eye(1, 16, dtype=np.float32))
            found.append([await index.search(Question(text, within, asked, limit=20)) for text in QUESTIONS])
    return zip(*found, strict=True)


@pytest.mark.parametrize("within", [Within(("kb",)), Within(("kb",), level=("县级",))], ids=["all", "filtered"])
async def test_both_databases_give_the_same_figures(postgres, tmp_path, within):
    for one_found, other in await both_found(postgres, tmp_path, within):
        assert one_found.refused == other.refused == {}
        for leg, same in zip(one_found.legs, other.legs, strict=True):
            assert [ref for ref, _ in leg.hits] == [ref for ref, _ in same.hits]
            assert [score for _, score in leg.hits] == pytest.approx([score for _, score in same.hits], rel=1e-5)
            assert leg.floor == pytest.approx(same.floor, rel=1e-5)
        assert [hit.chunk for hit in one_found.hits] == [hit.chunk for hit in other.hits]
        assert one_found.idf == other.idf


async def test_few_candidates_find_the_best_and_all_where_a_filter_leaves_few(postgres, tmp_path, monkeypatch):
    monkeypatch.setattr(postgres_postings, "_MOST_CANDIDATES", 20)
    for one_found, other in await both_found(postgres, tmp_path, Within(("kb",))):
        assert [hit.chunk for hit in one_found.hits][:3] == [hit.chunk for hit in other.hits][:3]
        assert len(other.legs[0].hits) >= min(20, len(one_found.legs[0].hits))


def test_address_is_shown_without_user_password_and_options():
    url = sa.make_url("postgresql://me:s3cret@db.example:5433/kb?password=s3cret&sslmode=require")
    assert shown(url) == "postgresql://db.example:5433/kb"


async def test_server_that_is_not_there_is_one_line_without_the_password():
    with pytest.raises(StorageError, match="cannot be reached") as raised:
        async with open_bases("postgresql://me:s3cret@127.0.0.1:1/kb"):
            pass
    assert "s3cret" not in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("address", ["postgresql://host:port/kb", "postgresql+nothing:"])
async def test_address_that_is_none_is_refused(address):
    with pytest.raises(SettingsError, match="postgresql://"):
        async with open_bases(address):
            pass


async def test_driver_that_is_not_installed_names_the_extra(monkeypatch):
    monkeypatch.setattr(engines, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"kaozheng\[server\]"):
        async with open_bases("postgresql://localhost/kb"):
            pass


async def test_text_with_a_nul_is_refused_and_leaves_nothing(postgres):
    async with open_bases(postgres, ANALYSER) as index:
        with pytest.raises(KnowledgeBaseError, match="NUL"):
            await index.put(*one("a.md", "水稻\0种植"))
        assert await index.bases() == []


async def test_connection_that_the_server_ended_is_made_again(postgres):
    async with open_bases(postgres, ANALYSER) as index:
        await index.put(*one("a.md", "水稻种植"))
        query(postgres, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
              " AND datname = current_database()")  # fmt: skip
        assert len(await index.entries("kb")) == 1
