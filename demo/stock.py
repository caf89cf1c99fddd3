"""Stock: the day's lots, withdrawals and moves, and the check of the stock ledger.

Each change is made exactly once, even if a response is lost.
"""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from demo.client import RETRY_PAUSE_S, Api, NoResponse, Record, RequestRefused, Response
from demo.events import id_of
from demo.expected_events import ExpectedEvents
from demo.results import Results

LOTS, WITHDRAWALS = "/api/inventories", "/api/withdrawals"
MATERIALS, LEDGER = "/api/materials", "/api/material-logs"
RESERVE = 60  # units above the reorder point that each material starts with
TOO_MUCH = 1_000_000


class StockKeeping:
    """The keeper withdraws and moves stock; the manager adds lots and decides."""

    def __init__(
        self,
        logins: Mapping[str, Api],
        materials: Iterable[str],
        *,
        expected: ExpectedEvents,
        results: Results,
        run_id: str,
    ) -> None:
        """`materials` are the ids of the materials that the day's jobs need."""
        self.manager = logins["manager"]
        self.keeper = logins["somchai"]
        self.materials = list(dict.fromkeys(materials))
        self.expected = expected
        self.results = results
        self._low_stock_recipients = [
            api.id for api in logins.values() if api.has_permission("inventory:manage")
        ]
        self._unique = (f"{run_id}-{n}" for n in itertools.count(1))

    def fill_up(self) -> None:
        """Add lots until each material has `RESERVE` above its reorder point."""
        in_stock: dict[str, float] = {}
        for lot in self.manager.list_all(LOTS, isActive="true"):
            material = id_of(lot["material"])
            in_stock[material] = in_stock.get(material, 0) + lot["quantity"]
        for material in self.materials:
            reorder_point = self.manager.get(f"{MATERIALS}/{material}")["reorderPoint"]
            if in_stock.get(material, 0) < reorder_point + RESERVE:
                self.add_lot(material, reorder_point + RESERVE)

    def run(self) -> None:
        """Use the stock of each material, then let a new one fall to its reorder point.

        Runs in a thread beside the floor.
        """
        try:
            for material in self.materials:
                self._use(material)
            self._run_low()
        except Exception as error:  # reported; the other threads continue
            self.results.add_problem(f"stock: {error!r}")

    def _use(self, material: str) -> None:
        lot = self.add_lot(material, 20)
        self.decide(self.withdraw(material, 5), "approved")
        self.decide(self.withdraw(material, 4), "rejected")
        from_lot = self.withdraw(material, 6, inventory=lot["_id"])
        self.change(from_lot, {"quantity": 2})
        to_delete = self.withdraw(material, 3)
        self.delete(self.change(to_delete, {"quantity": 1}))
        self.move(lot, 4)
        self._send_wrong_requests(material, lot, from_lot)
        self.decide(from_lot, "approved")

    def _run_low(self) -> None:
        """A new film falls below its reorder point twice: two low-stock events."""
        suffix = next(self._unique)
        body = {"code": f"FLM-{suffix}", "name": f"ฟิล์ม {suffix}", "unit": "ม้วน"}
        film = self.manager.create_once(
            MATERIALS,
            {**body, "reorderPoint": 5},
            lambda: self.manager.list_all(MATERIALS, code=body["code"]),
        )
        self.expected.record_changed("material:updated", "created", film)
        self.add_lot(film["_id"], 8)
        first = self.withdraw(film["_id"], 4)
        self.expected.stock_low(film["_id"], self._low_stock_recipients)
        self.withdraw(film["_id"], 1)  # it is low already: no second event
        self.decide(first, "rejected")
        self.withdraw(film["_id"], 3)
        self.expected.stock_low(film["_id"], self._low_stock_recipients)

    def _send_wrong_requests(
        self, material: str, lot: Record, withdrawal: Record
    ) -> None:
        """Each of them must be refused and change nothing."""
        body = {"quantity": TOO_MUCH, "toLocation": "Z", "stockType": "Raw"}
        move, withdrawal_path = f"{LOTS}/{lot['_id']}/move", _path_of(withdrawal)
        for kind, status, method, path, wrong in (
            ("withdrawal of too much", 400, "POST", WITHDRAWALS,
             {**body, "material": material}),
            ("move of too much", 400, "POST", move, body),
            ("keeper decides", 403, "PATCH", withdrawal_path, {"status": "approved"}),
        ):  # fmt: skip
            response = self._send_until_answered(method, path, wrong)
            self.results.expect_refusal(kind, response, status)

    def _send_until_answered(self, method: str, path: str, body: Record) -> Response:
        while True:
            try:
                return self.keeper.send_retrying(method, path, body)
            except NoResponse:
                self.keeper.wait_until_ready()

    def add_lot(self, material: str, quantity: float) -> Record:
        """Create a lot."""
        location = f"IN-{next(self._unique)}"
        body = {"material": material, "stockType": "Raw", "quantity": quantity}
        lot = self.manager.create_once(
            LOTS,
            {**body, "location": location, "storageColor": "ฟ้า"},
            lambda: self.manager.list_all(LOTS, location=location),
        )
        self.expected.record_changed("inventory:updated", "created", lot)
        return self._count("lots created", lot)

    def withdraw(self, material: str, quantity: int, **fields: str) -> Record:
        """Create a withdrawal as the keeper, and check that it got the quantity."""
        note = next(self._unique)
        body = {"material": material, "quantity": quantity, "stockType": "Raw"}
        withdrawal = self.keeper.create_once(
            WITHDRAWALS,
            {**body, "notes": note, **fields},
            lambda: self.keeper.list_all(WITHDRAWALS, notes=note),
        )
        self.expected.record_changed("withdrawal:updated", "created", withdrawal)
        allocated = sum(part["quantity"] for part in withdrawal["allocations"])
        if allocated != quantity:
            number = withdrawal["withdrawalNumber"]
            self.results.add_problem(f"{number} got {allocated} instead of {quantity}")
        return self._count("withdrawals", withdrawal)

    def move(self, lot: Record, quantity: int) -> None:
        """Move part of a lot to another location."""
        location = f"MV-{next(self._unique)}"
        body = {"quantity": quantity, "toLocation": location, "toStorageColor": "ขาว"}
        moved = self.keeper.create_once(
            f"{LOTS}/{lot['_id']}/move",
            body,
            lambda: self.keeper.list_all(LOTS, location=location),
        )
        if "target" in moved:  # else the response was lost, and this is the new lot
            self.expected.lot_moved(moved)
        self._count("lots moved", moved)

    def decide(self, withdrawal: Record, status: str) -> None:
        """Set a withdrawal's status to `approved` or `rejected`."""
        decided = self.change(withdrawal, {"status": status})
        self._count(f"withdrawals {status}", decided)
        for allocation in decided["allocations"] if status == "approved" else ():
            self.expected.lot_adjusted(id_of(allocation["inventory"]))

    def change(self, withdrawal: Record, body: Record) -> Record:
        """Change fields of a withdrawal."""
        path = _path_of(withdrawal)

        def find_changed() -> Record | None:
            current: Record = self.manager.get(path)
            return current if body.items() <= current.items() else None

        changed = self._once(lambda: self.manager.patch(path, **body), find_changed)
        self.expected.record_changed("withdrawal:updated", "updated", changed)
        return self._count("withdrawals changed", changed)

    def delete(self, withdrawal: Record) -> None:
        """Delete a withdrawal, whose stock returns to its lots."""
        path = _path_of(withdrawal)

        def send() -> Record:
            response = self.manager.send_retrying("DELETE", path)
            if not response.ok:
                self.results.add_problem(f"DELETE {path} returned {response.status}")
            return withdrawal

        def find_deleted() -> Record | None:
            try:
                self.manager.get(path)
            except RequestRefused as refused:
                return withdrawal if refused.response.status == 404 else None
            return None

        self._once(send, find_deleted)
        self.expected.record_changed("withdrawal:updated", "deleted", withdrawal)
        self._count("withdrawals deleted", withdrawal)

    def _once(
        self, send: Callable[[], Record], find_done: Callable[[], Record | None]
    ) -> Record:
        """Send until there is a response, or until the change is found to be stored."""
        while True:
            try:
                return send()
            except NoResponse:
                self.manager.wait_until_ready()
                time.sleep(RETRY_PAUSE_S)
                done = find_done()
                if done is not None:
                    return done

    def _count(self, action: str, record: Record) -> Record:
        self.results.actions[action] += 1
        return record


