"""Imports lead to files that exist, and only to those."""
# ruff: noqa: E501 - tables read better wide

import pytest

from kaozheng.sources.code.imports import resolve_imports
from kaozheng.sources.code.symbol import Outline, RawImport

FILES = [
    "pyproject.toml", "src/app/__init__.py", "src/app/a.py", "src/app/b/__init__.py", "src/app/b/c.py", "tests/test_a.py",
    "tool.py", "web/package.json", "web/tsconfig.json", "web/src/index.ts", "web/src/lib/util.ts", "web/src/ui/index.tsx",
    "web/src/old.js", "kit/package.json", "kit/src/index.ts", "go.mod", "cmd/x/main.go", "pkg/store/store.go",
    "pkg/store/a.go", "pkg/store/store_test.go", "Cargo.toml", "crates/core/Cargo.toml", "crates/core/src/lib.rs",
    "crates/core/src/net/mod.rs", "crates/core/src/net/tcp.rs", "crates/core/src/io.rs", "crates/cli/Cargo.toml",
    "crates/cli/src/main.rs", "j/src/main/java/com/x/A.java", "j/src/main/java/com/x/y/B.java", "c/src/main.c",
    "c/src/near.h", "c/include/far/far.h",
]  # fmt: skip
MANIFESTS = {
    "web/package.json": '{"name": "web"}',
    "kit/package.json": '{"name": "@x/kit", "main": "dist/index.js"}',
    "web/tsconfig.json": '{ // paths\n "compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"],}} }',
    "go.mod": "module example.org/m\n\ngo 1.22\n",
    "crates/core/Cargo.toml": '[package]\nname = "my-core"\n',
    "crates/cli/Cargo.toml": '[package]\nname = "cli"\n',
}


