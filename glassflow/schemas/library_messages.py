"""The messages of marshmallow in both languages: of its fields, and of its validators."""

from collections.abc import Mapping
from typing import Any

from marshmallow import fields, validate

from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual

# The texts of the library are keys; those for people stand in `domain.texts`.
_OF_FIELDS: Mapping[str, Bilingual] = {
    "Missing data for required field.": texts.REQUIRED,
    "Field may not be null.": texts.NOT_NULL,
    **{
        str(one): one
        for one in (
            texts.INVALID_VALUE,
            texts.INVALID_TYPE,
            texts.NOT_A_STRING,
            texts.NOT_UTF8,
            texts.NOT_A_LIST,
            texts.NOT_A_MAPPING,
            texts.NOT_A_BOOLEAN,
        )
    },
}


def use_bilingual(field: fields.Field[Any]) -> None:
    """Give a field, and those inside it, messages in both languages.

    Raises `KeyError` for a message of the library that has none, at the start.
    """
    for name, message in field.error_messages.items():
        if not isinstance(message, Bilingual):
            field.error_messages[name] = _OF_FIELDS[str(message)]
    for validator in field.validators:
        _require_bilingual(validator)
    for inner in inner_fields(field):
        use_bilingual(inner)


def inner_fields(field: fields.Field[Any]) -> list[fields.Field[Any]]:
    """Return the fields of the elements of a list, or of the members of a dictionary."""
    if isinstance(field, fields.List):
        return [field.inner]
    if isinstance(field, fields.Dict):
        found = (field.key_field, field.value_field)
        return [one for one in found if one is not None]
    return []


def _require_bilingual(validator: Any) -> None:
    if isinstance(validator, validate.Validator):
        own = isinstance(validator, (Length, OneOf, Range))
        assert own, f"{validator!r} has messages in English only"


class Length(validate.Length):
    """Limits the length of a text or a list."""

    message_min = texts.TOO_SHORT
    message_max = texts.TOO_LONG
    message_all = texts.LENGTH_BETWEEN
    message_equal = texts.LENGTH_EQUAL


class Range(validate.Range):
    """Limits a number."""

    message_min = texts.AT_LIMIT
    message_max = texts.BELOW_LIMIT
    message_all = texts.BETWEEN_LIMITS
    message_gte = texts.GREATER_OR_EQUAL
    message_gt = texts.GREATER
    message_lte = texts.LESS_OR_EQUAL
    message_lt = texts.LESS


class OneOf(validate.OneOf):
    """Accepts some values only."""

    default_message = texts.ONE_OF
