"""What a Fetcher promises: a page as text, or a reason within its caps."""

import asyncio
import gzip
import json
import zlib
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import httpcore2
import pytest

from kaozheng.errors import FetchError
from kaozheng.providers.clients import guarded_client
from kaozheng.providers.fetch.fetcher import WebFetcher
from kaozheng.providers.fetch.guard import GuardedBackend
from kaozheng.providers.fetch.limits import FetchLimits
from kaozheng.testing.http import Listener

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SITE = "http://site.example.com"
LIMITS = FetchLimits(size_bytes=100_000, connect_s=1.0, total_s=2.0)
HTML = "text/html; charset=utf-8"


class Detour(httpcore2.AsyncNetworkBackend):
    """The internet, played by one server on loopback: wherever the guard connects to, this is where it ends."""

    def __init__(self, port):
        self.port = port
        self.called = []

    async def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):  # noqa: ASYNC109
        self.called.append(host)
        return await httpcore2.AnyIOBackend().connect_tcp("127.0.0.1", self.port, timeout)


async def public(name, port):
    return ["93.184.216.34"]


@asynccontextmanager
async def site(pages, limits=LIMITS):
    """A fetcher and the requests that arrived. `pages`: path to (status, kind, body, headers) or a coroutine."""
    requests = []

    async def answer(request, connection):
        requests.append(request)
        page = pages[request.path]
        if callable(page):
            return await page(connection)
        status, kind, body, headers = page
        await connection.reply(status, body, kind, headers)
        return True

    listener = Listener(answer)
    port = await listener.start(0)
    try:
        async with guarded_client(limits, GuardedBackend(limits.ports, public, Detour(port))) as client:
            yield WebFetcher(client, limits, lambda: NOW), requests
    finally:
        await listener.stop()


def ok(body, kind=HTML, **headers):
    data = body if isinstance(body, bytes) else body.encode()
    return 200, kind, data, {name.replace("_", "-"): value for name, value in headers.items()}


def to(location, status=302, body=b""):
    return status, "text/plain", body, {"Location": location}


async def fetched(page, path="/page", limits=LIMITS):
    async with site({path: page}, limits) as (fetcher, _):
        return await fetcher.fetch(SITE + path)


async def reason(page, limits=LIMITS):
    with pytest.raises(FetchError) as refusal:
        await fetched(page, limits=limits)
    assert refusal.value.exit_code == 2
    return str(refusal.value)


async def test_page_is_its_main_text():
    page = await fetched(
        ok("<title>标题 &amp; more</title><nav>Home</nav><h1>A</h1><p>第一段。<p>Second.<footer>c</footer>")
    )
    assert (page.title, page.text) == ("标题 & more", "# A\n\n第一段。\n\nSecond.")
    assert (page.url, page.final_url, page.media_type) == (f"{SITE}/page", f"{SITE}/page", "text/html")
    assert page.fetched_at == NOW


@pytest.mark.parametrize(
    "kind", ["text/plain", "text/markdown", "text/x-markdown", "application/json", "application/ld+json"]
)
async def test_other_texts_come_as_they_are(kind):
    page = await fetched(ok('{"a": "<p>一</p>"}\r\n# x\r\n', kind))
    assert page.text == '{"a": "<p>一</p>"}\n# x\n'
    assert page.media_type == kind


async def test_title_of_markdown_is_its_heading():
    assert (await fetched(ok("# The guide\n\nText.\n", "text/markdown"))).title == "The guide"


@pytest.mark.parametrize(
    ("kind", "named"),
    [("application/pdf", "PDF"), ("image/png", "image/png"), ("application/octet-stream", "octet-stream"),
     ("application/zip", "zip"), ("text/event-stream", "event-stream"), ("", "not given")],
)  # fmt: skip
async def test_other_types_are_refused_by_name(kind, named):
    assert named in await reason(ok("%PDF-1.7", kind))


