"""What a finished run gives back, and how it is put on the disk."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kaozheng.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kaozheng.deliverables.table import Table
    from kaozheng.journal import RunRecord


@dataclass(frozen=True, slots=True)
class RunResult:
    """What `write`, `summarize`, `resume` and `fork` give back. `workflow` is "write" or "summarize", `document` the
    text that was made and `path` its file in the run's folder. `exit_code` is 0 (clean) or 1 (something is left, see
    `report`)."""

    run_id: str
    workflow: str
    folder: Path
    path: Path
    document: str
    report: dict[str, Any]
    usage: dict[str, Any]
    exit_code: int


def result_of(record: RunRecord) -> RunResult:
    """What a run that delivered gives back. Raises StorageError when its files are gone."""
    made = record.result or {}
    path = Path(made["document"])
    try:
        document = path.read_text(encoding="utf-8")
        report = json.loads(Path(made["report"]).read_text(encoding="utf-8"))
    except OSError as error:
        raise StorageError(f"{error.filename}: what the run made cannot be read ({error.strerror})") from error
    folder = Path(record.folder)
    return RunResult(record.id, record.workflow, folder, path, document, report, record.usage, record.exit_code or 0)


def check_output(path: Path) -> None:
    """Raises InputError when nothing can be written at `path`: better before a run than after it. Leaves no trace."""
    from kaozheng.wiring import check_writable

    check_writable(path)


def save_document(result: RunResult, path: Path) -> None:
    """Put the document at `path`; its relative links lead to the same files from there. Raises StorageError."""
    from kaozheng.documents.links import moved_links

    save(moved_links(result.document, result.folder, path.resolve().parent), path)


def save(text: str, path: Path) -> None:
    """Put `text` at `path`, wholly or not at all. Raises StorageError."""
    from kaozheng.wiring import write_file

    write_file(path, text)


def save_tables(tables: Sequence[Table], path: Path, language: str = "zh") -> None:
    """Put tables at `path` as an XLSX, wholly or not at all. Raises InputError for what a sheet cannot hold or a path
    that cannot be written, StorageError."""
    from kaozheng.deliverables.workbook import workbook
    from kaozheng.wiring.files import write_bytes

    check_output(path)
    write_bytes(path, workbook(tables, language))
