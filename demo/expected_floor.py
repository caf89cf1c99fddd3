"""What the floor causes: scans, laminations, failures and remakes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from demo.book import PANE_ROOMS, Book, Record, stations
from demo.heard import Heard, id_of, laminated_key

ONWARD = ("scan_out", "qc_pass")


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
class FloorBook(Book):
    """The book's entries for what is done at the stations."""

    logs: set[str] = field(default_factory=set)
    orders_begun: set[str] = field(default_factory=set)

    def scanned(self, action: str, scans: Iterable[Scan], assigned_to: str) -> int:
        """Panes were scanned in one request; gives how many of them for the first time.

        An order is told of once a request: when its first pane is scanned, and when
        one of its panes changes its station or is finished.
        """
        news = [scan for scan in scans if scan.log["_id"] not in self.logs]
        for scan in news:
            self._logged(scan, "qc_failed" if action == "qc_fail" else "scanned")
        for order in {scan.order for scan in news if self._tells_order(action, scan)}:
            self.order_changed("updated", order)
        for scan in news if action in ONWARD else ():
            self._moved_on(scan, assigned_to)
        return len(news)

    def mustered(self, parent: str, station: str, present: int, total: int) -> None:
        """A sheet was taken in at its lamination station."""
        ready = present == total
        key = Heard(
            "laminate:ready" if ready else "laminate:waiting",
            "",
            parent,
            f"{present}/{total}",
        )
        self.enter(key, (*(PANE_ROOMS if ready else ()), *stations(station)))

    def laminated(self, scan: Scan, result: Record, retired: Iterable[Record]) -> None:
        """Sheets became one pane; `retired` are the other sheets and the parent."""
        self._logged(scan, "scanned")
        self.order_changed("updated", scan.order)
        for pane in retired:
            self.pane_changed("updated", pane, scan.was)
        key = laminated_key(
            scan.pane["_id"], result["retiredPaneNumbers"], result["mergedSheets"]
        )
        self.enter(key, (*PANE_ROOMS, *stations(scan.was)))

    def remade(
        self,
        made: Iterable[Record],
        *,
        left: str,
        parent: Record | None,
        assigned_to: str,
        notice: str = "qc_remake",
    ) -> None:
        """A pane is made again: `made` are its remake, or a unit's parent and sheets.

        `parent` is that of the unit in which a sheet was replaced; `left` the station
        where the old one failed.
        """
        panes = list(made)
        for pane in panes:
            self.pane_changed("created", pane)
            if pane["laminateRole"] != "parent":
                self._arrived(pane, left, id_of(pane["currentStation"]), "remake")
        if parent:
            self.pane_changed("updated", parent)
        if assigned_to:
            self.notify_worker(notice, panes[0]["_id"], assigned_to)

    def _logged(self, scan: Scan, action: str) -> None:
        self.logs.add(scan.log["_id"])
        self.pane_changed(action, scan.pane, scan.was)
        key = Heard("log:updated", "pane_scanned", scan.pane["_id"], scan.log["_id"])
        self.enter(key, ("dashboard", "log"))

    def _tells_order(self, action: str, scan: Scan) -> bool:
        if not scan.order:
            return False
        first = scan.order not in self.orders_begun
        self.orders_begun.add(scan.order)
        return first or action in ONWARD or scan.was != scan.now

    def _moved_on(self, scan: Scan, assigned_to: str) -> None:
        pane = scan.pane["_id"]
        if scan.now:
            self._arrived(scan.pane, scan.was, scan.now)
        if scan.order and assigned_to:
            kind = "pane_arrived" if scan.now else "pane_completed"
            self.notify_worker(kind, pane, assigned_to)

    def _arrived(self, pane: Record, left: str, entered: str, what: str = "") -> None:
        if not entered:
            return
        way = f"{left} > {entered}"
        key = Heard("station:pane_arrived", what, pane["_id"], way)
        self.enter(key, ("station", *stations(entered)))
        self.enter(
            Heard("notification", "pane_arrived", pane["_id"]), stations(entered)
        )
