"""Request body schemas of the limits of making, and of panes that are checked by them."""

from dataclasses import fields as fields_of

from marshmallow import fields

from glassflow.domain.makeability import Limits
from glassflow.schemas.base import EmbeddedSchema, Number, RecordSchema, StrictBoolean
from glassflow.schemas.embedded import ReplacedList
from glassflow.schemas.request import RequestPane

# Factors of the thickness and further distances may be 0: then they limit nothing.
MAY_BE_ZERO = ("_factor", "hole_diameter", "hole_edge", "hole_gap", "notch_radius")
LimitsOfMaking = EmbeddedSchema.from_dict(
    {
        one.name: (
            Number(minimum=0) if one.name.endswith(MAY_BE_ZERO) else Number(above=0)
        )
        for one in fields_of(Limits)
    },
    name="LimitsOfMaking",
)
LimitsOfMaking.__doc__ = "The limits in mm; null restores the default."


class MakeabilityLimitsSchema(RecordSchema):
    """The fields that a client writes; limits that are left out keep their values."""

    server_owned = frozenset({"updatedBy"})

    limits = fields.Nested(LimitsOfMaking)
    is_strict = StrictBoolean()


class CheckSchema(RecordSchema):
    """The panes to be checked."""

    panes = ReplacedList(fields.Nested(RequestPane), required=True)
