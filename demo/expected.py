"""What should be heard: worked out from REST answers and the table of events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from demo.book import Record, stations
from demo.expected_floor import FloorBook, Scan
from demo.heard import Heard, id_of, moved_key
from demo.screens import EVERYBODY

__all__ = ["Ledger", "Record", "Scan"]

#: Stock entries whose lot is told of as `adjusted`; other kinds have events of their own.
ADJUSTING = ("withdraw", "remake", "claim")


@dataclass
class Ledger(FloorBook):
    """The book of the day: the office's and the store room's entries too."""

    def request_created(self, request: Record, panes: Iterable[Record]) -> None:
        """`POST /api/requests` with its panes."""
        self.changed("request:updated", "created", request)
        for pane in panes:
            self.pane_changed("created", pane)

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
            self.enter(key, stations(station))
        self._order_arrived(order_id, entered)

    def notified(self, note: Record) -> None:
        """`POST /api/notifications`."""
        recipient = id_of(note["recipient"])
        self.notify_worker(note["type"], note["referenceId"], recipient)

    # Claims

    def claimed(self, claim: Record, pane: Record, was: str) -> None:
        """A claim was made; one on an unfinished pane takes it off its station."""
        self.changed("claim:updated", "created", claim)
        self._pane_of_claim(pane, was)

    def decided(self, claim: Record, pane: Record, assigned_to: str) -> None:
        """A claim was decided; what was made again is entered by itself."""
        self.changed("claim:updated", "updated", claim)
        self._pane_of_claim(pane, "")
        if claim["status"] == "approved":
            # a remake has a notification of its own for whom the order is assigned to
            told = {id_of(claim["reportedBy"]), assigned_to} - {""}
            for worker in told - ({assigned_to} if claim["remadePane"] else set()):
                self.notify_worker("claim_approved", claim["_id"], worker)

    def _pane_of_claim(self, pane: Record, was: str) -> None:
        self.pane_changed("updated", pane, was)
        self.order_changed("updated", id_of(pane["order"]))

    # The store room

    def stock_entry(self, entry: Record) -> None:
        """The service wrote into the stock book; `entry` as it reads there."""
        key = Heard("log:updated", "created", entry["_id"])
        self.enter(key, ("dashboard", "log"))
        if entry["inventory"] and entry["actionType"] in ADJUSTING:
            self.lot_adjusted(id_of(entry["inventory"]))

    def lot_adjusted(self, lot: str) -> None:
        """Something was taken from a lot, given back to it, or agreed to."""
        key = Heard("inventory:updated", "adjusted", lot)
        self.enter(key, ("dashboard", "inventory"))

    def lot_moved(self, moved: Record) -> None:
        """`POST /api/inventories/{id}/move`."""
        self.enter(moved_key(moved), ("dashboard", "inventory"))

    def stock_low(self, material: str, told: Iterable[str]) -> None:
        """A material went to its reorder point or below; `told` are workers."""
        key = Heard("material:updated", "low_stock", material)
        self.enter(key, ("dashboard", "inventory"))
        for worker in told:
            self.notify_worker("low_stock", material, worker)

    # What is said over the sockets

    def checked_in(self, worker: str, station: str) -> None:
        """`mobile-scan` at a station."""
        self.enter(Heard("scan-confirmed", "", worker), stations(station))

    def alerted(self, message: str) -> None:
        """`system_alert` by an admin."""
        self.enter(Heard("system_alert", "", message), (EVERYBODY,))

    def _order_arrived(self, order_id: str, station: str) -> None:
        key = Heard("notification", "order_arrived", order_id)
        self.enter(key, stations(station))
