"""Values of cells as a JSON body has them, so that schemas validate them."""

import re
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from glassflow.core.process import json
from glassflow.domain import calendar
from glassflow.domain.unicode_text import is_blank, normalize
from glassflow.services.tables.cells import Cell, FormattedNumber, as_text

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
MAX_NUMBER = 400  # characters; the time that the pattern takes grows with their square
_FLAGS = {"true": True, "1": True, "false": False, "0": False}


class CellKind(StrEnum):
    """What a field takes, so how a cell is read."""

    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"
    TIME = "time"
    LIST = "list"
    JSON = "json"


def parse(kind: CellKind, cell: Cell, zone: ZoneInfo) -> Any:
    """Return the value of a cell for a field; None for an empty cell.

    A time without an offset is one of the workshop's clocks. What is no value of this kind
    is returned as it is, for the schema to refuse.
    """
    if cell is None or (isinstance(cell, str) and is_blank(cell)):
        return None
    cell = of_kind(kind, cell)
    if isinstance(cell, datetime):
        moment = cell if cell.tzinfo else cell.replace(tzinfo=zone)
        is_time = kind is CellKind.TIME
        return json.iso(calendar.to_utc(moment)) if is_time else as_text(moment)
    text = as_text(cell)
    if kind is CellKind.TEXT:
        return text
    if kind is CellKind.NUMBER:
        return cell if not isinstance(cell, str) else _number(text)
    if kind is CellKind.BOOLEAN:
        return _FLAGS.get(normalize(text).lower(), text)
    if kind is CellKind.TIME:
        return _time(text, zone)
    return _json(text, divided=kind is CellKind.LIST)


def of_kind(kind: CellKind | None, cell: Cell) -> Cell:
    """Return a cell as a field takes it: fields that are no texts take the plain number."""
    if isinstance(cell, FormattedNumber) and kind is not CellKind.TEXT:
        return cell.number
    return cell


def _number(text: str) -> Any:
    """Return the number that a text is; of `5%`, what stands before the sign."""
    stripped = normalize(text).removesuffix("%").rstrip()
    if len(stripped) > MAX_NUMBER or not NUMBER.fullmatch(stripped):
        return text
    whole = stripped.lstrip("+-").isdigit()
    return int(stripped) if whole else float(stripped)


def _time(text: str, zone: ZoneInfo) -> str:
    try:
        return json.iso(calendar.read_span(normalize(text), zone, clocks=zone).start)
    except ValueError:
        return text


def _json(text: str, *, divided: bool) -> Any:
    """Parse JSON; a list may also be texts with commas between them, as people type it."""
    try:
        return json.loads(text)
    except ValueError:
        pass
    if divided and not text.lstrip().startswith("["):
        return [part for one in text.split(",") if (part := normalize(one))]
    return text


def put(body: dict[str, Any], name: str, value: Any) -> None:
    """Set the member of a body that a dotted name names."""
    *path, last = name.split(".")
    for part in path:
        body = body.setdefault(part, {})
    body[last] = value


def at(row: Mapping[str, Any], name: str) -> Any:
    """Return the member of a row that a dotted name names; None if there is none."""
    value: Any = row
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
