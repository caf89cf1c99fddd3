"""Racks: trolleys and A-frames that panes stand on between the stations."""

from mongoengine import StringField

from glassflow import runtime
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.numbering import qr_payload
from glassflow.models.base import Record
from glassflow.models.fields import Ref


class Rack(Record):
    """A rack, which a pane names in its `rack` while it stands there.

    `place` is where it usually stands, `station` where it was scanned last. `qrCode` of
    answers is what its label contains. A pane that is lost, cancelled, merged into another
    one or delivered stands on no rack, and neither does one that a scan works on: a
    scan_in, start or complete of the pane alone. A finished pane stays until it is delivered.
    """

    meta = {
        "collection": "racks",
        "indexes": [
            {"fields": ["rack_number"], "unique": True, "sparse": True},
            "station",
        ],
    }
    label = Bilingual("Rack", th="ราวกระจก")
    numbered = ("rack_number", "RCK")
    computed = {
        "qrCode": lambda raw: qr_payload(
            raw.get("rackNumber") or "", runtime.current().policy.qr_prefix
        )
    }

    rack_number = StringField()
    name = StringField(required=True)
    place = StringField(default="")
    station = Ref("Station")
    notes = StringField(default="")
