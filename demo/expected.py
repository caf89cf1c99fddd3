"""What should be heard: worked out from REST answers and the table of events.

Every change is entered once, with the rooms that it goes to. A screen then expects it
once if it shares any of those rooms, however many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from demo.heard import Heard, id_of, record_key
from demo.screens import EVERYBODY, Screen

Record = dict[str, Any]

ONWARD = ("scan_out", "qc_pass")
PANE_ROOMS = ("dashboard", "pane", "production")


class Scan(NamedTuple):
    """One accepted scan: the pane after it, its log, the station before (or none)."""

    pane: Record
    log: Record
    was: str

    @property
    def now(self) -> str:
        """The station after it; the empty text for a finished pane."""
        return id_of(self.pane["currentStation"])

    @property
    def order(self) -> str:
        """The pane's order, if it has one."""
        return id_of(self.pane["order"])


@dataclass
class Ledger:
    """The book of what was caused, and so has to be heard."""

    entries: list[tuple[Heard, frozenset[str]]] = field(default_factory=list)
    logs: set[str] = field(default_factory=set)
    orders_begun: set[str] = field(default_factory=set)

    def enter(self, heard: Heard, rooms: Iterable[str]) -> None:
        """Enter one event and the rooms it goes to."""
        self.entries.append((heard, frozenset(rooms)))

    def for_screen(self, screen: Screen) -> Counter[Heard]:
        """All that one screen has to hear."""
        return Counter(
            heard for heard, rooms in self.entries if not rooms.isdisjoint(screen.rooms)
        )

    def subjects(self) -> frozenset[str]:
        """The records and names that the day is about."""
        return frozenset(heard.subject for heard, _ in self.entries)

    # What each REST call causes

    def request_created(self, request: Record, panes: Iterable[Record]) -> None:
        """`POST /api/requests` with its panes."""
        key = record_key("request:updated", "created", request)
        self.enter(key, ("dashboard", "request"))
        for pane in panes:
            self.pane_changed("created", pane)

    def pane_changed(self, action: str, pane: Record, was: str = "") -> None:
        """A pane was created, updated or scanned; `was` is the station it was at."""
        key = record_key("pane:updated", action, pane)
        self.enter(key, (*PANE_ROOMS, *_stations(was, id_of(pane["currentStation"]))))

    def order_created(self, order: Record, panes: Iterable[Record]) -> None:
        """`POST /api/orders` from a request, whose panes it adopts."""
        self.order_changed("created", order["_id"])
        if order["status"] != "pending":  # it came with finished panes
            self.orders_begun.add(order["_id"])
        for pane in panes:
            self.pane_changed("updated", pane)
        if order["stations"]:
            self._order_arrived(order["_id"], id_of(order["stations"][0]))

    def order_advanced(self, order: Record, left: str, entered: str) -> None:
        """`PATCH /api/orders/{id}` that moves the order along its route."""
        order_id = order["_id"]
        self.order_changed("updated", order_id)
        for action, station in (("exited", left), ("entered", entered)):
            key = Heard("station:check_in", action, order_id, station)
            self.enter(key, _stations(station))
        self._order_arrived(order_id, entered)

    def order_changed(self, action: str, order_id: str) -> None:
        """An order was created or updated."""
        self.enter(Heard("order:updated", action, order_id), ("dashboard", "order"))

    def scanned(self, action: str, scans: Iterable[Scan], assigned_to: str) -> int:
        """Panes were scanned in one request; gives how many of them for the first time.

        An order is told of once a request: when its first pane is scanned, and when
        one of its panes changes its station or is finished.
        """
        news = [scan for scan in scans if scan.log["_id"] not in self.logs]
        for scan in news:
            self.logs.add(scan.log["_id"])
            self.pane_changed("scanned", scan.pane, scan.was)
            key = Heard(
                "log:updated", "pane_scanned", scan.pane["_id"], scan.log["_id"]
            )
            self.enter(key, ("dashboard", "log"))
        for order in {scan.order for scan in news if self._tells_order(action, scan)}:
            self.order_changed("updated", order)
        for scan in news if action in ONWARD else ():
            self._moved_on(scan, assigned_to)
        return len(news)

    def production_logged(self, log: Record) -> None:
        """`POST /api/production-logs`."""
        key = record_key("production-log:updated", "created", log)
        self.enter(key, ("dashboard", "production"))

    def notified(self, note: Record) -> None:
        """`POST /api/notifications`."""
        self._notify_worker(note["type"], note["referenceId"], note["recipient"])

    # What is said over the sockets

    def checked_in(self, worker: str, station: str) -> None:
        """`mobile-scan` at a station."""
        self.enter(Heard("scan-confirmed", "", worker), _stations(station))

    def alerted(self, message: str) -> None:
        """`system_alert` by an admin."""
        self.enter(Heard("system_alert", "", message), (EVERYBODY,))

    def _tells_order(self, action: str, scan: Scan) -> bool:
        if not scan.order:
            return False
        first = scan.order not in self.orders_begun
        self.orders_begun.add(scan.order)
        return first or action in ONWARD or scan.was != scan.now

    def _moved_on(self, scan: Scan, assigned_to: str) -> None:
        pane = scan.pane["_id"]
        if scan.now:
            key = Heard("station:pane_arrived", "", pane, f"{scan.was} > {scan.now}")
            self.enter(key, ("station", *_stations(scan.now)))
            key = Heard("notification", "pane_arrived", pane)
            self.enter(key, _stations(scan.now))
        if scan.order and assigned_to:
            kind = "pane_arrived" if scan.now else "pane_completed"
            self._notify_worker(kind, pane, assigned_to)

    def _notify_worker(self, kind: str, reference: str, recipient: str) -> None:
        key = Heard("notification", kind, reference, f"to {recipient}")
        self.enter(key, (f"user:{recipient}",))

    def _order_arrived(self, order_id: str, station: str) -> None:
        key = Heard("notification", "order_arrived", order_id)
        self.enter(key, _stations(station))


def _stations(*ids: str) -> tuple[str, ...]:
    return tuple(f"station:{station}" for station in ids if station)
