"""What a wall board shows, in one read: stations, their panes, orders, deliveries, alerts.

All parts are read after the number of the newest event was, so a client that applies the
later events to them misses none; a record that is newer already has a higher `version`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from hashlib import sha256
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.process import clock
from glassflow.domain import calendar
from glassflow.domain.aliases import May
from glassflow.domain.daily_figures import FINISHED, LEFT, STAYS
from glassflow.domain.deliveries import (
    UNDO_WINDOW,
    DeliveryStatus,
    PaneState,
    state_of,
)
from glassflow.domain.orders import OPEN_ORDERS
from glassflow.domain.panes.status import OPEN, Action, LaminateRole, Status
from glassflow.domain.permissions import CUSTOMER_NAMES
from glassflow.domain.short_names import short_name
from glassflow.domain.stations import StationStatus
from glassflow.domain.stays import Stay
from glassflow.models.call import Call
from glassflow.models.customer import Customer
from glassflow.models.delivery import Delivery
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.models.request import Request
from glassflow.models.station import IN_ORDER, Station
from glassflow.services import calls, daily_figures
from glassflow.services.daily_figures import Figures
from glassflow.services.records import lookup, restricted_fields
from glassflow.services.stock import low_stock

# The members of the row of a pane, in their order.
PANE_FIELDS = (
    "_id", "paneNumber", "currentStation", "currentStatus", "order", "request",
    "arrivedAt", "version", "width", "height",
)  # fmt: skip
ORDER_FIELDS = (
    "orderNumber", "request", "customer", "status", "priority", "paneCount",
    "panesCompleted", "version",
)  # fmt: skip
SHOWN_OF_DELIVERY = (
    "deliveryNumber", "plannedFor", "status", "deliveredAt", "version",
)  # fmt: skip
DELIVERY_FIELDS = (
    *SHOWN_OF_DELIVERY, "recipient", "panes", "loadedPanes", "missingPanes",
)  # fmt: skip
# Of a call those that a screen needs, by stored name; the others do not change its strip.
CALL_FIELDS = (
    "callNumber", "station", "kind", "machineStands", "refusesScanIn", "reason", "pane",
    "paneNumber", "calledFrom", "calledBy", "calledByName", "calledAt", "takenBy",
    "takenByName", "takenAt", "status", "version",
)  # fmt: skip
COUNTERS = (LEFT, FINISHED, STAYS)  # of the daily figures
MAX_FAILED = 5
NO_CONDITION: Mapping[str, Any] = {}


def tag_at(seq: int, keys: Collection[str]) -> str:
    """Return what changes whenever the board of a caller with these keys may.

    `seq` is the number of an event. A browser sends the tag that it has, also one that
    another account got.
    """
    # figures of today also change at midnight
    seen = sha256(",".join(sorted(keys)).encode()).hexdigest()[:8]
    return f"{seq}.{_today():%Y%m%dT%H%M}.{seen}"


def _today() -> datetime:
    return calendar.day_start(clock.now(), runtime.current().policy.timezone)


def read_board(newest: int, *, may: May) -> dict[str, Any]:
    """Return the parts of the board that the caller may see; the others are null.

    `newest` is the number of the newest event; `seq` of the board is that or a later one.
    `may` tells whether the caller holds a key.
    """
    figures = daily_figures.read(daily_figures.STAY_DAYS, newest, COUNTERS)
    panes = _open_panes() if may("panes:view") else None
    orders = _open_orders() if may("orders:view") else None
    # pane rows show everybody the deadline too
    seen = may("requests:view") or may("panes:view")
    rows = [*(panes or ()), *(orders or ())] if seen else []
    requests = (row.get("request") for row in rows)
    deadlines = lookup.field_of(Request, "deadline", requests)
    return {
        "seq": figures.seq,
        "timezone": runtime.current().policy.timezone.key,
        "stations": _stations(figures, may) if may("stations:view") else None,
        "finished": _finished(figures) if may("pane_logs:view") else None,
        "panes": None
        if panes is None
        else {"fields": PANE_FIELDS, "rows": [_pane_row(pane) for pane in panes]},
        "calls": _calls() if panes is not None else None,
        "orders": None if orders is None else _orders(orders, deadlines, may),
        "deliveries": deliveries_of_today(may) if may("orders:view") else None,
        "deadlines": {str(one): deadline for one, deadline in deadlines.items()},
        "alerts": _alerts(panes or (), may),
    }


def _finished(figures: Figures) -> dict[str, Any]:
    return {
        "today": max(0, figures.of_day(FINISHED, figures.today)),
        "usual": figures.usual(FINISHED),
    }


def _stations(figures: Figures, may: May) -> list[dict[str, Any]]:
    """List the stations in their order; figures with `pane_logs:view`."""
    shown = Station.collection().find().sort(IN_ORDER)
    counted = may("pane_logs:view")
    today = figures.of_stations(figures.today) if counted else None
    stays = figures.stays() if counted else {}
    return [
        _station(row, today, stays.get(str(row["_id"])) or figures.stay(row["_id"], {}))
        for row in shown
    ]


def _station(
    row: Mapping[str, Any],
    today: Mapping[str, Mapping[str, int]] | None,
    stay: Stay,
) -> dict[str, Any]:
    id, status = str(row["_id"]), row.get("status", Station.status.default)
    return {
        "_id": row["_id"],
        "name": row["name"],
        "colorId": row.get("colorId", Station.color_id.default),
        "position": row.get("position"),
        "status": status,
        "maintenance": status == StationStatus.MAINTENANCE,
        "version": row.get("version"),
        "outToday": None if today is None else today.get(id, {}).get(LEFT, 0),
        "stay": asdict(stay),
    }


def _open_panes() -> list[dict[str, Any]]:
    # by the status alone, of which an index has exactly the open panes
    query = {"currentStatus": {"$in": sorted(map(str, OPEN))}}
    shown = (
        "paneNumber", "currentStation", "currentStatus", "order", "request", "arrivedAt",
        "updatedAt", "version", "dimensions.width", "dimensions.height",
        "laminateRole", "laminateStation", "parentPane", "rawGlass.sheetsPerPane",
    )  # fmt: skip
    found = Pane.collection().find(query, dict.fromkeys(shown, 1))
    return [pane for pane in found if pane.get("currentStation")]


def _pane_row(pane: Mapping[str, Any]) -> list[Any]:
    size = pane.get("dimensions") or {}
    # a pane of an earlier release came some time before its last change
    row = {**pane, **size, "arrivedAt": pane.get("arrivedAt") or pane.get("updatedAt")}
    return [row.get(name) for name in PANE_FIELDS]


def _calls() -> list[dict[str, Any]]:
    """List the calls that have not ended, the oldest first."""
    found = Call.collection().find(calls.OPEN, dict.fromkeys(CALL_FIELDS, 1))
    rows = sorted(found, key=lambda row: row["calledAt"])
    return [
        {"_id": row["_id"], **{name: row.get(name) for name in CALL_FIELDS}}
        for row in rows
    ]


def _open_orders() -> list[dict[str, Any]]:
    query = {"status": {"$in": sorted(map(str, OPEN_ORDERS))}}
    return list(Order.collection().find(query, dict.fromkeys(ORDER_FIELDS, 1)))


def _orders(
    rows: list[dict[str, Any]], deadlines: Mapping[Any, Any], may: May
) -> list[dict[str, Any]]:
    ids = [row.get("customer") for row in rows] if may(CUSTOMER_NAMES) else ()
    names = lookup.field_of(Customer, "name", ids)
    short = {one: short_name(name) for one, name in names.items() if name}
    if not may("customers:view"):
        names = {}
    return [
        {
            "_id": row["_id"],
            **{name: row.get(name) for name in ORDER_FIELDS},
            "customerName": names.get(row.get("customer")),
            "customerShortName": short.get(row.get("customer")),
            "deadline": deadlines.get(row.get("request")),
        }
        for row in rows
    ]


def deliveries_of_today(may: May) -> list[dict[str, Any]]:
    """List the deliveries of today: planned until tonight, handed over, or returned.

    `lacking` are the panes that cannot be loaded yet, `missing` is how many came back and
    wait. `recipient` is null for callers who are not shown it. Two queries, one where none
    is planned.
    """
    today = _today()
    tonight = calendar.day_start(today, runtime.current().policy.timezone, 1)
    planned = {"status": str(DeliveryStatus.PLANNED), "plannedFor": {"$lt": tonight}}
    # what was returned has no `deliveredAt`
    returned = {
        "status": str(DeliveryStatus.RETURNED),
        "undoableUntil": {"$gte": today + UNDO_WINDOW},
    }
    query = {"$or": [planned, {"deliveredAt": {"$gte": today}}, returned]}
    found = Delivery.collection().find(query, dict.fromkeys(DELIVERY_FIELDS, 1))
    rows = list(found.sort("plannedFor", 1))
    named = restricted_fields.may_read("Delivery", may)
    is_open = {row["_id"] for row in rows if row["status"] == DeliveryStatus.PLANNED}
    ids = [one for row in rows if row["_id"] in is_open for one in row.get("panes", ())]
    ready = _ready(ids) if ids else set()
    return [
        {
            "_id": row["_id"],
            **{name: row.get(name) for name in SHOWN_OF_DELIVERY},
            "recipient": row.get("recipient") if named else None,
            "paneCount": len(row.get("panes", ())),
            "missing": len(row.get("missingPanes", ())),
            "loaded": len(row.get("loadedPanes", ())),
            "lacking": [one for one in row.get("panes", ()) if one not in ready]
            if row["_id"] in is_open
            else [],
        }
        for row in rows
    ]


def _ready(panes: list[ObjectId]) -> set[ObjectId]:
    """Return which panes can be loaded."""
    shown = ("currentStatus", "heldFrom", "writtenOff", "deliveredAt")
    found = Pane.collection().find({"_id": {"$in": panes}}, dict.fromkeys(shown, 1))
    return {row["_id"] for row in found if state_of(row) == PaneState.READY}


def _alerts(panes: Iterable[Mapping[str, Any]], may: May) -> list[dict[str, Any]]:
    """List what needs somebody: complete laminated units, failed panes, low materials."""
    return [
        *_complete_units(panes),
        *(_failed(_today()) if may("pane_logs:view") and may("panes:view") else ()),
        *(_low_materials() if may("materials:view") else ()),
    ]


def _complete_units(panes: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """List the units whose sheets are all present at the lamination station."""
    present: dict[Any, list[Mapping[str, Any]]] = defaultdict(list)
    for pane in panes:
        here = pane["currentStation"] == pane.get("laminateStation")
        is_sheet = pane.get("laminateRole") == LaminateRole.SHEET
        if is_sheet and here and pane["currentStatus"] != Status.PENDING:
            present[pane.get("parentPane")].append(pane)
    return [
        {
            "kind": "laminate_ready",
            "parentPane": parent,
            "station": sheets[0]["currentStation"],
            "paneNumbers": sorted(sheet["paneNumber"] for sheet in sheets),
        }
        for parent, sheets in present.items()
        if len(sheets) >= (sheets[0].get("rawGlass") or {}).get("sheetsPerPane", 0)
    ]


def _failed(since: datetime) -> list[dict[str, Any]]:
    """List the panes that failed their check last, of today; two queries.

    Not those whose failure was undone, or corrected.
    """
    query = {"action": str(Action.QC_FAIL), "createdAt": {"$gte": since}}
    shown = {"pane": 1, "station": 1, "reason": 1, "createdAt": 1}
    found = PaneLog.collection().find(query, shown).sort("createdAt", -1)
    logs = list(found.limit(MAX_FAILED))
    failed = {"currentStatus": str(Status.DEFECTED)}
    numbers = lookup.field_of(
        Pane, "paneNumber", [log.get("pane") for log in logs], where=failed
    )
    return [
        {
            "kind": "failed",
            "pane": log["pane"],
            "paneNumber": numbers[log["pane"]],
            "station": log.get("station"),
            "reason": log.get("reason", ""),
            "at": log["createdAt"],
        }
        for log in logs
        if log["pane"] in numbers
    ]


def _low_materials() -> list[dict[str, Any]]:
    return [
        {
            "kind": "low_stock",
            "material": row["_id"],
            "name": row["name"],
            "quantity": left,
            "unit": row.get("unit", ""),
        }
        for row, left in low_stock.shortages()
    ]
