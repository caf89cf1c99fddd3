"""List queries: the query string as the `ListQuery` that `services.lists` reads.

Every list pages, sorts, filters, searches and selects fields in the same way, by the
field types of its model. A parameter that the list does not have is ignored with a
warning; one that names a field but has a value of another type is refused with 400.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from bson import ObjectId
from flask import current_app
from marshmallow import ValidationError
from mongoengine import ListField

from glassflow.domain import texts
from glassflow.domain.errors import FieldFault, Forbidden, Invalid
from glassflow.domain.numbering import scanned_text
from glassflow.domain.unicode_text import has_control_characters, search_pattern
from glassflow.models.base import Record
from glassflow.models.fields import JSONField, ObjectField
from glassflow.schemas.base import first_message
from glassflow.services.lists import (
    ListQuery,
    has_index_of_lists,
    search,
    sort_paths,
)
from glassflow.services.records import populate_table, restricted_fields
from glassflow.web.auth import current_identity
from glassflow.web.body import warn_of_parameters
from glassflow.web.filters import (
    filter_conditions,
    parse_boolean,
    visible_fields,
)

MAX_PAGE = 1_000_000
MAX_SEARCH = 200  # characters
MAX_REFERENCES = 2  # that a path of `sort` leads through
MAX_PATTERN = 1000  # characters; the embedded store accepts no longer patterns
DEFAULT_SORT = "-createdAt"
USUAL = ("page", "limit", "sort", "search", "fields", "cursor", "count", "populate")


def read_query(
    model: type[Record],
    args: Mapping[str, str],
    *,
    resource: str = "",
    aliases: Mapping[str, str] | None = None,
    further: Collection[str] = (),
) -> ListQuery:
    """Parse the query parameters of a list; raises `Invalid` with every fault.

    Raises `Forbidden` for a filter or a sort by a field that the caller may not read.

    `resource` names the list in the setting DEFAULT_PAGE_SIZES; `aliases` are further
    field names that clients use (`station` for `currentStation`), `further` the names of
    the parameters that this list has besides the usual ones. The answer warns of all others,
    as a misspelt filter; a strict request is refused for them.
    """
    faults: list[FieldFault] = []
    others: list[str] = []
    may = current_identity().may
    hidden = restricted_fields.hidden_paths(model, may)
    found = filter_conditions(model, args, aliases or {}, faults, others, hidden)
    conditions = list(found)
    warn_of_parameters(name for name in others if name not in {*USUAL, *further})
    order = list(
        _sort_order(model, args.get("sort", "").strip() or DEFAULT_SORT, faults)
    )
    text = search_text(args, "search", faults)
    capped = _is_capped(args.get("count", "").strip(), faults)
    if faults:
        raise Invalid(faults)
    number = restricted_fields.searched_alone(model, may)
    sizes: Mapping[str, int] = current_app.config["DEFAULT_PAGE_SIZES"]
    size = sizes.get(resource, current_app.config["DEFAULT_PAGE_SIZE"])
    largest = current_app.config["MAX_PAGE_SIZE"]
    return ListQuery(
        conditions=[condition for condition in conditions if condition],
        sort=order,
        page=_clamped_int(args.get("page"), 1, MAX_PAGE),
        limit=_clamped_int(args.get("limit"), size, largest),
        fields=selected(args),
        search=search.condition(text, model, number=number) if text else {},
        cursor=args.get("cursor", "").strip() or None,
        capped=capped,
    )


def selected(args: Mapping[str, str]) -> tuple[str, ...]:
    """Parse `fields=`: the wire names to return; empty means all."""
    names = (name.strip() for name in args.get("fields", "").split(","))
    return tuple(name for name in names if name)


def read_number(
    args: Mapping[str, str], name: str, default: int | None = None
) -> int | None:
    """Parse a parameter with a number of 0 or more; raises `Invalid`."""
    text = args.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise Invalid([{"field": name, "message": texts.NOT_COUNTABLE}])
    return int(text)


def search_text(args: Mapping[str, str], name: str, faults: list[FieldFault]) -> str:
    """Parse a parameter with a text, or a scanned code, to look for.

    Adds a fault if it cannot be looked for.
    """
    given = args.get(name, "")
    if has_control_characters(given):
        faults.append({"field": name, "message": texts.CONTROL_CHARACTER})
    text = scanned_text(given)
    if len(text) > MAX_SEARCH or len(search_pattern(text)) > MAX_PATTERN:
        faults.append({"field": name, "message": texts.SEARCH_TOO_LONG})
    return text


def read_text(args: Mapping[str, str], name: str) -> str:
    """Parse a parameter with a text, without spaces around it; raises `Invalid`."""
    text = args.get(name, "").strip()
    if has_control_characters(text):
        raise Invalid([{"field": name, "message": texts.CONTROL_CHARACTER}])
    return text


def flag(args: Mapping[str, str], name: str) -> bool:
    """Parse a parameter that is `true` or `false`, by default; else raises `Invalid`."""
    try:
        return parse_boolean(args.get(name, "").strip() or "false")
    except ValidationError as error:
        raise Invalid([{"field": name, "message": first_message(error)}]) from None


def record_id(args: Mapping[str, str], name: str) -> ObjectId | None:
    """Parse a parameter that is the id of a record, or None; else raises `Invalid`."""
    text = args.get(name, "").strip()
    if text and not ObjectId.is_valid(text):
        raise Invalid([{"field": name, "message": texts.NOT_AN_ID}])
    return ObjectId(text) if text else None


def _is_capped(text: str, faults: list[FieldFault]) -> bool:
    if text not in ("", "exact", "capped"):
        faults.append({"field": "count", "message": texts.COUNT_UNKNOWN})
    return text == "capped"


def _clamped_int(text: str | None, default: int, largest: int) -> int:
    """Parse a page or a limit: clamped; the default where it is no integer."""
    found = re.fullmatch(r"\s*([+-]?\d+)\s*", text or "", re.ASCII)
    value = default if found is None else _bounded_int(found[1])
    return max(1, min(value, largest))


def _bounded_int(digits: str) -> int:
    # Python refuses to parse thousands of digits
    return int(digits) if len(digits) < 19 else (0 if digits[0] == "-" else MAX_PAGE)


def _sort_order(
    model: type[Record], text: str, faults: list[FieldFault]
) -> Iterator[tuple[str, int]]:
    """Parse `sort`; ties are broken by `_id`, so that pages never overlap.

    By `createdAt` before, where an index of lists has this order: the store need not sort.
    """
    direction, seen = 1, set[str]()
    for part in (part.strip() for part in text.split(",")):
        name = part.lstrip("+-")
        direction = -1 if part.startswith("-") else 1
        if not _is_sortable(model, name):
            faults.append(
                {"field": "sort", "message": texts.UNKNOWN_SORT.format(name=name)}
            )
        elif name not in seen and "_id" not in seen:  # no two records have one `_id`
            seen.add(name)
            yield name, direction
    if "_id" not in seen:
        if len(seen) == 1 and has_index_of_lists(model, *seen):
            yield "createdAt", direction
        yield "_id", direction


def _is_sortable(model: type[Record], path: str) -> bool:
    """Return whether a list is sorted by a path: `size`, `dimensions.width`, `order.customer.name`.

    Raises `Forbidden` for a field that the caller may not read, for an object with one, and
    for what it may not read of the records that the path leads into.
    """
    name, _, rest = path.partition(".")
    found = visible_fields(model).get(name)
    hidden = restricted_fields.hidden_paths(model, current_identity().may)
    if any(one == path or one.startswith(f"{path}.") for one in hidden):
        raise Forbidden
    if found is None or "." not in path:
        return found is not None
    if isinstance(found, ObjectField):
        return found.shape is not None and rest in found.shape()
    other = sort_paths.reference_of(model, path)
    if other is None or path.count(".") > MAX_REFERENCES:
        return False
    end = visible_fields(other).get(rest)
    if isinstance(end, (ListField, JSONField)) or not _is_sortable(other, rest):
        return False
    first = rest.partition(".")[0]
    if not populate_table.may_read(model, name, first, current_identity().may):
        raise Forbidden
    return True
