"""What a value says of itself: a placeholder, a reference, wording, or something that could be a secret."""

from __future__ import annotations

import math
import re
from collections import Counter

MASK = "〔masked〕"

_TEMPLATE = re.compile(
    r"\$\{[^{}]{0,200}\}|\{\{[^{}]{0,200}\}\}|\$\([^()]{0,200}\)|%\([^()]{0,80}\)[a-z]?|<%[^%]{0,200}%>|#\{[^{}]{0,200}\}"
    r"|\$[\w.-]{1,80}\$|\{[A-Za-z_][^{}\s]{0,80}\}|\{\}|<[\w .:|/-]{0,80}>|\[[\w .:|/-]{0,80}\]|【[^】]{0,80}】"
)
_UNCLOSED = re.compile(r"(?:\$\{|\{\{|\$\(|<%)[^\s]{0,400}")
_REFERENCE = re.compile(
    r"\$\$?(?:[A-Z_][A-Z0-9_]*|[a-z_]+|[a-z_]*(?:pass|token|secret|key|pw)[a-z_]*\d{0,2})|\$[\d?@*#!]|%[A-Za-z_]+%?|[*&!]\w[\w.-]*"
    r"|(?:os\.environ|process\.env|env|secrets?|vars?|settings|config|ENV|self|this|import\.meta)[.:\[(].*"
)
_PLACEHOLDER = re.compile(
    r"(?i)(?:(?:your|my|the|some|an?|change|example|placeholder|insert|replace|enter|env)"
    r"(?:[ _.-]|$)|changeme|changeit)[a-z _.,:!?'-]*"
    r"|(?:your|my|the)[ _-][\w-]{0,40}(?:key|token|secret|password|here)|(?-i:[A-Z]+(?:_[A-Z]+)+)"
    r"|(?-i:[A-Z][A-Z0-9_]{0,80}_(?:KEY|TOKEN|SECRET|PASSWORD|PASS|ID))"
    r"|(?:example|placeholder)[a-z]*|(?:[a-z]{2,8}[-_])*(?:x{3,}|\.{3,}|\*{3,}|•{3,}|…|-{3,}|0{4,})(?:[x.*•-]*)|[*._•x-]+"
)
_WORD = re.compile(
    r"(?i)none|null|nil|read|write|inherit|true|false|yes|no|on|off|undefined|string|str|text|bytes|int|integer|number|bool|boolean"
    r"|any|object|uuid|hidden|password|passwd|passphrase|secret|token|credentials?|api[_-]?key|changeme|dummy|optional\b.*"
    r"|required\b.*|include|omit|same-origin|(?:new|current)-password|basic|bearer|oauth2?|jwt|username"
    r"|user|pass|passed|fail|failed|warn|warning|skip|skipped|default|empty"
    r"|missing|invalid|auto|unset|flag|option|argument|parameter|value|file|from|with|that|this|when|will|must|should|via|using|and"
)
_TECHNICAL = re.compile(
    r"(?i)utf-?(?:8|16|32)|sha-?[1235]\d{0,2}|md[45]|base-?(?:16|32|58|64|85)|b64|oauth-?[12](?:\.\d)?|http-?[123]|ipv?[46]"
    r"|u?int(?:8|16|32|64|128)|float(?:16|32|64)|[ui](?:8|16|32|64|128)|[hrep]s(?:256|384|512)|x509|pkcs-?\d{1,2}|aes-?(?:128|192|256)"
    r"|ed(?:25519|448)|argon2(?:id?)?|pbkdf2|p-?(?:256|384|521)|i18n|l10n|k8s|\bs3\b|ec2|log4j|web3|md2|cl100k|o200k|v\d{1,3}|x86|amd64"
)
_SAYS = re.compile(
    r"(?i)\b(?:pass(?:word|phrase|code)s?|tokens?|keys?|secrets?|credentials?|must|not|your|enter|wrong|invalid|please|field)\b"
)
_JOINS = re.compile(r"(?i)\b(?:the|an?|is|are|no|to|for|of|and|or|in|with|characters?)\b")
_HAN = re.compile(r"[一-鿿]")
_NUMBER = re.compile(r"0x[0-9A-Fa-f]{1,16}|v?[\d.,:/+-]+(?:[a-zA-Z%]{1,3}\d?)?|\d{4}-\d\d-\d\d.*")
_SIGNS = re.compile(r"[A-Za-z0-9][!@$%^&~#]+[A-Za-z0-9]")
_CHANGE = re.compile(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)*+")
_EXPRESSION = re.compile(r"[A-Za-z_$][\w$.:>?!-]*[(\[{].*|[(\[{<].*")
_MAIL = re.compile(r"[\w.+-]{1,64}@[A-Za-z][\w-]*(?:\.[\w-]+)+")
_PARTS = re.compile(r"[\w.@:-]+(?:/[\w.@:-]+)+")
_BITS = 3.0  # bits a character; words of a language stay below when they are long, tokens drawn by lot above


