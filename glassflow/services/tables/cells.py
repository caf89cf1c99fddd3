"""Cells: values of records as a spreadsheet holds them."""

import math
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from bson import ObjectId

from glassflow.core.process import json
from glassflow.domain.calendar import in_zone
from glassflow.domain.unicode_text import is_blank

# A time is in the workshop's time zone, with its offset.
Cell = str | int | float | bool | date | datetime | None
Row = list[Cell]


class SheetError(str):
    """What a spreadsheet shows where it cannot compute a value, such as `#N/A`."""

    __slots__ = ()


class UncomputedFormula(str):
    """A formula with which the file has no value, as programs write that compute none."""

    __slots__ = ()


class FormattedNumber(str):
    """A number as its format shows it, such as `5%` or `081-234-5678`.

    Fields of text take what is shown, all others the `number`.
    """

    __slots__ = ("number",)
    number: int | float

    def __new__(cls, shown: str, number: int | float) -> "FormattedNumber":
        """Return a number with the text that is shown for it."""
        made = super().__new__(cls, shown)
        made.number = number
        return made


def to_cell(value: Any, zone: ZoneInfo) -> Cell:
    """Return a value in wire form as a cell; lists and objects are JSON.

    An empty list or object is an empty cell, as an unset value is.
    """
    if isinstance(value, datetime):
        return in_zone(value, zone)
    if isinstance(value, ObjectId):
        return str(value)
    if isinstance(value, (list, tuple, dict)):
        return json.dumps(value) if value else None
    if isinstance(value, float) and not math.isfinite(value):
        return None  # as in JSON
    return value  # type: ignore[no-any-return]


def as_text(cell: Cell) -> str:
    """Return a cell as text: numbers exact, days and times in ISO 8601, with the offset."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, datetime):
        return cell.isoformat(timespec="milliseconds")
    if isinstance(cell, date):
        return cell.isoformat()
    return str(cell) if isinstance(cell, str) else repr(cell)


def from_text(text: str) -> str | None:
    """Return a text as a cell: None if it looks empty, which nobody can tell from empty."""
    return None if is_blank(text) else text
