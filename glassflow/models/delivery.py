"""Deliveries: panes that are handed over to a customer together."""

from collections.abc import Mapping, Sequence
from typing import Any

from mongoengine import DateTimeField, IntField, ListField, StringField

from glassflow.domain.bilingual import THAI, Bilingual, Language
from glassflow.domain.deliveries import DeliveryStatus
from glassflow.models.base import Record, for_lists
from glassflow.models.fields import Choice, JSONField, Ref
from glassflow.models.photos import file_path, signed_link

PICTURES = ("signature", "photos")


def pictures_of(raw: Mapping[str, Any], field: str) -> list[Any]:
    """Return the stored pictures of all hand-overs of a stored delivery.

    `field` is `signature` or `photos`; the photos of the panes that stayed are among these.
    """
    found: list[Any] = []
    for one in raw.get("handOvers") or ():
        found += one[field]
        if field == "photos":
            found += [picture for row in one["left"] for picture in row["photos"]]
    return found


def _links(raw: Mapping[str, Any], field: str, pictures: Sequence[Any]) -> list[str]:
    """Return signed links of pictures of a stored delivery."""
    paths = [file_path("deliveries", raw["_id"], field, one["n"]) for one in pictures]
    return [signed_link(path) for path in paths]


def _shown_hand_overs(raw: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Show the hand-overs of a stored delivery, their pictures as signed links."""
    return [
        {
            **one,
            "left": [
                {**row, "photos": _links(raw, "photos", row["photos"])}
                for row in one["left"]
            ],
            "signature": next(iter(_links(raw, "signature", one["signature"])), None),
            "photos": _links(raw, "photos", one["photos"]),
        }
        for one in raw.get("handOvers") or ()
    ]


class Delivery(Record):
    """A delivery to one address of a customer.

    `panes` are those that are planned, and once it is delivered those that were handed over.
    `missing_panes` came back, and are on no other delivery since. `loaded_panes` are those of
    both that were scanned while loading. `planned_for` is a moment of the day, `vehicle` a
    name or a number plate. `places` are `{request, place}`: what the requests of the panes
    named when it was put on the delivery, or an address was given last.

    `hand_overs` are what drivers recorded, the oldest first: `{number, at, recordedAt,
    worker, deliveredBy, receivedBy, remark, panes, repeated, left, signature, photos,
    undoableUntil, isEarly, undone}`. `at` is the time of the device. `repeated` are panes
    that an earlier one had handed over. `left` says of panes that came back `{pane,
    paneNumber, reason, note, photos, claim, claimNumber}`. `isEarly` is whether `at` lies
    before the delivery was planned or a pane was finished. `undone` is None or `{at, by,
    reason}`: such a hand-over does not count. `delivered_at` is of the newest that counts
    and gave panes, `undoable_until` of the newest that counts.

    `note_facts` are by the number of a hand-over what its delivery note showed
    (`services.deliveries.note`). The signature (one or none) and photos have the form of
    `models.photos`; `next_photo` is the lowest number that no picture has had.
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
            ("undoable_until", "id"),
            "panes",
            "missing_panes",
        ],
    }
    label = Bilingual("Delivery", th="เที่ยวส่ง")
    numbered = ("delivery_number", "DLV")
    hidden = ("nextPhoto", "noteFacts", "places")
    shown_as = {"handOvers": _shown_hand_overs}

    delivery_number = StringField()
    customer = Ref("Customer", required=True)
    panes = ListField(Ref("Pane"))
    loaded_panes = ListField(Ref("Pane"))
    missing_panes = ListField(Ref("Pane"))
    planned_for = DateTimeField()
    recipient = StringField(default="")
    address = StringField(default="")
    places = ListField(JSONField())
    contact = StringField(default="")
    phone = StringField(default="")
    vehicle = StringField(default="")
    driver = Ref("Worker")
    notes = StringField(default="")
    language = Choice(*Language, default=THAI.value)
    status = Choice(*DeliveryStatus, default=DeliveryStatus.PLANNED.value)
    delivered_at = DateTimeField()
    undoable_until = DateTimeField()
    hand_overs = ListField(JSONField())
    note_facts = JSONField(default=dict)
    next_photo = IntField(default=0)
