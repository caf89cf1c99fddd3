"""Telephone numbers: a pattern that finds one in whichever way either side wrote it."""

import re

# Shorter texts are numbers of records and sizes; the store takes no longer pattern.
FEWEST, MOST = 5, 20  # digits
COUNTRY = "66"  # Thailand: +66 76 325907 is 076-325-907
_WRITTEN = re.compile(r"\+?[0-9 ().\-/\u00a0\u2010-\u2013]+")
_BETWEEN = r"[ ().\-/\u00a0\u2010-\u2013]{0,3}"


def phone_pattern(text: str) -> str:
    """Return a regular expression for (a part of) a telephone number; "" if it is none.

    It finds the digits with any usual signs between them, and a Thai number with the code of
    the country or with the 0 that stands for it.
    """
    written = text.strip()
    digits = "".join(filter(str.isdigit, written))
    if not FEWEST <= len(digits) <= MOST or not _WRITTEN.fullmatch(written):
        return ""
    is_international = written.startswith(("+", "00"))
    digits = digits.removeprefix("00")
    national = _national(digits, is_international=is_international)
    if not national:
        return _spaced(digits)
    return f"(0|{_spaced(COUNTRY)}){_BETWEEN}{_spaced(national)}"


def _spaced(digits: str) -> str:
    return _BETWEEN.join(digits)


def _national(digits: str, *, is_international: bool) -> str:
    """Return a Thai number without its 0 or code of the country; "" for other digits."""
    if digits.startswith("0"):
        return digits[1:]
    # 66 may begin a part of a number, unless a whole one follows it
    whole = len(digits) >= len(COUNTRY) + 8
    if digits.startswith(COUNTRY) and (is_international or whole):
        return digits[len(COUNTRY) :].lstrip("0")
    return ""
