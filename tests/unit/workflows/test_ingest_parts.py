"""What an ingest is made of: work ahead in order, files that are gone, names that are meant."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kaozheng.errors import KnowledgeBaseError
from kaozheng.sources.files import FoundFile, Listing
from kaozheng.workflows.ingest.ahead import in_order
from kaozheng.workflows.ingest.removing import meant
from kaozheng.workflows.ingest.request import gone


@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 3), max_size=12), st.integers(1, 5))
def test_results_come_in_the_order_of_the_things_and_no_more_run_at_once(turns, at_once):
    running = most = 0

    async def work(thing):
        nonlocal running, most
        running += 1
        most = max(most, running)
        for _ in range(thing[1]):
            await asyncio.sleep(0)
        running -= 1
        return thing[0]

    async def all_of_them():
        return [one async for one in in_order(enumerate(turns), work, at_once)]

    assert asyncio.run(all_of_them()) == list(range(len(turns)))
    assert most <= at_once


async def test_work_is_cancelled_when_nobody_waits_for_it():
    ended = []

    async def work(number):
        try:
            await asyncio.sleep(0 if number == 0 else 60)
        finally:
            ended.append(number)

    results = in_order(range(10), work, 3)
    assert await anext(results) is None
    await results.aclose()
    assert sorted(ended) == [0, 1, 2]


async def test_failure_of_one_ends_the_others():
    ended = []

    async def work(number):
        if number == 1:
            raise ValueError(number)
        try:
            await asyncio.sleep(0 if number == 0 else 60)
        finally:
            ended.append(number)

    with pytest.raises(ValueError, match="1"):
        async for _ in in_order(range(3), work, 3):
            pass
    assert sorted(ended) == [0, 2]


def listing(folder, *names, closed=()):
    files = [FoundFile(name, Path(name)) for name in names]
    return Listing(folder, files + [FoundFile(name, Path(name), "no permission to read it") for name in closed])


def test_what_a_folder_does_not_have_any_more_is_gone():
    names = ["/n/a.md", "/n/b.md", "/n/deep/c.md", "/nn/d.md", "https://example.org/n"]
    assert gone([listing("/n", "/n/a.md")], names) == ["/n/b.md", "/n/deep/c.md"]
    assert gone([listing("/", "/n/a.md")], names) == ["/n/b.md", "/n/deep/c.md", "/nn/d.md"]
    assert gone([listing("/n", "/n/a.md"), listing("/n/deep", "/n/deep/x.md")], names) == ["/n/b.md", "/n/deep/c.md"]


def test_below_what_could_not_be_looked_into_nothing_is_gone():
    names = ["/n/closed/a.md", "/n/closed.md", "/n/link.md"]
    assert gone([listing("/n", "/n/b.md", closed=("/n/closed", "/n/link.md"))], names) == ["/n/closed.md"]


NAMES = ["/n/a.md", "/n/deep/a.md", "/n/deep/b.md", "/n/deeper/c.md", "https://example.org/page", "甲.md"]


@pytest.mark.parametrize(
    ("given_name", "place", "wanted"),
    [
        ("/n/a.md", "/n/a.md", ["/n/a.md"]),
        ("a.md", "/n/a.md", ["/n/a.md"]),
        ("b.md", "/elsewhere/b.md", ["/n/deep/b.md"]),
        ("deep", "/n/deep", ["/n/deep/a.md", "/n/deep/b.md"]),
        ("deep/a.md", "/elsewhere/deep/a.md", ["/n/deep/a.md"]),
        ("https://example.org/page", "/n/https:/example.org/page", ["https://example.org/page"]),
        ("甲.md", "/n/甲.md", ["甲.md"]),
    ],
)
def test_document_is_meant_by_name_place_folder_or_end(given_name, place, wanted):
    assert meant("kb", NAMES, given_name, place) == wanted


@pytest.mark.parametrize(
    ("given_name", "says"),
    [("a.md", "2 documents a.md"), ("c.mdx", "did you mean /n/deeper/c.md?"), (".md", "no document .md"), ("x", "x$")],
)
def test_name_that_means_none_or_several_is_refused(given_name, says):
    with pytest.raises(KnowledgeBaseError, match=says.replace("?", r"\?")):
        meant("kb", NAMES, given_name, f"/elsewhere/{given_name}")
