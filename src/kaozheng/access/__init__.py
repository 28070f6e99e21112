"""Who may come in over the network: keys and their port, how often and how many at once, and whose a base is."""

from __future__ import annotations

from kaozheng.access.key import Key, KeyStore, digest_of, new_token

__all__ = ["Key", "KeyStore", "digest_of", "new_token"]
