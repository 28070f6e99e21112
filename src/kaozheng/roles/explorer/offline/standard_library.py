"""Which packages come with a language itself: they say little about what a program is built on."""

from __future__ import annotations

import sys

_NODE = frozenset(
    {
     "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "crypto", "dgram", "dns", "events",
     "fs", "http", "http2", "https", "module", "net", "os", "path", "perf_hooks", "process", "punycode",
     "querystring", "readline", "repl", "stream", "string_decoder", "timers", "tls", "tty", "url", "util", "v8",
     "vm", "worker_threads", "zlib"
    }
)  # fmt: skip
_C = frozenset(
    {
     "assert", "complex", "ctype", "errno", "fenv", "float", "inttypes", "iso646", "limits", "locale", "math",
     "setjmp", "signal", "stdalign", "stdarg", "stdatomic", "stdbool", "stddef", "stdint", "stdio", "stdlib",
     "stdnoreturn", "string", "tgmath", "threads", "time", "uchar", "wchar", "wctype", "unistd", "pthread"
    }
)  # fmt: skip
_SCRIPTS = frozenset({"javascript", "typescript", "tsx", "vue", "svelte"})
_HOSTS = frozenset({"github.com", "gitlab.com", "bitbucket.org", "golang.org", "gitee.com"})


def is_standard(language: str, target: str) -> bool:
    """Whether an import that no file of the repository answers comes with the language. Headers of C and C++ without a
    folder count as such when they are the standard's or have no suffix."""
    if language == "python":
        return target.partition(".")[0] in sys.stdlib_module_names
    if language in _SCRIPTS:
        return target.startswith("node:") or target.partition("/")[0] in _NODE
    if language == "go":
        return "." not in target.partition("/")[0]
    if language == "rust":
        return target.partition("::")[0] in ("std", "core", "alloc", "proc_macro", "test")
    if language == "java":
        return target.startswith(("java.", "javax.", "jdk.", "sun."))
    if language in ("c", "cpp"):
        return "." not in target or target.removesuffix(".h") in _C or target.removeprefix("c") in _C
    return False


def package_of(language: str, target: str) -> str:
    """The package that an import belongs to, as the beginning of what the import names; "" where it names no package
    (`use Shape::*` takes the variants of an enum)."""
    if language == "python":
        return target.partition(".")[0]
    if language == "rust":
        return "" if target[:1].isupper() else target.partition("::")[0]
    if language == "go":
        parts = target.split("/")
        return "/".join(parts[:3]) if parts[0] in _HOSTS else target
    if language == "java":
        parts = target.split(".")
        named = next((at for at, part in enumerate(parts) if part[:1].isupper() or part == "*"), len(parts))
        return ".".join(parts[: max(1, min(named, 3))])
    return target
