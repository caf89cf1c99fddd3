"""Request body schemas of a claim, made under an order or from a pane."""

from typing import Any

from marshmallow import ValidationError, fields

from glassflow.domain import photos
from glassflow.domain.claims import ClaimDecision, ClaimSource, ClaimStatus
from glassflow.domain.defects import DefectCode
from glassflow.schemas.base import (
    Choice,
    RecordSchema,
    Reference,
    StrictBoolean,
    Text,
    UTCDateTime,
)
from glassflow.schemas.library_messages import use_bilingual


class PhotoField(fields.Field[photos.Photo]):
    """A photo: a data URL of a picture, a URL, a link of a photo, or an attachment's id."""

    def __init__(self, **options: Any):
        super().__init__(**options)
        self._text = Text(maximum=0)  # only the body limits the size of a data URL
        use_bilingual(self._text)

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> photos.Photo:
        text = self._text.deserialize(value)
        try:
            return photos.parse(text)
        except ValueError as error:
            raise ValidationError(error.args[0]) from None


class ClaimSchema(RecordSchema):
    """The fields that a client writes; the service checks who may decide."""

    server_owned = frozenset(
        {
            "claimNumber",
            "order",
            "createdBy",
            "approvedBy",
            "rejectedWith",
            "remadePane",
        }
    )

    source = Choice(*ClaimSource, required=True)
    material = Reference(required=True)
    description = Text(required=True, minimum=1)
    reported_by = Reference(required=True)
    pane = Reference()
    defect_code = Choice(*DefectCode)
    defect_station = Reference()
    status = Choice(*ClaimStatus)
    decision = Choice(*ClaimDecision)
    remake = StrictBoolean()
    remake_station = Reference()
    # the route of the remake that an approval makes; it is not stored in the claim
    routing = fields.List(Reference())
    photos = fields.List(PhotoField())
    claim_date = UTCDateTime()


class ClaimFromPaneSchema(ClaimSchema):
    """A claim that names a pane by number; order and material are the pane's."""

    class Meta(ClaimSchema.Meta):
        exclude = ("pane", "material")

    server_owned = ClaimSchema.server_owned | {"pane", "material"}

    pane_number = Text(required=True, minimum=1)


class ClaimChangeRowSchema(ClaimSchema):
    """A claim in a file that changes it: a file has no photos and no routes."""

    class Meta(ClaimSchema.Meta):
        exclude = ("photos", "routing")


class ClaimRowSchema(ClaimChangeRowSchema):
    """A new claim in a file: of a pane, or of an order and a material."""

    server_owned = ClaimSchema.server_owned - {"order"}

    order = Reference()
    material = Reference()


class OutcomesQuery(RecordSchema):
    """The query parameters of the outcomes: where a remake would begin, and its route."""

    remake_station = Reference()
    routing = fields.List(Reference())
