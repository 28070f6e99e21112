"""Secrets in code: found by their form and masked before anybody else sees the text. No line end is touched.

What is masked: private key blocks; keys whose issuer gave them a form; passwords and tokens in addresses and commands;
values given to names like password or api_key, in code, settings, commands, comments and prose; and in
`.env`-like files every value that is long and mixed. Everything is linear in the length of the text.
"""

from __future__ import annotations

import re

from kaozheng.sources.code.bare_values import Bare, is_environment, is_settings_file
from kaozheng.sources.code.issued_keys import without_issued_keys, without_secrets_in_addresses
from kaozheng.sources.code.key_blocks import without_key_blocks
from kaozheng.sources.code.named_secrets import without_named_values
from kaozheng.sources.code.secret_values import MASK, entropy, is_harmless, is_long_mixed, is_well_mixed

__all__ = ["MASK", "entropy", "is_settings_file", "mask_secrets"]

_BEARER = re.compile(r"(?i)(\b(?:bearer|basic)[ ]{1,4})([A-Za-z0-9._~+/=-]{20,4000}+)")
_ENV_VALUE = re.compile(
    r"(?m)^([ \t]{0,80}(?:export[ \t]{1,8})?[A-Za-z_][A-Za-z0-9_.-]{0,80}+[ \t]{0,8}[=:][ \t]{0,8})"
    r"([\"']?)([^\s\"'#]{16,4000}+)\2"
)
_SWITCH = re.compile(r"([ \t](?:-p|-u|-a|--user)(?:[ =]|(?=[^\s-])))([\"']?)([^\s\"'`|]{4,400})")
_WANTS = {
    "-p": re.compile(r"(?i)\b(?:login|mysql\w*|mariadb\w*|sshpass|mongo\w*)\b"),
    "-a": re.compile(r"\bredis-cli\b"),
    "-u": re.compile(r"\b(?:curl|wget|http|https)\b"),
    "--user": re.compile(r"\b(?:curl|wget|http|https)\b"),
}
_SIGNED_IN = re.compile(r"(`[^`\s]{1,40}`[ ]?(?:/|:|,|and|with|和)[ ]?`)([^`\s]{6,80})(?=`)")
_ACCOUNT = re.compile(r"(?i)log(?:ged)?[ -]?in|sign[ -]?in|credential|account|登录|账号")
_PGPASS = re.compile(r"(?m)^([^:\n]{1,200}:[^:\n]{1,10}:[^:\n]{1,100}:[^:\n]{1,100}:)([^\n]{1,400})$")
_BITS = 3.5  # bits a character; words of a language stay below, random tokens above


def mask_secrets(text: str, path: str = "") -> str:
    """The text with every secret replaced by `〔masked〕`; it has as many lines as before. `path` tells files that hold
    settings (there values without quotes count as well) from code."""
    if "PRIVATE KEY" in text or "Private-Lines" in text:
        text = without_key_blocks(text)
    text = without_secrets_in_addresses(without_issued_keys(text))
    text = without_named_values(text, Bare.of(path))
    if "earer " in text or "asic " in text or "BEARER" in text:
        text = _BEARER.sub(_if_drawn, text)
    if " -" in text:
        text = _SWITCH.sub(_switch, text)
    text = _SIGNED_IN.sub(_signed_in, text)
    if is_environment(path):
        text = _ENV_VALUE.sub(_env_value, text)
    return _PGPASS.sub(_last, text) if path.endswith("pgpass") else text


def _last(found: re.Match[str]) -> str:
    return found[1] + MASK


def _if_drawn(found: re.Match[str]) -> str:
    return found[1] + MASK if entropy(found[2]) > _BITS else found[0]


def _switch(found: re.Match[str]) -> str:
    """`docker login -p X`, `mysql -pX`, `curl -u name:X`; the same letters mean ports and folders elsewhere."""
    switch, value = found[1].strip(" \t="), found[3]
    begin = found.string.rfind("\n", max(0, found.start() - 200), found.start()) + 1
    if not _WANTS[switch].search(found.string, max(begin, found.start() - 200), found.start()):
        return found[0]
    name, colon, secret = value.partition(":") if switch in ("-u", "--user") else ("", "", value)
    if (switch in ("-u", "--user") and not colon) or is_harmless(secret) or secret.startswith("$"):
        return found[0]
    if "mysql" in found.string[begin : found.start()] and found[1].endswith(" "):
        return found[0]  # it asks for the password; the word is the name of a database
    return f"{found[1]}{found[2]}{name}{colon}{MASK}"


def _signed_in(found: re.Match[str]) -> str:
    near = found.string[max(0, found.start() - 80) : found.start()]
    return found[1] + MASK if _ACCOUNT.search(near) and is_well_mixed(found[2]) else found[0]


def _env_value(found: re.Match[str]) -> str:
    value = found[3]
    plain = MASK in value or "://" in value or value.startswith(("/", "./", "$")) or not re.search(r"\d", value)
    if plain or (entropy(value) <= _BITS and not is_long_mixed(value)):
        return found[0]
    return f"{found[1]}{found[2]}{MASK}{found[2]}"
