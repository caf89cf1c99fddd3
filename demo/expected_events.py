"""The events that screens must receive, derived from responses and the event table.

Every change is added once, with the rooms that it is sent to. A screen must receive it
exactly once if it joined at least one of those rooms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from demo.client import Record
from demo.events import (
    ROOMS,
    EventKey,
    id_of,
    laminated_key,
    moved_key,
    record_key,
)
from demo.screens import Screen

LEAVING = ("scan_out", "qc_pass")  # the actions that move a pane to its next station
#: Ledger entries that cause `adjusted` for their lot; other kinds have other events.
ADJUSTING = ("withdraw", "remake", "claim")


class Scan(NamedTuple):
    """One accepted scan: the pane after it, its log, the station before it (or '')."""

    pane: Record
    log: Record
    station_before: str

    @property
    def station_after(self) -> str:
        """The pane's station after the scan; empty for a finished pane."""
        return id_of(self.pane["currentStation"])

    @property
    def order(self) -> str:
        """The id of the pane's order, if it has one."""
        return id_of(self.pane["order"])


@dataclass
class ExpectedEvents:
    """All events of the day and their rooms; one method for each kind of change."""

    events: list[tuple[EventKey, frozenset[str]]] = field(default_factory=list)
    scan_logs: set[str] = field(default_factory=set)
    started_orders: set[str] = field(default_factory=set)

    def add(self, key: EventKey, *stations: str) -> None:
        """Add an event for its shared rooms and the stations; an empty id is none."""
        rooms = {f"station:{station}" for station in stations if station}
        self.events.append((key, frozenset(rooms.union(ROOMS[key.event]))))

    def for_screen(self, screen: Screen) -> Counter[EventKey]:
        """All events that one screen must receive."""
        return Counter(
            key for key, rooms in self.events if not rooms.isdisjoint(screen.rooms)
        )

    def subjects(self) -> frozenset[str]:
        """The ids of all records that the day's events are about."""
        return frozenset(key.subject for key, _ in self.events)

    def record_changed(self, event: str, action: str, record: Record) -> None:
        """A record of any kind was created, updated or deleted."""
        self.add(record_key(event, action, record))

    def pane_changed(self, action: str, pane: Record, station_before: str = "") -> None:
        """A pane was created, updated or scanned."""
        key = record_key("pane:updated", action, pane)
        self.add(key, station_before, id_of(pane["currentStation"]))

    def order_changed(self, action: str, order_id: str) -> None:
        """An order was created or updated."""
        self.add(EventKey("order:updated", action, order_id))

    def notified(self, kind: str, reference: str, recipient: str) -> None:
        """A worker received a notification, in the worker's own room."""
        key = EventKey("notification", kind, reference, f"to {recipient}")
        self.events.append((key, frozenset({f"user:{recipient}"})))

    # Requests and orders

    def request_created(self, request: Record, panes: Iterable[Record]) -> None:
        """`POST /api/requests` with panes."""
        self.record_changed("request:updated", "created", request)
        for pane in panes:
            self.pane_changed("created", pane)

    def order_created(self, order: Record, panes: Iterable[Record]) -> None:
        """`POST /api/orders` from a request, whose panes the order adopts."""
        self.order_changed("created", order["_id"])
        if order["status"] != "pending":  # some of its panes are already finished
            self.started_orders.add(order["_id"])
        for pane in panes:
            self.pane_changed("updated", pane)
        if order["stations"]:
            self._order_arrived(order["_id"], id_of(order["stations"][0]))

    def order_advanced(self, order: Record, left: str, entered: str) -> None:
        """`PATCH /api/orders/{id}` that moves the order to its next station."""
        order_id = order["_id"]
        self.order_changed("updated", order_id)
        for action, station in (("exited", left), ("entered", entered)):
            key = EventKey("station:check_in", action, order_id, station)
            self.add(key, station)
        self._order_arrived(order_id, entered)

    # Scans, laminations and remakes

    def scanned(self, action: str, scans: Iterable[Scan], assigned_to: str) -> int:
        """One request scanned panes; returns how many scans were not duplicates.

        A request causes at most one event of an order: when its first pane is scanned,
        or when a pane changes its station or is finished.
        """
        new = [scan for scan in scans if scan.log["_id"] not in self.scan_logs]
        for scan in new:
            self._scan_logged(scan, "qc_failed" if action == "qc_fail" else "scanned")
        for order in {scan.order for scan in new if self._changes_order(action, scan)}:
            self.order_changed("updated", order)
        for scan in new if action in LEAVING else ():
            self._pane_left(scan, assigned_to)
        return len(new)

    def sheet_arrived(
        self, parent: str, station: str, present: int, total: int
    ) -> None:
        """A sheet was scanned in at its lamination station."""
        event = "laminate:ready" if present == total else "laminate:waiting"
        self.add(EventKey(event, "", parent, f"{present}/{total}"), station)

    def laminated(self, scan: Scan, result: Record, retired: Iterable[Record]) -> None:
        """Sheets became one pane; `retired` are the other sheets and the parent."""
        self._scan_logged(scan, "scanned")
        self.order_changed("updated", scan.order)
        for pane in retired:
            self.pane_changed("updated", pane, scan.station_before)
        numbers, sheets = result["retiredPaneNumbers"], result["sheetPaneNumbers"]
        key = laminated_key(scan.pane["_id"], numbers, sheets)
        self.add(key, scan.station_before)

    def remade(
        self,
        created: Iterable[Record],
        *,
        left_station: str,
        parent: Record | None,
        assigned_to: str,
        notification: str,
    ) -> None:
        """`created` replaces a pane: its remake, or the parent and sheets of a unit.

        `parent` is that of the unit in which a sheet was replaced, `left_station` the
        station of the replaced pane.
        """
        panes = list(created)
        for pane in panes:
            self.pane_changed("created", pane)
            if pane["laminateRole"] != "parent":
                entered = id_of(pane["currentStation"])
                self._pane_arrived(pane, left_station, entered, "remake")
        if parent:
            self.pane_changed("updated", parent)
        if assigned_to:
            self.notified(notification, panes[0]["_id"], assigned_to)

    # Claims

    def claim_created(self, claim: Record, pane: Record, station_before: str) -> None:
        """A claim was filed; it takes an unfinished pane off its station."""
        self.record_changed("claim:updated", "created", claim)
        self._claimed_pane_changed(pane, station_before)

    def claim_decided(self, claim: Record, pane: Record, assigned_to: str) -> None:
        """A claim was approved or rejected; its remake is added by `remade`."""
        self.record_changed("claim:updated", "updated", claim)
        self._claimed_pane_changed(pane, "")
        if claim["status"] == "approved":
            recipients = {id_of(claim["reportedBy"]), assigned_to} - {""}
            if claim["remadePane"]:  # then the assignee's notification is the remake's
                recipients.discard(assigned_to)
            for worker in recipients:
                self.notified("claim_approved", claim["_id"], worker)

    # Stock

    def stock_logged(self, entry: Record) -> None:
        """The service wrote an entry into the stock ledger."""
        self.add(EventKey("log:updated", "created", entry["_id"]))
        if entry["inventory"] and entry["actionType"] in ADJUSTING:
            self.lot_adjusted(id_of(entry["inventory"]))

    def lot_adjusted(self, lot: str) -> None:
        """A lot's quantity changed, or a withdrawal from it was approved."""
        self.add(EventKey("inventory:updated", "adjusted", lot))

    def lot_moved(self, moved: Record) -> None:
        """`POST /api/inventories/{id}/move`."""
        self.add(moved_key(moved))

    def stock_low(self, material: str, recipients: Iterable[str]) -> None:
        """A material fell to its reorder point; `recipients` are workers."""
        self.add(EventKey("material:updated", "low_stock", material))
        for worker in recipients:
            self.notified("low_stock", material, worker)

    # Events that clients emit

    def checked_in(self, worker: str, station: str) -> None:
        """`mobile-scan` at a station."""
        self.add(EventKey("scan-confirmed", "", worker), station)

    def alerted(self, message: str) -> None:
        """`system_alert` by an admin."""
        self.add(EventKey("system_alert", "", message))

    # Parts of the above

    def _scan_logged(self, scan: Scan, action: str) -> None:
        self.scan_logs.add(scan.log["_id"])
        self.pane_changed(action, scan.pane, scan.station_before)
        pane, log = scan.pane["_id"], scan.log["_id"]
        self.add(EventKey("log:updated", "pane_scanned", pane, log))

    def _changes_order(self, action: str, scan: Scan) -> bool:
        if not scan.order:
            return False
        first = scan.order not in self.started_orders
        self.started_orders.add(scan.order)
        moved = scan.station_before != scan.station_after
        return first or action in LEAVING or moved

    def _pane_left(self, scan: Scan, assigned_to: str) -> None:
        if scan.station_after:
            self._pane_arrived(scan.pane, scan.station_before, scan.station_after)
        if scan.order and assigned_to:
            kind = "pane_arrived" if scan.station_after else "pane_completed"
            self.notified(kind, scan.pane["_id"], assigned_to)

    def _pane_arrived(
        self, pane: Record, left: str, entered: str, action: str = ""
    ) -> None:
        if entered:
            move = f"{left} > {entered}"
            self.add(
                EventKey("station:pane_arrived", action, pane["_id"], move), entered
            )
            self.add(EventKey("notification", "pane_arrived", pane["_id"]), entered)

    def _order_arrived(self, order_id: str, station: str) -> None:
        self.add(EventKey("notification", "order_arrived", order_id), station)

    def _claimed_pane_changed(self, pane: Record, station_before: str) -> None:
        self.pane_changed("updated", pane, station_before)
        self.order_changed("updated", id_of(pane["order"]))
