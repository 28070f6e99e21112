"""Which IP addresses are public: a table of our own, after IANA's special-purpose registries of both versions.

`ipaddress.is_global` is not asked: before Python 3.11.10 and 3.12.4 it called 192.0.0.192 (the metadata service of one
cloud) global, and it knows nothing of addresses that carry another one. Of IPv6 only 2000::/3 is allocated to the
public, so all else is refused without being listed.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_V4 = tuple(
    (IPv4Network(network), what)
    for network, what in (
        ("0.0.0.0/8", "this host"),
        ("10.0.0.0/8", "private network"),
        ("100.64.0.0/10", "carrier network, metadata services"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "metadata service"),
        ("169.254.0.0/16", "link-local, metadata services"),
        ("172.16.0.0/12", "private network"),
        ("192.0.0.0/24", "protocol assignments, metadata services"),
        ("192.0.2.0/24", "documentation"),
        ("192.31.196.0/24", "special purpose (AS112)"),
        ("192.52.193.0/24", "special purpose (AMT)"),
        ("192.88.99.0/24", "6to4 relays"),
        ("192.168.0.0/16", "private network"),
        ("192.175.48.0/24", "special purpose (AS112)"),
        ("198.18.0.0/15", "benchmarks"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved, broadcast"),
    )
)
_V6_PUBLIC = IPv6Network("2000::/3")
_V6 = tuple(
    (IPv6Network(network), what)
    for network, what in (
        ("2001::/32", "Teredo, which carries another address"),
        ("2001::/23", "protocol assignments"),
        ("2001:db8::/32", "documentation"),
        ("2002::/16", "6to4, which carries another address"),
        ("2620:4f:8000::/48", "special purpose (AS112)"),
        ("3fff::/20", "documentation"),
    )
)
_V6_OUTSIDE = tuple(
    (IPv6Network(network), what)
    for network, what in (
        ("::1/128", "loopback"),
        ("::/128", "this host"),
        ("::/96", "IPv4 in IPv6"),
        ("64:ff9b:1::/48", "NAT64 of the local network"),
        ("fc00::/7", "private network, metadata services"),
        ("fe80::/10", "link-local"),
        ("ff00::/8", "multicast"),
    )
)
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_ISATAP = (0x00005EFE, 0x02005EFE)

Address = IPv4Address | IPv6Address


def parsed(text: str) -> Address | None:
    """The address that `text` spells in the usual way (four plain decimals, or IPv6 without a scope); None for all
    else, so that no second reading of an odd spelling is possible."""
    if "%" in text:
        return None
    try:
        return ip_address(text)
    except ValueError:
        return None


def why_not_public(address: Address) -> str:
    """What the address is for, in words, when it is not one of the public internet; "" when it is.

    An IPv4 address inside of an IPv6 one is judged by itself where the network would deliver to it as it stands
    (IPv4-mapped, NAT64); tunnels (6to4, Teredo) are refused whatever they carry.
    """
    if isinstance(address, IPv4Address):
        return next((what for network, what in _V4 if address in network), "")
    inner = _carried(address)
    if inner is not None:
        what = why_not_public(inner)
        return f"{what}, as {inner} in IPv6" if what else ""
    if address not in _V6_PUBLIC:
        return next((what for network, what in _V6_OUTSIDE if address in network), "not allocated to the public")
    return next((what for network, what in _V6 if address in network), "") or _isatap(address)


def _carried(address: IPv6Address) -> IPv4Address | None:
    if address in _MAPPED or address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def _isatap(address: IPv6Address) -> str:
    """A router of an ISATAP site would deliver to the IPv4 address in the last four bytes."""
    if (int(address) >> 32) & 0xFFFFFFFF not in _ISATAP:
        return ""
    inner = IPv4Address(int(address) & 0xFFFFFFFF)
    what = why_not_public(inner)
    return f"{what}, as {inner} in IPv6" if what else ""