async def test_binary_data_behind_the_name_of_a_text_is_refused():
    assert "binary" in await reason(ok(bytes(range(256)) * 20, "text/plain"))


@pytest.mark.parametrize("status", [201, 204, 206, 304, 400, 401, 403, 404, 410, 429, 500, 503])
async def test_status_is_told(status):
    assert str(status) in await reason((status, HTML, b"", {}))


@pytest.mark.parametrize("body", ["", " \n", "<nav>only</nav>", "<script>x()</script>"])
async def test_page_without_text_is_no_page(body):
    assert "no text" in await reason(ok(body))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("<p>你好，世界".encode("gb18030"), "text/html; charset=gb2312"),
        ("<p>你好，世界".encode("gb18030"), "text/html; charset=GBK"),
        (b"<meta charset=gb2312>" + "<p>你好，世界".encode("gb18030"), "text/html"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=big5">' + "<p>你好".encode("big5"), "text/html"),
        ("<p>你好，世界".encode("utf-8-sig"), "text/html"),
        ("<p>你好，世界".encode(), "text/html; charset=iso-8859-99"),
        ("<p>你好，世界".encode(), "text/html; charset=unicode_escape"),
        ("<p>你好，世界".encode(), "text/html; charset=zlib_codec"),
        ("<p>你好，世界".encode(), "text/html; charset=ascii"),
    ],
)  # fmt: skip
async def test_encoding_is_that_of_the_answer_the_page_or_the_bytes(body, kind):
    assert (await fetched(ok(body, kind))).text.startswith("你好")


async def test_redirects_are_followed_to_the_final_page():
    pages = {
        "/a": to("/b?x=1", 301), "/b": to("//other.example.com/c", 307), "/c": to(f"{SITE}/d#part", 308),
        "/d": ok("<p>End."),
    }  # fmt: skip
    async with site(pages) as (fetcher, requests):
        page = await fetcher.fetch(f"{SITE}/a")
    assert (page.url, page.final_url, page.text) == (f"{SITE}/a", f"{SITE}/d", "End.")
    assert [request.headers["host"] for request in requests] == ["site.example.com"] * 2 + [
        "other.example.com",
        "site.example.com",
    ]


async def test_five_redirects_are_enough_and_six_too_many():
    pages = {f"/{number}": to(f"/{number + 1}") for number in range(6)}
    async with site({**pages, "/6": ok("<p>End.")}) as (fetcher, requests):
        assert (await fetcher.fetch(f"{SITE}/1")).text == "End."
        requests.clear()
        with pytest.raises(FetchError, match="5 redirects"):
            await fetcher.fetch(f"{SITE}/0")
    assert len(requests) == 6


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1/",
        "//localhost/",
        "http://[::1]/",
        "file:///etc/passwd",
        "http://a.example.com:22/",
        "http://2130706433/",
    ],
)
async def test_redirect_to_the_inside_is_refused_before_any_connection(location):
    async with site({"/a": to(location)}) as (fetcher, requests):
        with pytest.raises(FetchError, match="redirects to where nothing is fetched"):
            await fetcher.fetch(f"{SITE}/a")
    assert len(requests) == 1


async def test_body_of_a_redirect_is_not_read():
    async with site({"/a": to("/b", body=b"x" * 3_000_000), "/b": ok("<p>End.")}) as (fetcher, _):
        assert (await fetcher.fetch(f"{SITE}/a")).text == "End."


async def test_length_that_is_told_is_refused_at_once():
    assert "larger than 100,000 bytes" in await reason(ok("x" * 100_001, "text/plain"))


async def test_length_that_is_not_told_is_counted():
    sent = 0

    async def endless(connection):
        nonlocal sent
        await connection._head(200, {"Content-Type": "text/plain", "Transfer-Encoding": "chunked"})
        while not connection.gone and sent < 50_000_000:
            await connection.chunk(b"x" * 10_000)
            sent += 10_000
        return False

    assert "larger than" in await reason(endless)
    assert sent < 50_000_000


