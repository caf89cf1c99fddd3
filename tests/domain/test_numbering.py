"""Record numbers, QR payloads and sheet labels."""

import pytest

from glassflow.domain.numbering import (
    format_number,
    parse_pane_number,
    qr_payload,
    sheet_label,
)


@pytest.mark.parametrize(
    ("n", "number"), [(1, "REQ-0001"), (9999, "REQ-9999"), (10000, "REQ-10000")]
)
def test_numbers_have_at_least_four_digits(n, number):
    assert format_number("REQ", n) == number


def test_negative_numbers_are_a_fault_of_the_caller():
    with pytest.raises(ValueError, match="negative"):
        format_number("REQ", -1)
    with pytest.raises(ValueError, match="negative"):
        sheet_label(-1)


@pytest.mark.parametrize(
    "text",
    [
        "PNE-0100-A",
        "pne-0100-a",
        " PNE-0100-A\n",
        "STDPLUS:PNE-0100-A",
        "stdplus:pne-0100-a",
        "StdPlus: Pne-0100-a ",
    ],
)
def test_a_pane_number_is_taken_in_every_form_that_scanners_send(text):
    assert parse_pane_number(text, "STDPLUS:") == "PNE-0100-A"


def test_the_prefix_is_a_setting_and_may_be_absent():
    assert parse_pane_number("glass/pne-0001", "Glass/") == "PNE-0001"
    assert parse_pane_number("pne-0001", "") == "PNE-0001"


def test_a_qr_payload_is_read_back():
    payload = qr_payload("PNE-0042", "STDPLUS:")
    assert payload == "STDPLUS:PNE-0042"
    assert parse_pane_number(payload, "STDPLUS:") == "PNE-0042"


def test_sheets_are_named_by_letters():
    labels = [sheet_label(index) for index in (0, 1, 25, 26, 27, 51, 52, 701, 702)]
    assert labels == ["A", "B", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]
