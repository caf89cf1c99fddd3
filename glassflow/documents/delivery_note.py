"""What a delivery note shows on paper, as plain values; it has no prices."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from glassflow.documents.document import Document
from glassflow.domain.panes.cut_outs import CutOut


@dataclass(frozen=True, slots=True)
class NoteLine:
    """Panes that are alike: sides in mm, of each pane the area in ft² and weight in kg.

    `order` is the number of the order, `reference` the customer's own number of it.
    `cut_outs` are holes and notches with the fields of the API. They are drawn where the
    pane is measured. `marks` are where the customer has the panes.
    """

    description: str
    quantity: int
    width: float | None = None
    height: float | None = None
    area: Decimal | None = None
    weight: Decimal | None = None
    order: str = ""
    reference: str = ""
    pane_numbers: Sequence[str] = ()
    cut_outs: Sequence[CutOut] = ()
    remark: str = ""
    marks: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryNote(Document):
    """A delivery note; `date` is the planned day.

    `lines` are what is handed over. What was not handed over is in `missing` only.
    `delivered_at` is the aware time of the workshop's clock, None before the delivery.
    `signature` is a picture file of the recipient's signature, left out if it cannot be read.
    """

    lines: Sequence[NoteLine]
    recipient: str = ""
    address: str = ""
    contact: str = ""
    phone: str = ""
    vehicle: str = ""
    driver: str = ""
    remarks: str = ""
    delivered_at: dt.datetime | None = None
    received_by: str = ""
    signature: bytes | None = None
    missing: Sequence[NoteLine] = ()
    handed_over_by: str = ""
