"""From the text of an address to a URL with one reading only: what could be read in two ways is refused.

Two parsers that disagree about a host (one checks, one connects) are how guards are passed by. So the text is read
strictly, once, and everything later works with the plain form made here.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import urljoin

from kaozheng.errors import FetchError
from kaozheng.providers.fetch.addresses import parsed, why_not_public

LONGEST_URL = 2_000
_URL = re.compile(r"(https?)://([^/?#]*)([^#]*)(?:#.*)?", re.IGNORECASE | re.DOTALL)
_AUTHORITY = re.compile(r"(\[[0-9a-f]*:[0-9a-f:.]*\]|[^:\[\]]+)(?::([0-9]{1,5}))?", re.ASCII | re.IGNORECASE)
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?", re.ASCII)
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII)
_PORTS = {"http": 80, "https": 443}
_LOCAL_ENDINGS = (
    "localhost", "localdomain", "local", "internal", "intranet", "lan", "home", "corp", "private", "arpa", "test",
    "onion", "alt",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Target:
    """A checked URL. `host` is a plain name or a public IP address (IPv6 without brackets); `url` spells it all out:
    lower-case scheme and host, the port only where it is not the scheme's own, no fragment."""

    scheme: str
    host: str
    port: int
    url: str


def checked_url(text: str, ports: frozenset[int]) -> Target:
    """The one reading of `text`. Raises FetchError, saying what is wrong with it; never with a password in it."""
    if len(text) > LONGEST_URL:
        raise FetchError(f"the address is longer than {LONGEST_URL:,} characters")
    _check_characters(text)
    split = _URL.fullmatch(text)
    if not split:
        raise FetchError("the address does not begin with http:// or https://")
    scheme, authority, rest = split[1].lower(), split[2], split[3]
    if "@" in authority:
        raise FetchError("the address holds a user name: give it without")
    if "%" in authority:
        raise FetchError("the host is written with percent signs")
    place = _AUTHORITY.fullmatch(authority)
    if not place:
        raise FetchError("the address has no host that can be read")
    host = checked_host(place[1].removeprefix("[").removesuffix("]"))
    port = int(place[2]) if place[2] else _PORTS[scheme]
    check_port(port, ports)
    written = f"[{host}]" if ":" in host else host
    suffix = "" if port == _PORTS[scheme] else f":{port}"
    path = rest if rest.startswith("/") else f"/{rest}"
    return Target(scheme, host, port, f"{scheme}://{written}{suffix}{path}")


def joined(base: Target, reference: str, ports: frozenset[int]) -> Target:
    """Where a redirect from `base` leads. Raises FetchError as `checked_url` does."""
    _check_characters(reference)  # before joining, which would quietly drop some of them
    try:
        return checked_url(urljoin(base.url, reference), ports)
    except ValueError:
        raise FetchError("the redirect's address cannot be read") from None


def checked_host(host: str) -> str:
    """The plain form of a host: lower case, without the last dot, foreign names in their ASCII form. Raises
    FetchError for other spellings of numbers, names of local networks and addresses that are not public."""
    address = parsed(host)
    if address is None:
        name = _ascii(host.lower()).removesuffix(".")
        address = parsed(name)
        if address is None:
            _check_name(name)
            return name
        if not host.isascii():
            raise FetchError(f"the host is {address} in an odd spelling")
    if why := why_not_public(address):
        raise FetchError(f"{address} is not on the public internet ({why})")
    return str(address)


def check_port(port: int, ports: frozenset[int]) -> None:
    """Raises FetchError for a port that is not among `ports`."""
    if port not in ports:
        raise FetchError(f"port {port} is not allowed ({', '.join(map(str, sorted(ports)))})")


def _check_name(name: str) -> None:
    labels = name.split(".")
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise FetchError("the host is no name that can be looked up")
    if _NUMBER.fullmatch(labels[-1]):
        raise FetchError("the host is an IP address in an odd spelling")
    if len(labels) == 1 or labels[-1] in _LOCAL_ENDINGS:
        raise FetchError(f"{name} is a name of a local network")


def _ascii(host: str) -> str:
    """IDNA's form of a foreign name. Unicode's compatible forms (full-width digits, circled ones, 。) become what
    they look like first, so that the checks see it."""
    if host.isascii():
        return host
    import idna

    try:
        return idna.encode(unicodedata.normalize("NFKC", host), uts46=True, std3_rules=False).decode("ascii").lower()
    except idna.IDNAError:
        raise FetchError("the host is no name that can be looked up") from None


def _check_characters(text: str) -> None:
    if any(char == "\\" or char.isspace() or unicodedata.category(char).startswith("C") for char in text):
        raise FetchError("the address holds spaces, control or invisible characters, or a backslash")
