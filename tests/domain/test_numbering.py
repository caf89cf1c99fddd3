"""Record numbers, QR payloads and sheet labels."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain.numbering import (
    format_number,
    parse_pane_number,
    qr_payload,
    scanned_text,
    sheet_label,
    typed_number,
)


@pytest.mark.parametrize(
    ("n", "number"), [(1, "REQ-0001"), (9999, "REQ-9999"), (10000, "REQ-10000")]
)
def test_numbers_have_at_least_four_digits(n, number):
    assert format_number("REQ", n) == number


def test_negative_numbers_raise_value_error():
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
        "]Q1STDPLUS:PNE-0100-A",
        " ]C0 pne-0100-a",
        "\ufeffSTDPLUS:PNE-\u200b0100-A",
    ],
)
def test_pane_number_is_parsed_in_every_form_that_scanners_send(text):
    assert parse_pane_number(text, "STDPLUS:") == "PNE-0100-A"


def test_prefix_is_a_setting_and_may_be_absent():
    assert parse_pane_number("glass/pne-0001", "Glass/") == "PNE-0001"
    assert parse_pane_number("pne-0001", "") == "PNE-0001"


def test_qr_payload_can_be_parsed():
    payload = qr_payload("PNE-0042", "STDPLUS:")
    assert payload == "STDPLUS:PNE-0042"
    assert parse_pane_number(payload, "STDPLUS:") == "PNE-0042"


@given(
    st.sampled_from(string.ascii_letters),
    st.sampled_from(string.ascii_letters + string.digits),
    st.sampled_from(["", " ", "  "]),
    st.text().filter(lambda text: scanned_text(text) == text),
)
def test_aim_identifier_of_a_scanner_is_no_part_of_a_code(
    letter, modifier, blank, code
):
    assert scanned_text(f"{blank}]{letter}{modifier}{blank}{code}") == code


@pytest.mark.parametrize("text", ["]", "]Q", "]1Q", "x]Q1", "[Q1", "]Q-"])
def test_other_brackets_are_part_of_a_text(text):
    assert scanned_text(f"{text} a") == f"{text} a"


def test_sheets_are_named_by_letters():
    labels = [sheet_label(index) for index in (0, 1, 25, 26, 27, 51, 52, 701, 702)]
    assert labels == ["A", "B", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("PNE-0385", "PNE-0385"),
        (" pne385 ", "PNE-0385"),
        ("385", "PNE-0385"),
        ("385a2", "PNE-0385-A2"),
        ("pne 385 a", "PNE-0385-A"),
        ("pne-0385-a", "PNE-0385-A"),
        ("10077", "PNE-10077"),
        ("ORD-0385", None),
        ("385-", None),
        ("pne  385", None),
        ("PNE", None),
        ("กระจก 385", None),
        ("1" * 13, None),
        ("\u0661", None),  # a digit, but none of ours
    ],
)
def test_typed_number_may_lack_prefix_zeros_and_hyphens(text, number):
    assert typed_number(text, "PNE") == number
