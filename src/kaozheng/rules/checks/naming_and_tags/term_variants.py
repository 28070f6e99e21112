"""One form for each term.

What:   A discouraged variant of a term is used.
Why:    Variants split searches, and some are plain misspellings (登陆 is what a landing craft does).
Bad:    登陆帐号
Good:   登录账号
Fix:    unsafe, or safe when `fix = "safe"`
Settings: terms = { "登录" = ["登陆"], "账号" = ["帐号"], … }, allow = ["登陆作战", …], fix = "unsafe"
Source: 现代汉语词典; Chinese Copywriting Guidelines, "用詞"
"""

from __future__ import annotations

from collections.abc import Iterator

from kaozheng.documents.edits import TextEdit
from kaozheng.rules.check import Check, Context, Finding, finding
from kaozheng.rules.phrases import occurrences, phrase_pattern

_TERMS = {
    "登录": ["登陆"],
    "账号": ["帐号"],
    "账户": ["帐户"],
    "账单": ["帐单"],
    "阈值": ["阀值"],
    "其他": ["其它"],
    "部署": ["布署"],
    "安装": ["按装"],
    "部分": ["部份"],
    "撤销": ["撤消"],
    "即使": ["既使"],
}
_ALLOW = [
    *("登陆作战", "登陆战", "登陆舰", "登陆艇", "登陆点", "登陆月球", "登陆火星", "登陆部队"),
    *("台风登陆", "抢滩登陆", "成功登陆", "强行登陆", "两栖登陆"),
]


def check(context: Context) -> Iterator[Finding]:
    """One finding for each variant; a variant inside the right term is none."""
    right: dict[str, str] = {}
    for term, variants in context.settings["terms"].items():
        right.update({" ".join(variant.split()).casefold(): term for variant in variants})
    words = phrase_pattern(right)
    if words is None:
        return
    terms = [term for term in context.settings["terms"] if term.casefold() not in right]
    allowed = phrase_pattern([*terms, *context.settings["allow"]])
    safe = context.settings["fix"] == "safe"
    for prose in context.document.prose:
        for found in occurrences(prose, words, allowed):
            term = right[" ".join(found[0].split()).casefold()]
            place = prose.sub(*found.span())
            message = context.say(f"“{found[0]}”应写作“{term}”", f"{found[0]!r} should be {term!r}.")
            yield finding(place, message, [TextEdit(place, term)], safe=safe)


CHECK = Check(
    "term-variants",
    family="naming_and_tags",
    run=check,
    fix="unsafe",
    settings={"terms": _TERMS, "allow": _ALLOW, "fix": "unsafe"},
    choices={"fix": ("safe", "unsafe")},
    order=52,
)
