"""From "PROVIDER:NAME" to a model: find the entry, read key and address, check, import the maker.

Whatever is opened here refuses secret texts unless it is private: no other way leads to a provider.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from urllib.request import getproxies

from pydantic import SecretStr

from kaozheng.errors import CredentialsError, MissingExtraError, SettingsError
from kaozheng.models.model import Model
from kaozheng.models.routing import PrivateOnly, Signed
from kaozheng.providers.clients import host_of, is_loopback
from kaozheng.providers.credentials import checked_address, checked_key
from kaozheng.providers.models.catalogue import GUESSES, OPENAI, PROVIDERS, Provider
from kaozheng.providers.models.discreet import Discreet, secrets_of

Read = Callable[[str], SecretStr | None]
"""The value of an environment name, or None when it is unset or empty."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A chosen model with all that its maker needs. `private` says that secret texts may go there."""

    provider: Provider
    name: str
    base_url: str = field(repr=False)  # may hold a password, or a key in its query
    key: SecretStr | None = field(repr=False)
    private: bool
    call_s: float = 300.0
    connect_s: float = 3.0

    def __str__(self) -> str:
        return f"{self.provider.prefix}:{self.name}"

    @property
    def where(self) -> str:
        """The host for messages, "this process" for a model without one."""
        return host_of(self.base_url) if self.base_url else "this process"

    @property
    def account(self) -> tuple[str, str, SecretStr | None]:
        """Whose limit of calls at once counts: one a provider, address (or file) and key. Not for messages."""
        return self.provider.prefix, self.base_url or self.name, self.key

    def secret(self) -> str:
        """The key in clear, "" without one: for the vendor's client only."""
        return self.key.get_secret_value() if self.key else ""


def endpoint(
    text: str, read: Read, private: Collection[str] = (), call_s: float = 300.0, connect_s: float = 3.0
) -> Endpoint:
    """The endpoint that `text` means ("openai:gpt-4.1", or a bare name that tells its provider). `private` are the
    prefixes that the operator marks as private. Raises SettingsError, CredentialsError or MissingExtraError."""
    provider, name = named(text)
    if unknown := sorted(set(private) - set(PROVIDERS)):
        raise SettingsError(f"private_providers: {unknown[0]!r} is not known: there are {', '.join(PROVIDERS)}")
    if provider.module and find_spec(provider.module) is None:
        raise MissingExtraError(f'{provider.prefix} is not installed: pip install "kaozheng[{provider.extra}]"')
    if provider.is_file:
        _require_file(Path(name), provider.magic)
    base_url, said_by = _address(provider, read)
    key = _key(provider, read)
    if key is None and not provider.keyless and not (said_by and is_loopback(base_url)):
        raise CredentialsError(
            f"{' or '.join(provider.keys)} is not set: put it into the environment or .env"
            " (or leave the model out to work offline)"
        )
    ours = provider.prefix in private or (provider.private and (not base_url or is_loopback(base_url)))
    stays = not (provider.leaves and re.search(provider.leaves, name, re.IGNORECASE))
    return Endpoint(provider, name, base_url, key, ours and stays, call_s, connect_s)


def protocol_endpoint(what: str, text: str, endpoint_of: Callable[[str], Endpoint], also: str = "") -> Endpoint:
    """The endpoint of an embedder or reranker (`what`): of the providers whose protocol has them. `also` names what
    else may be given. Raises SettingsError, CredentialsError or MissingExtraError."""
    prefix, _, name = text.partition(":")
    able = [one.prefix for one in PROVIDERS.values() if one.maker == OPENAI]
    if prefix not in able or not name.strip():
        known = ", ".join(f"{one}:NAME" for one in able)
        any_endpoint = "any OpenAI-compatible endpoint: openai:NAME with OPENAI_BASE_URL"
        raise SettingsError(f"{what} {text!r} is not known: give one of {also}{known} ({any_endpoint})")
    return endpoint_of(text)


def named(text: str) -> tuple[Provider, str]:
    """The provider and the model's name. Raises SettingsError that lists what there is."""
    prefix, colon, name = text.partition(":")
    if not colon:
        prefix = next((one for pattern, one in GUESSES if pattern.search(text) and one in PROVIDERS), "")
        name = text
    provider = PROVIDERS.get(prefix)
    if provider is None or not name.strip() or not (provider.is_file or name.strip().isprintable()):
        known = ", ".join(f"{one}:NAME" for one in PROVIDERS)
        any_endpoint = "any OpenAI-compatible endpoint: openai:NAME with OPENAI_BASE_URL"
        raise SettingsError(f"model {text!r} is not known: give one of {known} ({any_endpoint})")
    return provider, name.strip()


def open_endpoint(chosen: Endpoint, stack: AsyncExitStack) -> Model:
    """The provider's model; `stack` closes what it holds open. Secret texts reach it only when it is private."""
    module, _, function = chosen.provider.maker.partition(":")
    model: Model = getattr(import_module(module), function)(chosen, stack)
    discreet = Discreet(model, secrets_of(chosen.secret(), chosen.base_url, *getproxies().values()))
    return PrivateOnly(Signed(discreet, str(chosen)), chosen.private)


def _require_file(path: Path, magic: bytes) -> None:
    """A wrong path is found before a run begins, and not at its first call."""
    try:
        with path.expanduser().open("rb") as file:
            begins = file.read(len(magic))
    except FileNotFoundError:
        raise SettingsError(f"model {str(path)!r}: there is no such file") from None
    except (OSError, ValueError, RuntimeError) as error:  # a folder; a NUL in the name; no home for "~nobody"
        raise SettingsError(f"model {str(path)!r}: the file cannot be read ({type(error).__name__})") from None
    if begins != magic:
        raise SettingsError(f"model {str(path)!r} is no {magic.decode()} file")


def _address(provider: Provider, read: Read) -> tuple[str, str]:
    """The address and the environment name that gave it ("" for the default). Raises SettingsError."""
    for name in provider.addresses:
        if given := read(name):
            return checked_address(name, given.get_secret_value().strip()), name
    return provider.base_url, ""


def _key(provider: Provider, read: Read) -> SecretStr | None:
    """The first key that is set, None without one. Raises SettingsError for one that no header could carry."""
    for name in provider.keys:
        if given := read(name):
            checked_key(name, given.get_secret_value())
            return given
    return None
