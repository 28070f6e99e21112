"""What the guard promises: whatever the spelling, nothing that is not on the public internet is connected to."""

import ipaddress
import json
import shutil
import subprocess
import sys
from pathlib import Path

import httpcore2
import httpx2
import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from kaozheng.errors import FetchError
from kaozheng.providers.clients import guarded_client, operator_client, outside_client
from kaozheng.providers.fetch.addresses import parsed, why_not_public
from kaozheng.providers.fetch.fetcher import WebFetcher
from kaozheng.providers.fetch.guard import GuardedBackend
from kaozheng.providers.fetch.limits import FetchLimits
from kaozheng.providers.fetch.urls import checked_url

HERE = Path(__file__).parent
TABLE = yaml.safe_load((HERE / "forms.yml").read_text("utf-8"))
FORMS = [form for forms in TABLE["refused"].values() for form in forms]
PUBLIC = "93.184.216.34"
LIMITS = FetchLimits(connect_s=2.0, total_s=4.0)


class Network(httpcore2.AsyncNetworkBackend):
    """A network on which nobody answers; it remembers who was called."""

    def __init__(self):
        self.called = []

    async def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):  # noqa: ASYNC109
        self.called.append(host)
        raise httpcore2.ConnectError("nobody is there")


class Resolver:
    """Answers from a table, a list a call and the last for good, and counts the questions."""

    def __init__(self, answers):
        self.answers = answers
        self.asked = []

    async def __call__(self, name, port):
        self.asked.append(name)
        answers = self.answers.get(name)
        if answers is None:
            raise OSError("no such name")
        return answers[min(self.asked.count(name), len(answers)) - 1]


def test_table_is_as_long_as_the_issue_asks():
    assert len(set(FORMS)) == len(FORMS) >= 55


@pytest.mark.parametrize("kind", TABLE["refused"])
async def test_no_spelling_is_connected_to(kind):
    network = Network()
    async with guarded_client(LIMITS, GuardedBackend(LIMITS.ports, Resolver(TABLE["names"]), network)) as client:
        for form in TABLE["refused"][kind]:
            with pytest.raises(FetchError) as refusal:
                await WebFetcher(client, LIMITS).fetch(form)
            assert network.called == ([PUBLIC] if "#" in form else []), form  # what follows # is no part of the host
            assert "password" not in str(refusal.value)
            network.called.clear()


@pytest.mark.parametrize("name", TABLE["names"])
async def test_guard_alone_refuses_names_that_lead_inside(name):
    network = Network()
    with pytest.raises((FetchError, httpcore2.ConnectError)):
        await GuardedBackend(LIMITS.ports, Resolver(TABLE["names"]), network).connect_tcp(name, 80)
    assert network.called == []


async def test_name_is_resolved_once_and_the_checked_address_connected_to():
    network, resolver = Network(), Resolver({"rebind.example.com": [[PUBLIC], ["127.0.0.1"]]})
    backend = GuardedBackend(LIMITS.ports, resolver, network)
    with pytest.raises(httpcore2.ConnectError):
        await backend.connect_tcp("rebind.example.com", 80)
    assert (resolver.asked, network.called) == (["rebind.example.com"], [PUBLIC])
    with pytest.raises(FetchError, match=r"leads to 127\.0\.0\.1"):
        await backend.connect_tcp("rebind.example.com", 80)
    assert network.called == [PUBLIC]


async def test_all_addresses_of_a_name_are_tried_but_not_endlessly():
    network = Network()
    many = [f"93.184.216.{number}" for number in range(1, 50)]
    with pytest.raises(httpcore2.ConnectError):
        await GuardedBackend(LIMITS.ports, Resolver({"many.example.com": [many]}), network).connect_tcp(
            "many.example.com", 443, timeout=1.0
        )
    assert network.called == many[:4]


async def test_one_inside_address_among_many_spoils_the_answer():
    network = Network()
    many = [f"93.184.216.{number}" for number in range(1, 50)] + ["10.0.0.1"]
    with pytest.raises(FetchError, match=r"10\.0\.0\.1"):
        await GuardedBackend(LIMITS.ports, Resolver({"many.example.com": [many]}), network).connect_tcp(
            "many.example.com", 443
        )
    assert network.called == []


