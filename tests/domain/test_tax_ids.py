"""Tax ids and branches of customers, in Thailand and elsewhere."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from glassflow.domain.tax_ids import (
    DIGITS,
    check_digit,
    is_thailand,
    stored_branch,
    stored_tax_id,
)

# The first twelve digits of a tax id.
FIRST = st.text("0123456789", min_size=DIGITS - 1, max_size=DIGITS - 1)
ANY_DIGIT = st.sampled_from("0123456789")
#: The digit whose weight is 11, so the remainder of 11 does not depend on it.
UNCHECKED = 2


def tax_id(first):
    return f"{first}{check_digit(first)}"


@pytest.mark.parametrize("known", ["0107544000108", "0107542000011", "0107536000315"])
def test_tax_id_of_a_listed_company_passes(known):
    assert stored_tax_id(known, "") == known


@given(FIRST, st.sampled_from(["", "-", " ", "\u2013"]))
def test_generated_tax_id_passes_with_and_without_separators(first, separator):
    made = tax_id(first)
    typed = separator.join((made[0], made[1:5], made[5:10], made[10:12], made[12]))
    assert stored_tax_id(typed, "TH") == made


@given(FIRST, ANY_DIGIT)
def test_changed_check_digit_is_refused(first, last):
    assume(last != tax_id(first)[-1])
    with pytest.raises(ValueError, match="last digit does not fit"):
        stored_tax_id(first + last, "")


@given(FIRST, st.integers(0, DIGITS - 2).filter(lambda at: at != UNCHECKED), ANY_DIGIT)
def test_another_changed_digit_is_refused(first, at, digit):
    # two of the eleven remainders have the check digit 1, or the formula had eleven digits
    assume(digit != first[at] and check_digit(first) != 1)
    changed = first[:at] + digit + first[at + 1 :]
    with pytest.raises(ValueError, match="last digit does not fit"):
        stored_tax_id(changed + tax_id(first)[-1], "")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("010754400010", "has 13 digits, this one has 12"),
        ("01075440001080", "has 13 digits, this one has 14"),
        ("-", "has 13 digits, this one has 0"),
        ("TH07544000108", "digits only"),
        ("๐107544000108", "digits only"),
        ("0107544000109", "last digit does not fit"),
    ],
)
def test_wrong_tax_id_is_refused_in_words_that_say_what_is_wrong(wrong, message):
    with pytest.raises(ValueError, match=message):
        stored_tax_id(wrong, "Thailand")


@pytest.mark.parametrize(
    "country", ["", " ", "TH", "th", "Thailand", "ไทย", "ประเทศไทย"]
)
def test_country_that_is_thailand(country):
    assert is_thailand(country)


def test_tax_id_and_branch_of_another_country_are_free_text():
    assert not is_thailand("Laos")
    assert stored_tax_id("LA 12-3", "Laos") == "LA 12-3"
    assert stored_branch("Vientiane 2", "Laos") == "Vientiane 2"


@pytest.mark.parametrize(
    ("typed", "stored"),
    [("", ""), ("0", "00000"), ("00000", "00000"), ("12", "00012"), ("99999", "99999")],
)
def test_thai_branch_is_stored_with_leading_zeros(typed, stored):
    assert stored_branch(typed, "") == stored


@pytest.mark.parametrize("wrong", ["123456", "1a", "-1", "๑", "Head office"])
def test_wrong_branch_is_refused(wrong):
    with pytest.raises(ValueError, match="up to 5 digits; 00000 is the head office"):
        stored_branch(wrong, "ไทย")


def test_empty_tax_id_is_none():
    assert stored_tax_id("", "") == ""
