"""The sheets of a plan as people see them: with the state of each pane now."""

from collections.abc import Sequence
from typing import Any

from bson import ObjectId

from glassflow.domain.aliases import Raw
from glassflow.domain.cutting.plan import PER_MM, Box, panes_of
from glassflow.domain.cutting.stages import RESERVING, LeftOut, PaneOnSheet
from glassflow.models.inventory import Inventory
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.rack import Rack
from glassflow.models.request import Request
from glassflow.models.station import Station
from glassflow.services.cutting import pending
from glassflow.services.cutting.layout import Layout, PlannedSheet
from glassflow.services.cutting.pending import Candidates
from glassflow.services.records import lookup

OF_LOT = ("inventoryNumber", "location", "storageColor", "stockType")
OF_PANE = (
    *("paneNumber", "mark", "order", "request", "rack", "routing", "routeIndex"),
    *("currentStatus", "sheetLabel"),
)


def read(plan: Raw) -> dict[str, Any]:
    """Return the sheets of a plan in stored form, in the order of cutting, lengths in mm.

    A pane of a sheet that is not cut is `left` where it cannot be cut with the plan any
    more, and `reason` says why. The round trips do not depend on how many there are.
    """
    layout = Layout.of(plan.get("layout"))
    context = _Context.of(plan, layout)
    return {"sheets": [context.shown(one) for one in layout.sheets]}


class _Context:
    """What sheets are shown with: records in stored form, by id."""

    def __init__(self, layout: Layout, found: Candidates) -> None:
        self._layout, self._left = layout, found.left
        lots = [one.lot for one in layout.sheets]
        remnants = [lot for one in layout.sheets for lot in one.remnants]
        self._lots = lookup.by_id(Inventory, [*lots, *remnants], OF_LOT)
        self._panes = lookup.by_id(Pane, layout.panes, OF_PANE)
        panes = list(self._panes.values())
        self._orders = lookup.referred(
            Order, panes, "order", ("orderNumber", "request")
        )
        requests = [one.get("request") for one in self._orders.values()]
        self._deadlines = lookup.field_of(Request, "deadline", requests)
        self._racks = lookup.referred(Rack, panes, "rack", ("rackNumber", "name"))
        stations = [_next_station(one) for one in panes]
        self._stations = lookup.by_id(Station, stations, ("name",))

    @classmethod
    def of(cls, plan: Raw, layout: Layout) -> "_Context":
        """Read what the sheets of a plan are shown with."""
        planned = list(layout.planned())
        is_released = plan["status"] in RESERVING
        found = pending.candidates(
            planned, plan["material"], plan["_id"], is_released=is_released
        )
        return cls(layout, found)

    def shown(self, one: PlannedSheet) -> dict[str, Any]:
        """Return a sheet as the answer has it."""
        measures = self._layout.measures
        rests = [(box, measures.is_kept(box)) for box in one.rests(measures)]
        area = sum(place.area for _, place in panes_of(one.sheet))
        kept = sum(box.area for box, is_kept in rests if is_kept)
        return {
            "number": one.number,
            "lot": self._lot(one.lot),
            "isRemnant": one.stock.is_remnant,
            **_in_mm(one.stock, "width", "height", "trim"),
            "axis": str(one.sheet.axis),
            "usePercent": round(100 * area / (one.stock.area - kept), 1),
            "panes": [self._pane(one, *cell) for cell in panes_of(one.sheet)],
            "rests": [{**_box(box), "isKept": is_kept} for box, is_kept in rests],
            "defects": [_box(box) for box in one.stock.defects],
            "remnants": [self._lot(lot) for lot in one.remnants],
            "cutAt": one.cut_at,
            "cutByName": one.cut_by_name,
        }

    def _lot(self, lot: ObjectId) -> dict[str, Any]:
        row = self._lots.get(lot, {})
        return {"_id": lot, **{name: row.get(name) or "" for name in OF_LOT}}

    def _pane(self, sheet: PlannedSheet, index: int, place: Box) -> dict[str, Any]:
        pane_id = self._layout.panes[index]
        row = self._panes.get(pane_id, {})
        order = self._orders.get(row.get("order"), {})
        station = self._stations.get(_next_station(row), {})
        state, reason = self._state(sheet, pane_id)
        rack = self._racks.get(row.get("rack"))
        return {
            "_id": pane_id,
            "paneNumber": row.get("paneNumber") or "",
            "mark": row.get("mark") or "",
            "sheetLabel": row.get("sheetLabel") or "",
            **_box(place),
            "isTurned": place.width != self._layout.pieces[index].width,
            "state": state,
            "reason": reason,
            "order": row.get("order"),
            "orderNumber": order.get("orderNumber") or "",
            "due": self._deadlines.get(order.get("request")),
            "nextStation": station.get("name") or "",
            "rack": (rack or {}).get("rackNumber") or "",
        }

    def _state(
        self, sheet: PlannedSheet, pane: ObjectId
    ) -> tuple[PaneOnSheet, LeftOut | None]:
        if sheet.is_cut:
            if pane in sheet.broken:
                return PaneOnSheet.BROKEN, None
            is_cut = pane in sheet.cut
            return (PaneOnSheet.CUT if is_cut else PaneOnSheet.LEFT), None
        reason = self._left.get(pane)
        return (PaneOnSheet.LEFT if reason else PaneOnSheet.PLANNED), reason


def _next_station(pane: Raw) -> Any:
    """Return the station after the one where a pane is; None for the last one."""
    routing: Sequence[Any] = pane.get("routing") or ()
    after = (pane.get("routeIndex") or 0) + 1
    return routing[after] if after < len(routing) else None


def _in_mm(value: Any, *names: str) -> dict[str, float]:
    return {name: getattr(value, name) / PER_MM for name in names}


def _box(box: Box) -> dict[str, float]:
    return _in_mm(box, "x", "y", "width", "height")
