"""Stock: the lots, withdrawals and moves of a day, and the check of the stock ledger."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable

from demo.client import Api, Record
from demo.panes import id_of
from demo.workshop import Workshop

LOTS, WITHDRAWALS = "/api/inventories", "/api/withdrawals"
MATERIALS, LEDGER = "/api/materials", "/api/material-logs"
RESERVE = 60  # units above the reorder point that each material starts with
TOO_MUCH = 1_000_000


class StockKeeping:
    """The keeper withdraws and moves stock; the manager adds lots and decides."""

    def __init__(self, workshop: Workshop, materials: Iterable[str]) -> None:
        """`materials` are the ids of the materials that the day's jobs need."""
        self.report = workshop.report
        self.manager = workshop.manager
        self.keeper = workshop.logins["somchai"]
        self.materials = list(dict.fromkeys(materials))
        self._unique = (f"{workshop.run_id}-{n}" for n in itertools.count(1))

    def fill_up(self) -> None:
        """Add lots until each material has `RESERVE` above its reorder point."""
        in_stock: Counter[str] = Counter()
        for lot in self.manager.list_all(LOTS, isActive="true"):
            in_stock[id_of(lot["material"])] += lot["quantity"]
        for material in self.materials:
            reorder_point = self.manager.get(f"{MATERIALS}/{material}")["reorderPoint"]
            if in_stock[material] < reorder_point + RESERVE:
                self._add_lot(material, reorder_point + RESERVE)

    def run(self) -> None:
        """Withdraw and move stock of each material, and decide the withdrawals."""
        for material in self.materials:
            self._use(material)

    def _use(self, material: str) -> None:
        lot = self._add_lot(material, 20)
        self._decide(self._withdraw(material, 5), "approved")
        self._decide(self._withdraw(material, 4), "rejected")
        from_lot = self._withdraw(material, 6, inventory=lot["_id"])
        self.manager.patch(_path(from_lot), quantity=2)
        self.manager.delete(_path(self._withdraw(material, 3)))
        self.report.actions["withdrawals deleted"] += 1
        self._move(lot, 4)
        too_much = {"material": material, "quantity": TOO_MUCH, "stockType": "Raw"}
        response = self.keeper.send("POST", WITHDRAWALS, too_much)
        self.report.expect_refusal("withdrawal of too much", response, 400)
        self._decide(from_lot, "approved")

    def _add_lot(self, material: str, quantity: float) -> Record:
        self.report.actions["lots created"] += 1
        lot: Record = self.manager.post(
            LOTS,
            material=material,
            stockType="Raw",
            quantity=quantity,
            location=f"IN-{next(self._unique)}",
            storageColor="ฟ้า",
        )
        return lot

    def _withdraw(self, material: str, quantity: int, **fields: str) -> Record:
        """Create a withdrawal as the keeper, and check that it got the quantity."""
        self.report.actions["withdrawals"] += 1
        body = {"material": material, "quantity": quantity, "stockType": "Raw"}
        withdrawal: Record = self.keeper.post(WITHDRAWALS, **body, **fields)
        allocated = sum(part["quantity"] for part in withdrawal["allocations"])
        if allocated != quantity:
            number = withdrawal["withdrawalNumber"]
            self.report.problems.append(
                f"{number} got {allocated} instead of {quantity}"
            )
        return withdrawal

    def _move(self, lot: Record, quantity: int) -> None:
        """Move part of a lot to another location."""
        self.report.actions["lots moved"] += 1
        self.keeper.post(
            f"{LOTS}/{lot['_id']}/move",
            quantity=quantity,
            toLocation=f"MV-{next(self._unique)}",
            toStorageColor="ขาว",
        )

    def _decide(self, withdrawal: Record, status: str) -> None:
        """Set the status of a withdrawal to `approved` or `rejected`."""
        self.manager.patch(_path(withdrawal), status=status)
        self.report.actions[f"withdrawals {status}"] += 1


def _path(withdrawal: Record) -> str:
    return f"{WITHDRAWALS}/{withdrawal['_id']}"


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
