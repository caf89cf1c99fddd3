"""Number formats of XLSX, where what a cell shows is another value than its number.

A percent format shows a hundred times the number, and one that pads zeros (`0000000000`,
`000-000-0000`) shows the digits of a telephone number or a code. Other formats change only
how precisely a number is shown, or with which separators.
"""

import operator
import re
from decimal import Decimal

from glassflow.services.tables.cells import Cell, FormattedNumber

DIGITS = 15  # that a spreadsheet keeps of a number
PLACES = "0#"  # of digits in a format
SEPARATORS = " -()/+"  # that a format may have between digits without quoting them
# a quoted text, an escaped character, room or filling, what is in brackets, or a character
_TOKEN = re.compile(r'"([^"]*)"|\\(.)|[_*].|\[[^\]]*\]|(.)', re.DOTALL)
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?\d+\.?\d*)\]")
_WITHOUT_SEPARATORS = str.maketrans("", "", SEPARATORS)
_COMPARE = {
    "<=": operator.le,
    ">=": operator.ge,
    "<>": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}


def formatted(number: int | float, format: str) -> Cell:
    """Return the cell of a number that has this format; the number itself for most."""
    tokens = _TOKEN.findall(_section(number, format))
    if any(plain == "%" for _, _, plain in tokens):
        percent = _percent(number)
        return FormattedNumber(f"{percent}%", percent)
    shown = _padded(number, tokens)
    return number if shown is None else FormattedNumber(shown, number)


def _section(number: int | float, format: str) -> str:
    """Return the first of the sections that a number fits, which have conditions or none."""
    sections = format.split(";")
    for section in sections:
        found = _CONDITION.search(section)
        if found is None or _COMPARE[found[1]](number, float(found[2])):
            return section
    return sections[-1]


def _percent(number: int | float) -> int | float:
    """Return a hundred times a number, without the noise of binary fractions."""
    exact = 100 * Decimal(f"{number:.{DIGITS}g}")
    return int(exact) if exact == exact.to_integral_value() else float(exact)


def _padded(number: int | float, tokens: list[tuple[str, str, str]]) -> str | None:
    """Return a whole number with zeros in all places of its format; None for other formats."""
    plain = "".join(one for _, _, one in tokens)
    places = plain.translate(_WITHOUT_SEPARATORS)
    zeros = len(places) - places.find("0")
    is_pattern = set(places) <= set(PLACES) and 2 <= zeros <= len(places)
    if not is_pattern or not 0 <= number < 10**DIGITS or number != int(number):
        return None
    digits = str(int(number)).zfill(zeros).rjust(len(places))
    further, rest = digits[: -len(places)], iter(digits[-len(places) :])
    shown = [
        next(rest) if one and one in PLACES else quoted + escaped + one
        for quoted, escaped, one in tokens
    ]
    return (further + "".join(shown)).strip()
