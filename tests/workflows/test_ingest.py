"""Documents into a base: what is unchanged, replaced, a twin, empty or broken, and what a failure leaves."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kaozheng.errors import InputError, KnowledgeBaseError, ModelRefusedError, ModelUnavailableError, SourceError
from kaozheng.providers.indexes.opening import open_bases
from kaozheng.providers.readers.folder_files import open_files
from kaozheng.sources.analyser import Analyser
from kaozheng.sources.asking import question_of
from kaozheng.sources.fetching import Page
from kaozheng.sources.files import Upload
from kaozheng.sources.index import Entry, Labels, Within
from kaozheng.sources.twins import documents_of
from kaozheng.testing.memory_index import MemoryIndex
from kaozheng.testing.memory_vectors import HashedEmbedder, MemoryVectors
from kaozheng.testing.scripted_fetcher import ScriptedFetcher
from kaozheng.workflows.ingest.examining import MOST_CHARACTERS
from kaozheng.workflows.ingest.holdings import open_holdings
from kaozheng.workflows.ingest.ingest import IngestPorts, ingest
from kaozheng.workflows.ingest.request import IngestRequest

TEXT = "# 图书馆\n\n县图书馆有 12 台自助借还机。\n\n## 开放\n\n每天 9 点开放。\n"


ANALYSER = Analyser()  # its dictionary takes a moment


@pytest.fixture(params=["memory", "sqlite", "postgres"])
async def index(request, tmp_path):
    if request.param == "memory":
        yield MemoryIndex(ANALYSER)
        return
    place = tmp_path / "knowledge.db" if request.param == "sqlite" else request.getfixturevalue("postgres")
    async with open_bases(place, ANALYSER) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "notes"
    made.mkdir()
    return made


async def add(index, *paths, embedder=None, pages=None, on_progress=None, shelf=None, **options):
    request = IngestRequest("kb", tuple(paths), **options)
    async with open_files() as files:
        ports = IngestPorts(index, files, ScriptedFetcher(pages or {}), shelf or MemoryVectors(), embedder)
        return await ingest(request, ports, on_progress)


def told(report):
    return {Path(one.name).name: one.status for one in report.outcomes}


async def found(index, text, embedder=None):
    hits = (await index.search(await question_of(text, Within(("kb",)), embedder))).hits
    return [Path(hit.entry.name).name for hit in hits]


async def documents(index):
    return documents_of(await index.entries("kb"))


def write(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


async def test_folder_goes_in_and_again_nothing_is_done(index, folder):
    write(folder, a=TEXT, b="别的话，讲水稻。")
    embedder = HashedEmbedder()
    first = await add(index, folder, embedder=embedder)
    assert told(first) == {"a.md": "added", "b.md": "added"}
    assert (first.chunks, first.embedded, first.exit_code) == (3, 3, 0)
    again = await add(index, folder, embedder=embedder)
    assert told(again) == {"a.md": "unchanged", "b.md": "unchanged"}
    assert (again.embedded, len(embedder.embedded)) == (0, 3)
    assert await found(index, "水稻", embedder) == ["b.md", "a.md", "a.md"]


async def test_documents_are_named_by_where_they_lie(index, folder, tmp_path):
    write(folder, a=TEXT)
    other = tmp_path / "other"
    other.mkdir()
    write(other, a="同名，另一份。")
    await add(index, folder, other / "a.md")
    names = [document.entry.name for document in await documents(index)]
    assert names == sorted([str(folder / "a.md"), str(other / "a.md")])


async def test_only_changed_chunks_are_embedded_again(index, folder):
    write(folder, a=TEXT)
    embedder = HashedEmbedder()
    await add(index, folder, embedder=embedder)
    before = await index.chunks("kb", str(folder / "a.md"))
    write(folder, a=TEXT.replace("9 点", "10 点"))
    report = await add(index, folder, embedder=embedder)
    assert told(report) == {"a.md": "replaced"}
    assert (report.embedded, report.reused) == (1, 1)
    after = await index.chunks("kb", str(folder / "a.md"))
    assert after[0].id == before[0].id
    assert "9 点" not in "".join(chunk.text for chunk in after)


async def test_twin_is_listed_and_its_text_kept_once(index, folder):
    write(folder, a=TEXT, b=TEXT)
    report = await add(index, folder)
    assert told(report) == {"a.md": "added", "b.md": "duplicate"}
    assert report.outcomes[1].duplicate_of == str(folder / "a.md")
    one, twin = await documents(index)
    assert (twin.duplicate_of, twin.entry.title, twin.entry.sha256) == (one.entry.name, "图书馆", one.entry.sha256)
    assert await found(index, "自助借还机") == ["a.md"]
    assert told(await add(index, folder)) == {"a.md": "unchanged", "b.md": "duplicate"}


@pytest.mark.parametrize("embedder", [None, HashedEmbedder()], ids=["words", "embedded"])
async def test_twin_gets_the_text_when_its_document_goes(index, folder, embedder):
    write(folder, a=TEXT, b=TEXT, c=TEXT)
    await add(index, folder, embedder=embedder)
    holdings = await open_holdings(index, "kb")
    outcome = await holdings.remove(str(folder / "a.md"))
    assert str(folder / "b.md") in outcome.reason
    assert {Path(one.entry.name).name: Path(one.duplicate_of).name for one in await documents(index)} == {
        "b.md": "",
        "c.md": "b.md",
    }
    assert set(await found(index, "自助借还机", embedder)) == {"b.md"}
    (folder / "a.md").unlink()
    asked = len(embedder.embedded) if embedder else 0
    again = await add(index, folder, embedder=embedder)
    assert told(again) == {"b.md": "unchanged", "c.md": "duplicate"}
    assert len(embedder.embedded if embedder else ()) == asked


async def test_twin_gets_the_text_when_its_document_changes(index, folder):
    write(folder, a=TEXT, b=TEXT)
    await add(index, folder)
    write(folder, a="讲水稻。")
    assert told(await add(index, folder / "a.md")) == {"a.md": "replaced"}
    assert set(await found(index, "自助借还机")) == {"b.md"}
    assert await found(index, "水稻") == ["a.md"]


async def test_document_that_moved_is_pruned_and_stays_found(index, folder):
    write(folder, a=TEXT)
    embedder = HashedEmbedder()
    await add(index, folder, embedder=embedder)
    (folder / "a.md").rename(folder / "z.md")
    report = await add(index, folder, embedder=embedder, prune=True)
    assert told(report) == {"z.md": "unchanged", "a.md": "removed"}
    assert report.embedded == 0
    assert set(await found(index, "自助借还机", embedder)) == {"z.md"}
    assert told(await add(index, folder, embedder=embedder)) == {"z.md": "unchanged"}


async def test_prune_takes_only_what_is_gone_from_its_folders(index, folder, tmp_path):
    write(folder, a=TEXT, b="讲水稻。")
    write(tmp_path, outside="讲小麦。")
    await add(index, folder, tmp_path / "outside.md")
    (folder / "a.md").unlink()
    (tmp_path / "outside.md").unlink()
    assert told(await add(index, folder)) == {"b.md": "unchanged"}
    assert told(await add(index, folder, prune=True)) == {"b.md": "unchanged", "a.md": "removed"}
    assert {Path(one.entry.name).name for one in await documents(index)} == {"b.md", "outside.md"}


async def test_empty_folder_prunes_nothing(index, folder):
    write(folder, a=TEXT)
    await add(index, folder)
    (folder / "a.md").unlink()
    with pytest.raises(SourceError, match="no file"):
        await add(index, folder, prune=True)
    assert len(await documents(index)) == 1


async def test_bad_file_is_one_line_and_the_rest_goes_in(index, folder):
    write(folder, a=TEXT, empty=" \n")
    (folder / "broken.docx").write_bytes(b"PK\x03\x04 not a zip")
    (folder / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0")
    (folder / "photo.png").write_bytes(b"\x89PNG")
    report = await add(index, folder)
    expected = {"a.md": "added", "broken.docx": "failed", "old.doc": "failed", "photo.png": "skipped"}
    assert told(report) == {**expected, "empty.md": "empty"}
    assert all(one.reason for one in report.outcomes if one.status != "added")
    assert report.exit_code == 1


async def test_document_too_long_to_be_cut_within_memory_is_one_line(index, folder):
    write(folder, a=TEXT, endless="a b c\n" * (MOST_CHARACTERS // 6 + 1))
    report = await add(index, folder)
    assert told(report) == {"a.md": "added", "endless.md": "failed"}
    assert "6,000,000" in next(one.reason for one in report.outcomes if one.status == "failed")


async def test_document_is_added_with_chunks_or_not_at_all(index, folder):
    write(folder, words=TEXT, none="---\ntitle: x\n---\n", signs="***\n")
    report = await add(index, folder)
    for one in report.outcomes:
        chunks = await index.chunks("kb", one.name)
        assert (one.status in ("added", "replaced")) == bool(chunks) == bool(one.chunks), one


async def test_document_that_became_empty_leaves_nothing(index, folder):
    write(folder, a=TEXT, b=TEXT)
    await add(index, folder)
    write(folder, a="")
    assert told(await add(index, folder)) == {"a.md": "empty", "b.md": "unchanged"}
    assert set(await found(index, "自助借还机")) == {"b.md"}


async def test_document_that_became_unreadable_keeps_its_earlier_version(index, folder):
    write(folder, a=TEXT)
    await add(index, folder)
    (folder / "a.md").write_bytes(b"\x00\x01\x02" * 100)
    (outcome,) = (await add(index, folder)).outcomes
    assert (outcome.status, "earlier version stays" in outcome.reason) == ("failed", True)
    assert await found(index, "自助借还机")


async def test_missing_path_stops_before_anything_is_done(index, folder):
    write(folder, a=TEXT)
    with pytest.raises(SourceError, match="no such file"):
        await add(index, folder, folder / "missing.md")
    assert await index.bases() == []


async def test_labels_are_said_or_stand_in_the_front_matter_or_stay(index, folder):
    write(folder, a=f"---\ndomain: 工业\ntype: 统计公报\nperiod: 2023\nlevel: [1]\n---\n{TEXT}", b="讲水稻。")
    await add(index, folder, labels={"level": "县级"})
    one, other = (document.entry.labels for document in await documents(index))
    assert one == Labels("工业", "统计公报", "2023", "县级")
    assert other == Labels(level="县级")
    assert told(await add(index, folder)) == {"a.md": "unchanged", "b.md": "unchanged"}
    assert told(await add(index, folder, labels={"level": "省级"})) == {"a.md": "replaced", "b.md": "replaced"}
    write(folder, b="讲小麦。")
    await add(index, folder)
    assert [document.entry.labels.level for document in await documents(index)] == ["省级", "省级"]
    await add(index, folder, labels={"level": ""})
    assert [document.entry.labels.level for document in await documents(index)] == ["", ""]


async def test_unchanged_documents_are_read_again_by_force(index, folder):
    write(folder, a=TEXT, b=TEXT)
    await add(index, folder)
    before = await index.bases()
    assert told(await add(index, folder, force=True)) == {"a.md": "unchanged", "b.md": "duplicate"}
    assert await index.bases() == before


async def test_changed_labels_embed_nothing(index, folder):
    write(folder, a=TEXT)
    embedder = HashedEmbedder()
    await add(index, folder, embedder=embedder)
    report = await add(index, folder, embedder=embedder, labels={"domain": "文化"})
    assert (told(report), report.embedded) == ({"a.md": "replaced"}, 0)


async def test_page_goes_in_under_its_address(index):
    url = "https://example.org/a"
    report = await add(index, urls=(url,), pages={url: "# 页\n\n讲水稻。"})
    assert [(one.name, one.status) for one in report.outcomes] == [(url, "added")]
    assert (await add(index, urls=(url,), pages={url: "# 页\n\n讲水稻。"})).counts == {"unchanged": 1}
    failed = await add(index, urls=("https://example.org/b",))
    assert (failed.counts, failed.exit_code) == ({"failed": 1}, 1)


async def test_page_is_named_by_its_title(index):
    url = "https://example.org/a"
    page = Page(url, url, "县志 | 水稻", "讲水稻。", "text/html", datetime(2026, 1, 1, tzinfo=UTC))
    await add(index, urls=(url,), pages={url: page})
    (document,) = await documents(index)
    assert document.entry.title == "县志 | 水稻"
    (chunk,) = await index.chunks("kb", url)
    assert (chunk.text, chunk.lines.start) == ("讲水稻。", 3)


async def test_long_document_tells_how_far_its_embedding_is(index, folder):
    write(folder, a="# 长\n\n" + "\n\n".join(f"## {n}\n\n第 {n} 节。" for n in range(150)))
    seen = []
    await add(index, folder, embedder=HashedEmbedder(), on_progress=seen.append)
    assert [(one.embedded, bool(one.latest)) for one in seen] == [(64, False), (128, False), (150, False), (150, True)]


async def test_long_document_that_was_broken_off_asks_for_no_batch_twice(index, folder):
    write(folder, a="# 长\n\n" + "\n\n".join(f"## {n}\n\n第 {n} 节。" for n in range(150)), b="讲水稻。")
    shelf, embedder = MemoryVectors(), Failing("第 140 节", ModelRefusedError("no"))
    with pytest.raises(ModelRefusedError):
        await add(index, folder, embedder=embedder, shelf=shelf)
    assert len(embedder.embedded) == 128
    assert not any("第 1 节" in text for key in shelf.kept for text in shelf.kept[key].texts)
    healthy = HashedEmbedder()
    report = await add(index, folder, embedder=healthy, shelf=shelf)
    assert (report.embedded, len(healthy.embedded), shelf.kept) == (23, 23, {})
    assert (await found(index, "第 77 节", healthy))[0] == "a.md"
    fresh = MemoryIndex(ANALYSER)
    await add(fresh, folder, embedder=HashedEmbedder())
    name = str(folder / "a.md")
    ours, theirs = [await one.vectors("kb", name, "hashed") for one in (index, fresh)]
    assert ours.keys() == theirs.keys()
    assert all((ours[text] == theirs[text]).all() for text in ours)


async def test_handed_over_bytes_go_in_under_their_name(index):
    report = await add(index, uploads=(Upload("甲.md", TEXT.encode()), Upload("乙.csv", "科目,数\n甲,1\n".encode())))
    assert told(report) == {"甲.md": "added", "乙.csv": "added"}


async def test_embedder_of_the_base_is_asked_for_once(index, folder):
    write(folder, a=TEXT)
    await add(index, folder, embedder=HashedEmbedder("one"))
    write(folder, b="讲水稻。")
    for other in (HashedEmbedder("two"), None):
        with pytest.raises(KnowledgeBaseError, match="one"):
            await add(index, folder, embedder=other)


class Failing(HashedEmbedder):
    """Fails for texts that hold a word."""

    def __init__(self, word, error):
        super().__init__()
        self.word, self.error = word, error

    async def embed(self, texts, kind):
        if any(self.word in text for text in texts):
            raise self.error
        return await super().embed(texts, kind)


async def test_text_that_the_embedder_fails_on_is_one_line(index, folder):
    write(folder, a=TEXT, b="讲毒药。", c="讲水稻。")
    embedder = Failing("毒药", ModelUnavailableError("time-out"))
    report = await add(index, folder, embedder=embedder)
    assert told(report) == {"a.md": "added", "b.md": "failed", "c.md": "added"}


async def test_embedder_that_is_not_to_be_had_ends_the_ingest_and_what_is_in_stays(index, folder):
    write(folder, a="讲水稻。")
    embedder = HashedEmbedder()
    await add(index, folder, embedder=embedder)
    write(folder, **{name: f"讲{name}。" for name in "bcdefg"})
    with pytest.raises(ModelUnavailableError):
        await add(index, folder, embedder=Failing("讲", ModelUnavailableError("down")))
    with pytest.raises(ModelRefusedError):
        await add(index, folder, embedder=Failing("讲", ModelRefusedError("no")))
    assert told(await add(index, folder, embedder=embedder))["a.md"] == "unchanged"


async def test_cancelled_ingest_goes_on_where_it_was(index, folder):
    write(folder, **{f"d{number}": f"# {number}\n\n讲 {number} 号水稻。" for number in range(12)})
    seen = []

    def stop(progress):
        seen.append(progress)
        if progress.done == 5 and progress.latest:
            asyncio.current_task().cancel()

    with pytest.raises(asyncio.CancelledError):
        await add(index, folder, on_progress=stop)
    report = await add(index, folder)
    assert report.counts["unchanged"] >= 5
    assert report.counts["unchanged"] + report.counts["added"] == 12
    assert seen[-1].of == 12


@pytest.mark.parametrize("base", ["", "a b", "a/b", ".x"])
async def test_name_that_no_base_may_have_is_refused_first(index, folder, base):
    write(folder, a=TEXT)
    async with open_files() as files:
        ports = IngestPorts(index, files, ScriptedFetcher({}), MemoryVectors())
        with pytest.raises(KnowledgeBaseError, match="no name for a base"):
            await ingest(IngestRequest(base, (folder,)), ports)


async def test_unknown_label_and_nothing_at_all_are_refused(index, folder):
    write(folder, a=TEXT)
    with pytest.raises(InputError, match="colour"):
        await add(index, folder, labels={"colour": "red"})
    with pytest.raises(InputError, match="nothing"):
        await add(index)


async def test_link_out_of_the_folder_is_not_followed(index, folder, tmp_path):
    write(tmp_path, secret="机密。")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    write(folder, a=TEXT)
    assert told(await add(index, folder)) == {"a.md": "added", "link.md": "skipped"}


async def test_twin_whose_document_another_process_removed_is_read_again(index, folder):
    write(folder, a=TEXT, b=TEXT)
    await add(index, folder)
    await index.delete("kb", str(folder / "a.md"))
    (folder / "a.md").unlink()
    assert told(await add(index, folder))["b.md"] in ("added", "replaced")
    assert set(await found(index, "自助借还机")) == {"b.md"}


async def test_entry_that_only_looks_like_a_twin_is_a_document(index):
    await index.put(Entry("kb", "a", "0" * 64, "甲"), [])
    await index.put(Entry("kb", "b", "1" * 64, "a"), [])
    assert [one.duplicate_of for one in await documents(index)] == ["", ""]


@pytest.mark.parametrize(
    "address", ["http://ann:pass77@a.example/x", "https://pass77@a.example", "HTTP:\\\\a:pass77@b"]
)
async def test_password_in_an_address_is_refused_and_not_repeated(address):
    with pytest.raises(InputError, match="take it out") as refused:
        await add(MemoryIndex(ANALYSER), urls=(address,))
    assert "pass77" not in str(refused.value)


async def test_label_longer_than_any_that_means_something_is_refused(folder):
    (folder / "a.md").write_text(TEXT, encoding="utf-8")
    with pytest.raises(InputError, match="more than 200"):
        await add(MemoryIndex(ANALYSER), folder, labels={"level": "县" * 201})
