"""The places to which the panes of a delivery go: those of their requests, else the customer's.

A delivery goes to one address. Panes for several places are several deliveries, unless an
address is given for all of them.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from bson import ObjectId

from glassflow.domain.aliases import Raw
from glassflow.models.customer import Customer
from glassflow.models.delivery import Delivery
from glassflow.models.request import Request
from glassflow.services.deliveries.refusals import Place, SeveralPlaces
from glassflow.services.records import lookup


def _key(address: str) -> str:
    """Return an address as it is compared: without regard to case and white space."""
    return " ".join(address.split()).casefold()


def settle(delivery: Delivery, panes: Sequence[Raw], *, is_given: bool) -> None:
    """Set to whom and where a delivery goes, after `panes` in stored form were put on it.

    `is_given` is whether its address was given with the change: it holds then, and confirms
    what the requests say. Else the panes must all go to one place, or to those that are
    known of the delivery. A new one gets recipient, address, contact and telephone. A query
    of the requests, and one of the customer unless an address is given for a delivery that
    there is. Raises `SeveralPlaces`.
    """
    is_new = not delivery.version
    if not (is_new or is_given or panes):
        return
    said = _places_of(panes)
    if is_new or not is_given:
        customer = Customer.find_one({"_id": delivery.customer}) or Customer(name="")
        own = _own_address(customer)
        groups = _groups(panes, said, own)
        if not is_given:
            _require_one(delivery, groups, own)
        if is_new:
            first = next((one.address for one in groups.values()), own)
            delivery.recipient = delivery.recipient or customer.name
            delivery.address = delivery.address or first
            _complete_contact(delivery, customer)
    _note(delivery, said, is_given=is_given)


def _groups(
    panes: Sequence[Raw], said: Mapping[ObjectId, str], own: str
) -> dict[str, Place]:
    """Return the places of panes with their panes, by the key of the address."""
    groups: dict[str, Place] = {}
    for pane in panes:
        place = said.get(pane["request"], "") if pane.get("request") else ""
        place = place or own
        groups.setdefault(_key(place), Place(place, [])).panes.append(pane)
    return groups


def _places_of(panes: Sequence[Raw]) -> dict[ObjectId, str]:
    """Return by request the place that it names, "" where it names none."""
    found = lookup.referred(Request, panes, "request", ("deliveryLocation",))
    return {one: row.get("deliveryLocation") or "" for one, row in found.items()}


def _own_address(customer: Customer) -> str:
    """Return where panes of requests without a place go."""
    known = next(iter(customer.delivery_addresses), None)
    return str(known["address"]) if known else customer.address


def _require_one(delivery: Delivery, groups: Mapping[str, Place], own: str) -> None:
    if not delivery.version:
        if len(groups) > 1:
            raise SeveralPlaces(list(groups.values()))
        return
    known = {_key(row["place"] or own) for row in delivery.places}
    known.add(_key(delivery.address))
    foreign = [one for key, one in groups.items() if key not in known]
    if foreign:
        along = [one.panes for key, one in groups.items() if key in known]
        there = Place(delivery.address, list(chain.from_iterable(along)))
        raise SeveralPlaces([there, *foreign])


def _complete_contact(delivery: Delivery, customer: Customer) -> None:
    """Fill the contact and telephone of a new delivery: of its address, else the customer."""
    address = _key(delivery.address)
    known: Mapping[str, str] = next(
        (one for one in customer.delivery_addresses if _key(one["address"]) == address),
        {},
    )
    delivery.contact = delivery.contact or known.get("contact") or customer.contact
    delivery.phone = delivery.phone or known.get("phone") or customer.phone


def _note(delivery: Delivery, said: Mapping[Any, str], *, is_given: bool) -> None:
    """Note which place each request names, of all of them where an address is given."""
    kept = {row["request"]: row["place"] for row in delivery.places}
    if is_given and kept:
        query = {"_id": {"$in": list(kept)}}
        rows = Request.collection().find(query, {"deliveryLocation": 1})
        kept = {row["_id"]: row.get("deliveryLocation") or "" for row in rows}
    both = {**said, **kept}
    delivery.places = [{"request": one, "place": place} for one, place in both.items()]


def changed(delivery: Raw, requests: Mapping[Any, Raw]) -> list[dict[str, Any]]:
    """Return which requests of a stored delivery name another place than when it was planned.

    Not those that name by now where it goes. `requests` are those of its panes, with their
    numbers and places, by id.
    """
    address = _key(delivery.get("address") or "")
    found = []
    for row in delivery.get("places") or ():
        request = requests.get(row["request"])
        if request is None:
            continue
        now = request.get("deliveryLocation") or ""
        is_there = bool(now) and _key(now) == address
        if _key(now) != _key(row["place"]) and not is_there:
            number = request.get("requestNumber")
            found.append({"requestNumber": number, "before": row["place"], "now": now})
    return found
