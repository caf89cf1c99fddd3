"""The request body schema of a station."""

from glassflow.domain.stations import StationColor, StationStatus
from glassflow.schemas.base import (
    Choice,
    Integer,
    RecordSchema,
    Reference,
    StrictBoolean,
    Text,
)


class StationSchema(RecordSchema):
    """The fields that a client writes.

    A station that is created without `is_check_station` or `is_cutting_station` takes that
    of its template.
    """

    name = Text(required=True, minimum=1)
    template_id = Reference(required=True)
    position = Integer(minimum=0, maximum=1_000_000)
    color_id = Choice(*StationColor)
    status = Choice(*StationStatus)
    is_laminate_station = StrictBoolean()
    is_check_station = StrictBoolean()
    is_cutting_station = StrictBoolean()
    show_withdraw_claim_actions = StrictBoolean()
    notes = Text()