async def test_slow_resolver_counts_as_time_to_connect():
    async def never(name, port):
        import asyncio

        await asyncio.sleep(60)
        return []

    with pytest.raises(httpcore2.ConnectTimeout):
        await GuardedBackend(LIMITS.ports, never, Network()).connect_tcp("slow.example.com", 80, timeout=0.02)


async def test_guard_connects_to_no_socket_file():
    with pytest.raises(FetchError):
        await GuardedBackend(LIMITS.ports).connect_unix_socket("/var/run/docker.sock")


async def test_client_itself_checks_every_request_whoever_made_it():
    async with outside_client(LIMITS) as client:
        for url in ("http://127.0.0.1/", "http://user@93.184.216.34/", "http://93.184.216.34:22/", "ftp://a.b/"):
            with pytest.raises((FetchError, httpx2.UnsupportedProtocol)):
                await client.get(url, follow_redirects=True)


async def test_proxies_of_the_environment_are_not_used(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    network = Network()
    async with guarded_client(LIMITS, GuardedBackend(LIMITS.ports, Resolver({}), network)) as client:
        with pytest.raises(httpx2.NetworkError):
            await client.get(f"http://{PUBLIC}/")
    assert network.called == [PUBLIC]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://93.184.216.34", "http://93.184.216.34/"),
        ("HTTPS://Example.COM:443/A?b=C#d", "https://example.com/A?b=C"),
        ("http://example.com.", "http://example.com/"),
        ("https://例子.中国/路径", "https://xn--fsqu00a.xn--fiqs8s/路径"),
        ("https://例子。中国/", "https://xn--fsqu00a.xn--fiqs8s/"),
        ("http://ｅxample.com/", "http://example.com/"),
        ("http://[2606:2800:220:1::1]:80/", "http://[2606:2800:220:1::1]/"),
        ("http://my_host.example.com?x=http://127.0.0.1/", "http://my_host.example.com/?x=http://127.0.0.1/"),
        ("https://1.example.com/@user/100%25", "https://1.example.com/@user/100%25"),
        ("http://[64:ff9b::5db8:d822]/", "http://[64:ff9b::5db8:d822]/"),
    ],
)
def test_public_addresses_have_one_plain_form(text, url):
    assert checked_url(text, LIMITS.ports).url == url
    assert checked_url(url, LIMITS.ports).url == url


def test_other_ports_are_allowed_by_a_setting():
    with pytest.raises(FetchError, match="port 8443"):
        checked_url("https://example.com:8443/", LIMITS.ports)
    assert checked_url("https://example.com:8443/", frozenset({8443})).port == 8443


@pytest.mark.parametrize(
    "address",
    ["1.1.1.1", "8.8.8.8", "172.15.255.255", "172.32.0.0", "100.63.255.255", "100.128.0.0", "192.0.1.0",
     "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111", "2001:200::1", "2003::1"],
)  # fmt: skip
def test_neighbours_of_the_special_ranges_are_public(address):
    assert why_not_public(ipaddress.ip_address(address)) == ""


@pytest.mark.parametrize("address", ["::ffff:8.8.8.8", "64:ff9b::8.8.8.8"])
def test_public_address_inside_of_ipv6_is_judged_by_itself(address):
    assert why_not_public(ipaddress.ip_address(address)) == ""


@given(st.integers(0, 2**32 - 1))
def test_whatever_python_calls_private_is_not_public(number):
    address = ipaddress.IPv4Address(number)
    if address.is_private or address.is_multicast or address.is_reserved:
        assert why_not_public(address)
        assert why_not_public(ipaddress.IPv6Address(f"::ffff:{address}"))


@given(st.integers(0, 2**128 - 1))
@example(int(ipaddress.IPv6Address("::ffff:0:0")))
def test_ipv6_is_public_only_where_it_is_allocated(number):
    address = ipaddress.IPv6Address(number)
    carries = address in ipaddress.IPv6Network("::ffff:0:0/96") or address in ipaddress.IPv6Network("64:ff9b::/96")
    if not carries and not why_not_public(address):
        assert address in ipaddress.IPv6Network("2000::/3")
        assert not address.is_private


