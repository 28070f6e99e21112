"""Addresses, file names, paths and templates that Markdown itself does not mark: masked so that no check reads them.

Every pattern is linear: it starts only at the border of a run, or is bounded in length.
"""

from __future__ import annotations

import re

from kaozheng.documents.placeholders import CODE, NAME, URL

_SCHEME = re.compile(
    r"(?<![A-Za-z0-9])(?:https?|ftp|wss?|file|git|ssh|postgresql|redis|mongodb)://"
    r"(?:[A-Za-z0-9\-._~:/?#@!$&*+,;=%|'()\[\]]|(?<=[/=#_\-?&])[\u3400-\u9fff]+)+"
    r"|(?<![A-Za-z0-9.])www\.[A-Za-z0-9\-._~:/?#@!$&*+,;=%'()]+",
    re.IGNORECASE,
)
_EMAIL = re.compile(r"(?<![A-Za-z0-9._%+\-])[A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+")
_TEMPLATE = re.compile(r"\{\{[^{}\n]{0,300}\}\}|\{%[^{}\n]{0,300}%\}")
_CONTAINER = re.compile(  # `::: tip` of VitePress and Pandoc, `!!! note`, `??? note` and `=== "Tab"` of MkDocs
    r"^[ \t\ue004]*(?::{3,}[ \t]*[A-Za-z\-]*|(?:!{3}|\?{3}\+?)[ \t]+[A-Za-z\-]+|={3}!?[ \t]+(?=[\"']))", re.MULTILINE
)
_LATE_FENCE = re.compile(r"^[ \t\ue004]*(?:`{3,}|~{3,})", re.MULTILINE)
_ROLE = re.compile(r"(?<![A-Za-z0-9:_]):[a-z][a-z0-9_+:\-]{0,60}:(?![A-Za-z0-9:])")
_TOKEN_RUN = re.compile(r"[A-Za-z0-9_./\\~@+:\-*]+")
_EXTENSION = re.compile(
    "md|mdx|markdown|rst|txt|adoc|tex|bib|pdf|doc|docx|xls|xlsx|ppt|pptx|odt|ods|csv|tsv|parquet|json|jsonl|json5|"
    "ndjson|yaml|yml|toml|ini|cfg|conf|env|xml|xsd|html|htm|xhtml|css|scss|sass|less|js|mjs|cjs|jsx|ts|tsx|vue|"
    "svelte|py|pyi|ipynb|pyc|whl|rb|php|pl|lua|r|jl|go|mod|rs|java|kt|kts|scala|groovy|gradle|class|jar|war|c|h|"
    "cc|cpp|cxx|hpp|hh|cs|fs|vb|swift|m|mm|dart|ex|exs|erl|hs|ml|clj|sh|bash|zsh|fish|ps1|bat|cmd|exe|dll|so|"
    "dylib|lib|sql|db|sqlite|sqlite3|log|lock|tmp|bak|swp|zip|tar|gz|tgz|bz2|xz|7z|rar|deb|rpm|dmg|apk|iso|img|"
    "png|jpg|jpeg|gif|svg|webp|bmp|ico|tif|tiff|psd|mp3|mp4|avi|mov|mkv|wav|flac|ogg|ttf|otf|woff|woff2|proto|"
    "thrift|graphql|tf|tfvars|dockerfile|makefile|cmake|gitignore|pem|key|crt|cer|pub|onnx|gguf|safetensors|pt|"
    "pth|ckpt|bin|dat|po|mo|j2|tmpl|tpl|mmd|drawio|puml",
    re.IGNORECASE,
)
_PRODUCT = re.compile(  # names that end like a file: Node.js, ASP.NET, Socket.IO
    "node|vue|next|nuxt|react|three|d3|express|ember|backbone|chart|angular|moment|alpine|nest|electron|require|"
    "p5|knockout|asp|vb|socket|draw",
    re.IGNORECASE,
)
_TOP_LEVELS = "com|org|net|io|cn|dev|app|edu|gov|ai|me|co|info|xyz|top|tech|cloud|page|site|hk|tw|jp|uk|de|fr|eu|us|ru"
_DOMAIN = re.compile(rf"(?:[a-z0-9\-]+\.)+(?:{_TOP_LEVELS})(?=$|[/:])(?:[/:].*)?", re.DOTALL)
_DOTFILE = re.compile(r"\.[a-z][a-z0-9_\-]*(?:\.[a-z0-9]+)?")
_ROOTED = re.compile(r"(?:~|\.{1,2})/[A-Za-z0-9_.@*]|/[A-Za-z0-9_.@*\-]+/[A-Za-z0-9_.@*]|[A-Za-z]:[\\/][A-Za-z0-9_.]")
_FOLDER = re.compile(r"(?:[A-Za-z0-9_.@\-]*[A-Za-z_][A-Za-z0-9_.@\-]*/)+")
_TRAILING = ".,;:!?'*"


