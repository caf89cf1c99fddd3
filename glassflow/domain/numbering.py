"""Record numbers, as people read them and QR codes contain them: ``PNE-0100-A``."""

import re

from glassflow.domain.unicode_text import normalize

MINIMUM_DIGITS = 4
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def format_number(prefix: str, n: int) -> str:
    """Format a counter's value as a record number; it has more digits after 9999."""
    if n < 0:
        raise ValueError(f"A record number cannot be negative: {n}")
    return f"{prefix}-{n:0{MINIMUM_DIGITS}d}"


def qr_payload(number: str, prefix: str) -> str:
    """Return the text in the QR code of a pane."""
    return f"{prefix}{number}"


# Some scanners put before a code of which symbology it is: "]Q1" of a QR code.
_AIM_IDENTIFIER = re.compile(r"\][A-Za-z][0-9A-Za-z]")


def scanned_text(text: str) -> str:
    """Return what a code says, normalized, without the AIM identifier of a scanner."""
    typed = normalize(text)
    found = _AIM_IDENTIFIER.match(typed)
    return typed[found.end() :].strip() if found else typed


def parse_pane_number(text: str, qr_prefix: str) -> str:
    """Return the stored form of a pane number: trimmed, without prefix, upper case.

    Accepts the bare number and the QR payload, in any letter case, as scanners send them
    (`scanned_text`). The form of the number is not validated: a malformed one is not
    found, as an unknown one is.
    """
    number = scanned_text(text).upper()
    prefix = qr_prefix.strip().upper()
    return number.removeprefix(prefix).strip() if prefix else number


# What people type of a number: "pne-0100-a", "PNE100A", "pne 100 a", "100"; at most 12 digits.
_TYPED = re.compile(r"(?:([A-Z]+)[- ]?)?([0-9]{1,12})(?:[- ]?([A-Z]+[0-9]*))?")


def typed_number(text: str, prefix: str) -> str | None:
    """Return the record number with this prefix that a person means; None for no number.

    The prefix, leading zeros and hyphens may be missing, a blank may stand for a hyphen, in
    any letter case: "385a" and "pne 385 a" are PNE-0385-A.
    """
    found = _TYPED.fullmatch(text.strip().upper())
    if found is None or found[1] not in (None, prefix):
        return None
    number = format_number(prefix, int(found[2]))
    return f"{number}-{found[3]}" if found[3] else number


def sheet_label(index: int) -> str:
    """Return the label of a sheet: A, B, ... Z, AA, AB, ... from index 0."""
    if index < 0:
        raise ValueError(f"A sheet index cannot be negative: {index}")
    label = ""
    rest = index + 1
    while rest:
        rest, letter = divmod(rest - 1, len(LETTERS))
        label = LETTERS[letter] + label
    return label
