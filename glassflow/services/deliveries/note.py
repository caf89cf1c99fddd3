"""The delivery note: a delivery as it is printed, without prices.

A delivery that was handed over prints what it showed when it was signed
(`Delivery.note_facts`), a planned one what is stored now.
"""

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.core.process.json import encode
from glassflow.documents.delivery_note import DeliveryNote, NoteLine
from glassflow.documents.document import Party
from glassflow.domain import makeability, texts
from glassflow.domain.aliases import May, Raw
from glassflow.domain.bilingual import ENGLISH, THAI, Language
from glassflow.domain.calendar import in_zone
from glassflow.domain.deliveries import PaneState, state_of
from glassflow.domain.errors import NotFound
from glassflow.domain.pricing import MM2_PER_FT2
from glassflow.models.base import Record
from glassflow.models.customer import Customer
from glassflow.models.delivery import Delivery
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.models.worker import Worker
from glassflow.services import customers, pictures, workshop
from glassflow.services.deliveries import checklists
from glassflow.services.panes import wording
from glassflow.services.records import lookup, restricted_fields

HUNDREDTH = Decimal("0.01")
# Stored fields of a pane that are printed.
PRINTED = (
    "dimensions", "rawGlass", "glassType", "glassTypeLabel", "jobType", "edgeTasks",
    "holes", "notches", "processes", "notes",
)  # fmt: skip


def facts(
    delivery: Delivery,
    panes: Sequence[ObjectId],
    missing: Sequence[ObjectId] = (),
    *,
    deliverer: str = "",
) -> dict[str, Any]:
    """Return what the note shows besides the fields of the delivery, as it is stored.

    The workshop in both languages, the customer, the names of workers, and the lines of
    the panes that are on it, and of those that were not handed over. One query for each
    collection.
    """
    shop = workshop.settings()
    customer = Customer.find_one({"_id": delivery.customer}) or Customer(name="")
    driver = lookup.field_of(Worker, "name", [delivery.driver]).get(delivery.driver)
    lines = _Lines([*panes, *missing])
    return {
        "seller": {
            str(one): workshop.as_party(shop, is_english=one == ENGLISH)
            for one in Language
        },
        "buyer": customers.as_party(customer),
        "driver": driver or "",
        "deliverer": deliverer,
        "lines": lines.of(panes),
        "missing": lines.of(missing, leave_out=PaneState.LOST),
    }


def read(
    raw: Raw, *, language: str | None, hand_over: int | None = None, may: May
) -> DeliveryNote:
    """Return the note of a delivery in stored form, in its language unless told otherwise.

    It is that of a hand-over by its number; without one, of the newest that counts, else
    what is planned. Raises `NotFound` for another number.

    A reader sees the tax data of the customer by its key, and to whom and where the delivery
    goes as `checklists.shows_customer` says. Costs what `facts` does before the delivery,
    and the logo and the signature.
    """
    found = _hand_over_of(raw, hand_over)
    seen = dict(raw)
    if not checklists.shows_customer(raw, may):
        restricted_fields.hide(Delivery, [seen], may)
        found = {**found, "receivedBy": "", "signature": []} if found else None
    delivery = Delivery.from_stored(seen)
    printed_in = Language(language or delivery.language)
    kept = (raw.get("noteFacts") or {}).get(str(found["number"])) if found else None
    if kept is None and found is not None:
        left = [row["pane"] for row in found["left"]]
        kept = facts(delivery, found["panes"], left, deliverer=found["deliveredBy"])
    shown = kept or facts(delivery, [*delivery.panes, *delivery.missing_panes])
    zone = runtime.current().policy.timezone
    signature = next(iter(pictures.load(found["signature"] if found else [])), None)
    return DeliveryNote(
        number=delivery.delivery_number or str(delivery.pk),
        date=in_zone(delivery.planned_for or clock.now(), zone).date(),
        seller=Party(**shown["seller"][printed_in]),
        buyer=Party(**shown["buyer"]) if may("customers:view") else Party(""),
        logo=workshop.logo(workshop.settings()),
        language=printed_in,
        lines=_printed(shown["lines"], printed_in),
        recipient=delivery.recipient,
        address=delivery.address,
        contact=delivery.contact,
        phone=delivery.phone,
        vehicle=delivery.vehicle,
        driver=shown["driver"],
        remarks="\n".join(filter(None, (delivery.notes, (found or {}).get("remark")))),
        delivered_at=in_zone(found["at"], zone) if found else None,
        received_by=found["receivedBy"] if found else "",
        signature=signature.content if signature else None,
        missing=_printed(shown["missing"], printed_in),
        handed_over_by=shown["deliverer"],
    )


