"""Cells: what is written into a file is read back as it was."""

import io
import math
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from bson import ObjectId
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from glassflow.core.process import json
from glassflow.services.tables import csv_format, xlsx_cells, xlsx_reader
from glassflow.services.tables.cells import FormattedNumber, to_cell
from glassflow.services.tables.limits import Limits
from glassflow.services.tables.values import CellKind, parse
from glassflow.services.tables.xlsx_writer import XLSXWriter
from sizes import size

pytestmark = pytest.mark.sized

quickly = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
#: Each example is a workbook, which takes a hundred times as long as lines of CSV.
of_workbooks = settings(quickly, max_examples=size(20, long=60))
LIMITS = Limits(rows=100, bytes=10**7)
ZONES = [ZoneInfo("Asia/Bangkok"), ZoneInfo("Europe/Berlin"), ZoneInfo("UTC")]
FORMULAS = st.sampled_from("=+-@\t\r\n'").flatmap(
    lambda first: st.text(max_size=20).map(lambda rest: first + rest)
)
THAI = st.text(st.characters(min_codepoint=0x0E01, max_codepoint=0x0E5B), max_size=20)
TEXTS = st.one_of(st.text(max_size=40), FORMULAS, THAI, st.just("_x0041_ _x000D_"))
TIMES = st.datetimes().map(
    lambda moment: moment.replace(microsecond=moment.microsecond // 1000 * 1000)
)
NUMBERS = st.one_of(
    st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.one_of(
    TEXTS,
    TIMES,
    NUMBERS,
    st.booleans(),
    st.none(),
    st.lists(TEXTS, max_size=3),
    st.builds(ObjectId),
)


def through_csv(cells):
    content = csv_format.header(["a"] * len(cells)) + csv_format.encode([cells])
    return row_below_header(csv_format.decode(content, LIMITS), len(cells))


def through_xlsx(cells):
    file = io.BytesIO()
    writer = XLSXWriter(file, ["a"] * len(cells))
    assert writer.write(cells) is None
    writer.close()
    rows, _ = xlsx_reader.decode(file.getvalue(), LIMITS)
    return row_below_header(rows, len(cells))


def row_below_header(read, width):
    """The only row of data, which is none if all its cells are empty."""
    _, *rows = read
    row = rows[0] if rows else []
    return [*row, *[None] * (width - len(row))]


@pytest.mark.parametrize(
    ("through", "read_back", "examples"),
    [
        (through_csv, csv_format.read_back, quickly),
        (through_xlsx, xlsx_cells.read_back, of_workbooks),
    ],
)
def test_cells_are_read_as_an_import_expects_them(through, read_back, examples):
    @examples
    @given(st.lists(VALUES, min_size=1, max_size=8), st.sampled_from(ZONES))
    @example(["=1+1", "'=1", "'", "''", "\r\n", "น้ำ\r"], ZONES[0])
    @example([1e16, 0.1 + 0.2, -0.0, 2**63 - 1, 1e300, 5e-324], ZONES[0])
    @example(
        [datetime(1900, 2, 28), datetime(1901, 1, 1), datetime(9999, 6, 1)], ZONES[0]
    )
    @example([datetime.min, datetime(9999, 12, 31, 23, 59)], ZONES[0])
    # in Berlin this hour comes twice
    @example([datetime(2026, 10, 25, 0, 30), datetime(2026, 10, 25, 1, 30)], ZONES[1])
    def check(values, zone):
        cells = [to_cell(value, zone) for value in values]
        assert through(cells) == [read_back(cell) for cell in cells]

    check()


@pytest.mark.parametrize(
    ("through", "examples"), [(through_csv, quickly), (through_xlsx, of_workbooks)]
)
def test_values_are_the_same_after_a_round_trip(through, examples):
    """As a new record gets them; in XLSX the offset of a time is not kept."""
    kinds = [CellKind.TEXT, CellKind.NUMBER, CellKind.BOOLEAN, CellKind.LIST]

    @examples
    @given(
        TEXTS.filter(str.strip),
        NUMBERS,
        st.booleans(),
        st.lists(TEXTS, min_size=1, max_size=3),
        TIMES.filter(lambda moment: 1902 < moment.year < 9998),
    )
    def check(text, number, flag, listed, moment):
        zone = ZONES[0]
        given_values = [text, number, flag, listed]
        cells = through([to_cell(one, zone) for one in [*given_values, moment]])
        found = [parse(*pair, zone) for pair in zip(kinds, cells, strict=False)]
        assert found == given_values
        assert parse(CellKind.TIME, cells[4], zone) == json.iso(moment)

    check()


@quickly
@given(TEXTS)
def test_no_text_of_a_csv_file_begins_as_a_formula(text):
    content = csv_format.encode([[text]]).decode()
    assert not content.lstrip('"').startswith(csv_format.DANGEROUS) or not text


@quickly
@given(st.floats())
def test_number_that_json_has_not_is_an_empty_cell(number):
    cell = to_cell(number, ZONES[0])
    assert (cell is None) == (not math.isfinite(number))


def test_local_times_have_the_offset_of_their_date():
    berlin, winter = ZONES[1], datetime(2026, 1, 31, 20, 30)
    for moment, hours in ((winter, 1), (winter + timedelta(days=180), 2)):
        cell = to_cell(moment, berlin)
        assert cell.utcoffset() == timedelta(hours=hours)
        assert cell.astimezone(UTC).replace(tzinfo=None) == moment
    assert parse(CellKind.TIME, "2026-02-01", ZONES[0]) == "2026-01-31T17:00:00.000Z"


@pytest.mark.parametrize(
    ("kind", "cell", "value"),
    [
        (CellKind.NUMBER, "3", 3),
        (CellKind.NUMBER, " -2.50 ", -2.5),
        (CellKind.NUMBER, "1e3", 1000.0),
        (CellKind.NUMBER, "9" * 400, int("9" * 400)),
        (CellKind.NUMBER, "9" * 5_000_000, "9" * 5_000_000),
        (CellKind.NUMBER, f"{'9' * 5_000_000}x", f"{'9' * 5_000_000}x"),
        (CellKind.TIME, "0001-01-01", "0001-01-01T00:00:00.000Z"),
        (CellKind.TIME, datetime(1, 1, 1), "0001-01-01T00:00:00.000Z"),
        (CellKind.NUMBER, "5%", 5),
        (CellKind.NUMBER, " -2.5 % ", -2.5),
        (CellKind.NUMBER, "%", "%"),
        (CellKind.NUMBER, FormattedNumber("081-234", 81234), 81234),
        (CellKind.TEXT, FormattedNumber("081-234", 81234), "081-234"),
        (CellKind.NUMBER, "1,5", "1,5"),
        (CellKind.NUMBER, "NaN", "NaN"),
        (CellKind.NUMBER, "1_000", "1_000"),
        (CellKind.BOOLEAN, "TRUE", True),
        (CellKind.BOOLEAN, 0, False),
        (CellKind.BOOLEAN, "yes", "yes"),
        (CellKind.TEXT, 812345678, "812345678"),
        (CellKind.TEXT, True, "true"),
        (CellKind.TIME, "31/01/2026", "31/01/2026"),
        (CellKind.LIST, "a, b", ["a", "b"]),
        (CellKind.LIST, '["a, b"]', ["a, b"]),
        (CellKind.LIST, "[a", "[a"),
        (CellKind.JSON, '{"a": 1}', {"a": 1}),
        (CellKind.JSON, "a, b", "a, b"),
        (CellKind.TEXT, "  ", None),
        (CellKind.NUMBER, None, None),
    ],
)
def test_typed_cells_are_values_and_the_rest_is_left_to_the_schema(kind, cell, value):
    found = parse(kind, cell, ZONES[0])
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        ("_x0E01_", "ก"),
        ("_xD83D__xDE00_", "\U0001f600"),
        ("a_xD83D_", "a\ufffd"),
        ("_xDE00__xD83D_", "\ufffd\ufffd"),
    ],
)
def test_escaped_surrogates_of_xlsx_are_a_character_or_replaced(escaped, text):
    assert xlsx_cells.from_xlsx(escaped) == text