@st.composite
def spellings(draw):
    """127.0.0.1 in ways that some resolver, parser or browser reads as such."""
    count = draw(st.integers(1, 4))
    parts = {1: [2130706433], 2: [127, 1], 3: [127, 0, 1], 4: [127, 0, 0, 1]}[count]
    if count == 1 and draw(st.booleans()):
        parts = [2130706433 + draw(st.integers(1, 3)) * 2**32]
    written = []
    for part in parts:
        base = draw(st.sampled_from(["{:d}", "0x{:x}", "0X{:X}", "0{:o}", "000{:o}", "0x0000{:x}"]))
        written.append(base.format(part))
    text = draw(st.sampled_from(".．。｡")).join(written)
    for char in draw(st.sets(st.sampled_from(text), max_size=3)):
        if char.isascii() and char.isdigit():
            wide = draw(st.sampled_from([chr(0xFF10 + int(char)), f"%3{char}", chr(0x1D7CE + int(char))]))
            text = text.replace(char, wide)
    bracketed = draw(st.sampled_from(["{}", "{}.", "{}", "[{}]", "[::ffff:{}]", "[::{}]", "[64:ff9b::{}]"]))
    before = draw(st.sampled_from(["", "user@", "example.com@", "a:b@", "93.184.216.34%00", "\u200b", "\\"]))
    after = draw(st.sampled_from(["", ":80", ":443", "#@example.com", "?@example.com", "\\@example.com", "\u00ad"]))
    return f"{draw(st.sampled_from(['http', 'https', 'HTTP']))}://{before}{bracketed.format(text)}{after}/"


@given(spellings())
def test_random_spellings_of_loopback_are_refused_before_any_lookup(form):
    with pytest.raises(FetchError):
        checked_url(form, LIMITS.ports)


@given(st.text(max_size=60), st.text(max_size=20))
def test_any_text_is_a_plain_target_or_refused(authority, path):
    try:
        target = checked_url(f"http://{authority}/{path}", LIMITS.ports)
    except FetchError:
        return
    assert target.host.isascii()
    assert not why_not_public(address) if (address := parsed(target.host)) else "." in target.host
    assert httpx2.URL(target.url).raw_host.decode() == target.host, "two parsers must read one host"


async def test_operator_client_still_reaches_loopback():
    from kaozheng.testing.server import ScriptedServer

    async with ScriptedServer() as server, operator_client(server.base_url) as client:
        assert (await client.get(f"{server.base_url}/models")).status_code in (200, 404)


def _namespace():
    """The command that makes a network of one's own, or why there is none."""
    if sys.platform != "linux" or not shutil.which("unshare") or not shutil.which("ip"):
        return None, "needs Linux with unshare and ip"
    for command in (["unshare", "-n"], ["unshare", "-rn"]):
        tried = subprocess.run([*command, "ip", "link", "set", "lo", "up"], capture_output=True, text=True, timeout=10)
        if tried.returncode == 0:
            return command, ""
    return None, f"no network namespace: {tried.stderr.strip()}"


@pytest.fixture(scope="module")
def world():
    """What happened in a network where every address answers."""
    command, reason = _namespace()
    if command is None:
        pytest.skip(reason)
    done = subprocess.run(
        [*command, sys.executable, str(HERE / "in_namespace.py")], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_public_address_and_operator_address_are_reached(world):
    assert world["public"] == world["operator"] == "Reached.\n"


@pytest.mark.parametrize("way", ["by fetcher", "by client", "by guard", "by redirect", "by client, following"])
def test_nothing_inside_is_reached_where_every_address_answers(world, way):
    assert world["forms"] >= 55
    assert world[way] == {}


def test_table_bites_without_the_guard(world):
    assert len(world["without a guard"]) >= 40
    assert len(world["without a guard, redirected"]) >= 5


def test_rebinding_between_two_hops_is_refused(world):
    assert world["rebinding"].startswith("refused: rebind.example.com leads to 127.0.0.1")