def entropy(value: str) -> float:
    """Shannon's bits a character."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values()) if value else 0.0


def blanked(piece: str) -> str:
    """`〔masked〕` in place of the words of each line; the lines stay as many."""
    return "\n".join(MASK if line.strip() else line for line in piece.split("\n"))


def is_harmless(value: str) -> bool:
    """A placeholder, a template, a reference, wording, or masked already. Digits and signs beside a placeholder's words
    make it a value: `my-dog-rex-1987`."""
    return is_placeholder(value) or is_wording(value)


def is_placeholder(value: str) -> bool:
    """A placeholder, a template, a reference, or masked already."""
    value = value.strip()
    if not value or MASK in value or _WORD.fullmatch(value) or _PLACEHOLDER.fullmatch(value):
        return True
    if _REFERENCE.fullmatch(value):
        return True
    left = _UNCLOSED.sub("", _TEMPLATE.sub("", value))
    return left != value and not is_mixed(left)


def is_wording(value: str) -> bool:
    """Words for a reader: at least two of which one is common, or Chinese; none of them mixed."""
    words = value.split()
    if "-----BEGIN" in value:
        return False
    foreign = bool(_HAN.search(value)) or (len(words) > 1 and not value.isascii())
    spoken = (
        foreign or (len(words) > 1 and bool(_SAYS.search(value))) or (len(words) > 4 and bool(_JOINS.search(value)))
    )
    return spoken and not any(is_mixed(word.strip(".,;:!?()[]'\"`")) for word in words)


def is_mixed(value: str, least: int = 6) -> bool:
    """Whether it looks like a value: at least six characters, letters with digits or with signs between them, and no
    number, version, address of mail, technical word or expression."""
    if len(value) < least or _NUMBER.fullmatch(value) or _EXPRESSION.fullmatch(value) or _MAIL.fullmatch(value):
        return False
    if " " in value:
        return any(is_mixed(word, least) for word in value.split())
    if value.startswith(("/", "./", "../", "~/")) or "://" in value or _PARTS.fullmatch(value):
        return any(is_long_mixed(part) for part in value.split("/"))
    value = _TECHNICAL.sub("", value)
    if len(value) < least or _NUMBER.fullmatch(value):
        return False
    letters = any(one.isalpha() for one in value)
    digits = any(one.isdigit() for one in value)
    return letters and (bool(digits and _CHANGE.search(value)) or bool(_SIGNS.search(value)))


def is_well_mixed(value: str) -> bool:
    """Stricter: no name with a number behind it, like `token2` or `rfc-7519`."""
    changes = len(_CHANGE.findall(_TECHNICAL.sub("", value)))
    return is_mixed(value, 8) and (changes >= 2 or bool(_SIGNS.search(value)) or entropy(value) > 3.6)


def is_long_mixed(value: str) -> bool:
    """The strictest: at least ten characters and digits in three places or more, as only tokens have them."""
    return len(value) >= 10 and len(_CHANGE.findall(_TECHNICAL.sub("", value))) >= 3 and entropy(value) > _BITS - 0.5


def is_code(value: str) -> bool:
    """A name, a call or another expression of a programming language, and no token drawn by lot."""
    bare = value.rstrip(",;)}]")
    if _EXPRESSION.fullmatch(value):
        return True
    return bool(_IDENTIFIER.fullmatch(bare)) and ("." in bare or ":" in bare or not is_long_mixed(bare))
