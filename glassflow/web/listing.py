"""Lists: what the query string asks of them, read into one query of the store.

Every list pages, sorts, filters, searches and selects in the same way, by the types of
its model's fields. A parameter that names nothing is ignored; one that names a field
but holds no value of its type is refused.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bson import ObjectId
from flask import current_app
from marshmallow import ValidationError
from mongoengine import (
    BooleanField,
    DateTimeField,
    IntField,
    ListField,
    ObjectIdField,
    StringField,
)
from mongoengine.base import BaseField

from glassflow.domain.errors import Invalid
from glassflow.models.base import Choice, NumberField, Record
from glassflow.schemas.base import Moment

RANGES = {"gte": "$gte", "gt": "$gt", "lte": "$lte", "lt": "$lt"}
MAX_PAGE = 1_000_000
MAX_SEARCH = 200  # characters; the small store takes patterns of 1,000
DEFAULT_SORT = "-createdAt"


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of a list: the store's conditions, order and slice; fields shown."""

    conditions: list[dict[str, Any]]
    sort: list[tuple[str, int]]
    page: int
    limit: int
    fields: tuple[str, ...] = field(default=())

    def narrow(self, condition: dict[str, Any]) -> None:
        """Let the list show only what fits a further condition."""
        if condition:
            self.conditions.append(condition)

    def run(self, model: type[Record]) -> tuple[list[dict[str, Any]], int]:
        """Read the page's stored documents, and count all that match."""
        collection = model._get_collection()
        several = len(self.conditions) > 1
        wanted = {"$and": self.conditions} if several else dict(*self.conditions)
        if wanted:
            total = collection.count_documents(wanted)
        else:  # the store keeps this count, and need not go through them all
            total = collection.estimated_document_count()
        skip = (self.page - 1) * self.limit
        if skip >= total:
            return [], total
        rows = collection.find(wanted).sort(self.sort).skip(skip)
        return list(rows.limit(self.limit)), total

    def pagination(self, total: int) -> dict[str, int]:
        """Give the envelope's `pagination`."""
        pages = -(-total // self.limit)
        return {
            "page": self.page,
            "limit": self.limit,
            "total": total,
            "totalPages": pages,
        }


def read(
    model: type[Record],
    args: Mapping[str, str],
    *,
    resource: str = "",
    aliases: Mapping[str, str] | None = None,
) -> Listing:
    """Read the query parameters of a list; raises `Invalid` with every fault.

    `resource` names the list in the setting DEFAULT_PAGE_SIZES; `aliases` are further
    names of fields that screens use (`station` for `currentStation`).
    """
    faults: list[dict[str, str]] = []
    conditions = list(_conditions(model, args, aliases or {}, faults))
    order = list(_order(model, args.get("sort") or DEFAULT_SORT, faults))
    search = unicodedata.normalize("NFC", args.get("search") or "").strip()
    if len(search) > MAX_SEARCH:
        message = f"Longer than {MAX_SEARCH} characters"
        faults.append({"field": "search", "message": message})
    if faults:
        raise Invalid(faults)
    if search:
        conditions.append(_search(model, search))
    sizes: Mapping[str, int] = current_app.config["DEFAULT_PAGE_SIZES"]
    size = sizes.get(resource, current_app.config["DEFAULT_PAGE_SIZE"])
    largest = current_app.config["MAX_PAGE_SIZE"]
    return Listing(
        conditions=conditions,
        sort=order,
        page=_whole(args.get("page"), 1, MAX_PAGE),
        limit=_whole(args.get("limit"), size, largest),
        fields=selected(args),
    )


def selected(args: Mapping[str, str]) -> tuple[str, ...]:
    """Read `fields=`: the wire names to show; none means all."""
    names = (name.strip() for name in args.get("fields", "").split(","))
    return tuple(name for name in names if name)


def _whole(text: str | None, default: int, largest: int) -> int:
    """Read a page or a limit: clamped, and the default for what is no integer."""
    found = re.fullmatch(r"\s*([+-]?\d+)\s*", text or "", re.ASCII)
    value = default if found is None else _bounded(found[1])
    return max(1, min(value, largest))


def _bounded(digits: str) -> int:
    # Python refuses to read thousands of digits; nobody means them
    return int(digits) if len(digits) < 19 else (0 if digits[0] == "-" else MAX_PAGE)


def _fields(model: type[Record]) -> dict[str, BaseField]:
    return {
        f.db_field: f for f in model._fields.values() if f.db_field not in model.hidden
    }


def _order(
    model: type[Record], text: str, faults: list[dict[str, str]]
) -> Iterator[tuple[str, int]]:
    """Read `sort`; ties are broken by `_id`, so that pages never overlap."""
    fields, direction, seen = _fields(model), 1, set()
    for part in (part.strip() for part in text.split(",")):
        name = part.lstrip("+-")
        direction = -1 if part.startswith("-") else 1
        if name not in fields:
            faults.append({"field": "sort", "message": f"Unknown field: {name}"})
        elif name not in seen:
            seen.add(name)
            yield name, direction
    if "_id" not in seen:
        yield "_id", direction


def _conditions(
    model: type[Record],
    args: Mapping[str, str],
    aliases: Mapping[str, str],
    faults: list[dict[str, str]],
) -> Iterator[dict[str, Any]]:
    fields = _fields(model)
    for parameter, text in args.items():
        name, _, suffix = parameter.rpartition("_")
        if (suffix not in RANGES and suffix != "ne") or not name:
            name, suffix = parameter, ""
        name = aliases.get(name, name)
        found = fields.get(name)
        parse = _parser(found) if found is not None else None
        if found is None or parse is None or (suffix in RANGES and not _ranged(found)):
            continue
        try:
            yield {name: _condition(parse, suffix, text)}
        except ValidationError as error:
            faults.append({"field": parameter, "message": str(error.messages[0])})


def _condition(parse: Callable[[str], Any], suffix: str, text: str) -> Any:
    if suffix in RANGES:
        return {RANGES[suffix]: parse(text.strip())}
    parts = (part.strip() for part in text.split(","))
    values = [None if part == "null" else parse(part) for part in parts]
    if suffix == "ne":
        return {"$nin": values}
    return values[0] if len(values) == 1 else {"$in": values}


def _ranged(found: BaseField) -> bool:
    return isinstance(found, (DateTimeField, IntField, NumberField))


def _parser(found: BaseField) -> Callable[[str], Any] | None:
    """Tell how to read a filter's text for a field; None for fields without filter."""
    inner = found.field if isinstance(found, ListField) else found
    return next((parse for kind, parse in _PARSERS if isinstance(inner, kind)), None)


def _an_id(text: str) -> ObjectId:
    if not ObjectId.is_valid(text):
        raise ValidationError("Not a valid id")
    return ObjectId(text)


def _a_flag(text: str) -> bool:
    flags = {"true": True, "1": True, "false": False, "0": False}
    if text.lower() not in flags:
        raise ValidationError("Must be true or false")
    return flags[text.lower()]


def _a_number(text: str) -> float:
    # no underscores, no Infinity, no hexadecimal: what JSON would call a number
    if not re.fullmatch(r"-?\d{1,15}(\.\d{1,15})?", text, re.ASCII):
        raise ValidationError("Not a valid number")
    return float(text)


def _a_moment(text: str) -> Any:
    return Moment().parse(text.replace(" ", "+"))  # a `+` that the URL made a space


def _a_text(text: str) -> str:
    if "\x00" in text:
        raise ValidationError("Contains a character that is not allowed")
    return unicodedata.normalize("NFC", text)  # as texts are stored


_PARSERS: tuple[tuple[type[BaseField], Callable[[str], Any]], ...] = (
    (ObjectIdField, _an_id),
    (BooleanField, _a_flag),
    (IntField, _a_number),
    (NumberField, _a_number),
    (DateTimeField, _a_moment),
    (StringField, _a_text),
)


def _search(model: type[Record], text: str) -> dict[str, Any]:
    """Look for a text in the record's text fields, and for a number in its numbers."""
    # `$regex` as text with `$options`: a compiled one goes wrong on the small store
    pattern = {"$regex": re.escape(text.replace("\x00", "")), "$options": "i"}
    found = _fields(model).items()
    either: list[dict[str, Any]] = [
        {name: pattern}
        for name, f in found
        if isinstance(f, StringField) and not isinstance(f, Choice)
    ]
    if re.fullmatch(r"-?\d{1,15}(\.\d+)?", text, re.ASCII):
        numbers = (IntField, NumberField)
        either += [{name: float(text)} for name, f in found if isinstance(f, numbers)]
    return {"$or": either} if either else {"_id": None}
