"""Deliveries: planned with their panes, loaded, handed over once, and undone.

`Delivery.panes` says which panes are on a delivery. Whoever puts panes on one, or hands
them over, touches them: of two deliveries that take one pane at the same time the second
one conflicts, repeats, and sees the first.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store import files, locks
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import deliveries as rules
from glassflow.domain import texts
from glassflow.domain.aliases import Raw
from glassflow.domain.deliveries import DeliveryStatus, Obstacle
from glassflow.domain.errors import Invalid
from glassflow.domain.panes import scan_times
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.customer import Customer
from glassflow.models.delivery import FILES, Delivery
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.models.worker import Worker
from glassflow.services import (
    agreed_prices,
    attachments,
    billing,
    order_figures,
    pictures,
    records,
)
from glassflow.services.deliveries import note
from glassflow.services.deliveries.refusals import (
    AlreadyDelivered,
    HandOverFinal,
    NotDelivered,
    NotOwnHandOver,
    PaneObstacle,
    PanesRefused,
)
from glassflow.services.panes import remakes
from glassflow.services.panes.mapping import parse_number
from glassflow.services.records import lookup, references

PLANNED = {"status": str(DeliveryStatus.PLANNED)}


def create(*, model: type[Delivery], values: Raw, actor: Identity) -> Delivery:
    """Plan a delivery, for today where no day is given.

    Raises `UnknownReference`, and `PanesRefused` for panes that cannot be on it.
    """
    return _create(records.next_numbers(Delivery)[0], values)


@unit_of_work
def _create(number: str, values: Raw) -> Delivery:
    delivery = Delivery(delivery_number=number)
    _change(delivery, values)
    delivery.save()
    return delivery


@unit_of_work
def update(
    *, model: type[Delivery], record_id: ObjectId, values: Raw, actor: Identity
) -> Delivery:
    """Change a planned delivery; raises what `create` raises, and `AlreadyDelivered`."""
    delivery = _load_planned(record_id)
    _change(delivery, values)
    delivery.save()
    return delivery


def _change(delivery: Delivery, values: Raw) -> None:
    stored = delivery if delivery.version else None
    references.require_exist(references.references_in(Delivery, values, stored=stored))
    before, customer = set(delivery.panes), delivery.customer
    records.apply_changes(delivery, values)
    delivery.panes = list(dict.fromkeys(delivery.panes))
    checked = [
        one
        for one in delivery.panes
        if one not in before or delivery.customer != customer
    ]
    found = _take(delivery, checked)
    _refuse(delivery, found, rules.obstacle_to_planning)
    delivery.loaded_panes = [
        one for one in delivery.loaded_panes if one in delivery.panes
    ]
    _complete(delivery, found)


def _complete(delivery: Delivery, panes: Sequence[Raw]) -> None:
    """Fill what a new delivery says nothing about."""
    delivery.planned_for = delivery.planned_for or clock.now()
    if delivery.version:
        return
    customer = Customer.find_one({"_id": delivery.customer}) or Customer(name="")
    delivery.recipient = delivery.recipient or customer.name
    if delivery.address:
        return
    request = Request.find_one({"_id": panes[0].get("request")}) if panes else None
    if request and request.delivery_location:
        delivery.address = request.delivery_location
        return
    known = next(iter(customer.delivery_addresses), None)
    if known is None:
        delivery.address = customer.address
        return
    delivery.address = known["address"]
    delivery.contact = delivery.contact or known["contact"]
    delivery.phone = delivery.phone or known["phone"]


@unit_of_work
def load(*, record_id: ObjectId, numbers: Sequence[str]) -> Delivery:
    """Note panes as loaded, by number or QR payload; those that are stay so.

    Raises `NotFound`, `AlreadyDelivered`, and `PanesRefused` for panes that are not on the
    delivery, or cannot be handed over.
    """
    delivery = _load_planned(record_id)
    found = _find(numbers)
    _refuse(
        delivery, found, rules.obstacle_to_handing_over, numbers=numbers, planned=True
    )
    new = [one["_id"] for one in found if one["_id"] not in delivery.loaded_panes]
    if new:
        delivery.loaded_panes = [*delivery.loaded_panes, *new]
        delivery.save()
    return delivery


@unit_of_work
def unload(*, record_id: ObjectId, numbers: Sequence[str]) -> Delivery:
    """Note panes as not loaded. Raises `NotFound` and `AlreadyDelivered`."""
    delivery = _load_planned(record_id)
    taken = {one["_id"] for one in _find(numbers)}
    if not taken.isdisjoint(delivery.loaded_panes):
        delivery.loaded_panes = [
            one for one in delivery.loaded_panes if one not in taken
        ]
        delivery.save()
    return delivery


def hand_over(*, record_id: ObjectId, values: Raw, actor: Identity) -> Delivery:
    """Record that panes of a delivery were handed over; the others stay open.

    What the customer owes for them becomes a billing entry.

    A pane that the office took off the delivery meanwhile counts, if it is the customer's
    and on no other delivery: it has left the workshop. Raises `NotFound`,
    `AlreadyDelivered`, `PanesRefused`, `UnknownAttachment`, and `ScanTimeRefused`.
    """
    entry_number = records.next_numbers(BillingEntry)[0]
    return _hand_over(record_id, values, actor, entry_number)


@unit_of_work
def _hand_over(
    record_id: ObjectId, values: Raw, actor: Identity, entry_number: str
) -> Delivery:
    now = clock.now()
    scan_times.require_plausible(values.get("occurred_at"), now)
    delivery = _load_planned(record_id)
    numbers: Sequence[str] = values["pane_numbers"]
    found = _take(delivery, [one["_id"] for one in _find(numbers)])
    _refuse(delivery, found, rules.obstacle_to_handing_over, numbers=numbers)
    handed_over = [one["_id"] for one in found]
    delivery.missing_panes = [
        one for one in delivery.panes if one not in set(handed_over)
    ]
    delivery.panes = delivery.loaded_panes = handed_over
    delivery.status = DeliveryStatus.DELIVERED
    delivery.delivered_at = min(values.get("occurred_at") or now, now)
    delivery.delivered_by = actor.worker_id
    delivery.undoable_until = now + rules.UNDO_WINDOW
    delivery.received_by = values["received_by"]
    delivery.remark = values.get("remark") or ""
    delivery.note_facts = note.facts(delivery)
    _attach(delivery, values, actor)
    delivery.save()
    panes = _noting(found, delivery.delivered_at)
    billing.charge(delivery, panes, entry_number)
    _store(panes)
    return delivery


@unit_of_work
def undo(*, record_id: ObjectId, actor: Identity, reason: str = "") -> Delivery:
    """Undo a hand-over: the delivery is planned again, with what is still open of it.

    Its names, times and pictures stay in `undone_hand_overs`. After an hour this needs
    `orders:manage` and a reason. Raises `NotFound`, `NotDelivered`, `NotOwnHandOver`,
    `HandOverFinal`, `Invalid` without that reason, `AlreadyBilled`, and `RemakeDelivered`
    for a pane whose remake was handed over since.
    """
    delivery = records.load(Delivery, record_id)
    _require_undoable(delivery, actor, reason)
    billing.withdraw(delivery.pk)
    handed_over = _take(delivery, delivery.panes)
    panes = _noting(
        [one for one in handed_over if one.get("deliveredAt") == delivery.delivered_at],
        None,
    )
    remakes.give_back_prices(panes)
    _store(panes)
    missing = open_panes(delivery, delivery.missing_panes)
    delivery.undone_hand_overs = [
        *delivery.undone_hand_overs,
        _undone(delivery, actor, reason),
    ]
    for name in ("delivered_at", "delivered_by", "undoable_until", "note_facts"):
        delivery[name] = None
    delivery.status = DeliveryStatus.PLANNED
    delivery.panes = [*delivery.panes, *missing]
    delivery.missing_panes, delivery.signature, delivery.photos = [], [], []
    delivery.received_by = delivery.remark = ""
    delivery.save()
    return delivery


def _require_undoable(delivery: Delivery, actor: Identity, reason: str) -> None:
    if delivery.status != DeliveryStatus.DELIVERED:
        raise NotDelivered(delivery)
    may_manage = actor.may("orders:manage")
    if delivery.delivered_by != actor.worker_id and not may_manage:
        raise NotOwnHandOver
    until = delivery.undoable_until
    if until is not None and clock.now() <= until:
        return
    if not may_manage:
        raise HandOverFinal(delivery)
    if not reason:
        raise Invalid([{"field": "reason", "message": texts.UNDO_NEEDS_REASON}])


def _undone(delivery: Delivery, actor: Identity, reason: str) -> dict[str, Any]:
    """Return what a delivery keeps of a hand-over that is undone."""
    deliverer = Worker.find_one({"_id": delivery.delivered_by})
    return {
        "deliveredAt": delivery.delivered_at,
        "deliveredBy": deliverer.name if deliverer else "",
        "receivedBy": delivery.received_by,
        "remark": delivery.remark,
        "signature": delivery.signature,
        "photos": delivery.photos,
        "undoneAt": clock.now(),
        "undoneBy": actor.name,
        "reason": reason,
    }


def open_panes(delivery: Delivery, ids: Sequence[ObjectId]) -> list[ObjectId]:
    """Return those of some panes that can be on a delivery, without a refusal.

    Call it inside the unit of work that puts them on it.
    """
    found = _take(delivery, ids)
    refused = {
        one.number for one in _obstacles(delivery, found, rules.obstacle_to_planning)
    }
    return [one["_id"] for one in found if one["paneNumber"] not in refused]


def of_order(order: ObjectId) -> dict[str, Any]:
    """Return the condition of the store for the deliveries with panes of an order."""
    rows = Pane.collection().find({"order": order}, {"_id": 1})
    return {"panes": {"$in": [row["_id"] for row in rows]}}


def pictures_of(delivery: Raw, field: str) -> list[Any]:
    """Return the stored pictures of a delivery, also of its undone hand-overs.

    `field` is `signature` or `photos`.
    """
    hand_overs = [delivery, *delivery.get("undoneHandOvers", ())]
    return [picture for one in hand_overs for picture in one.get(field, ())]


def delete_files(deliveries: Iterable[Raw]) -> None:
    """Delete the files of deliveries, in stored form, that are deleted."""
    found = [
        one for row in deliveries for field in FILES for one in pictures_of(row, field)
    ]
    files.delete(pictures.file_ids(found))


def _load_planned(record_id: ObjectId) -> Delivery:
    delivery = records.load(Delivery, record_id)
    if delivery.status != DeliveryStatus.PLANNED:
        raise AlreadyDelivered(delivery)
    return delivery


def _find(numbers: Sequence[str]) -> list[dict[str, Any]]:
    """Read panes by number or QR payload, once each; without those that do not exist."""
    wanted = list(dict.fromkeys(parse_number(one) for one in numbers))
    rows = Pane.collection().find({"paneNumber": {"$in": wanted}})
    found = {row["paneNumber"]: row for row in rows}
    return [found[one] for one in wanted if one in found]


def _take(delivery: Delivery, ids: Sequence[ObjectId]) -> list[dict[str, Any]]:
    """Touch panes and read them, in the order of the ids."""
    locks.touch(Pane, ids)
    rows = Pane.collection().find({"_id": {"$in": list(ids)}}) if ids else ()
    found = {row["_id"]: row for row in rows}
    return [found[one] for one in ids if one in found]


def _refuse(
    delivery: Delivery,
    panes: Sequence[Raw],
    judge: rules.Judge,
    *,
    numbers: Sequence[str] = (),
    planned: bool = False,
) -> None:
    """Raise `PanesRefused` for panes with an obstacle.

    `numbers` are those that were asked for: the unknown ones are not planned. With
    `planned` this holds for every pane that is not on the delivery.
    """
    found = _obstacles(delivery, panes, judge)
    named = {one.number for one in found}
    known = {one["paneNumber"] for one in panes}
    missing = [one for one in map(parse_number, numbers) if one not in known]
    if planned:
        missing += [
            one["paneNumber"]
            for one in panes
            if one["_id"] not in delivery.panes and one["paneNumber"] not in named
        ]
    found += [PaneObstacle(one, Obstacle.NOT_PLANNED) for one in dict.fromkeys(missing)]
    if found:
        raise PanesRefused(found)


def _obstacles(
    delivery: Delivery, panes: Sequence[Raw], judge: rules.Judge
) -> list[PaneObstacle]:
    """List what keeps panes in stored form from being on a delivery; three queries."""
    if not panes:
        return []
    others = _other_deliveries(delivery, panes)
    customers = lookup.customers_of_panes(panes)
    found = []
    for pane in panes:
        other = others.get(pane["_id"])
        owners = {customers.get(pane.get("order")), customers.get(pane.get("request"))}
        obstacle = Obstacle.OTHER_DELIVERY if other else judge(pane)
        if obstacle is None and delivery.customer not in owners:
            obstacle = Obstacle.OTHER_CUSTOMER
        if obstacle is not None:
            found.append(PaneObstacle(pane["paneNumber"], obstacle, other or ""))
    return found


def _other_deliveries(delivery: Delivery, panes: Sequence[Raw]) -> dict[ObjectId, str]:
    """Return by pane the number of another planned delivery that it is on."""
    query = {
        "panes": {"$in": [one["_id"] for one in panes]},
        "_id": {"$ne": delivery.pk},
        **PLANNED,
    }
    rows = Delivery.collection().find(query, {"panes": 1, "deliveryNumber": 1})
    return {one: row["deliveryNumber"] for row in rows for one in row["panes"]}


def _noting(panes: Sequence[Raw], delivered_at: datetime | None) -> list[Pane]:
    """Return panes with when they were handed over, to be stored."""
    changed = [Pane.from_stored(one) for one in panes]
    for pane in changed:
        pane.delivered_at = delivered_at
    return changed


def _store(panes: Sequence[Pane]) -> None:
    """Store panes, and count their orders and the prices of their requests again."""
    records.save_all(panes)
    order_figures.recount_orders([one.order for one in panes])
    agreed_prices.recount(one.request for one in panes)


def _attach(delivery: Delivery, values: Raw, actor: Identity) -> None:
    """Use the attachments of a hand-over as its signature and its photos."""
    signature, photos = values.get("signature"), list(values.get("photos") or ())
    used = attachments.use([*([signature] if signature else []), *photos], actor)
    number = delivery.next_photo
    stored = [pictures.stored_form(number + n, one) for n, one in enumerate(used)]
    delivery.next_photo = number + len(stored)
    count = 1 if signature else 0
    delivery.signature, delivery.photos = stored[:count], stored[count:]