def _path_of(withdrawal: Record) -> str:
    return f"{WITHDRAWALS}/{withdrawal['_id']}"


class LedgerPosition:
    """The last entries of the ledger at the start of the day."""

    def __init__(self, admin: Api) -> None:
        last = admin.get(LEDGER, limit=1, sort="-createdAt")
        self._since = {"createdAt_gte": last[0]["createdAt"]} if last else {}
        self._known = {row["_id"] for row in admin.list_all(LEDGER, **self._since)}

    def new_entries(self, admin: Api) -> Iterator[Record]:
        """The entries written since, by any client."""
        for row in admin.list_all(LEDGER, **self._since):
            if row["_id"] not in self._known:
                yield row


def ledger_mismatches(admin: Api) -> list[str]:
    """One line for each lot whose quantity is not the sum of its ledger entries."""
    sums: defaultdict[str, float] = defaultdict(float)
    for row in admin.list_all(LEDGER, inventory_ne="null", sort="createdAt"):
        sums[id_of(row["inventory"])] += row["quantityChanged"]
    lots = admin.list_all(LOTS, sort="createdAt")
    lines = [
        f"{lot['inventoryNumber']} has {lot['quantity']}, the ledger says"
        f" {sums[lot['_id']]}"
        for lot in lots
        if lot["quantity"] < 0 or abs(lot["quantity"] - sums[lot["_id"]]) > 1e-6
    ]
    if not lots:
        lines.append("there are no lots, so the ledger was not checked")
    return lines
