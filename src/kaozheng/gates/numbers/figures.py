"""What gate 1 takes for the numbers of a line."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from kaozheng.county.figures.bare_numbers import figures_in
from kaozheng.documents.span import Span
from kaozheng.evidence.folding import narrow
from kaozheng.evidence.numbers import Number
from kaozheng.gates.numbers.said import with_shared_units

TITLE: Final = re.compile(r"《[^《》\n]{1,120}》")
"""What stands in a title is not said of anything."""


def figures_of(line: str, titles: Collection[str] = ()) -> list[Number]:
    """The numbers of a line, without marks of emphasis, that something must carry, in order; in a row each has the unit
    of the row. Those that are part of one of the `titles` in 《》 are not among them, nor is what `figures_in` leaves
    out: dates, spans of years, document numbers, marks of lists, telephones."""
    plain = narrow(line)
    known = [narrow(title) for title in titles]
    quoted = [Span(*found.span()) for found in TITLE.finditer(plain) if any(title in found[0] for title in known)]
    figures = [one for one in figures_in(line) if not any(span.overlaps(one.span) for span in quoted)]
    return with_shared_units(figures, plain)
