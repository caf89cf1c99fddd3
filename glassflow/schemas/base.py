"""The wire shapes: how JSON becomes values, with every fault named at once."""

import math
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from bson import ObjectId
from marshmallow import (
    EXCLUDE,
    Schema,
    ValidationError,
    fields,
    post_load,
    validate,
)

from glassflow.core.naming import camel
from glassflow.domain.errors import Invalid

# Sent back by clients that PATCH a record as they read it: ignored without a word.
SERVER_OWNED = frozenset({"_id", "id", "createdAt", "updatedAt", "version", "__v"})

INT64 = 2**63


class Text(fields.String):
    """A trimmed text in Unicode NFC. `minimum` and `maximum` count characters."""

    default_error_messages = {"control": "Contains a character that is not allowed"}

    def __init__(self, *, minimum: int = 0, maximum: int = 10_000, **options: Any):
        super().__init__(**options)
        if minimum or maximum:
            self.validators.append(validate.Length(min=minimum, max=maximum))

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> str:
        text: str = super()._deserialize(value, *args, **kwargs)
        if "\x00" in text:
            raise self.make_error("control")
        return unicodedata.normalize("NFC", text).strip()


class Number(fields.Field[float]):
    """A finite number; a text that looks like one is refused."""

    whole = False
    default_error_messages = {
        "number": "Not a valid number",
        "whole": "Not a valid integer",
        "finite": "Must be a finite number",
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
            self.validators.append(validate.Range(min=minimum, max=maximum))
        if above is not None:
            self.validators.append(validate.Range(min=above, min_inclusive=False))

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> int | float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.make_error("whole" if self.whole else "number")
        if not math.isfinite(value) or abs(value) >= INT64:
            raise self.make_error("finite")
        if self.whole:
            if value != int(value):
                raise self.make_error("whole")
            return int(value)
        return value


class Whole(Number):
    """An integer; `3.0` is one, `3.5` and `"3"` are not."""

    whole = True


class Flag(fields.Boolean):
    """True or false, and nothing that merely looks like it."""

    truthy = {True}
    falsy = {False}

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class Moment(fields.Field[datetime]):
    """A point in time: ISO 8601 with any offset (UTC if none), kept in naive UTC."""

    default_error_messages = {"invalid": "Not a valid date-time (ISO 8601)"}

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> datetime:
        return self.parse(value)

    def parse(self, value: Any) -> datetime:
        """Read a moment, in whole milliseconds; raises marshmallow's error."""
        try:
            moment = datetime.fromisoformat(value)
            if moment.tzinfo is not None:
                moment = moment.astimezone(UTC).replace(tzinfo=None)
        except (TypeError, ValueError, OverflowError):
            raise self.make_error("invalid") from None
        return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


class Reference(fields.Field[ObjectId]):
    """The id of another record. That it exists is checked with the stored data."""

    default_error_messages = {
        "invalid": "Not a valid id",
        "required": "Missing data for required field.",
    }

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> ObjectId:
        if not isinstance(value, str) or not ObjectId.is_valid(value.strip()):
            raise self.make_error("invalid")
        return ObjectId(value.strip())


class Choice(Text):
    """One text of a closed list."""

    def __init__(self, *choices: str, **options: Any):
        super().__init__(**options)
        message = "Must be one of: " + ", ".join(choices) + "."
        self.validators = [validate.OneOf(choices, error=message)]


class Free(fields.Raw):
    """Any JSON value, as deep as the body may be; its texts are kept as they are."""

    default_error_messages = {
        "key": "Keys must not be empty or start with $",
        "size": "Holds an integer that is too large",
    }

    def __init__(self, *, kind: type = object, **options: Any):
        super().__init__(**options)
        self.kind = kind

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(value, self.kind):
            word = {dict: "an object", list: "an array"}[self.kind]
            raise ValidationError(f"Must be {word}")
        for key, inner in _members(value):
            if not _storable(key):
                raise self.make_error("key")
            if isinstance(inner, int) and not -INT64 <= inner < INT64:
                raise self.make_error("size")
        return value


def _storable(key: str) -> bool:
    return bool(key) and "\x00" not in key and key[0] != "$"


def _members(value: Any, key: str = "-") -> Iterator[tuple[str, Any]]:
    """List a value and all inside it, each with the key that it stands under."""
    yield key, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _members(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _members(inner)


class Shape(Schema):
    """An object inside a record: optional means null too, and it is kept as on the wire.

    Declare fields as they are in Python. `required=True` says required to create.
    """

    class Meta:
        unknown = EXCLUDE

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Give the field its wire name, and let an optional one be null."""
        if field_obj.data_key is None:
            field_obj.data_key = camel(field_name)
        if not field_obj.required:
            field_obj.allow_none = True

    @post_load
    def named(self, values: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Name the members as the wire and the store do."""
        return {camel(name): value for name, value in values.items()}


class RecordSchema(Shape):
    """The writable fields of a record. `server_owned` adds wire names kept silent."""

    server_owned: frozenset[str] = frozenset()

    @post_load
    def named(self, values: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Keep the names of the model's fields."""
        return values

    def read(self, body: Mapping[str, Any], *, partial: bool = False) -> dict[str, Any]:
        """Turn a body into values by snake_case name.

        Raises `Invalid` with every fault; nested names are dotted (`details.type`).
        """
        try:
            values: dict[str, Any] = self.load(body, partial=partial)
        except ValidationError as error:
            raise Invalid(list(_faults(error.messages))) from None
        return values

    def unread(self, body: Mapping[str, Any]) -> list[dict[str, str]]:
        """List what the body holds and nobody reads, as `{field, message}`."""
        return [
            {"field": path, "message": "Unknown field, ignored"}
            for path in _unknown(self, body, "")
        ]


def _faults(messages: Any, path: str = "") -> Iterator[dict[str, str]]:
    if isinstance(messages, dict):
        for key, inner in messages.items():
            step = "" if key == "_schema" else str(key)
            yield from _faults(inner, ".".join(part for part in (path, step) if part))
    else:
        for message in messages if isinstance(messages, list) else [messages]:
            yield {"field": path, "message": str(message)}


def _unknown(schema: Schema, body: Any, path: str) -> Iterator[str]:
    if not isinstance(body, Mapping):
        return
    known = {field.data_key: field for field in schema.fields.values()}
    owned = schema.server_owned if isinstance(schema, RecordSchema) else frozenset()
    for key, value in body.items():
        here, field = f"{path}{key}", known.get(key)
        if field is not None:
            yield from _inside(field, value, here)
        elif key not in SERVER_OWNED and key not in owned:
            yield here


def _inside(field: fields.Field[Any], value: Any, path: str) -> Iterator[str]:
    if isinstance(field, fields.Nested):
        yield from _unknown(field.schema, value, f"{path}.")
    elif isinstance(field, fields.List) and isinstance(value, list):
        for index, item in enumerate(value):
            yield from _inside(field.inner, item, f"{path}.{index}")