def mask_names(masked: str) -> str:
    """Replace addresses by URL and names by NAME placeholders, character for character."""
    if ":" in masked or "www." in masked.lower():
        masked = _SCHEME.sub(_address, masked)
        masked = _ROLE.sub(_name, masked)
    if ":::" in masked or "!!!" in masked or "???" in masked or "===" in masked:
        masked = _CONTAINER.sub(_name, masked)
    if "```" in masked or "~~~" in masked:
        masked = _mask_late_fence(masked)
    if "@" in masked:
        masked = _EMAIL.sub(lambda found: URL * len(found[0]), masked)
    if "{" in masked:
        masked = _TEMPLATE.sub(_name, masked)
    if "." in masked or "/" in masked or "\\" in masked:
        masked = _TOKEN_RUN.sub(_token, masked)
    return masked


def _mask_late_fence(masked: str) -> str:
    """Code of a fence that Markdown takes for text, because a line of text stands right before its deep indent."""
    found = _LATE_FENCE.search(masked)
    return masked[: found.start()] + CODE * (len(masked) - found.start()) if found else masked


def _name(found: re.Match[str]) -> str:
    return NAME * len(found[0])


def _address(found: re.Match[str]) -> str:
    """The address without the marks of the sentence around it: trailing stops, brackets that it did not open."""
    text = found[0]
    end = len(text)
    balance = {")": text.count("(") - text.count(")"), "]": text.count("[") - text.count("]")}
    while end and (text[end - 1] in _TRAILING or balance.get(text[end - 1], 0) < 0):
        if text[end - 1] in balance:
            balance[text[end - 1]] += 1
        end -= 1
    return URL * end + text[end:]


def _token(found: re.Match[str]) -> str:
    """One run of path characters: an address without scheme, a file name or path, or nothing of the kind."""
    text = found[0]
    core = text.rstrip(_TRAILING + "-+\\")
    if "." not in core and "/" not in core and "\\" not in core:
        return text
    rest = text[len(core) :]
    if _DOMAIN.fullmatch(core):
        return URL * len(core) + rest
    before, after = found.string[found.start() - 1 : found.start()], found.string[found.end() : found.end() + 1]
    is_folder = _FOLDER.fullmatch(core) and not (before.isalnum() or after.isalnum())
    if is_folder or _is_name(core, before):
        return NAME * len(core) + rest
    return text


def _is_name(core: str, before: str) -> bool:
    if _ROOTED.match(core):
        return not core.startswith("/") or not before.isalnum()
    if _DOTFILE.fullmatch(core):
        return not before.isalnum() or _EXTENSION.fullmatch(core[1:]) is not None
    stem, _, extension = core.rpartition(".")
    if not _EXTENSION.fullmatch(extension) or (len(extension) == 1 and extension.isupper()):
        return False
    product = extension.lower() in ("js", "io", "net") and _PRODUCT.fullmatch(stem) is not None
    return not product and not stem.replace(".", "").isdigit()
