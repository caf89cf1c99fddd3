"""What spreadsheets make of the values in a file that they open and save.

A file that was saved in the other format has the same values in other forms: times without
milliseconds, `TRUE` for `true`, a text with an apostrophe before it. And a spreadsheet reads
texts of a CSV file as numbers where it can: `0812345678` becomes `812345678`, `1e5` `100000`.
"""

import math
import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from glassflow.domain.calendar import BUDDHIST_ERA_AHEAD
from glassflow.services.tables.cells import Cell, FormattedNumber, as_text
from glassflow.services.tables.csv_format import unprotected
from glassflow.services.tables.values import MAX_NUMBER, NUMBER, CellKind, parse

_KINDS = {
    bool: CellKind.BOOLEAN,
    int: CellKind.NUMBER,
    float: CellKind.NUMBER,
    datetime: CellKind.TIME,
    str: CellKind.TEXT,
}
_SECOND = timedelta(seconds=1)
# in the formats of many countries, to the minute
_LOCAL_TIME = re.compile(
    r"(\d{1,2})/(\d{1,2})/(\d{4})(?: (\d{1,2}):(\d{2})(?::\d{2})?)?", re.ASCII
)
_WRITTEN_NUMBER = re.compile(
    r"-?(0|[1-9]\d*)(\.\d*[1-9])?|-?\d(\.\d+)?E[+-]?\d+", re.ASCII | re.IGNORECASE
)
_LIKE_DATE = re.compile(r"\d+([-/.:]\d+){1,2}", re.ASCII)
# Programs keep 15 digits of a number, and show six of one that has an exponent.
_PRECISION, _PRECISION_WITH_EXPONENT = 1e-14, 1e-5


def is_same(cell: Cell, value: Cell, zone: ZoneInfo) -> bool:
    """Return whether a cell means a stored value, though it is not as an export writes it.

    A time in whole seconds is any time within that second.
    """
    kind = _KINDS.get(type(value))
    if kind is None or cell is None:
        return False
    given, stored = (parse(kind, one, zone) for one in (cell, value))
    if kind is CellKind.TIME:
        return _is_same_second(given, stored)
    if kind is CellKind.TEXT:
        return _is_same_text(given or "", stored or "")
    return bool(given == stored) and isinstance(given, bool) == isinstance(stored, bool)


def _is_same_second(given: str, stored: str) -> bool:
    try:
        moment, kept = (datetime.fromisoformat(one) for one in (given, stored))
    except ValueError:
        return False
    return moment == kept or (not moment.microsecond and abs(moment - kept) < _SECOND)


def _is_same_text(given: str, stored: str) -> bool:
    """Return whether a text is another one, except for an apostrophe and for line ends."""
    given, stored = (one.replace("\r\n", "\n") for one in (given, stored))
    return given in (stored, unprotected(stored)) or unprotected(given) == stored


def is_local_form(cell: Cell, moment: Cell) -> bool:
    """Return whether a cell is a stored time in the format of some country, to the minute.

    That tells no day from a month, so it serves only where nothing can be changed.
    """
    found = _LOCAL_TIME.fullmatch(as_text(cell))
    if found is None or not isinstance(moment, datetime):
        return False
    first, second, year = (int(one) for one in found.groups()[:3])
    clock = [int(one) for one in found.groups()[3:] if one]
    return (
        sorted([first, second]) == sorted([moment.day, moment.month])
        and year in (moment.year, moment.year + BUDDHIST_ERA_AHEAD)
        and clock in ([], [moment.hour, moment.minute])
    )


def is_rewritten(text: str, cell: Cell, *, is_typed: bool) -> bool:
    """Return whether a cell is what a spreadsheet makes of a stored text.

    `is_typed` tells that texts in this format are texts, as in XLSX.
    """
    if isinstance(cell, datetime):
        return _LIKE_DATE.fullmatch(text) is not None
    if is_typed and isinstance(cell, str) and not isinstance(cell, FormattedNumber):
        return False
    was, now = text.replace(",", ""), as_text(cell)
    if max(len(was), len(now)) > MAX_NUMBER:
        return False
    if not (NUMBER.fullmatch(was) and _WRITTEN_NUMBER.fullmatch(now)):
        return False
    has_exponent = "e" in now.lower()
    precision = _PRECISION_WITH_EXPONENT if has_exponent else _PRECISION
    return math.isclose(float(was), float(now), rel_tol=precision)
