"""Claims: what somebody found wrong with a piece of glass, and what was decided."""

from mongoengine import BooleanField, DateTimeField, ListField, StringField

from glassflow.core import clock
from glassflow.models.base import Choice, Record, Ref

SOURCES = ("customer", "worker")
DEFECT_CODES = ("broken", "chipped", "dimension_wrong", "scratch", "stain", "other")
STATUSES = ("pending", "approved", "rejected")
DECISIONS = ("destroy", "keep")


class Claim(Record):
    """A claim under an order; approved, it has the pane made again unless told not to.

    `approved_by` is who decided it, either way.
    """

    meta = {
        "collection": "claims",
        "indexes": [
            {"fields": ["claim_number"], "unique": True, "sparse": True},
            "order",
            "pane",
            "material",
            "reported_by",
            "status",
        ],
    }
    label = "Claim"
    numbered = ("claim_number", "CLM")

    claim_number = StringField()
    order = Ref("Order", required=True)
    source = Choice(*SOURCES, required=True)
    material = Ref("Material", required=True)
    description = StringField(required=True)
    reported_by = Ref("Worker", required=True)
    pane = Ref("Pane")
    defect_code = Choice(*DEFECT_CODES)
    defect_station = Ref("Station")
    status = Choice(*STATUSES, default="pending")
    decision = Choice(*DECISIONS)
    approved_by = Ref("Worker")
    remade_pane = Ref("Pane")
    remake = BooleanField(default=True)
    remake_station = Ref("Station")
    photos = ListField(StringField())
    claim_date = DateTimeField(default=clock.now)