@pytest.mark.parametrize("packing", ["gzip", "deflate"])
async def test_packed_page_is_unpacked(packing):
    pack = gzip.compress if packing == "gzip" else zlib.compress
    assert (await fetched(ok(pack("<p>你好。".encode()), Content_Encoding=packing))).text == "你好。"


@pytest.mark.parametrize("packing", ["gzip", "deflate"])
async def test_bomb_ends_at_the_cap(packing):
    import tracemalloc

    pack = gzip.compress if packing == "gzip" else zlib.compress
    bomb = pack(b"\0" * 60_000_000)
    assert len(bomb) < LIMITS.size_bytes
    tracemalloc.start()
    try:
        assert "larger than" in await reason(ok(bomb, "text/plain", Content_Encoding=packing))
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("packing", ["br", "zstd", "gzip, gzip", "compress", "x"])
async def test_packing_that_was_not_asked_for_is_refused(packing):
    assert "packed as" in await reason(ok(gzip.compress(b"x"), "text/plain", Content_Encoding=packing))


async def test_broken_packing_is_a_reason():
    assert "did not come" in await reason(ok(b"no gzip at all", "text/plain", Content_Encoding="gzip"))


async def test_slow_drip_ends_with_the_whole_time():
    async def drip(connection):
        await connection._head(200, {"Content-Type": "text/plain", "Transfer-Encoding": "chunked"})
        while not connection.gone:
            await connection.chunk(b"x")
            await asyncio.sleep(0.01)
        return False

    limits = FetchLimits(total_s=0.2)
    began = asyncio.get_running_loop().time()
    assert "in time" in await reason(drip, limits)
    assert asyncio.get_running_loop().time() - began < 1.5


async def test_silence_ends_with_the_whole_time():
    async def silent(connection):
        await asyncio.sleep(5)
        return False

    assert "in time" in await reason(silent, FetchLimits(total_s=0.1))


async def test_hanging_up_is_a_reason():
    async def gone(connection):
        return False

    assert "did not come" in await reason(gone)


async def test_cancelling_is_not_swallowed():
    arrived = asyncio.Event()

    async def silent(connection):
        arrived.set()
        await asyncio.sleep(5)
        return False

    async with site({"/page": silent}) as (fetcher, _):
        task = asyncio.create_task(fetcher.fetch(f"{SITE}/page"))
        await arrived.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_nothing_is_carried_from_page_to_page():
    pages = {"/a": ok("<p>A", Set_Cookie="secret=1; Path=/"), "/b": to("/a"), "/c": ok("<p>C")}
    async with site(pages) as (fetcher, requests):
        for path in ("/a", "/b", "/c"):
            await fetcher.fetch(SITE + path)
    sent = json.dumps([request.headers for request in requests])
    assert "cookie" not in sent
    assert "referer" not in sent
    assert "authorization" not in sent


async def test_reason_holds_no_query_and_no_password():
    async with site({"/page": (404, HTML, b"", {})}) as (fetcher, _):
        for url in (f"{SITE}/page?token=hush", "http://user:hush@site.example.com/"):
            with pytest.raises(FetchError) as refusal:
                await fetcher.fetch(url)
            assert "hush" not in str(refusal.value)


async def test_tls_asks_for_the_name_though_the_connection_goes_to_the_address():
    heard = []

    async def greet(reader, writer):
        heard.append(await reader.read(4096))
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    detour = Detour(server.sockets[0].getsockname()[1])
    async with server, guarded_client(LIMITS, GuardedBackend(LIMITS.ports, public, detour)) as client:
        with pytest.raises(FetchError, match="did not come"):
            await WebFetcher(client, LIMITS).fetch("https://site.example.com/")
    assert detour.called == ["93.184.216.34"]
    assert b"site.example.com" in heard[0]
