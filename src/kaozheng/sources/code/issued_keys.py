"""Keys whose issuers gave them a form, and secrets inside addresses: known wherever they stand, whatever their name.

Every pattern is linear in the length of the text: repetitions are possessive or short.
"""

from __future__ import annotations

import re

from kaozheng.sources.code.secret_values import MASK, is_harmless, is_long_mixed

_ISSUED = re.compile(
    r"(?<![A-Za-z0-9_])(?:"
    r"(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}(?![A-Za-z0-9_])"
    r"|AIza[A-Za-z0-9_-]{35,}+|GOCSPX-[A-Za-z0-9_-]{20,}+|ya29\.[A-Za-z0-9_-]{20,}+"
    r"|sk-(?:ant-|proj-|or-v1-|svcacct-|lf-)?[A-Za-z0-9_-]{20,}+"
    r"|gh[pousr]_[A-Za-z0-9]{30,}+|github_pat_[A-Za-z0-9_]{40,}+|gl(?:pat|rt|dt|ft|ptt|cbt|soat|oas)-[A-Za-z0-9_-]{20,}+"
    r"|xox[abeprs]-[A-Za-z0-9-]{10,}+|xapp-[A-Za-z0-9-]{20,}+"
    r"|[sr]k_(?:live|test)_[A-Za-z0-9]{16,}+|whsec_[A-Za-z0-9]{20,}+"
    r"|npm_[A-Za-z0-9]{36}(?![A-Za-z0-9_])|pypi-[A-Za-z0-9_-]{50,}+|hf_[A-Za-z0-9]{30,}+|nvapi-[A-Za-z0-9_-]{30,}+"
    r"|LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9_])|AKID[A-Za-z0-9]{32}(?![A-Za-z0-9_])"
    r"|SG\.[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+"
    r"|do[opr]_v1_[a-f0-9]{40,}+|shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32,}+|gsk_[A-Za-z0-9]{30,}+|hv[sbr]\.[A-Za-z0-9_-]{24,}+"
    r"|xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"
    r"|sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}+|EAACEdEose0cBA[A-Za-z0-9]{20,}+|AGE-SECRET-KEY-1[A-Z0-9]{50,}+"
    r"|lin_api_[A-Za-z0-9]{32,}+|sntr(?:ys|yu)_[A-Za-z0-9+/=_-]{40,}+|sbp_[a-f0-9]{32,}+|dckr_pat_[A-Za-z0-9_-]{20,}+"
    r"|(?:xai|tvly|pplx|fw)-[A-Za-z0-9-]{20,}+|r8_[A-Za-z0-9]{30,}+|PMAK-[A-Za-z0-9-]{40,}+|[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}+"
    r"|atlasv1\.[A-Za-z0-9_-]{40,}+|\d{8,10}:AA[A-Za-z0-9_-]{30,36}(?![A-Za-z0-9_-])"
    r")"
)
_BEGINNINGS = (
    "AKIA", "ASIA", "AROA", "AIDA", "AIza", "GOCSPX-", "ya29.", "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_",
    "github_pat_", "glpat-", "glrt-", "gldt-", "glft-", "glptt-", "glcbt-", "glsoat-", "gloas-", "xox", "xapp-",
    "k_live_", "k_test_", "whsec_", "npm_", "pypi-", "hf_", "nvapi-", "LTAI", "AKID", "SG.", "_v1_",
    "shpat_", "shpca_", "shppa_",
    "shpss_", "gsk_", "hvs.", "hvb.", "hvr.", "xkeysib-", "sq0", "EAACE", "AGE-SECRET", "lin_api_", "sntry", "sbp_",
    "dckr_pat_", "xai-", "tvly-", "pplx-", "fw-", "r8_", "PMAK-", "atlasv1.", ":AA",
)  # fmt: skip
_WITH_HEX = re.compile(r"(?:SK|AC|key-|dapi)[0-9a-f]{32}(?![A-Za-z0-9])")
_DISCORD = re.compile(
    r"(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])"
)
_DISCORD_TAIL = re.compile(r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}")
_WEB_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}+\.(?:eyJ)?[A-Za-z0-9_-]{10,}+(?:\.[A-Za-z0-9_-]{10,}+)++"
)
# Letters say nothing here, so what follows must look drawn by lot as well.
_PERHAPS = re.compile(r"(?<![A-Za-z0-9_.-])(?:sk_|s\.)[A-Za-z0-9]{24,}+(?![A-Za-z0-9_.(-])")
_CRYPT = re.compile(
    r"\$2[abxy]\$\d\d\$[./A-Za-z0-9]{20,}+|\$(?:apr1|argon2id?|scrypt|y|[156])\$[^\s\"'$]{1,80}\$[./A-Za-z0-9+$=,-]{8,}+"
)
_HOOK = re.compile(
    r"((?:hooks\.slack\.com/(?:services|workflows)/|discord(?:app)?\.com/api/webhooks/\d{1,24}/)|api\.telegram\.org/bot)"
    r"[A-Za-z0-9/_:-]{10,}+"
)
_LOGIN = re.compile(r"(://[^\s/:@'\"<>`]{0,100}:)((?:[^\s/@'\"<>`]{0,200}+@){1,8}+)")
_LOGIN_WITH_SLASH = re.compile(
    r"(://[^\s/:@'\"<>`]{1,100}:)(?!\d{1,5}/)([^\s'\"<>`@]{1,200}+)(@)(?=[\w-]{1,80}\.[\w.-])"
)
_USER_ONLY = re.compile(r"(://)([A-Za-z0-9_.~%+-]{16,400}+)(@)")
_QUERY = re.compile(r"(?i)([?&;](?:amp;)?(?:key|sig|signature|auth|code|sas|hmac)=)([A-Za-z0-9%_.~+/-]{16,}+)")


def without_issued_keys(text: str) -> str:
    """The text with every key of a known form as `〔masked〕`."""
    if any(beginning in text for beginning in _BEGINNINGS):
        text = _ISSUED.sub(MASK, text)
    text = _WITH_HEX.sub(MASK, text)
    if _DISCORD_TAIL.search(text):
        text = _DISCORD.sub(MASK, text)
    if "eyJ" in text:
        text = _WEB_TOKEN.sub(MASK, text)
    if "sk_" in text or "s." in text:
        text = _PERHAPS.sub(lambda found: MASK if is_long_mixed(found[0]) else found[0], text)
    return _CRYPT.sub(MASK, text) if "$" in text else text


def without_secrets_in_addresses(text: str) -> str:
    """The text without passwords, tokens and keys inside its addresses."""
    if "://" not in text:
        return text
    text = _HOOK.sub(lambda found: found[1] + MASK, text)
    text = _LOGIN.sub(_login, text)
    text = _LOGIN_WITH_SLASH.sub(_if_mixed, text)
    text = _USER_ONLY.sub(_if_mixed, text)
    return _QUERY.sub(_if_mixed, text)


def _login(found: re.Match[str]) -> str:
    password = found[2][:-1]  # signs @ may stand in it
    return found[0] if is_harmless(password) else f"{found[1]}{MASK}@"


def _if_mixed(found: re.Match[str]) -> str:
    ending = found[3] if found.re.groups == 3 else ""
    return found[1] + MASK + ending if is_long_mixed(found[2]) else found[0]
