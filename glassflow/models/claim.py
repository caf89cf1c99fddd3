"""Claims: reported defects of panes, and the decisions on them."""

from mongoengine import (
    BooleanField,
    DateTimeField,
    IntField,
    ListField,
    StringField,
)

from glassflow.core.process import clock
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.claims import ClaimDecision, ClaimSource, ClaimStatus
from glassflow.domain.defects import DefectCode
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, JSONField, Ref
from glassflow.models.photos import as_links, without_content


class Claim(Record):
    """A claim under an order. Approval makes a remake unless `remake` is false.

    `approved_by` is the worker who decided it, whatever the decision. `created_by` is
    unset on claims of releases that did not store it. `rejected_with` is the number of the
    order or request with whose cancellation a claim was rejected. The form of `photos` is described
    in `services.claims.photos`; `next_photo` is the lowest number without a picture.
    """

    meta = {
        "collection": "claims",
        "indexes": [
            {"fields": ["claim_number"], "unique": True, "sparse": True},
            for_lists("order"),
            for_lists("pane"),
            for_lists("material"),
            for_lists("reported_by"),
            for_lists("status"),
            for_lists("source"),
            for_lists("defect_code"),
            for_lists("defect_station"),
            for_lists("decision"),
            ("claim_date", "id"),
        ],
    }
    label = Bilingual("Claim", th="เคลม")
    numbered = ("claim_number", "CLM")
    hidden = ("nextPhoto",)
    shown_as = {"photos": as_links("claims")}
    shortened = {"photos": without_content}

    claim_number = StringField()
    order = Ref("Order", required=True)
    source = Choice(*ClaimSource, required=True)
    material = Ref("Material", required=True)
    description = StringField(required=True)
    reported_by = Ref("Worker", required=True)
    created_by = Ref("Worker")
    pane = Ref("Pane")
    defect_code = Choice(*DefectCode)
    defect_station = Ref("Station")
    status = Choice(*ClaimStatus, default=ClaimStatus.PENDING.value)
    decision = Choice(*ClaimDecision)
    approved_by = Ref("Worker")
    rejected_with = StringField(default="")
    remade_pane = Ref("Pane")
    remake = BooleanField(default=True)
    remake_station = Ref("Station")
    photos = ListField(JSONField())
    next_photo = IntField(default=0)
    claim_date = DateTimeField(default=clock.now)
