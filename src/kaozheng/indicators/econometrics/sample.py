"""The sample: the columns of a request as float64 and labels, rows with a gap left out and counted, and their hash."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from kaozheng.errors import InputError
from kaozheng.indicators.reason import Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Columns = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows without a gap in any column asked for.

    numbers: columns as float64; labels: columns as text; rows_given, and how many rows a gap in which column cost (a
    row counts under its first gap). `data_hash` does not depend on the order of rows.
    """

    numbers: Mapping[str, Floats]
    labels: Mapping[str, tuple[str, ...]]
    rows: int
    rows_given: int
    gaps: tuple[tuple[str, int], ...]
    data_hash: str

    def matrix(self, names: Sequence[str]) -> Floats:
        """These columns side by side, rows x len(names)."""
        import numpy as np

        return np.column_stack([self.numbers[name] for name in names]) if names else np.empty((self.rows, 0))

    @property
    def told(self) -> Reason:
        """How many rows of how many are used, and what cost the others."""
        lost = ", ".join(f"{name} {count}" for name, count in self.gaps)
        tail_zh, tail_en = (f"（缺失：{lost}）", f" (gaps: {lost})") if lost else ("", "")
        return Reason(
            f"给出{self.rows_given}行，使用{self.rows}行{tail_zh}",
            f"{self.rows} of {self.rows_given} rows{tail_en}",
        )


def draw(columns: Columns, numbers: Sequence[str], labels: Sequence[str] = ()) -> Sample:
    """The rows of these columns. None, NaN and empty text are gaps. Whatever the type of a number (an int8 squares
    to nonsense without an error), it is float64 from here on.

    Raises InputError for an unknown column, columns of different length, and a cell that is not a finite number.
    """
    import numpy as np

    names = (*dict.fromkeys((*numbers, *labels)),)
    lengths = {name: len(_column(columns, name)) for name in names}
    if len(set(lengths.values())) > 1:
        raise InputError(f"the columns differ in length: {lengths}")
    size = next(iter(lengths.values()), 0)
    floats = {name: _floats(name, columns[name]) for name in dict.fromkeys(numbers)}
    texts = {name: [as_label(cell) for cell in columns[name]] for name in dict.fromkeys(labels)}
    keep = np.ones(size, dtype=bool)
    gaps = []
    for name in names:
        whole = ~np.isnan(floats[name]) if name in floats else np.ones(size, dtype=bool)
        if name in texts:
            whole &= np.array([text != "" for text in texts[name]], dtype=bool)
        if lost := int(np.sum(keep & ~whole)):
            gaps.append((name, lost))
        keep &= whole
    kept = {name: column[keep] for name, column in floats.items()}
    told = {
        name: tuple(text for text, used in zip(column, keep, strict=True) if used) for name, column in texts.items()
    }
    return Sample(kept, told, int(keep.sum()), size, tuple(gaps), data_hash(kept, told))


def of_rows(sample: Sample, keep: NDArray[np.bool_]) -> Sample:
    """The part of the sample that `keep` marks, with a hash of its own."""
    kept = {name: column[keep] for name, column in sample.numbers.items()}
    told = {
        name: tuple(text for text, used in zip(column, keep, strict=True) if used)
        for name, column in sample.labels.items()
    }
    return Sample(kept, told, int(keep.sum()), sample.rows_given, sample.gaps, data_hash(kept, told))


def data_hash(numbers: Mapping[str, Floats], labels: Mapping[str, Sequence[str]]) -> str:
    """SHA-256 over names and rows. Rows are sorted first: the same data in another order are the same data."""
    names = (*sorted(numbers), *sorted(labels))
    columns = [[repr(float(cell)) for cell in numbers[name]] for name in sorted(numbers)]
    columns += [list(labels[name]) for name in sorted(labels)]
    rows = sorted("\x1f".join(cells) for cells in zip(*columns, strict=True))
    return sha256("\x1e".join(["\x1f".join(names), *rows]).encode()).hexdigest()


def as_label(cell: Any) -> str:
    """A code or name as text: 511083, 511083.0 and "511083" are one region. A gap is ""."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell.strip()
    try:
        number = float(cell)
    except (TypeError, ValueError):
        return str(cell).strip()
    if math.isnan(number):
        return ""
    return str(int(number)) if number.is_integer() else str(number)


def _column(columns: Columns, name: str) -> Sequence[Any]:
    if name not in columns:
        raise InputError(f"no column {name}: there are {', '.join(sorted(map(str, columns)))}")
    return columns[name]


def _floats(name: str, column: Sequence[Any]) -> Floats:
    import numpy as np

    array = np.asarray(column)
    if array.dtype.kind in "biuf":
        floats = array.astype(np.float64)
    else:
        floats = np.array([_float(name, row, cell) for row, cell in enumerate(column, 1)], dtype=np.float64)
    if np.isinf(floats).any():
        raise InputError(f"column {name}, row {int(np.argmax(np.isinf(floats))) + 1}: infinite")
    return floats


def _float(name: str, row: int, cell: Any) -> float:
    if cell is None or cell == "":
        return math.nan
    if isinstance(cell, int | float | Decimal) or hasattr(cell, "dtype"):
        return float(cell)
    raise InputError(f"column {name}, row {row}: {cell!r} is not a number")
