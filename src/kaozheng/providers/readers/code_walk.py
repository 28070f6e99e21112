"""Walks a folder of code: ignore files honoured, no symbolic link ever followed, every omission with its reason."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kaozheng.providers.readers.text_files import natural_key, shown
from kaozheng.sources.code.code_file import kind_of
from kaozheng.sources.code.ignore import IgnoreRule, is_ignored, parse_ignore

_IGNORE_LIMIT_BYTES = 500_000
_DEEPEST = 100
_MOST_RULES = 2_000  # each is asked of each file


@dataclass(frozen=True, slots=True)
class Found:
    """A regular file (`why` is "") or something left out. `path` is printable, `real` is where it lies."""

    path: str
    real: Path
    size_bytes: int = 0
    why: str = ""


def walk(root: Path) -> Iterator[Found]:
    """Files in natural order, folders of other people's code last, so that a limit meets those first."""
    rules = _rules_of(root / ".git" / "info" / "exclude", "")
    pending: list[tuple[Path, str, tuple[IgnoreRule, ...]]] = [(root, "", rules)]
    vendored: list[tuple[Path, str, tuple[IgnoreRule, ...]]] = []
    while pending or vendored:
        folder, inner, rules = (pending or vendored).pop()
        if inner.count("/") > _DEEPEST:
            yield Found(shown(inner), folder, why=f"deeper than {_DEEPEST} folders")
            continue
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: natural_key(entry.name))
        except OSError as error:
            yield Found(shown(inner or "."), folder, why=f"cannot be listed ({error.strerror})")
            continue
        rules = (rules + _rules_of(folder / ".gitignore", inner))[:_MOST_RULES]
        deeper: list[tuple[Path, str, tuple[IgnoreRule, ...]]] = []
        for entry in entries:
            if entry.name == ".git":
                continue
            name = f"{inner}/{entry.name}" if inner else entry.name
            if entry.is_dir(follow_symlinks=False) and not is_ignored(name, True, rules):
                deeper.append((Path(entry.path), name, rules))
            else:
                yield _found(entry, name, rules, root)
        for one in reversed(deeper):
            (vendored if kind_of(f"{one[1]}/x") == "vendored" else pending).append(one)


def _found(entry: os.DirEntry[str], name: str, rules: tuple[IgnoreRule, ...], root: Path) -> Found:
    path, real = shown(name), Path(entry.path)
    if entry.is_symlink():
        return Found(path, real, why=_why_link(real, root))
    if entry.is_dir(follow_symlinks=False):
        return Found(path + "/", real, why="ignored by .gitignore")
    if is_ignored(name, False, rules):
        return Found(path, real, why="ignored by .gitignore")
    try:
        info = entry.stat(follow_symlinks=False)
    except OSError as error:
        return Found(path, real, why=f"cannot be read ({error.strerror})")
    return Found(path, real, info.st_size, "" if stat.S_ISREG(info.st_mode) else "not a regular file")


def _why_link(link: Path, root: Path) -> str:
    """The target's own path is not told when it lies outside: it says something about the machine."""
    target = Path(os.path.realpath(link))
    if not target.is_relative_to(os.path.realpath(root)):
        return "a link that leads out of the folder, not followed"
    return "a link inside the folder, its target is read by itself" if target.exists() else "a link that leads nowhere"


def _rules_of(path: Path, base: str) -> tuple[IgnoreRule, ...]:
    """The rules of an ignore file; none when it is missing, a link (git does not follow it either) or too large."""
    try:
        info = path.lstat()
        if not stat.S_ISREG(info.st_mode) or info.st_size > _IGNORE_LIMIT_BYTES:
            return ()
        text = os.fsdecode(path.read_bytes())
    except OSError:
        return ()
    return parse_ignore(text, base)