def _hand_over_of(raw: Raw, number: int | None) -> Raw | None:
    """Return a hand-over of a stored delivery; see `read`."""
    rows: Sequence[Raw] = raw.get("handOvers") or ()
    if number is None:
        return next((one for one in reversed(rows) if not one["undone"]), None)
    for one in rows:
        if one["number"] == number:
            return one
    raise NotFound(texts.NOT_FOUND.format(label=texts.HAND_OVER_LABEL))


class _Lines:
    """The lines of panes: those that are alike are one, with all their numbers and marks."""

    def __init__(self, ids: Sequence[ObjectId]) -> None:
        self._panes = lookup.by_id(Pane, ids)
        self._job_types = wording.job_type_names(self._panes.values())
        self._orders = self._field_of(Order, "order", "orderNumber")
        self._references = self._field_of(Request, "request", "referenceId")

    def _field_of(self, model: type[Record], name: str, field: str) -> dict[Any, str]:
        found = lookup.referred(model, self._panes.values(), name, (field,))
        return {one: row.get(field) or "" for one, row in found.items()}

    def of(
        self, ids: Sequence[ObjectId], *, leave_out: PaneState | None = None
    ) -> list[dict[str, Any]]:
        """Return the lines of panes as they are stored, in the order of the first panes."""
        alike: dict[bytes, list[Raw]] = defaultdict(list)
        for one in ids:
            pane = self._panes.get(one)
            if pane is not None and state_of(pane) != leave_out:
                alike[self._likeness(pane)].append(pane)
        return [
            {
                "pane": {name: panes[0].get(name) for name in PRINTED},
                "jobType": self._job_types.get(panes[0].get("jobType") or "", ""),
                "order": self._orders.get(panes[0].get("order"), ""),
                "reference": self._references.get(panes[0].get("request"), ""),
                "paneNumbers": [one["paneNumber"] for one in panes],
                "marks": [
                    *dict.fromkeys(mark for one in panes if (mark := one.get("mark")))
                ],
            }
            for panes in alike.values()
        ]

    def _likeness(self, pane: Raw) -> bytes:
        size = pane.get("dimensions") or {}
        return encode(
            [
                pane.get("order"),
                pane.get("request"),
                wording.describe(pane, self._job_types, THAI),
                [size.get("width"), size.get("height")],
                [pane.get("holes"), pane.get("notches")],
                pane.get("notes"),
            ]
        )


def _printed(lines: Sequence[Raw], language: Language) -> list[NoteLine]:
    return [_line(one, language) for one in lines]


def _line(line: Raw, language: Language) -> NoteLine:
    pane, numbers = line["pane"], line["paneNumbers"]
    size = pane.get("dimensions") or {}
    area, weight = size.get("area"), makeability.weight_kg(pane)
    names = {pane.get("jobType") or "": line["jobType"]}
    return NoteLine(
        description=wording.describe(pane, names, language),
        quantity=len(numbers),
        width=size.get("width") or None,
        height=size.get("height") or None,
        area=(Decimal(str(area)) / MM2_PER_FT2).quantize(HUNDREDTH) if area else None,
        weight=Decimal(str(weight)).quantize(HUNDREDTH) if weight else None,
        order=line["order"],
        reference=line["reference"],
        pane_numbers=numbers,
        cut_outs=[*(pane.get("holes") or ()), *(pane.get("notches") or ())],
        remark=pane.get("notes") or "",
        marks=line.get("marks", ()),
    )
