"""What is loaded and handed over: the panes of deliveries as the floor needs them."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.domain import calendar
from glassflow.domain.aliases import May, Raw
from glassflow.domain.deliveries import DeliveryStatus, state_of
from glassflow.domain.money import as_text
from glassflow.models.delivery import Delivery
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.rack import Rack
from glassflow.models.request import Request
from glassflow.services import settlements
from glassflow.services.deliveries import deliveries, places
from glassflow.services.records import lookup, restricted_fields
from glassflow.services.records.populate_table import VIEW_KEYS

# The key of drivers, and of who loads the vehicle.
DRIVER_KEY = "panes:scan"

_SHOWN = (
    "_id", "deliveryNumber", "status", "plannedFor", "recipient", "address", "contact",
    "phone", "vehicle", "driver", "notes", "deliveredAt", "undoableUntil", "handOvers",
    "version",
)  # fmt: skip
_LISTS = ("panes", "missingPanes")
_OF_PANE = (
    "paneNumber", "currentStatus", "currentStation", "heldFrom", "writtenOff",
    "deliveredAt", "order", "request", "dimensions", "glassType", "glassTypeLabel",
    "rawGlass", "mark", "rack",
)  # fmt: skip

_OF_RACK = ("rackNumber", "name", "place")
_OF_REQUEST = ("referenceId", "requestNumber", "deliveryLocation")


def shows_customer(raw: Raw, may: May) -> bool:
    """Return whether a caller is shown to whom, and where, a stored delivery goes.

    A driver is, as long as the delivery can be handed over or undone, and today panes that
    came back. `may` tells whether the caller holds a key.
    """
    if restricted_fields.may_read("Delivery", may):
        return True
    end = raw.get("undoableUntil") or datetime.min
    since = _today() if raw.get("missingPanes") else clock.now()
    is_open = raw.get("status") == DeliveryStatus.PLANNED or since < end
    return is_open and may(DRIVER_KEY)


def _today(days: int = 0) -> datetime:
    return calendar.day_start(clock.now(), runtime.current().policy.timezone, days)


def read_open(may: May) -> list[dict[str, Any]]:
    """Return the planned deliveries up to tomorrow, and those that can still be undone.

    Besides those of today with panes that came back, which a further hand-over may take.
    The most urgent first. Five queries at most, however many. `may` as in `shows_customer`.
    """
    planned = {"status": str(DeliveryStatus.PLANNED), "plannedFor": {"$lt": _today(2)}}
    came_back = {**deliveries.waiting(), "undoableUntil": {"$gt": _today()}}
    query = {"$or": [planned, {"undoableUntil": {"$gt": clock.now()}}, came_back]}
    found = Delivery.collection().find(query, {"noteFacts": 0}).sort("plannedFor", 1)
    return with_panes(found, may)


def with_panes(deliveries: Iterable[Raw], may: May) -> list[dict[str, Any]]:
    """Return deliveries in stored form with what has to be known of their panes.

    The panes that were not handed over are apart from the others. Fields that the caller is
    not shown are left out.
    """
    rows = list(deliveries)
    named = [one for row in rows for name in _LISTS for one in row.get(name, ())]
    panes = lookup.by_id(Pane, named, _OF_PANE)
    orders = lookup.referred(Order, panes.values(), "order", ("orderNumber",))
    requests = lookup.referred(Request, panes.values(), "request", _OF_REQUEST)
    standing = panes.values() if may(VIEW_KEYS["Rack"]) else ()
    racks = lookup.referred(Rack, standing, "rack", _OF_RACK)
    missing = settlements.unpaid(rows)
    return [
        {
            **{
                name: Delivery.shown_as[name](row)
                if name in Delivery.shown_as
                else row.get(name)
                for name in _shown(row, may)
            },
            "changedPlaces": _changed_places(row, requests, may),
            "unpaid": _unpaid(missing.get(row["_id"]), may),
            **{
                name: [
                    {
                        **_pane(panes[one], row, orders, requests),
                        "rack": racks.get(panes[one].get("rack")),
                    }
                    for one in row.get(name, ())
                    if one in panes
                ]
                for name in _LISTS
            },
        }
        for row in rows
    ]


def _unpaid(missing: Decimal | None, may: May) -> dict[str, Any] | None:
    if missing is None:
        return None
    return {"missing": as_text(missing) if may("pricing:view") else None}


def _changed_places(
    row: Raw, requests: Mapping[Any, Raw], may: May
) -> list[dict[str, Any]]:
    is_open = row["status"] == DeliveryStatus.PLANNED or row.get("missingPanes")
    if not is_open or not shows_customer(row, may):
        return []
    return places.changed(row, requests)


def _shown(row: Raw, may: May) -> Iterable[str]:
    if shows_customer(row, may):
        return _SHOWN
    hidden = restricted_fields.RESTRICTED["Delivery"].paths
    return [name for name in _SHOWN if name not in hidden]


def _pane(
    pane: Raw, delivery: Raw, orders: Mapping[Any, Raw], requests: Mapping[Any, Raw]
) -> dict[str, Any]:
    size, glass = pane.get("dimensions") or {}, pane.get("rawGlass") or {}
    return {
        "_id": pane["_id"],
        "paneNumber": pane["paneNumber"],
        "mark": pane.get("mark") or "",
        "state": state_of(pane),
        "isLoaded": pane["_id"] in delivery.get("loadedPanes", ()),
        "reason": _reason(delivery, pane["_id"]),
        "station": pane.get("currentStation"),
        "order": pane.get("order"),
        "orderNumber": orders.get(pane.get("order"), {}).get("orderNumber"),
        "referenceId": requests.get(pane.get("request"), {}).get("referenceId"),
        "width": size.get("width"),
        "height": size.get("height"),
        "thickness": glass.get("thickness") or size.get("thickness"),
        "glass": pane.get("glassTypeLabel")
        or pane.get("glassType")
        or glass.get("glassType")
        or "",
    }


def _reason(delivery: Raw, pane: Any) -> str | None:
    """Return why a pane came back from a stored delivery, as it was said last."""
    for one in reversed(delivery.get("handOvers") or ()):
        for row in () if one["undone"] else one["left"]:
            if row["pane"] == pane and row["reason"]:
                return str(row["reason"])
    return None
