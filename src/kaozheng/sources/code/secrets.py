"""Secrets in code: found by their form and masked before anybody else sees the text. No line end is touched.

What is masked: keys whose issuer gave them a form (AWS, Google, OpenAI, Anthropic, GitHub, GitLab, Slack, Stripe, npm,
PyPI, Hugging Face, JSON web tokens), private key blocks, passwords in addresses, literals given to names like password
or api_key, and in `.env`-like files every value that is long and mixed. Every pattern is linear in the length of the
text.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import PurePosixPath

MASK = "〔masked〕"

_ISSUED = re.compile(
    r"(?<![A-Za-z0-9_])(?:"
    r"(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}"
    r"|AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,60}|ya29\.[A-Za-z0-9_-]{20,300}"
    r"|sk-(?:ant-|proj-|or-v1-|svcacct-|lf-)?[A-Za-z0-9_-]{20,250}"
    r"|gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{40,255}|glpat-[A-Za-z0-9_-]{20,60}"
    r"|xox[abeprs]-[A-Za-z0-9-]{10,250}|xapp-[A-Za-z0-9-]{20,250}"
    r"|[sr]k_(?:live|test)_[A-Za-z0-9]{16,120}|whsec_[A-Za-z0-9]{20,80}"
    r"|npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,300}|hf_[A-Za-z0-9]{30,60}|nvapi-[A-Za-z0-9_-]{30,100}"
    r"|LTAI[A-Za-z0-9]{12,24}|AKID[A-Za-z0-9]{32}|SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"
    r"|eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,1000}"
    r")(?![A-Za-z0-9_])"
)
_HOOK = re.compile(r"(https://hooks\.slack\.com/(?:services|workflows)/)[A-Za-z0-9/_-]{10,200}")
_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9 ]{0,40})PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END (?:[A-Z0-9 ]{0,40})PRIVATE KEY(?: BLOCK)?-----")
_KEY_TEXT = re.compile(r"\W*(?:[A-Za-z0-9+/=]+|[A-Za-z-]+: .*)?\W*")
_KEY_LINES = 200  # a block without its end is masked this far, as long as its lines look like a key
_IN_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@'\"<>`]{0,100}:)([^\s/@'\"<>`]{1,200})(@)")
_NAMED = (
    r"(?:password|passwd|passphrase|pwd|secret(?:[_-]?key)?|client[_-]?secret|api[_-]?key|apikey|access[_-]?key"
    r"|(?:auth|access|refresh|bearer|api|bot|private|id)[_-]?token|token|credentials?|private[_-]?key|secret[_-]?access[_-]?key)"
    r"(?:[_-]?(?:value|prod|dev|test|b64|base64|\d{1,3}))?"
)
_ASSIGNED = re.compile(
    rf"(?i)((?<![A-Za-z0-9])[A-Za-z0-9_.-]{{0,60}}?{_NAMED}(?![A-Za-z0-9_-])[\"'`]?\]?\s{{0,4}}"
    r"(?::\s{0,2}[A-Za-z&'\[\], |]{1,30}=|:?=|:|=>)[ \t]{0,4}[rbuf]{0,2})"
    r"(?:(\"{3}|'{3}|[\"'`])([^\"'`\n]{4,400})\2)"
)
_BARE = re.compile(
    rf"(?i)^([ \t]*(?:export[ \t]+|set[ \t]+|ENV[ \t]+|-[ \t]+)?[A-Za-z0-9_.-]{{0,60}}?"
    rf"{_NAMED}(?![A-Za-z0-9_-])[ \t]*[=:][ \t]*)"
    r"([^\s\"'#$<{][^\s#\"']{3,400})",
    re.MULTILINE,
)
_FALLBACK = re.compile(
    rf"(?i)((?:getenv|environ\.get|\bget|setdefault|\benv)\(\s{{0,4}}[\"'][A-Za-z0-9_.-]{{0,60}}?{_NAMED}[\"']\s{{0,4}},\s{{0,4}})"
    r"([\"'])([^\"'\n]{4,400})\2"
)
_ELEMENT = re.compile(rf"(?i)(<(?:[A-Za-z0-9_.-]{{0,60}}?){_NAMED}>\s{{0,4}})([^<>\n$]{{4,400}})(?=</)")
_OPTION = re.compile(rf"(?i)(--?(?:[a-z-]{{0,30}}?){_NAMED}[ =][\"']?)([^\s\"'$<\[{{(-][^\s\"']{{3,400}})")
_BEARER = re.compile(
    r"(?i)((?:authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?)?\b(?:bearer|basic)[ ]+)([A-Za-z0-9._~+/=-]{20,2000})"
)
_HINT = re.compile(r"pass|pwd|secret|key|token|credential")  # searched in lower case
_BEGINNINGS = (
    "AKIA", "ASIA", "AROA", "AIDA", "AIza", "GOCSPX-", "ya29.", "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_",
    "github_pat_", "glpat-", "xox", "xapp-", "sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_", "npm_",
    "pypi-", "hf_", "nvapi-", "LTAI", "AKID", "SG.", "eyJ",
)  # fmt: skip
_ENV_VALUE = re.compile(
    r"(?m)^([ \t]*(?:export[ \t]+)?[A-Za-z_][A-Za-z0-9_.-]{0,80}[ \t]*[=:][ \t]*)([\"']?)([^\s\"'#]{16,400})\2"
)
_ENV_NAME = re.compile(
    r"(?:.*\.)?env(?:\..*)?|.*\.(?:env|properties|tfvars|pem|key|netrc|npmrc|pypirc|ini|cfg|conf)|\.?(?:netrc|npmrc|pypirc|pgpass)|credentials|secrets?\.\w+"
)
_CONFIG_SUFFIXES = frozenset(
    {".yml", ".yaml", ".toml", ".ini", ".cfg", ".conf", ".properties", ".env", ".sh", ".tf", ".tfvars", ""}
)
_HARMLESS = re.compile(
    r"(?i)[\[{(<$%].*|.*\$\{.*|.*\{\{.*|.*%\(.*|.*\{\w*\}.*|(?:your|my|the|some|an?)[ _-].*|x{3,}.*|\*+|\.{3}.*|_+"
    r"|none|null|read|write|inherit|true|false|undefined|string|str|text|bytes|password|passwd|secret|token|api[_-]?key|changeme|"
    r"change[_-]me.*|placeholder.*|example.*|dummy|optional\b.*|required\b.*|env\b.*|os\.\w.*|process\.\w.*"
)
_CALL = re.compile(r"[A-Za-z_][\w.]*[(\[].*|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+[,;)]?|[A-Za-z_]\w*[,;)]")
_BITS = 3.5  # bits a character; words of a language stay below, random tokens above


def mask_secrets(text: str, path: str = "") -> str:
    """The text with every secret replaced by `〔masked〕`; it has as many lines as before. `path` tells files that hold
    settings (there values without quotes count as well) from code."""
    if "PRIVATE KEY" in text:
        text = _without_key_blocks(text)
    if any(beginning in text for beginning in _BEGINNINGS):
        text = _ISSUED.sub(MASK, text)
    if "://" in text:
        text = _HOOK.sub(lambda found: found[1] + MASK, text)
        text = _IN_ADDRESS.sub(_address, text)
    text = _assignments(text, is_settings_file(path))
    if "earer " in text or "asic " in text or "BEARER" in text:
        text = _BEARER.sub(_if_mixed, text)
    if _ENV_NAME.fullmatch(PurePosixPath(path).name.lower()):
        text = _ENV_VALUE.sub(_env_value, text)
    return text


def is_settings_file(path: str) -> bool:
    """Whether values stand without quotes there."""
    name = PurePosixPath(path).name.lower()
    return PurePosixPath(name).suffix in _CONFIG_SUFFIXES or bool(_ENV_NAME.fullmatch(name))


def entropy(value: str) -> float:
    """Shannon's bits a character."""
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values()) if value else 0.0