@pytest.mark.parametrize(
    ("path", "language", "raw", "expected"),
    [
        ("src/app/a.py", "python", RawImport("app.b", 1, ("c",)), {"src/app/b/c.py"}),
        ("src/app/a.py", "python", RawImport("app.b", 1, ("name",)), {"src/app/b/__init__.py"}),
        ("src/app/a.py", "python", RawImport(".b.c", 1, ("f",)), {"src/app/b/c.py"}),
        ("src/app/b/c.py", "python", RawImport("..", 1, ("a",)), {"src/app/a.py"}),
        ("src/app/b/c.py", "python", RawImport(".....", 1, ("a",)), set()),
        ("tests/test_a.py", "python", RawImport("app", 1), {"src/app/__init__.py"}),
        ("tests/test_a.py", "python", RawImport("tool", 1), {"tool.py"}),
        ("tests/test_a.py", "python", RawImport("os.path", 1), {"!os.path"}),
        ("src/app/a.py", "python", RawImport("app._version", 1, ("version",)), set()),
        ("src/app/a.py", "python", RawImport("app.gone.deep", 1), set()),
        ("src/app/a.py", "python", RawImport("apple.gone", 1), {"!apple.gone"}),
        ("src/app/a.py", "python", RawImport("tool.sub", 1), {"!tool.sub"}),
        ("web/src/ui/index.tsx", "tsx", RawImport("@/gone", 1), set()),
        ("web/src/index.ts", "typescript", RawImport("@x/kit/gone", 1), set()),
        ("cmd/x/main.go", "go", RawImport("example.org/m/gone", 1), set()),
        ("j/src/main/java/com/x/A.java", "java", RawImport("com.x.Gone", 1), set()),
        ("j/src/main/java/com/x/A.java", "java", RawImport("com.z.Far", 1), {"!com.z.Far"}),
        ("c/src/main.c", "c", RawImport("far/gone.h", 1, quoted=True), set()),
        ("c/src/main.c", "c", RawImport("zlib/gone.h", 1, quoted=True), {"!zlib/gone.h"}),
        ("web/src/index.ts", "typescript", RawImport("./lib/util", 1), {"web/src/lib/util.ts"}),
        ("web/src/index.ts", "typescript", RawImport("./lib/util.js", 1), {"web/src/lib/util.ts"}),
        ("web/src/index.ts", "typescript", RawImport("./ui", 1), {"web/src/ui/index.tsx"}),
        ("web/src/ui/index.tsx", "tsx", RawImport("@/lib/util", 1), {"web/src/lib/util.ts"}),
        ("web/src/index.ts", "typescript", RawImport("@x/kit", 1), {"kit/src/index.ts"}),
        ("web/src/index.ts", "typescript", RawImport("@x/other/deep", 1), {"!@x/other"}),
        ("web/src/index.ts", "typescript", RawImport("../../../../../etc/passwd", 1), set()),
        ("cmd/x/main.go", "go", RawImport("example.org/m/pkg/store", 1), {"pkg/store/store.go"}),
        ("cmd/x/main.go", "go", RawImport("fmt", 1), {"!fmt"}),
        ("crates/core/src/lib.rs", "rust", RawImport("net", 1, quoted=True), {"crates/core/src/net/mod.rs"}),
        ("crates/core/src/net/mod.rs", "rust", RawImport("tcp", 1, quoted=True), {"crates/core/src/net/tcp.rs"}),
        (
            "crates/core/src/io.rs",
            "rust",
            RawImport("", 1, ("crate::net::tcp::Stream",)),
            {"crates/core/src/net/tcp.rs"},
        ),
        ("crates/core/src/net/tcp.rs", "rust", RawImport("", 1, ("super::super::io",)), {"crates/core/src/io.rs"}),
        ("crates/cli/src/main.rs", "rust", RawImport("", 1, ("my_core::io::Read",)), {"crates/core/src/io.rs"}),
        ("crates/cli/src/main.rs", "rust", RawImport("", 1, ("serde::Serialize",)), {"!serde"}),
        ("j/src/main/java/com/x/A.java", "java", RawImport("com.x.y.B", 1), {"j/src/main/java/com/x/y/B.java"}),
        ("j/src/main/java/com/x/A.java", "java", RawImport("com.x.y.B.Inner.f", 1), {"j/src/main/java/com/x/y/B.java"}),
        ("j/src/main/java/com/x/A.java", "java", RawImport("java.util.List", 1), {"!java.util.List"}),
        ("c/src/main.c", "c", RawImport("near.h", 1, quoted=True), {"c/src/near.h"}),
        ("c/src/main.c", "c", RawImport("far/far.h", 1), {"c/include/far/far.h"}),
        ("c/src/main.c", "c", RawImport("stdio.h", 1), {"!stdio.h"}),
    ],
)
def test_import_leads_to_its_file(path, language, raw, expected):
    edges = resolve_imports({path: Outline(path, language, (), (raw,))}, FILES, MANIFESTS)
    assert {edge.target if edge.inside else f"!{edge.target}" for edge in edges} == expected
    assert all(edge.source == path and edge.line == 1 for edge in edges)


def test_broken_manifests_are_no_reason_to_stop():
    broken = {
        "Cargo.toml": "[[[",
        "package.json": "{" * 100_000,
        "tsconfig.json": '{"compilerOptions": []}',
        "go.mod": "",
    }
    outlines = {"a.ts": Outline("a.ts", "typescript", (), (RawImport("./b", 3),))}
    assert [edge.target for edge in resolve_imports(outlines, ["a.ts", "b.ts"], broken)] == ["b.ts"]


def test_a_name_of_the_standard_library_means_a_file_of_ours_only_to_a_script_beside_it():
    files = [
        "app/utils/time.py",
        "app/utils/json/x.py",
        "run/types.py",
        "run/main.py",
        "pkg/__init__.py",
        "pkg/queue.py",
        "pkg/a.py",
    ]
    named = {"app/x.py": ("time", "json.x"), "run/main.py": ("types", "time"), "pkg/a.py": ("queue",)}
    outlines = {
        path: Outline(path, "python", imports=tuple(RawImport(name, 1) for name in names))
        for path, names in named.items()
    }
    edges = resolve_imports(outlines, files, {})
    assert {(edge.source, edge.target) for edge in edges if edge.inside} == {("run/main.py", "run/types.py")}
