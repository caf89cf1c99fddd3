"""The delivery note: a delivery as it is printed, without prices."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.core.process.json import encode
from glassflow.documents.delivery_note import DeliveryNote, NoteLine
from glassflow.documents.document import Party
from glassflow.domain import makeability
from glassflow.domain.calendar import in_zone
from glassflow.domain.deliveries import DeliveryLanguage, PaneState, state_of
from glassflow.domain.pricing import MM2_PER_FT2
from glassflow.models.base import Record
from glassflow.models.customer import Customer
from glassflow.models.delivery import Delivery
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.models.worker import Worker
from glassflow.services import customers, pictures, workshop
from glassflow.services.panes import wording

Raw = Mapping[str, Any]
May = Callable[[str], bool]
HUNDREDTH = Decimal("0.01")


def read(raw: Raw, *, language: str | None, may: May) -> DeliveryNote:
    """Return the note of a delivery in stored form, in its language unless told otherwise.

    A reader sees the tax data of the customer by its key, and else only the recipient. One
    query for each collection that the note is made of, and the signature.
    """
    delivery = Delivery._from_son(dict(raw))
    language = language or delivery.language
    is_english = language == DeliveryLanguage.ENGLISH
    zone = runtime.current().policy.timezone
    shop = workshop.settings()
    customer = (
        Customer.find_one({"_id": delivery.customer}) if may("customers:view") else None
    )
    driver, deliverer = _names(delivery.driver, delivery.delivered_by)
    lines = _Lines([*delivery.panes, *delivery.missing_panes], language)
    signature = next(iter(pictures.load(delivery.signature)), None)
    return DeliveryNote(
        number=delivery.delivery_number or str(delivery.pk),
        date=in_zone(delivery.planned_for or clock.now(), zone).date(),
        seller=Party(**workshop.as_party(shop, is_english=is_english)),
        buyer=Party(**customers.as_party(customer)) if customer else Party(""),
        logo=workshop.logo(shop),
        language="en" if is_english else "th",
        lines=list(lines.of(delivery.panes)),
        recipient=delivery.recipient,
        address=delivery.address,
        contact=delivery.contact,
        phone=delivery.phone,
        vehicle=delivery.vehicle,
        driver=driver,
        remarks="\n".join(filter(None, (delivery.notes, delivery.remark))),
        delivered_at=in_zone(delivery.delivered_at, zone)
        if delivery.delivered_at
        else None,
        received_by=delivery.received_by,
        signature=signature.content if signature else None,
        missing=list(lines.of(delivery.missing_panes, leave_out=PaneState.LOST)),
        handed_over_by=deliverer,
    )


def _names(*ids: ObjectId | None) -> list[str]:
    """Return the names of workers; an empty one for None and for a deleted worker."""
    known = [one for one in ids if one]
    found = {one.pk: one.name for one in Worker.find_many({"_id": {"$in": known}})}
    return [found.get(one, "") if one else "" for one in ids]


class _Lines:
    """The lines of panes: those that are alike in everything that is printed are one."""

    def __init__(self, ids: Sequence[ObjectId], language: str) -> None:
        rows = Pane._get_collection().find({"_id": {"$in": list(ids)}}) if ids else ()
        self._panes: dict[ObjectId, Raw] = {row["_id"]: row for row in rows}
        self._language = language
        self._job_types = wording.job_type_names(self._panes.values())
        self._orders = self._field_of(Order, "order", "orderNumber")
        self._references = self._field_of(Request, "request", "referenceId")

    def _field_of(self, model: type[Record], name: str, field: str) -> dict[Any, str]:
        ids = {one[name] for one in self._panes.values() if one.get(name)}
        if not ids:
            return {}
        rows = model._get_collection().find({"_id": {"$in": list(ids)}}, {field: 1})
        return {row["_id"]: row.get(field) or "" for row in rows}

    def of(
        self, ids: Sequence[ObjectId], *, leave_out: PaneState | None = None
    ) -> Iterator[NoteLine]:
        """Yield the lines of panes, in the order of the first pane of each."""
        alike: dict[bytes, list[Raw]] = defaultdict(list)
        for one in ids:
            pane = self._panes.get(one)
            if pane is not None and state_of(pane) != leave_out:
                alike[self._likeness(pane)].append(pane)
        for panes in alike.values():
            yield self._line(panes[0], [one["paneNumber"] for one in panes])

    def _likeness(self, pane: Raw) -> bytes:
        size = pane.get("dimensions") or {}
        return encode(
            [
                pane.get("order"),
                pane.get("request"),
                wording.describe(pane, self._job_types, self._language),
                [size.get("width"), size.get("height")],
                [pane.get("holes"), pane.get("notches")],
                pane.get("notes"),
            ]
        )

    def _line(self, pane: Raw, numbers: Sequence[str]) -> NoteLine:
        size = pane.get("dimensions") or {}
        area, weight = size.get("area"), makeability.weight_kg(pane)
        return NoteLine(
            description=wording.describe(pane, self._job_types, self._language),
            quantity=len(numbers),
            width=size.get("width") or None,
            height=size.get("height") or None,
            area=(Decimal(str(area)) / MM2_PER_FT2).quantize(HUNDREDTH)
            if area
            else None,
            weight=Decimal(str(weight)).quantize(HUNDREDTH) if weight else None,
            order=self._orders.get(pane.get("order"), ""),
            reference=self._references.get(pane.get("request"), ""),
            pane_numbers=numbers,
            cut_outs=[*(pane.get("holes") or ()), *(pane.get("notches") or ())],
            remark=pane.get("notes") or "",
        )
