"""What spreadsheets write is told from what somebody has changed."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from glassflow.services.tables import xlsx_cells
from glassflow.services.tables.cells import FormattedNumber
from glassflow.services.tables.rewriting import is_local_form, is_rewritten, is_same

ZONE = ZoneInfo("Asia/Bangkok")
MOMENT = datetime(2026, 11, 26, 1, 30, 8, 123_000, ZONE)


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("2026-11-26 01:30:08", MOMENT),
        ("2026-11-26 01:30:09", MOMENT.replace(microsecond=678_000)),  # is rounded
        ("2026-11-26T01:30:08.123+07:00", MOMENT),
        ("2026-11-25T18:30:08Z", MOMENT),
        (datetime(2026, 11, 26, 1, 30, 8), MOMENT),
        ("2026-11-26", datetime(2026, 11, 26, tzinfo=ZONE)),
        ("TRUE", True),
        ("5.0", 5),
        (123, "123"),
        ("'=1+1", "=1+1"),  # CSV that was saved as XLSX
        ("=1+1", "'=1+1"),  # XLSX that was saved as CSV
        ("''=1", "'=1"),
        ("a\nb", "a\r\nb"),
    ],
)
def test_other_form_of_a_value_is_the_same(cell, value):
    assert is_same(cell, value, ZONE)


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("2026-11-26 01:30:10", MOMENT),
        ("2026-11-26 01:30", MOMENT),
        ("2026-11-26 01:30:08.200", MOMENT),
        ("2026-11-26", MOMENT),
        ("soon", MOMENT),
        ("FALSE", True),
        ("0123", "123"),
        (True, 1),
        ("'a", "a"),
        ("x", None),
        (None, "x"),
    ],
)
def test_other_value_is_not_the_same(cell, value):
    assert not is_same(cell, value, ZONE)


@pytest.mark.parametrize(
    ("cell", "same"),
    [
        ("26/11/2026 1:30", True),
        ("11/26/2026 01:30:08", True),
        ("26/11/2569", True),
        ("26/11/2026 1:31", False),
        ("27/11/2026", False),
        ("26/11/2027", False),
        (5, False),
    ],
)
def test_time_in_the_format_of_a_country_is_known_to_the_minute(cell, same):
    assert is_local_form(cell, MOMENT) == same
    assert not is_local_form(cell, "26/11/2026 1:30")


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("0812345678", "812345678"),
        ("0105536000123", "1.05536E+11"),
        ("1e5", "100000"),
        ("2.50", "2.5"),
        ("1,000", "1000"),
        ("+66812345678", "66812345678"),
        ("007", "7"),
    ],
)
def test_text_that_a_spreadsheet_took_for_a_number_is_rewritten(text, cell):
    assert is_rewritten(text, cell, is_typed=False)
    assert not is_rewritten(text, cell, is_typed=True)  # a text, so it was typed
    number = xlsx_cells.from_xlsx(float(text.replace(",", "")))
    assert is_rewritten(text, number, is_typed=True)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("812345678", "0812345678"),  # the 0 is put back
        ("2.5", "2.50"),
        ("0812345678", "812345679"),
        ("5", "7"),
        ("", "5"),
        ("9" * 500, "9" * 500 + "0"),
        ("812345678", FormattedNumber("0812345678", 812345678)),
        ("tomorrow", datetime(2026, 2, 1)),
    ],
)
def test_text_that_somebody_has_changed_is_not_rewritten(text, cell):
    assert not is_rewritten(text, cell, is_typed=False)


@pytest.mark.parametrize("text", ["1-2", "3/4", "1.2.2026", "12:30"])
def test_text_that_a_spreadsheet_took_for_a_date_is_rewritten(text):
    assert is_rewritten(text, datetime(2026, 2, 1), is_typed=True)
