"""Request bodies and queries as JSON Schema, from the fields of their schemas.

What a client may send; what is accepted besides (an empty text for an unset value, ids with
spaces around them) is left out.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from marshmallow import fields, validate

from glassflow.schemas import (
    attachment,
    base,
    claim,
    pricing_settings,
    request_attachment,
    worker,
)
from glassflow.schemas.base import INT64, EmbeddedSchema, RecordSchema
from glassflow.schemas.embedded import ReplacedList
from glassflow.schemas.shapes import (
    ANYTHING,
    BOOLEAN,
    FREE_OBJECT,
    ID,
    INTEGER,
    NUMBER,
    TEXT,
    TIME,
    Shape,
    any_of,
    array,
    choice,
    described,
    mapping,
    members,
    nullable,
)

Field = fields.Field[Any]


def body_shape(schema: RecordSchema, *, partial: bool = False) -> Shape:
    """Return the shape of a body; with `partial` that of a change, which requires nothing.

    It is an object with a title, that of a change ending with `Patch`.
    """
    return _object(schema, partial=partial)


def query_shapes(schema: RecordSchema) -> Iterator[tuple[str, Shape]]:
    """Yield the name and shape of each parameter of a query."""
    for field in schema.fields.values():
        yield str(field.data_key), field_shape(field)


def field_shape(field: Field, *, partial: bool = False) -> Shape:
    """Return the shape of the values that a field reads, without null."""
    shape = _plain(field, partial)
    return _ranged(shape, field.validators)


def _object(schema: Any, *, partial: bool) -> Shape:
    wire = {str(field.data_key): field for field in schema.fields.values()}
    return members(
        {name: _property(field, partial) for name, field in wire.items()},
        optional=[name for name, f in wire.items() if partial or not f.required],
        title=title_of(type(schema), partial=partial),
        description=(type(schema).__doc__ or "").partition("\n")[0],
    )


def title_of(schema: type[EmbeddedSchema], *, partial: bool = False) -> str:
    """Return the name of a body's shape: `CustomerInput`, `CustomerPatch`, `CutOut`."""
    name = schema.__name__.strip("_").removesuffix("Schema")
    return f"{name}{'Patch' if partial else 'Input'}"


def _property(field: Field, partial: bool) -> Shape:
    shape = field_shape(field, partial=partial)
    shape = nullable(shape) if field.allow_none else shape
    default = field.load_default
    if isinstance(default, (str, int, float, bool)) and not partial:
        shape = {**shape, "default": default}
    return shape


def _plain(field: Field, partial: bool) -> Shape:
    if isinstance(field, fields.Nested):
        return _object(field.schema, partial=partial)
    if isinstance(field, fields.List):
        # a list is replaced as a whole, also in a change
        whole = isinstance(field, ReplacedList)
        return array(field_shape(field.inner, partial=partial and not whole))
    if isinstance(field, fields.Dict):
        inner = field.value_field
        return mapping(field_shape(inner) if inner is not None else ANYTHING)
    for kind, shape_of in _KINDS.items():
        if isinstance(field, kind):
            return shape_of(field)
    raise TypeError(f"{type(field).__name__} has no shape; add it to _KINDS")


def _free(field: Any) -> Shape:
    kinds: Mapping[type, Shape] = {dict: FREE_OBJECT, list: array(ANYTHING)}
    return kinds.get(field.kind, ANYTHING)


def _grinding_rate(field: Any) -> Shape:
    return any_of(
        {**NUMBER, "minimum": 0},
        _object(pricing_settings.GrindingRates(), partial=False),
    )


_INT64 = {"minimum": 1 - INT64, "maximum": INT64 - 1}
# Subclasses before their base.
_KINDS: Mapping[type[Field], Callable[[Any], Shape]] = {
    base.Choice: lambda field: choice(_one_of(field)),
    base.Text: lambda field: TEXT,
    worker.Password: lambda field: {**TEXT, "format": "password"},
    base.Integer: lambda field: {**INTEGER, **_INT64},
    base.Number: lambda field: NUMBER,
    base.StrictBoolean: lambda field: BOOLEAN,
    base.UTCDateTime: lambda field: TIME,
    base.Reference: lambda field: ID,
    base.FreeJSON: _free,
    claim.PhotoField: lambda field: described(
        TEXT, "A data URL, a URL, a link of a photo, or an attachment's id."
    ),
    attachment.PictureField: lambda field: described(
        TEXT, "A picture as a data URL: `data:image/jpeg;base64,…`."
    ),
    request_attachment.DocumentField: lambda field: described(
        TEXT, "A PDF, PNG or JPEG as a data URL: `data:application/pdf;base64,…`."
    ),
    pricing_settings.GrindingRate: _grinding_rate,
    fields.Raw: lambda field: ANYTHING,
}


def _one_of(field: Field) -> Any:
    return next(v.choices for v in field.validators if isinstance(v, validate.OneOf))


def _ranged(shape: Shape, validators: Any) -> Shape:
    """Add the limits that the validators of a field set."""
    limits: dict[str, Any] = {}
    for one in validators:
        if isinstance(one, validate.Range):
            limits |= _range(one)
        elif isinstance(one, validate.Length):
            limits |= _length(one, shape)
        elif isinstance(one, validate.OneOf) and "enum" not in shape:
            limits["enum"] = list(one.choices)
    return {**shape, **limits}


def _range(found: validate.Range) -> dict[str, Any]:
    limits: dict[str, Any] = {}
    if found.min is not None:
        limits["minimum" if found.min_inclusive else "exclusiveMinimum"] = found.min
    if found.max is not None:
        limits["maximum" if found.max_inclusive else "exclusiveMaximum"] = found.max
    return limits


def _length(found: validate.Length, shape: Shape) -> dict[str, Any]:
    limits: dict[str, Any]
    if shape.get("type") == "array":
        limits = {"minItems": found.min, "maxItems": found.max}
    else:
        limits = {"minLength": found.min, "maxLength": found.max}
        if found.min and shape.get("format") != "password":
            limits["pattern"] = r"\S"  # a text is trimmed before it is counted
    return {name: one for name, one in limits.items() if one}
