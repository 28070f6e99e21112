"""Tables into the data of counties: by a mapping file, or by a guess that is sure of everything."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final

from kaozheng.api.county import CountyData, CountyLists, county_lists, open_data
from kaozheng.api.county_tickets import answer_filled
from kaozheng.api.running import run_sync
from kaozheng.aside import aside
from kaozheng.county.importing.extracting import extract
from kaozheng.county.importing.finding import Code, Kind
from kaozheng.county.importing.guess import Guess, guess
from kaozheng.county.importing.mapping import Mapping, SourceEntry, read_mapping, write_mapping
from kaozheng.errors import InputError
from kaozheng.settings import Settings
from kaozheng.wiring.files import check_writable, grid_reader, text_of, write_file

if TYPE_CHECKING:
    from kaozheng.county.importing.plan import Plan
    from kaozheng.county.store import Imported
    from kaozheng.county.table_source import TableSource
    from kaozheng.sources.grid import Workbook

_VINTAGE: Final = re.compile(r"(19|20)\d\d[\w.-]{0,28}")
MAPPING_SUFFIX: Final = ".toml"
"""`yearbook.toml` beside `yearbook.xlsx` is its mapping."""


class ImportStatus(StrEnum):
    """What became of a file."""

    IMPORTED = "imported"
    PREVIEW = "preview"
    UNCLEAR = "unclear"  # the guess is not sure: nothing was imported
    NOTHING = "nothing"  # no row could be read: nothing was changed


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """`mapping` says what the cells of the one file mean; without it the mapping beside a file counts, then a guess.
    `source` names the publication of a guess. `preview` changes nothing. `save_mapping` is where the mapping goes."""

    mapping: Path | None = None
    source_id: str = ""
    title: str = ""
    vintage: str = ""
    preview: bool = False
    save_mapping: Path | None = None

    @property
    def names_source(self) -> bool:
        """Whether anything is said of the source."""
        return bool(self.source_id or self.title or self.vintage)


@dataclass(frozen=True, slots=True)
class FileImport:
    """A file with the mapping by which it was read, the guess where no file gave one, the plan, and what the import
    changed. An unclear guess has no plan."""

    path: Path
    status: ImportStatus
    mapping_path: Path | None
    guess: Guess | None
    mapping: Mapping | None = None
    plan: Plan | None = None
    imported: Imported | None = None
    answered: tuple[str, ...] = ()
    """Keys of the tickets whose values came."""

    @property
    def exit_code(self) -> int:
        """4 when a person must say more, 1 when cells were left out that may be wanted."""
        if self.status is ImportStatus.UNCLEAR:
            return 4
        return int(self.status is ImportStatus.NOTHING or self._left_out)

    @property
    def _left_out(self) -> bool:
        findings = self.plan.findings if self.plan else ()
        return any(one.kind is Kind.REFUSED and one.code is not Code.NOT_A_COUNTY for one in findings)

    def as_dict(self) -> dict[str, Any]:
        """Plain values; every finding with its cell."""
        plan = self.plan
        return {
            "path": str(self.path),
            "status": self.status.value,
            "mapping": str(self.mapping_path) if self.mapping_path else None,
            "choices": [asdict(one) for one in self.guess.choices] if self.guess else [],
            "source": asdict(plan.source) if plan else None,
            "rows": len(plan.observations) if plan else 0,
            "refused": plan.refused if plan else 0,
            "unread_sheets": list(plan.unread) if plan else [],
            "findings": [asdict(one) for one in plan.findings] if plan else [],
            "imported": asdict(self.imported) if self.imported else None,
            "tickets_answered": list(self.answered),
        }


def import_tables(
    files: Sequence[Path], options: ImportOptions | None = None, settings: Settings | None = None
) -> list[FileImport]:
    """Import tables (XLSX, XLS, CSV), each as one source, wholly or not at all. All files are read before the first is
    imported, so that one which cannot be read leaves everything as it was.

    Raises InputError for a mapping that does not fit, for options that speak of one file when there are several, and
    for two files of one source; SourceError for what is no table, MissingExtraError, StorageError.
    """
    options = options or ImportOptions()
    _require_fitting(files, options)
    return run_sync(_import(files, options, settings))


async def _import(files: Sequence[Path], options: ImportOptions, settings: Settings | None) -> list[FileImport]:
    lists = await county_lists(settings)
    planned = [await _planned(path, options, lists) for path in files]
    _require_different_sources(planned)
    if options.save_mapping:
        write_file(options.save_mapping, _mapping_text(planned[0]))
    if options.preview or not any(one.status is ImportStatus.IMPORTED for one in planned):
        return planned
    async with open_data(settings, making=True) as data:
        _require_one_kind(planned, await data.store.sources())
        return [await _imported(one, data) for one in planned]


async def _planned(path: Path, options: ImportOptions, lists: CountyLists) -> FileImport:
    """What a file would bring; its status is `IMPORTED` when there is something to import."""
    book = await grid_reader().workbook(path)
    mapping_path = options.mapping or _beside(path)
    if mapping_path and options.names_source:
        raise InputError(f"{mapping_path} names the source already: leave out --source, --title and --vintage")
    mapping: Mapping | None
    if mapping_path:
        guessed, mapping = None, read_mapping(text_of(mapping_path), str(mapping_path))
    else:
        guessed = await _guessed(book, options, lists)
        mapping = guessed.mapping
    if mapping is None or (guessed and not guessed.is_sure):
        return FileImport(path, ImportStatus.UNCLEAR, mapping_path, guessed)
    plan = await aside(extract, book, mapping, lists.regions, lists.catalogue)
    status = ImportStatus.PREVIEW if options.preview else ImportStatus.IMPORTED
    return FileImport(path, status if plan.observations else ImportStatus.NOTHING, mapping_path, guessed, mapping, plan)


async def _guessed(book: Workbook, options: ImportOptions, lists: CountyLists) -> Guess:
    """The guess; what was said of the source stands in its mapping."""
    given = {name: said for name, said in (("id", options.source_id), ("title", options.title)) if said}
    source = None
    if options.vintage:
        stem = PurePath(book.path).stem
        id = options.source_id or stem
        source = SourceEntry(id=id, title=options.title or id, vintage=checked_vintage(options.vintage))
    found = await aside(guess, book, lists.regions, lists.catalogue, source)
    if source or not given or found.mapping is None:
        return found
    named = found.mapping.source.model_copy(update={"title": options.source_id, **given})
    return replace(found, mapping=found.mapping.model_copy(update={"source": named}))


def checked_vintage(text: str) -> str:
    """Raises InputError for what does not say when something was published."""
    if not _VINTAGE.fullmatch(text):
        raise InputError(f"--vintage {text}: when it was published, as 2024 or 2024-03-26")
    return text


def _beside(path: Path) -> Path | None:
    found = path.with_suffix(MAPPING_SUFFIX)
    return found if found.is_file() else None


def _mapping_text(planned: FileImport) -> str:
    if planned.guess:
        return planned.guess.toml()
    return write_mapping(planned.mapping) if planned.mapping else ""


async def _imported(planned: FileImport, data: CountyData) -> FileImport:
    if planned.status is not ImportStatus.IMPORTED or planned.plan is None:
        return planned
    plan = planned.plan
    imported = await data.store.import_rows(plan.source, plan.observations, plan.indicators)
    return replace(planned, imported=imported, answered=tuple(await answer_filled(data, plan.observations)))


def _require_fitting(files: Sequence[Path], options: ImportOptions) -> None:
    if not files:
        raise InputError("name the tables to import: XLSX, XLS or CSV")
    speaks_of_one = options.mapping or options.save_mapping or options.source_id or options.title
    if len(files) > 1 and speaks_of_one:
        raise InputError(
            "--mapping, --save-mapping, --source and --title speak of one file: import the files one by one,"
            f" or put a mapping beside each ({files[0].stem}{MAPPING_SUFFIX})"
        )
    if options.mapping and options.names_source:
        raise InputError("the mapping names the source: leave out --source, --title and --vintage")
    if options.save_mapping:
        check_writable(options.save_mapping)


def _require_one_kind(planned: Sequence[FileImport], known: Sequence[TableSource]) -> None:
    """Of two revisions the later counts: a made-up figure would win over a real one of the year before."""
    new = [one.plan.source for one in planned if one.plan]
    for source in new:
        for other in (*known, *new):
            if other.synthetic is not source.synthetic and other.id != source.id:
                made_up = other if other.synthetic else source
                raise InputError(
                    f"{source.id} and {other.id} cannot stand in one place: {made_up.id} is made up to try things:"
                    f" kaozheng county remove {made_up.id}, or keep the other elsewhere (KAOZHENG_COUNTY=other.db)"
                )


def _require_different_sources(planned: Sequence[FileImport]) -> None:
    """Two files of one source would each take the rows of the other out."""
    known: dict[str, Path] = {}
    for one in planned:
        if one.mapping is None:
            continue
        other = known.setdefault(one.mapping.source.id, one.path)
        if other != one.path:
            raise InputError(
                f"{other} and {one.path} are both of the source {one.mapping.source.id!r}: name each its own"
            )
