"""The wire shapes of a claim, made under an order or from a pane."""

import re

from marshmallow import ValidationError, fields

from glassflow.models.claim import DECISIONS, DEFECT_CODES, SOURCES, STATUSES
from glassflow.schemas.base import (
    Choice,
    Flag,
    Moment,
    RecordSchema,
    Reference,
    Text,
)

__all__ = ["DEFECT_CODES", "ClaimFromPaneSchema", "ClaimSchema"]

URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"]+")
# A screen shows these in a page, where such a scheme would run as a program.
UNSAFE = ("javascript:", "vbscript:")
LONGEST_PHOTO = 10_485_760  # characters: a data URL may fill the whole body


def photo(text: str) -> None:
    """Refuse what is no URI: a link or a data URL."""
    if not URI.fullmatch(text) or text.lower().startswith(UNSAFE):
        raise ValidationError("Not a valid URI")


class ClaimSchema(RecordSchema):
    """What a client writes; who may decide is the service's business."""

    server_owned = frozenset({"claimNumber", "order", "approvedBy", "remadePane"})

    source = Choice(*SOURCES, required=True)
    material = Reference(required=True)
    description = Text(required=True, minimum=1)
    reported_by = Reference(required=True)
    pane = Reference()
    defect_code = Choice(*DEFECT_CODES)
    defect_station = Reference()
    status = Choice(*STATUSES)
    decision = Choice(*DECISIONS)
    remake = Flag()
    remake_station = Reference()
    photos = fields.List(Text(maximum=LONGEST_PHOTO, validate=photo))
    claim_date = Moment()


class ClaimFromPaneSchema(ClaimSchema):
    """A claim that names a pane by number; order and material are the pane's."""

    class Meta(ClaimSchema.Meta):
        exclude = ("pane", "material")

    server_owned = ClaimSchema.server_owned | {"pane", "material"}

    pane_number = Text(required=True, minimum=1)
