"""Job cards of orders, read from the store; they show what their reader could read."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.documents.job_card import JobCard, PaneKind
from glassflow.documents.pane_drawing import read_cut
from glassflow.domain.aliases import May, Raw
from glassflow.domain.bilingual import THAI
from glassflow.domain.calendar import in_zone
from glassflow.domain.errors import TooMany
from glassflow.domain.makeability import message
from glassflow.domain.panes.status import LaminateRole
from glassflow.models.base import Record
from glassflow.models.customer import Customer
from glassflow.models.material import Material
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.models.station import Station
from glassflow.models.worker import Worker
from glassflow.services import records
from glassflow.services.labels.pane_values import as_shown
from glassflow.services.labels.selection import MAX_LABELS, UNLABELLED
from glassflow.services.records import lookup
from glassflow.services.records.serialization import to_wire

MAX_CARDS = 50  # in one document


def read_job_cards(
    order_ids: Sequence[ObjectId], *, may: May, address: str
) -> Sequence[JobCard]:
    """Return the job cards of orders, in their order, each once; as `read_job_card`.

    Raises `TooMany` for more than `MAX_CARDS`, and for more panes than can be labelled at
    once.
    """
    wanted = list(dict.fromkeys(order_ids))
    if len(wanted) > MAX_CARDS:
        raise TooMany(maximum=MAX_CARDS)
    cards, panes = [], 0
    for one in wanted:
        cards.append(read_job_card(one, may=may, address=address))
        panes += sum(len(kind.numbers) for kind in cards[-1].kinds)
        if panes > MAX_LABELS:
            raise TooMany(maximum=MAX_LABELS)
    return cards


def read_job_card(order_id: ObjectId, *, may: May, address: str) -> JobCard:
    """Return the job card of an order; its code is the address of the order's page.

    `address` is that of the service, as browsers open it. Raises `NotFound`, and `TooMany`
    for more panes than can be labelled at once. Costs one query a collection.
    """
    order = to_wire(Order, records.read_raw(Order, order_id))
    panes = _panes_of(order_id)
    routes = _routes_of(panes)
    different = {tuple(one) for one in routes.values() if one}
    route = order["stations"] if not different else next(iter(different))
    is_common = len(different) < 2
    materials = {order["material"], *(pane["material"] for pane in panes)} - {None}
    named = (
        lookup.field_of(Material, "name", materials) if may("materials:view") else {}
    )
    of_order = named.pop(order["material"], "")
    shown = _Shown(
        materials=named,
        routes={} if is_common else routes,
        stations=lookup.field_of(
            Station, "name", {*route, *(step for one in different for step in one)}
        ),
    )
    return JobCard(
        number=order["orderNumber"] or str(order_id),
        code=f"{address.rstrip('/')}/floor/office/orders/{order_id}",
        facts=[(name, value) for name, value in _facts(order, may, of_order) if value],
        route=shown.names_of(route) if is_common else [],
        kinds=_kinds(panes, shown),
    )


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a kind of panes shows where it differs from the order, and the names of it.

    `materials` has no other names than those; `routes`, by pane, are empty where all panes
    have the same one.
    """

    materials: Mapping[ObjectId, str]
    routes: Mapping[ObjectId, Sequence[ObjectId]]
    stations: Mapping[ObjectId, str]

    def names_of(self, route: Iterable[ObjectId]) -> list[str]:
        """Return the names of the stations of a route that exist."""
        return [self.stations[one] for one in route if one in self.stations]

    def of(self, pane: Raw) -> tuple[str, list[str]]:
        """Return the material and the route that a pane shows."""
        route = self.routes.get(pane["_id"], ())
        return self.materials.get(pane["material"], ""), self.names_of(route)


def _routes_of(panes: Sequence[Raw]) -> dict[ObjectId, list[ObjectId]]:
    """Return the route of each pane; a unit has the steps of its sheets before its own.

    A laminated pane and a remake have what is left of a route: that of another pane that
    ends with it, if there is one.
    """
    of_sheets = {
        pane["parentPane"]: pane["routing"] for pane in panes if _is_sheet(pane)
    }
    routes: dict[ObjectId, list[ObjectId]] = {
        pane["_id"]: [*of_sheets.get(pane["_id"], ()), *pane["routing"]]
        for pane in panes
        if not _is_sheet(pane)
    }
    different = {tuple(one): one for one in routes.values()}.values()
    for pane in panes:
        if pane["laminateMergedAt"] or pane["remakeOf"]:
            rest = routes[pane["_id"]]
            ending = (one for one in different if one[-len(rest) :] == rest)
            routes[pane["_id"]] = max(ending, key=len, default=rest)
    return routes


def _is_sheet(pane: Raw) -> bool:
    return bool(pane["laminateRole"] == LaminateRole.SHEET)