def _assignments(text: str, settings: bool) -> str:
    """Only lines with a telling word are searched: most lines have none."""
    lowered = text.lower()  # may differ in length, never in its line ends
    told = {}
    number, at = 0, 0
    for found in _HINT.finditer(lowered):
        number += lowered.count("\n", at, found.start())
        at = found.start()
        told[number] = True
    if not told:
        return text
    lines = text.split("\n")
    for number in told:
        line = lines[number]
        if "=" in line or ":" in line:
            line = _ASSIGNED.sub(_assigned, line)
            line = _BARE.sub(_bare, line) if settings else line
        line = _FALLBACK.sub(_assigned, line) if "(" in line else line
        line = _ELEMENT.sub(_bare, line) if "</" in line else line
        lines[number] = _OPTION.sub(_bare, line) if "--" in line else line
    return "\n".join(lines)


def _assigned(found: re.Match[str]) -> str:
    value = found[3]
    if _is_harmless(value) or _names_itself(found[1], value):
        return found[0]
    return f"{found[1]}{found[2]}{MASK}{found[2]}"


def _bare(found: re.Match[str]) -> str:
    value = found[2]
    if value.startswith(MASK) or _is_harmless(value) or _CALL.fullmatch(value) or value.startswith(("/", "./", "~/")):
        return found[0]
    return found[1] + MASK


def _is_harmless(value: str) -> bool:
    """A placeholder, a template, a sentence, or masked already."""
    value = value.strip()
    return MASK in value or value.count(" ") > 3 or bool(_HARMLESS.fullmatch(value))


def _names_itself(name: str, value: str) -> bool:
    """`TOKEN = "token"`, `password_hint: "Password-Hint"`: the value says no more than the name."""
    letters = [re.sub(r"[^a-z]", "", part.lower()) for part in (name, value)]
    return letters[1] in letters[0] and not re.search(r"\d", value)


def _address(found: re.Match[str]) -> str:
    return found[0] if _HARMLESS.fullmatch(found[2]) else found[1] + MASK + found[3]


def _if_mixed(found: re.Match[str]) -> str:
    return found[1] + MASK if entropy(found[2]) > _BITS else found[0]


def _env_value(found: re.Match[str]) -> str:
    value = found[3]
    plain = MASK in value or "://" in value or value.startswith(("/", "./", "$")) or not re.search(r"\d", value)
    return found[0] if plain or entropy(value) <= _BITS else f"{found[1]}{found[2]}{MASK}{found[2]}"


def _without_key_blocks(text: str) -> str:
    """Every line of a block masked; also when it stands in one line with `\\n` written out, or its end is missing."""
    lines = text.split("\n")
    until, whole = -1, False
    for number, line in enumerate(lines):
        begin = _BEGIN.search(line)
        if begin:
            end = _END.search(line, begin.end())
            if end:
                lines[number] = line[: begin.start()] + MASK + line[end.end() :]
                continue
            lines[number] = line[: begin.start()] + MASK
            until = next((n for n in range(number + 1, len(lines)) if _END.search(lines[n])), number + _KEY_LINES)
            whole = until < len(lines) and bool(_END.search(lines[until]))
        elif number <= until:
            if end := _END.search(line):
                lines[number] = MASK + line[end.end() :]
                until = -1
            elif whole or _KEY_TEXT.fullmatch(line):
                lines[number] = MASK if line.strip() else line
            else:
                until = -1
    return "\n".join(lines)
