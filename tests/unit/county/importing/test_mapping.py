"""A mapping file is strict, says what is wrong with it, and survives being written and read again."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaozheng.county.importing.mapping import (
    ColumnEntry,
    IndicatorEntry,
    Layout,
    Mapping,
    Place,
    SourceEntry,
    TableEntry,
    column_letters,
    column_number,
    place_of,
    read_mapping,
    write_mapping,
)
from kaozheng.errors import InputError
from kaozheng.indicators.indicator import Calibre
from kaozheng.indicators.observation import Missing

SOURCE = '[source]\nid = "s"\ntitle = "t"\nvintage = "2024"\n'
TABLE = '[[tables]]\nlayout = "regions-years"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SOURCE + TABLE + 'hiden = "read"', r"tables\[1\].hiden is no key here \(did you mean hidden\?\)"),
        (SOURCE + 'tilte = "x"\n' + TABLE, "source.tilte is no key here .did you mean title"),
        (SOURCE + TABLE + 'columns = { B = { unti = "元" } }', "columns.B.unti is no key here .did you mean unit"),
        (SOURCE + TABLE + 'columns = { b = { unit = "元" } }', "columns.b"),
        (SOURCE + '[[tables]]\nlayout = "regions"', "regions-years"),
        (SOURCE + '[[tables]]\nlayout = "long"', "needs the one column of its values"),
        (SOURCE + TABLE + "first_row = 9\nlast_row = 5", "last_row 5 is above first_row 9"),
        (SOURCE, "tables"),
        (SOURCE.replace('"2024"', '"last year"') + TABLE, "source.vintage"),
        ("= 1", "m.toml is not TOML"),
        ("tables = 1\nqqq = 2", "there are: source, indicators, names, tables"),
    ],
)
def test_a_fault_is_named_with_its_place(text, said):
    with pytest.raises(InputError, match=said):
        read_mapping(text, "m.toml")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("head", Place("head")),
        ("column AB", Place("column", 28)),
        ("row 3", Place("row", 3)),
        ("title", Place("title")),
        ("gdp", Place("constant", text="gdp")),
        ("column 3", Place("constant", text="column 3")),
    ],
)
def test_a_place_is_a_word_of_the_file_or_a_constant(text, place):
    assert place_of(text) == place


@given(st.integers(min_value=1, max_value=16384))
def test_letters_of_columns_are_numbers_and_back(number):
    assert column_number(column_letters(number)) == number


_TEXTS = st.text(max_size=12)
_SOURCES = st.builds(
    SourceEntry, id=st.text(min_size=1, max_size=9), title=_TEXTS, vintage=st.just("2024-03"), note=_TEXTS
)
_INDICATORS = st.builds(
    IndicatorEntry,
    key=st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True),
    name=st.text(min_size=1, max_size=9),
    unit=_TEXTS,
    calibre=st.sampled_from(Calibre),
    aliases=st.lists(_TEXTS, max_size=2).map(tuple),
)
_TABLES = st.builds(
    TableEntry,
    sheet=_TEXTS,
    layout=st.sampled_from([Layout.REGIONS_YEARS, Layout.INDICATORS_REGIONS]),
    head=st.lists(st.integers(1, 9), max_size=3).map(tuple),
    unit=_TEXTS,
    columns=st.dictionaries(st.sampled_from(["A", "BC"]), st.builds(ColumnEntry, unit=_TEXTS, period=_TEXTS)),
    missing=st.dictionaries(_TEXTS, st.sampled_from(Missing), max_size=2),
)


@given(
    st.builds(
        Mapping,
        source=_SOURCES,
        indicators=st.lists(_INDICATORS, max_size=2).map(tuple),
        names=st.dictionaries(_TEXTS, _TEXTS, max_size=2),
        tables=st.lists(_TABLES, min_size=1, max_size=2).map(tuple),
    )
)
def test_what_is_written_is_read_again(mapping):
    assert read_mapping(write_mapping(mapping)) == mapping


def test_the_example_of_the_reference_is_a_mapping():
    page = Path(__file__).parents[4] / "docs" / "reference" / "mapping-files.md"
    example = page.read_text(encoding="utf-8").partition("```toml\n")[2].partition("```")[0]
    (table,) = read_mapping(example).tables
    assert table.columns["F"].indicator == "gdp_growth"
    for layout in Layout:
        places = [TableEntry(layout=layout, values=("D",)).place(one) for one in ("region", "indicator", "period")]
        row = next(line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith(f"| `{layout}`"))
        assert [place_of(cell.strip(" `")) for cell in row.strip("|").split("|")[1:]] == places
