"""The address and the key that an operator gave for a provider, looked at before anything is sent.

A wrong one would come back minutes later as a connection that fails and is tried again, or as a traceback out of an
HTTP library. What is said names the setting and what is wrong with it, never the value: an address may hold a password.
"""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit

from kaozheng.errors import SettingsError

_LABEL = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")
_LONGEST_HOST = 253


def checked_address(setting: str, url: str) -> str:
    """`url` when it can be the base address of an HTTP API. Raises SettingsError that names `setting`."""
    if fault := _address_fault(url):
        raise SettingsError(f"{setting} is not the address of an API: {fault}; give one like https://host:8000/v1")
    return url


def checked_key(setting: str, key: str) -> str:
    """`key` when a request header can carry it. Raises SettingsError that names `setting`."""
    if fault := _key_fault(key):
        raise SettingsError(f"{setting} is not a key: {fault}; copy it once more, as one line")
    return key


def _address_fault(url: str) -> str:
    if any(sign.isspace() or not sign.isprintable() for sign in url):
        return "it holds a blank or a control character"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "its host or port cannot be read"
    if parts.scheme not in ("http", "https"):
        return "it does not begin with http:// or https://"
    if port == 0:
        return "there is no port 0"
    return _parts_fault(parts) or _host_fault(parts.hostname or "")


def _parts_fault(parts: SplitResult) -> str:
    if "@" in parts.netloc:
        return "it holds a user name or a password, and a key has a setting of its own"
    if parts.fragment:
        return "it holds a #, and what stands behind that is never sent"
    return ""


def _host_fault(host: str) -> str:
    if not host:
        return "it names no host"
    if ":" in host:  # brackets were round it
        try:
            ipaddress.IPv6Address(host)
        except ValueError:
            return "its host is no IPv6 address"
        return ""
    name = host if host.isascii() else _ascii_name(host)
    labels = name.removesuffix(".").split(".")
    if len(name) > _LONGEST_HOST or not all(_LABEL.fullmatch(label) for label in labels):
        return "its host is no name that a network knows"
    return ""


def _ascii_name(host: str) -> str:
    import idna  # tables that only names outside of ASCII need

    try:
        return idna.encode(host, uts46=True).decode()
    except idna.IDNAError:
        return ""


def _key_fault(key: str) -> str:
    if any(sign in "\r\n" for sign in key):
        return "it holds a line break"
    if any(sign.isspace() for sign in key):
        return "it holds a blank"
    if not key.isascii():
        return "it holds a character outside of ASCII"
    if not key.isprintable():
        return "it holds a control character"
    return ""
