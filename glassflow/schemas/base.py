"""Base schemas and fields: JSON to values, with every fault reported at once."""

import math
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from bson import ObjectId
from marshmallow import (
    EXCLUDE,
    Schema,
    ValidationError,
    fields,
    post_load,
)

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.core.process.naming import camel
from glassflow.domain import calendar, texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.calendar import Span
from glassflow.domain.errors import FieldFault, Invalid
from glassflow.domain.unicode_text import (
    has_control_characters,
    has_visible_character,
    is_blank,
    normalize,
)
from glassflow.schemas.comparison import differing_paths
from glassflow.schemas.library_messages import Length, OneOf, Range, use_bilingual

# Sent back by clients that PATCH a record as they read it: ignored, no warning.
SERVER_OWNED = frozenset({"_id", "id", "createdAt", "updatedAt", "version", "__v"})

INT64 = 2**63


class _EmptyIsUnset(fields.Field[Any]):
    """A field that reads an empty text as null where it is optional.

    Forms send an empty text for what was not filled in.
    """

    empty_is_unset = True

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the value, or None for an empty text if the field may be null."""
        is_empty = isinstance(value, str) and is_blank(value)
        if is_empty and self.empty_is_unset and self.allow_none:
            value = None
        return super().deserialize(value, *args, **kwargs)


class Text(_EmptyIsUnset, fields.String):
    """A text as it is stored, see `normalize`. `minimum` and `maximum` count characters.

    An empty text for an optional field with a minimum means unset. Another text for a
    field with a minimum has a visible character.
    """

    default_error_messages = {
        "control": texts.CONTROL_CHARACTER,
        "invisible": texts.NOTHING_VISIBLE,
    }

    def __init__(self, *, minimum: int = 0, maximum: int = 10_000, **options: Any):
        super().__init__(**options)
        self.minimum = minimum
        self.empty_is_unset = minimum > 0
        if minimum or maximum:
            self.validators.append(Length(min=minimum, max=maximum))

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> str:
        text: str = super()._deserialize(value, *args, **kwargs)
        if has_control_characters(text):
            raise self.make_error("control")
        if self.minimum and text and not has_visible_character(text):
            raise self.make_error("invisible")
        return normalize(text)


class Number(fields.Field[float]):
    """A finite number; a numeric text is refused."""

    whole = False
    default_error_messages = {
        "number": texts.NOT_A_NUMBER,
        "whole": texts.NOT_AN_INTEGER,
        "range": texts.NUMBER_RANGE,
    }

    def __init__(
        self,
        *,
        minimum: float | None = None,
        maximum: float | None = None,
        above: float | None = None,
        **options: Any,
    ):
        super().__init__(**options)
        if minimum is not None or maximum is not None:
            self.validators.append(Range(min=minimum, max=maximum))
        if above is not None:
            self.validators.append(Range(min=above, min_inclusive=False))

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> int | float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.make_error("whole" if self.whole else "number")
        if not math.isfinite(value) or abs(value) >= INT64:
            raise self.make_error("range")
        if self.whole:
            if value != int(value):
                raise self.make_error("whole")
            return int(value)
        return value


class Integer(Number):
    """An integer; `3.0` is one, `3.5` and `"3"` are not."""

    whole = True


class StrictBoolean(fields.Boolean):
    """True or false; no text or number is converted."""

    truthy = {True}
    falsy = {False}

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


def read_span(value: Any) -> Span:
    """Read a time, or a date as its day; raises `ValidationError` for what is neither."""
    try:
        return calendar.read_span(value, runtime.current().policy.timezone)
    except (TypeError, ValueError):
        raise ValidationError(texts.NOT_A_TIME) from None


class UTCDateTime(fields.Field[datetime]):
    """A point in time, as naive UTC: ISO 8601 with any offset (default UTC).

    A date is the start of its day in `TIMEZONE`. A year that cannot be meant is refused,
    unless the time `is_measured` by a clock, which is checked by its own rules.
    """

    def __init__(self, *, is_measured: bool = False, **options: Any):
        super().__init__(**options)
        self.is_measured = is_measured

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> datetime:
        moment = read_span(value).start
        zone = runtime.current().policy.timezone
        hint = calendar.unlikely_date(moment, zone, clock.now())
        if hint and not self.is_measured:
            raise ValidationError(hint)
        return moment


class Reference(_EmptyIsUnset, fields.Field[ObjectId]):
    """The id of another record; its existence is checked when it is stored.

    An empty text for an optional reference means unset.
    """

    default_error_messages = {
        "required": texts.NOT_CHOSEN,
        "null": texts.NOT_CHOSEN,
        "invalid": texts.NOT_AN_ID,
    }

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> ObjectId:
        if not isinstance(value, str) or not ObjectId.is_valid(normalize(value)):
            raise self.make_error("invalid")
        return ObjectId(normalize(value))


class Choice(Text):
    """One text of a fixed list."""

    def __init__(self, *choices: str, **options: Any):
        super().__init__(**options)
        self.validators = [OneOf(choices)]


class FreeJSON(fields.Raw):
    """Any JSON value; texts inside are stored unchanged."""

    default_error_messages = {
        "key": texts.KEY_NOT_STORABLE,
        "size": texts.INTEGER_TOO_LARGE,
        "control": texts.CONTROL_CHARACTER,
    }

    def __init__(self, *, kind: type = object, **options: Any):
        super().__init__(**options)
        self.kind = kind

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(value, self.kind):
            is_object = self.kind is dict
            raise ValidationError(
                texts.NOT_AN_OBJECT if is_object else texts.NOT_AN_ARRAY
            )
        for key, inner in _walk(value):
            if not _storable(key):
                raise self.make_error("key")
            if isinstance(inner, int) and not -INT64 <= inner < INT64:
                raise self.make_error("size")
            if isinstance(inner, str) and has_control_characters(inner):
                raise self.make_error("control")
        return value


def _storable(key: str) -> bool:
    return bool(key) and not has_control_characters(key) and key[0] != "$"


def _walk(value: Any, key: str = "-") -> Iterator[tuple[str, Any]]:
    """Yield a value and all values inside it, each with its key."""
    yield key, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _walk(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _walk(inner)


class EmbeddedSchema(Schema):
    """An object inside a record, stored under its wire names; optional fields take null.

    Declare fields by their Python names. `required=True` means required on create.
    """

    class Meta:
        unknown = EXCLUDE

    error_messages = {
        "type": texts.INVALID_INPUT_TYPE,
        "unknown": texts.UNKNOWN_FIELD_OF_TABLE,
    }

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Set the wire name of the field, and allow null where it is optional."""
        if field_obj.data_key is None:
            field_obj.data_key = camel(field_name)
        if not field_obj.required:
            field_obj.allow_none = True
        use_bilingual(field_obj)

    @post_load
    def named(self, values: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Return the members under their wire names."""
        return {camel(name): value for name, value in values.items()}


class RecordSchema(EmbeddedSchema):
    """The writable fields of a record; `server_owned` are ignored without a warning.

    `compared` are those of them, dotted if nested, that are ignored with a warning where
    they differ from what is stored.
    """

    server_owned: frozenset[str] = frozenset()
    compared: frozenset[str] = frozenset()

    @post_load
    def named(self, values: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Return the values under the names of the model's fields."""
        return values

    def read(self, body: Mapping[str, Any], *, partial: bool = False) -> dict[str, Any]:
        """Validate a body and return its values, under the names that `named` gives them.

        Raises `Invalid` with every fault; nested names are dotted (`details.type`).
        """
        try:
            values: dict[str, Any] = self.load(body, partial=partial)
        except ValidationError as error:
            raise Invalid(list(_messages(error.messages))) from None
        return values

    def unknown_fields(self, body: Mapping[str, Any]) -> list[FieldFault]:
        """List the fields of the body that the schema does not know, as `{field, message}`."""
        return [
            {"field": path, "message": texts.UNKNOWN_FIELD}
            for path in _unknown_paths(self, body, "")
        ]

    def remarks(
        self, values: Mapping[str, Any], stored: Mapping[str, Any] | None = None
    ) -> Iterator[FieldFault]:
        """Yield what is doubtful in values that were read, as `{field, message}`.

        `stored` is the changed record as JSON. Records in lists are asked one by one.
        """
        for name, field in self.fields.items():
            inner = field.inner if isinstance(field, fields.List) else None
            schema = inner.schema if isinstance(inner, fields.Nested) else None
            if not isinstance(schema, RecordSchema):
                continue
            for index, one in enumerate(values.get(name) or ()):
                for fault in schema.remarks(one):
                    path = f"{field.data_key}.{index}.{fault['field']}"
                    yield {"field": path, "message": fault["message"]}

    def changed_fields(
        self, body: Mapping[str, Any], stored: Mapping[str, Any]
    ) -> list[FieldFault]:
        """List the `compared` fields of the body that differ from the stored record.

        `stored` is the record as JSON. A reference may be sent as an expanded record.
        """
        return [
            {"field": path, "message": texts.SERVER_OWNED_FIELD}
            for path in differing_paths(self.compared, body, stored)
        ]


def first_message(error: ValidationError) -> Bilingual:
    """Return the message of a value that one parser or field refused."""
    return next(_messages(error.messages))["message"]


def _messages(messages: Any, path: str = "") -> Iterator[FieldFault]:
    if isinstance(messages, dict):
        for key, inner in messages.items():
            step = "" if key == "_schema" else str(key)
            yield from _messages(inner, ".".join(part for part in (path, step) if part))
    else:
        for message in messages if isinstance(messages, list) else [messages]:
            yield {"field": path, "message": message}


def _unknown_paths(schema: Schema, body: Any, path: str) -> Iterator[str]:
    if not isinstance(body, Mapping):
        return
    known = {field.data_key: field for field in schema.fields.values()}
    owned = schema.server_owned if isinstance(schema, RecordSchema) else frozenset()
    for key, value in body.items():
        here, field = f"{path}{key}", known.get(key)
        if field is not None:
            yield from _unknown_inside(field, value, here)
        elif key not in SERVER_OWNED and key not in owned:
            yield here


def _unknown_inside(field: fields.Field[Any], value: Any, path: str) -> Iterator[str]:
    if isinstance(field, fields.Nested):
        yield from _unknown_paths(field.schema, value, f"{path}.")
    elif isinstance(field, fields.List) and isinstance(value, list):
        for index, item in enumerate(value):
            yield from _unknown_inside(field.inner, item, f"{path}.{index}")
