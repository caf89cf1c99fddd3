"""What a forecast is asked for with."""

from marshmallow import fields

from glassflow.schemas.base import Integer, RecordSchema, Reference, StrictBoolean

MOST_SHIFTS = 20


class WhatIf(RecordSchema):
    """What would be otherwise: one more shift on so many of the next working days, a station
    where one pane more is worked on at once, and this work before all other."""

    extra_shifts = Integer(minimum=0, maximum=MOST_SHIFTS)
    station = Reference()
    first = StrictBoolean()


class ForecastSchema(RecordSchema):
    """A forecast as things are, or as they would be."""

    what_if = fields.Nested(WhatIf, allow_none=True)
