"""The size of a sheet as suppliers write it, read as numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain.cutting.sheet_sizes import (
    LEAST_SIDE,
    MOST_SIDE,
    UNITS,
    read_sheet_size,
)

SIDES = st.integers(LEAST_SIDE, MOST_SIDE)


@pytest.mark.parametrize(
    ("width", "length", "unit", "size"),
    [
        ("2134", "3048", "mm", (2134, 3048)),
        ("2134", "3048", "", (2134, 3048)),
        ("2,134", "3,048.5", "มม.", (2134, 3048.5)),
        ("213.4", "304.8", "cm", (2134, 3048)),
        ("213.4 ซม.", "3.048ม.", "", (2134, 3048)),
        ("84", "120", "inch", (2133.6, 3048)),
        ('84"', "10'", "mm", (2133.6, 3048)),
        ("84 นิ้ว", "10 ฟุต", "mm", (2133.6, 3048)),
        ("84 IN.", "10 Ft", "", (2133.6, 3048)),
        ("๒๑๓๔", "๓๐๔๘", "", (2134, 3048)),
        ("100", "20000", "mm", (100, 20_000)),
        ("2140", "100000", "mm", None),  # a roll of film
        ("99.9", "3048", "mm", None),
        ("20", "30", "", None),
        ("2134", "", "mm", None),
        ("", "", "", None),
        ("2134", "3048", "sqft", None),
        ("2134 x 3048", "3048", "mm", None),
        ("21,34", "3048", "mm", None),
        ("-2134", "3048", "mm", None),
        ("½ x", "²", "mm", None),
        ("NaN", "inf", "", None),
    ],
)
def test_texts_of_a_specification(width, length, unit, size):
    expected = dict(zip(("width", "height"), size, strict=True)) if size else None
    assert read_sheet_size(width, length, unit) == expected


@given(SIDES, SIDES, st.sampled_from(sorted(UNITS)), st.booleans())
def test_size_that_is_written_in_any_unit_is_read(width, height, unit, is_in_text):
    texts = [f"{side / UNITS[unit]:,.6f}" for side in (width, height)]
    if is_in_text:
        texts = [f"{text} {unit}" for text in texts]
    found = read_sheet_size(*texts, "mm" if is_in_text and unit else unit)
    assert found == {"width": width, "height": height}


@given(st.text(max_size=12), st.text(max_size=12), st.text(max_size=6))
def test_any_other_text_is_no_size_or_one_within_the_limits(width, length, unit):
    found = read_sheet_size(width, length, unit) or {"width": LEAST_SIDE}
    assert all(LEAST_SIDE <= side <= MOST_SIDE for side in found.values())