def _panes_of(order_id: ObjectId) -> list[dict[str, Any]]:
    query = {
        "order": order_id,
        "currentStatus": {"$nin": [str(one) for one in UNLABELLED]},
    }
    found = Pane.collection().find(query).sort("paneNumber", 1)
    panes = [to_wire(Pane, row) for row in found.limit(MAX_LABELS + 1)]
    if len(panes) > MAX_LABELS:
        raise TooMany(maximum=MAX_LABELS)
    return panes


def _facts(order: Raw, may: May, material: str) -> Iterable[tuple[str, str]]:
    """Yield the names of facts, in both languages, and their values; "" for none."""
    request: Raw = {}
    if order["request"] and may("requests:view"):
        found = Request.collection().find_one({"_id": order["request"]})
        request = to_wire(Request, found) if found else {}

    def name_of(model: type[Record], record_id: ObjectId | None, key: str) -> str:
        if not record_id or not may(key):
            return ""
        return lookup.field_of(model, "name", [record_id]).get(record_id) or ""

    yield "ลูกค้า · Customer", name_of(Customer, order["customer"], "customers:view")
    yield "กำหนดส่ง · Due", _moment(request.get("deadline"))
    yield "สถานที่ส่ง · Deliver to", request.get("deliveryLocation") or ""
    yield "ใบรับงาน · Request", request.get("requestNumber") or ""
    yield "ใบสั่งซื้อ · PO number", request.get("referenceId") or ""
    yield "วัสดุ · Material", material
    yield "จำนวน · Quantity", as_shown(order["quantity"])
    yield "ผู้รับผิดชอบ · Assigned", name_of(Worker, order["assignedTo"], "workers:view")
    yield "หมายเหตุ · Notes", order["notes"]


def _moment(moment: datetime | None) -> str:
    if moment is None:
        return ""
    zone = runtime.current().policy.timezone
    return f"{in_zone(moment, zone):%d/%m/%Y %H:%M}"


def _kinds(panes: Sequence[Raw], shown: _Shown) -> list[PaneKind]:
    """Return the panes that are alike as one kind each; a unit by its parent's number."""
    sheets: dict[ObjectId, list[str]] = defaultdict(list)
    for pane in panes:
        if _is_sheet(pane):
            sheets[pane["parentPane"]].append(pane["sheetLabel"])
    alike: dict[str, list[Raw]] = defaultdict(list)
    for pane in panes:
        if not _is_sheet(pane):
            alike[str([*shown.of(pane), *(pane[name] for name in _OF_KIND)])].append(
                pane
            )
    return [_kind(group, sheets, shown) for group in alike.values()]


_OF_KIND = (
    "dimensions", "rawGlass", "glassType", "glassTypeLabel", "holes", "notches",
    "edgeTasks", "notes", "makeability",
)  # fmt: skip


def _kind(
    panes: Sequence[Raw], sheets: Mapping[ObjectId, Sequence[str]], shown: _Shown
) -> PaneKind:
    pane = panes[0]
    material, route = shown.of(pane)
    size, glass = pane["dimensions"], pane["glassTypeLabel"] or pane["glassType"]
    tasks = pane["edgeTasks"]
    return PaneKind(
        width=size["width"],
        height=size["height"],
        glass=" ".join(filter(None, [glass, _thickness(size, glass)])),
        notes=pane["notes"],
        sheets=pane["rawGlass"]["sheetsPerPane"],
        cuts=[
            *(read_cut(one, is_notch=False) for one in pane["holes"]),
            *(read_cut(one, is_notch=True) for one in pane["notches"]),
        ],
        edges=[_edge(task) for task in tasks],
        sides=[side for task in tasks if (side := task["side"].lower()) in _SIDES],
        numbers=[
            " ".join(
                [
                    one["paneNumber"],
                    *sheets.get(one["_id"], ()),
                    *([f"({one['mark']})"] if one["mark"] else ()),
                ]
            )
            for one in panes
        ],
        material=material,
        route=route,
        checks=[message(one).in_language(THAI) for one in pane["makeability"]],
    )


_SIDES = {"top": "บน", "right": "ขวา", "bottom": "ล่าง", "left": "ซ้าย"}


def _thickness(size: Raw, glass: str) -> str:
    """Return the thickness of a pane, unless the name of the glass has it already."""
    text = as_shown(size["thickness"] or None)
    named = any(f"{text} {unit}" in glass for unit in ("มม", "mm"))
    return f"{text} มม." if text and not named else ""


def _edge(task: Raw) -> str:
    work = [task["edgeProfile"].replace("_", " "), task["machineType"]]
    side = task["side"].lower()
    return f"ขอบ · edge {_SIDES.get(side, '')} {side}: {' · '.join(filter(None, work))}"
