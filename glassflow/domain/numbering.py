"""Numbers that people read and QR codes carry: ``REQ-0001``, ``PNE-0100-A``."""

MINIMUM_DIGITS = 4
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def format_number(prefix: str, n: int) -> str:
    """Write a counter's value as a record number; it grows wider after 9999."""
    if n < 0:
        raise ValueError(f"A record number cannot be negative: {n}")
    return f"{prefix}-{n:0{MINIMUM_DIGITS}d}"


def qr_payload(number: str, prefix: str) -> str:
    """Return the text that the QR code of a pane carries."""
    return f"{prefix}{number}"


def parse_pane_number(text: str, qr_prefix: str) -> str:
    """Return the stored form of a pane number: trimmed, bare, in capitals.

    Takes the bare number or the QR payload in any letter case. It judges no shape:
    whether there is such a pane is for the store to say, in one answer for all.
    """
    number = text.strip().upper()
    prefix = qr_prefix.strip().upper()
    return number.removeprefix(prefix).strip() if prefix else number


def sheet_label(index: int) -> str:
    """Name the sheets of a laminated pane A, B, ... Z, AA, AB, ... from index 0."""
    if index < 0:
        raise ValueError(f"A sheet index cannot be negative: {index}")
    label = ""
    rest = index + 1
    while rest:
        rest, letter = divmod(rest - 1, len(LETTERS))
        label = LETTERS[letter] + label
    return label
