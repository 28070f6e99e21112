"""Run inside of a network namespace of its own: every address there is, is answered by servers in this process.

All of IPv4 and IPv6 is routed to loopback, so whatever a client connects to, public or not, arrives here and is
counted by the address it was meant for. Prints one JSON object: which forms reached something that is not PUBLIC.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpcore2
import httpx2
import yaml

from kaozheng.errors import FetchError, KaozhengError
from kaozheng.providers.clients import guarded_client, operator_client
from kaozheng.providers.fetch import guard
from kaozheng.providers.fetch.fetcher import WebFetcher
from kaozheng.providers.fetch.limits import FetchLimits

PUBLIC = "93.184.216.34"
PORTS = (22, 80, 443, 6379, 8080)
LIMITS = FetchLimits(connect_s=2.0, total_s=4.0)
TABLE = yaml.safe_load(Path(__file__).with_name("forms.yml").read_text("utf-8"))
FORMS = [form for forms in TABLE["refused"].values() for form in forms]
REDIRECTS = TABLE["redirects"]
WAYS = {f"/redirect/{number}": location for number, location in enumerate(REDIRECTS)}
WAYS["/again"] = "http://rebind.example.com/"


class World:
    """Servers on all addresses, and a resolver for the names of the table."""

    def __init__(self) -> None:
        self.reached: list[str] = []
        self.calls: dict[str, int] = {}

    async def serve(self) -> None:
        for port in PORTS:
            for host in ("0.0.0.0", "::"):
                await asyncio.start_server(self._greet, host, port)

    async def resolve(self, name: str, port: int) -> list[str]:
        answers = TABLE["names"].get(name) or (name == "rebind.example.com" and [[PUBLIC], ["127.0.0.1"]])
        if not answers:
            return await guard.resolve(name, port)
        count = self.calls[name] = self.calls.get(name, 0) + 1
        return answers[min(count, len(answers)) - 1]

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, port = writer.get_extra_info("sockname")[:2]
        if host != PUBLIC or port not in LIMITS.ports:
            self.reached.append(f"{host} {port}")
        line = (await reader.readline()).decode("latin-1").split()
        path = line[1] if len(line) > 1 else "/"
        location = WAYS.get(path, "")
        head = f"HTTP/1.1 {302 if location else 200} OK\r\nLocation: {location}\r\nContent-Type: text/plain\r\n"
        body = "Reached.\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode())
        await writer.drain()
        writer.close()

    async def reaching(self, forms: list[str], attempt: Callable[[str], Awaitable[object]]) -> dict[str, list[str]]:
        """The forms with which `attempt` reached something inside; what it answered counts for nothing."""
        found = {}
        first = len(self.reached)
        for form in forms:
            before = len(self.reached)
            try:
                await asyncio.wait_for(attempt(form), 5)
            except (KaozhengError, httpx2.HTTPError, httpx2.InvalidURL, OSError, ValueError, TimeoutError):
                pass
            except (httpcore2.NetworkError, httpcore2.TimeoutException, ExceptionGroup):
                pass
            if len(self.reached) > before:
                found[form] = self.reached[before:]
        await asyncio.sleep(0.2)  # who came and went at once is counted late
        if len(self.reached) - first > sum(map(len, found.values())):
            found["late"] = self.reached[first:]
        return found


async def main() -> dict[str, object]:
    world = World()
    await world.serve()
    backend = guard.GuardedBackend(LIMITS.ports, world.resolve)
    client = guarded_client(LIMITS, backend)
    fetcher = WebFetcher(client, LIMITS)

    async def connect(form: str) -> None:
        """The guard alone, as if nobody had read the URL before."""
        authority = form.partition("//")[2].partition("/")[0].rpartition("@")[2]
        host = authority.strip("[]") if authority.count(":") != 1 else authority.partition(":")[0]
        for port in (80, 443):
            stream = await backend.connect_tcp(host, port, timeout=2.0)
            await stream.aclose()

    async def refused_again() -> str:
        try:
            return (await fetcher.fetch("http://rebind.example.com/again")).text
        except FetchError as error:
            return f"refused: {error}"

    plain = httpx2.AsyncClient(trust_env=False, follow_redirects=True, timeout=2.0)
    async with client, plain, operator_client("http://127.0.0.1:8080/v1") as own:
        here = [f"http://{PUBLIC}/redirect/{number}" for number in range(len(REDIRECTS))]
        return {
            "forms": len(FORMS),
            "redirects": len(REDIRECTS),
            "public": (await fetcher.fetch(f"http://{PUBLIC}/")).text,
            "operator": (await own.get("http://127.0.0.1:8080/v1/models")).text,
            "rebinding": await refused_again(),
            "by fetcher": await world.reaching(FORMS, fetcher.fetch),
            "by client": await world.reaching(FORMS, client.get),
            "by client, following": await world.reaching(here, lambda url: client.get(url, follow_redirects=True)),
            "by guard": await world.reaching(FORMS, connect),
            "by redirect": await world.reaching(here, fetcher.fetch),
            "without a guard": await world.reaching(FORMS, plain.get),
            "without a guard, redirected": await world.reaching(here, plain.get),
        }


if __name__ == "__main__":
    for command in ("link set lo up", "route add local 0.0.0.0/0 dev lo", "-6 route add local ::/0 dev lo"):
        subprocess.run(["ip", *command.split()], check=True)
    json.dump(asyncio.run(main()), sys.stdout)
