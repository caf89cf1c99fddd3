"""Number formats of XLSX: percents are read as shown, padded digits are kept for texts."""

import pytest

from glassflow.services.tables.cells import FormattedNumber
from glassflow.services.tables.xlsx_formats import formatted

PHONE = "[<=9999999][$-1070000]###-####;[$-1070000](0#) ###-####"  # of Thai Excel


@pytest.mark.parametrize(
    ("number", "format", "shown", "taken"),
    [
        (0.05, "0%", "5%", 5),
        (0.07, "0.00%", "7%", 7),
        (0.1 + 0.2, "0%", "30%", 30),
        (0.285, "0.0%;[Red]-0.0%", "28.5%", 28.5),
        (-0.125, "0%", "-12.5%", -12.5),
        (0.0525, "0%", "5.25%", 5.25),
        (1, '0" "%', "100%", 100),
        (812345678, "0000000000", "0812345678", 812345678),
        (812345678, r"000\-000\-0000", "081-234-5678", 812345678),
        (812345678.0, "000-000-0000", "081-234-5678", 812345678),
        (1105536000123, "0-0000-00000-00-0", "1-1055-36000-12-3", 1105536000123),
        (8123456789012, "000-000", "8123456789-012", 8123456789012),
        (7, '"T-"000', "T-007", 7),
        (21234567, PHONE, "(02) 123-4567", 21234567),
    ],
)
def test_number_is_read_as_its_format_shows_it(number, format, shown, taken):
    found = formatted(number, format)
    assert isinstance(found, FormattedNumber)
    assert (str(found), found.number) == (shown, taken)


@pytest.mark.parametrize(
    ("number", "format"),
    [
        *((5, one) for one in ("General", "0", "0.00", "#,##0", "@", '0"%"', r"0\%")),
        *((5, one) for one in ("0.00E+00", "# ??/??", "_-* #,##0.00_-")),
        (5.5, "000"),
        (-5, "000"),
        (1e300, "000"),
        (float("inf"), "000"),
        (1234567, PHONE),  # has no zeros to pad with
    ],
)
def test_number_of_any_other_format_is_itself(number, format):
    found = formatted(number, format)
    assert not isinstance(found, str)
    assert found == number
