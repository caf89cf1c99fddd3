"""Deliveries: planned with their panes, and loaded.

`Delivery.panes` says which panes are on a delivery. Whoever puts panes on one, or hands
them over, touches them: of two deliveries that take one pane at the same time the second
one conflicts, repeats, and sees the first.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store import files
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import deliveries as rules
from glassflow.domain.aliases import Raw
from glassflow.domain.deliveries import DeliveryStatus
from glassflow.models.delivery import PICTURES, Delivery, pictures_of
from glassflow.models.pane import Pane
from glassflow.services import accepted_quotes, pictures, records
from glassflow.services.deliveries import pane_checks, places
from glassflow.services.deliveries.refusals import AlreadyDelivered
from glassflow.services.records import references


def create(*, model: type[Delivery], values: Raw, actor: Identity) -> Delivery:
    """Plan a delivery, for today where no day is given.

    Its language is that of the quotes of its panes, Thai without one, unless it names one.
    Raises `UnknownReference`, `PanesRefused` for panes that cannot be on it, and
    `SeveralPlaces`.
    """
    return _create(records.next_numbers(Delivery)[0], values)


@unit_of_work
def _create(number: str, values: Raw) -> Delivery:
    delivery = Delivery(delivery_number=number)
    _change(delivery, values)
    records.store(delivery)
    return delivery


@unit_of_work
def update(
    *, model: type[Delivery], record_id: ObjectId, values: Raw, actor: Identity
) -> Delivery:
    """Change a planned delivery; raises what `create` raises, and `AlreadyDelivered`."""
    delivery = _load_planned(record_id)
    _change(delivery, values)
    records.store(delivery)
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
    found = pane_checks.take(checked)
    pane_checks.refuse(delivery, found, rules.obstacle_to_planning)
    delivery.loaded_panes = [
        one for one in delivery.loaded_panes if one in delivery.panes
    ]
    pane_checks.no_longer_wait([one["_id"] for one in found], but=delivery.pk)
    delivery.planned_for = delivery.planned_for or clock.now()
    if stored is None and not values.get("language"):
        requests = {one["request"] for one in found if one.get("request")}
        language = accepted_quotes.language_of(requests)
        delivery.language = language or delivery.language
    places.settle(delivery, found, is_given=bool(values.get("address")))


@unit_of_work
def load(*, record_id: ObjectId, numbers: Sequence[str]) -> Delivery:
    """Note panes as loaded, by number or QR payload; those that are stay so.

    Of a delivery that was handed over, those that came back are loaded again. Raises
    `NotFound`, `AlreadyDelivered`, and `PanesRefused` for panes that are not on the
    delivery, or cannot be handed over.
    """
    delivery, on_it = _load_open(record_id)
    found = pane_checks.find(numbers)
    judge = rules.obstacle_to_handing_over
    pane_checks.refuse(delivery, found, judge, numbers=numbers, among=on_it)
    new = [one["_id"] for one in found if one["_id"] not in delivery.loaded_panes]
    if new:
        delivery.loaded_panes = [*delivery.loaded_panes, *new]
        records.store(delivery)
    return delivery


@unit_of_work
def unload(*, record_id: ObjectId, numbers: Sequence[str]) -> Delivery:
    """Note panes as not loaded. Raises `NotFound` and `AlreadyDelivered`."""
    delivery, on_it = _load_open(record_id)
    taken = {one["_id"] for one in pane_checks.find(numbers)}.intersection(on_it)
    if not taken.isdisjoint(delivery.loaded_panes):
        delivery.loaded_panes = [
            one for one in delivery.loaded_panes if one not in taken
        ]
        records.store(delivery)
    return delivery


def _load_planned(record_id: ObjectId) -> Delivery:
    delivery = records.load(Delivery, record_id)
    if delivery.status != DeliveryStatus.PLANNED:
        raise AlreadyDelivered(delivery)
    return delivery


def _load_open(record_id: ObjectId) -> tuple[Delivery, Sequence[ObjectId]]:
    """Return a delivery, and its panes that can still be handed over."""
    delivery = records.load(Delivery, record_id)
    if delivery.status == DeliveryStatus.PLANNED:
        return delivery, delivery.panes
    if not delivery.missing_panes:
        raise AlreadyDelivered(delivery)
    return delivery, delivery.missing_panes


def of_order(order: ObjectId) -> dict[str, Any]:
    """Return the condition of the store for deliveries on which panes of an order are, or wait."""
    rows = Pane.collection().find({"order": order}, {"_id": 1})
    ids = [row["_id"] for row in rows]
    return of_panes(ids)


def of_panes(ids: Sequence[ObjectId]) -> dict[str, Any]:
    """Return the condition of the store for deliveries on which panes are, or wait."""
    return {"$or": [{name: {"$in": [*ids]}} for name in ("panes", "missingPanes")]}


def waiting() -> dict[str, Any]:
    """Return the condition of the store for deliveries with panes that came back and wait.

    An index has it: an empty list has no id.
    """
    return {"missingPanes": {"$gt": ObjectId("0" * 24)}}


def delete_files(deliveries: Iterable[Raw]) -> None:
    """Delete the files of deliveries, in stored form, that are deleted."""
    found = [
        one
        for row in deliveries
        for field in PICTURES
        for one in pictures_of(row, field)
    ]
    files.delete(pictures.file_ids(found))
