"""Deliveries: panes that are handed over to a customer together."""

from collections.abc import Mapping, Sequence
from typing import Any

from mongoengine import DateTimeField, IntField, ListField, StringField

from glassflow.domain.bilingual import THAI, Bilingual, Language
from glassflow.domain.deliveries import DeliveryStatus
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, JSONField, Ref
from glassflow.models.photos import as_links, file_path, signed_link

FILES = ("signature", "photos")


def _links(raw: Mapping[str, Any], field: str, pictures: Sequence[Any]) -> list[str]:
    """Return signed links of pictures of a stored delivery."""
    paths = [file_path("deliveries", raw["_id"], field, one["n"]) for one in pictures]
    return [signed_link(path) for path in paths]


def _shown_signature(raw: Mapping[str, Any]) -> str | None:
    """Show the signature of a stored delivery as a signed link."""
    return next(iter(_links(raw, "signature", raw.get("signature", ()))), None)


def _shown_undone(raw: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Show the undone hand-overs of a stored delivery, their pictures as signed links."""
    return [
        {
            **one,
            "signature": next(iter(_links(raw, "signature", one["signature"])), None),
            "photos": _links(raw, "photos", one["photos"]),
        }
        for one in raw.get("undoneHandOvers", ())
    ]


class Delivery(Record):
    """A delivery to one address of a customer.

    `panes` are those that are planned, and once it is delivered those that were handed over.
    `loaded_panes` are those of them that were scanned while loading, `missing_panes` those
    that were planned and not handed over. `planned_for` is a moment of the day, `vehicle` a
    name or a number plate. `note_facts` are what the delivery note showed when it was
    handed over (`services.deliveries.note`), None before. `undone_hand_overs` are those
    that were undone, each with its times, names, pictures and the reason. `signature` (one
    or none) and `photos` have the form of `models.photos`; `next_photo` is the lowest
    number that no picture has had.
    """

    meta = {
        "collection": "deliveries",
        "indexes": [
            {"fields": ["delivery_number"], "unique": True, "sparse": True},
            for_lists("customer"),
            for_lists("status"),
            for_lists("driver"),
            ("planned_for", "id"),
            ("delivered_at", "id"),
            "panes",
        ],
    }
    label = Bilingual("Delivery", th="การจัดส่ง")
    numbered = ("delivery_number", "DLV")
    hidden = ("nextPhoto", "noteFacts")
    shown_as = {
        "photos": as_links("deliveries"),
        "signature": _shown_signature,
        "undoneHandOvers": _shown_undone,
    }

    delivery_number = StringField()
    customer = Ref("Customer", required=True)
    panes = ListField(Ref("Pane"))
    loaded_panes = ListField(Ref("Pane"))
    missing_panes = ListField(Ref("Pane"))
    planned_for = DateTimeField()
    recipient = StringField(default="")
    address = StringField(default="")
    contact = StringField(default="")
    phone = StringField(default="")
    vehicle = StringField(default="")
    driver = Ref("Worker")
    notes = StringField(default="")
    language = Choice(*Language, default=THAI.value)
    status = Choice(*DeliveryStatus, default=DeliveryStatus.PLANNED.value)
    delivered_at = DateTimeField()
    delivered_by = Ref("Worker")
    undoable_until = DateTimeField()
    received_by = StringField(default="")
    remark = StringField(default="")
    note_facts = JSONField()
    signature = ListField(JSONField())
    photos = ListField(JSONField())
    next_photo = IntField(default=0)
    undone_hand_overs = ListField(JSONField())
