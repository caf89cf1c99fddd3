"""Windows of record numbers, for a page of a list that is sorted by them.

Numbers are compared as texts, so PNE-10000 comes before PNE-1001. Their digits are read
as those behind a decimal point, which puts every number between 0 and 1 in that order.
"""

from glassflow.domain.numbering import MINIMUM_DIGITS
from glassflow.models.base import Record
from glassflow.services.records import conditions
from glassflow.services.records.list_memory import PageQuery, Sort

# How many numbers of four digits there are from 0 to 1. Longer ones are closer together.
PER_UNIT = 10**MINIMUM_DIGITS
DIGITS = 12  # of the numbers between windows
# Matches that an index finds as quickly as windows do, which read all records of their
# numbers, whatever else the query asks for.
MANY = 2000


def number_of(model: type[Record], sort: Sort) -> str | None:
    """Return the record number that a list is sorted by, with `_id` after it, or None."""
    field, direction = sort[0]
    if model.numbered is None or list(sort[1:]) != [("_id", direction)]:
        return None
    is_number = model._fields[model.numbered[0]].db_field == field
    return field if is_number and field in conditions.indexed_fields(model) else None


def pay(wanted: PageQuery) -> bool:
    """Return whether a list has windows of numbers, which read less than the plain query."""
    number = number_of(wanted.model, wanted.sort)
    if number is None or number in wanted.query:
        return False
    indexed = {"_id", *conditions.indexed_fields(wanted.model)} - {"listed"}
    is_looked_up = any(
        field in indexed
        and (conditions.is_equality(condition) or conditions.is_range(condition))
        for field, condition in wanted.query.items()
    )
    return not is_looked_up or (wanted.matches or 0) > MANY


def bound(wanted: PageQuery, share: float) -> str:
    """Return the number where a window ends that has this share of all numbers.

    The window begins where the list does, at its lowest or at its highest number.
    """
    assert wanted.model.numbered is not None
    _, prefix = wanted.model.numbered
    _, direction = wanted.sort[0]
    position = share if direction == 1 else 1 - share
    digits = min(int(position * 10**DIGITS), 10**DIGITS - 1)
    return f"{prefix}-{digits:0{DIGITS}d}"
