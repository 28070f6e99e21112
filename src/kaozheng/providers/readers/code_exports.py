"""Names that a JavaScript or TypeScript module gives away in a list: `export { a }`, `module.exports = { a }`."""

from __future__ import annotations

import re

_LIST = re.compile(r"^\s*(?:export(?:\s+type)?|module\.exports\s*=)\s*\{([^{}]{0,4000})\}", re.MULTILINE)
_ONE = re.compile(
    r"^\s*(?:export\s+default|module\.exports\s*=|exports\.[\w$]+\s*=|export\s*=)\s*([A-Za-z_$][\w$]*)",
    re.MULTILINE,
)
_NAME = re.compile(r"[A-Za-z_$][\w$]*")


def exported_names(text: str) -> frozenset[str]:
    """The names as the module itself calls them."""
    names = {found[1] for found in _ONE.finditer(text)}
    for block in _LIST.finditer(text):
        for part in block[1].split(","):
            found = _NAME.findall(part.removeprefix("type "))
            names.update(found[-1:] if ":" in part else found[:1])
    return frozenset(names)
