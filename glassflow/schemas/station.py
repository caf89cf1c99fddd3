"""The wire shape of a station."""

from glassflow.models.station import COLORS, STATUSES
from glassflow.schemas.base import Choice, Flag, RecordSchema, Reference, Text


class StationSchema(RecordSchema):
    """What a client writes."""

    name = Text(required=True, minimum=1)
    template_id = Reference(required=True)
    color_id = Choice(*COLORS)
    status = Choice(*STATUSES)
    is_laminate_station = Flag()
    show_withdraw_claim_actions = Flag()
    notes = Text()
