"""Filters of lists: query parameters as conditions of the store.

Each field is filtered by the type that its model declares. An empty value is as if the
parameter were absent; a value of another type is refused with 400.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from decimal import Decimal
from functools import partial
from typing import Any

from bson import ObjectId
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

from glassflow import runtime
from glassflow.domain import calendar, texts
from glassflow.domain.calendar import Span
from glassflow.domain.errors import FieldFault, Forbidden
from glassflow.domain.numbering import parse_pane_number
from glassflow.domain.unicode_text import has_control_characters, normalize
from glassflow.models.base import Record
from glassflow.models.fields import Choice, NumberField, element_field
from glassflow.schemas.base import INT64, first_message, read_span
from glassflow.schemas.shapes import BOOLEAN, ID, NUMBER, TEXT, TIME, Shape, choice

RANGES = {"gte": "$gte", "gt": "$gt", "lte": "$lte", "lt": "$lt"}
# A time, or a day, is compared by its start or by its end, which it does not include.
_SPAN_RANGES = {
    "gte": ("$gte", "start"),
    "gt": ("$gte", "end"),
    "lte": ("$lt", "end"),
    "lt": ("$lt", "start"),
}


def visible_fields(model: type[Record]) -> dict[str, BaseField]:
    """Return the fields that are sent, by their wire names."""
    return {
        f.db_field: f for f in model._fields.values() if f.db_field not in model.hidden
    }


def has_value(text: str) -> bool:
    """Return whether the value of a filter is more than spaces and commas."""
    return bool(text.strip(" ,"))


def filter_conditions(
    model: type[Record],
    args: Mapping[str, str],
    aliases: Mapping[str, str],
    faults: list[FieldFault],
    others: list[str],
    hidden: Collection[str] = (),
) -> Iterator[dict[str, Any]]:
    """Yield the conditions of the filters; `faults` gets those with invalid values.

    `aliases` are further field names that clients use; `others` gets the names of the
    parameters that are no filters of the model. Raises `Forbidden` for a filter by one of
    the `hidden` fields: its answers would tell the value.
    """
    fields = visible_fields(model)
    for parameter, text in args.items():
        name, _, suffix = parameter.rpartition("_")
        if (suffix not in RANGES and suffix != "ne") or not name:
            name, suffix = parameter, ""
        name = aliases.get(name, name)
        found = fields.get(name)
        parse = _parser(model, found) if found is not None else None
        if (
            found is None
            or parse is None
            or (suffix in RANGES and not _has_ranges(found))
        ):
            others.append(parameter)
            continue
        if not has_value(text):
            continue
        if name in hidden:
            raise Forbidden
        try:
            yield _condition(name, found, parse, suffix, text)
        except ValidationError as error:
            faults.append({"field": parameter, "message": first_message(error)})


def _condition(
    name: str, found: BaseField, parse: Callable[[str], Any], suffix: str, text: str
) -> dict[str, Any]:
    if suffix in RANGES:
        value = parse(text.strip())
        if isinstance(value, Span):
            operator, edge = _SPAN_RANGES[suffix]
            return {name: {operator: getattr(value, edge)}}
        return {name: {RANGES[suffix]: value}}
    values: list[Any] = []
    for part in (part.strip() for part in text.split(",")):
        if part == "null":
            values += _unset_values(found)
        elif part:
            values.append(parse(part))
    spans = [one for one in values if isinstance(one, Span)]
    if spans:
        others = [one for one in values if not isinstance(one, Span)]
        return _in_spans(name, spans, others, is_not=suffix == "ne")
    if suffix == "ne":
        return {name: {"$nin": values}}
    return {name: values[0] if len(values) == 1 else {"$in": values}}


def _in_spans(
    name: str, spans: list[Span], others: list[Any], *, is_not: bool
) -> dict[str, Any]:
    """Return the condition of a time in one of the spans, or of one of the others."""
    either: list[dict[str, Any]] = [
        {name: {"$gte": one.start, "$lt": one.end}} for one in spans
    ]
    if others:
        either.append({name: {"$in": others}})
    if is_not:
        return {"$nor": either}
    return either[0] if len(either) == 1 else {"$or": either}


def _unset_values(found: BaseField) -> list[Any]:
    """Return the values of an unset field; None stands for a missing one too."""
    if isinstance(found, ListField):
        return [None, []]
    is_text = isinstance(found, StringField) and not isinstance(found, Choice)
    return [None, ""] if is_text else [None]


def _has_ranges(found: BaseField) -> bool:
    return isinstance(found, (DateTimeField, IntField, NumberField))


def _parser(model: type[Record], found: BaseField) -> Callable[[str], Any] | None:
    """Return the parser of a field's filter values; None if it cannot be filtered."""
    if model.numbered is not None and found.name == model.numbered[0]:
        return _parse_record_number
    inner = element_field(found)
    if isinstance(inner, Choice):
        return partial(_parse_choice, tuple(map(str, inner.choices)))
    found_kinds = (parse for kind, parse, _ in _PARSERS if isinstance(inner, kind))
    return next(found_kinds, None)


