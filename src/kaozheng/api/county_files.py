"""Files and folders into the data of counties, each as what it is: a table of figures, or a list of records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from kaozheng.api.county_import import FileImport, ImportOptions, ImportStatus, import_tables
from kaozheng.api.county_records import YAML, RecordImport, import_records, listed_kind
from kaozheng.errors import InputError
from kaozheng.settings import Settings

_TABLES: Final = frozenset({".xlsx", ".xls", ".csv", ".tsv"})


def import_files(
    given: Sequence[Path], options: ImportOptions | None = None, settings: Settings | None = None
) -> list[FileImport | RecordImport]:
    """Import each file, and of each folder its tables and lists. YAML is a list, and so is a table that no mapping and
    no sure guess makes figures of, when its heads say what it lists. Raises as `import_tables` and `import_records`,
    and InputError for a folder that holds nothing of the kind."""
    options = options or ImportOptions()
    files = [file for one in given for file in _files(one)]
    tables = [file for file in files if file.suffix.lower() not in YAML]
    done: dict[Path, FileImport | RecordImport] = {}
    if tables or not files:
        done |= {one.path: one for one in import_tables(tables, options, settings)}
    for file in files:
        table = done.get(file)
        if table is None:
            done[file] = import_records(file, preview=options.preview, settings=settings)
        elif isinstance(table, FileImport) and table.status is ImportStatus.UNCLEAR and not options.save_mapping:
            done[file] = _listed(table, options, settings)
    return [done[file] for file in files]


def _files(given: Path) -> Iterator[Path]:
    if not given.is_dir():
        yield given
        return
    found = sorted(file for file in given.iterdir() if file.suffix.lower() in _TABLES | YAML and file.is_file())
    if not found:
        raise InputError(f"{given}: there is no table in it: XLSX, XLS, CSV, TSV and YAML are read")
    yield from found


def _listed(table: FileImport, options: ImportOptions, settings: Settings | None) -> FileImport | RecordImport:
    """The table as a list, where its heads say of what; else as it was."""
    kind = listed_kind(table.path)
    return import_records(table.path, kind, preview=options.preview, settings=settings) if kind else table