def filter_shapes(
    model: type[Record], aliases: Mapping[str, str]
) -> Iterator[tuple[str, Shape, bool]]:
    """Yield the filters of a list: name, shape of a value, whether it has ranges."""
    fields = visible_fields(model)
    named = {name: name for name in fields} | dict(aliases)
    for name, field in named.items():
        found = fields[field]
        if _parser(model, found) is not None:
            yield name, _value_shape(element_field(found)), _has_ranges(found)


def _value_shape(field: BaseField) -> Shape:
    if isinstance(field, Choice):
        return choice(field.choices)
    return next(shape for kind, _, shape in _PARSERS if isinstance(field, kind))


def _parse_id(text: str) -> ObjectId:
    if not ObjectId.is_valid(text):
        raise ValidationError(texts.NOT_AN_ID)
    return ObjectId(text)


def parse_boolean(text: str) -> bool:
    """Parse `true`, `false`, `1` or `0`; raises `ValidationError` for other texts."""
    flags = {"true": True, "1": True, "false": False, "0": False}
    if text.lower() not in flags:
        raise ValidationError(texts.NOT_TRUE_OR_FALSE)
    return flags[text.lower()]


def _parse_number(text: str) -> float:
    # the numbers of JSON: no underscores, no Infinity, no hexadecimal
    if not re.fullmatch(r"-?\d+(\.\d+)?", text, re.ASCII):
        raise ValidationError(texts.NOT_A_NUMBER)
    number = Decimal(text)
    if abs(number) >= INT64:
        raise ValidationError(texts.NUMBER_RANGE)
    return float(number) if "." in text else int(number)


def _parse_time(text: str) -> Span:
    span = read_span(text.replace(" ", "+"))  # form decoding turns `+` into a space
    # no other bounds: clients send 1970-01-01 or 9999-12-31 for none
    hint = calendar.buddhist_year(span.start, runtime.current().policy.timezone)
    if hint:
        raise ValidationError(hint)
    return span


def _parse_text(text: str) -> str:
    if has_control_characters(text):
        raise ValidationError(texts.CONTROL_CHARACTER)
    return normalize(text)


def _parse_record_number(text: str) -> str:
    """Return a number as it is stored; that of a pane may be its QR payload."""
    prefix = runtime.current().policy.qr_prefix
    return parse_pane_number(_parse_text(text), prefix)


def _parse_choice(choices: tuple[str, ...], text: str) -> str:
    if text not in choices:
        raise ValidationError(texts.ONE_OF.format(choices=", ".join(choices)))
    return text


_PARSERS: tuple[tuple[type[BaseField], Callable[[str], Any], Shape], ...] = (
    (ObjectIdField, _parse_id, ID),
    (BooleanField, parse_boolean, BOOLEAN),
    (IntField, _parse_number, NUMBER),
    (NumberField, _parse_number, NUMBER),
    (DateTimeField, _parse_time, TIME),
    (StringField, _parse_text, TEXT),
)
