"""What is done with stock, each act once even where its answer got lost."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping

from demo.client import Api, NoAnswer, Record, Refused
from demo.expected import Ledger
from demo.heard import id_of
from demo.tally import Tally

LOTS, WITHDRAWALS = "/api/inventories", "/api/withdrawals"


class StockActs:
    """The storekeeper withdraws and moves, the manager takes in and decides."""

    def __init__(
        self, crew: Mapping[str, Api], *, ledger: Ledger, tally: Tally, run: str
    ) -> None:
        self.manager = crew["manager"]
        self.keeper = crew["somchai"]
        self.ledger = ledger
        self.tally = tally
        self.marks = (f"{run}-{n}" for n in itertools.count(1))

    def take_in(self, material: str, quantity: float) -> Record:
        """Take a new lot in."""
        place = f"IN-{next(self.marks)}"
        body = {"material": material, "stockType": "Raw", "quantity": quantity}
        lot = self.manager.make(
            LOTS,
            {**body, "location": place, "storageColor": "ฟ้า"},
            lambda: self.manager.all(LOTS, location=place),
        )
        self.ledger.changed("inventory:updated", "created", lot)
        return self._done("lots taken in", lot)

    def withdraw(self, material: str, quantity: int, **more: str) -> Record:
        """Take something out, in the keeper's name."""
        mark = next(self.marks)
        body = {"material": material, "quantity": quantity, "stockType": "Raw"}
        made = self.keeper.make(
            WITHDRAWALS,
            {**body, "notes": mark, **more},
            lambda: self.keeper.all(WITHDRAWALS, notes=mark),
        )
        self.ledger.changed("withdrawal:updated", "created", made)
        given = sum(one["quantity"] for one in made["allocations"])
        if given != quantity:
            self.tally.problem(f"{made['withdrawalNumber']} was given {given}")
        return self._done("withdrawals", made)

    def move(self, lot: Record, quantity: int) -> None:
        """Move a part of a lot to another place."""
        place = f"MV-{next(self.marks)}"
        body = {"quantity": quantity, "toLocation": place, "toStorageColor": "ขาว"}
        moved = self.keeper.make(
            f"{LOTS}/{lot['_id']}/move",
            body,
            lambda: self.keeper.all(LOTS, location=place),
        )
        if "target" in moved:  # else the answer got lost, and this is the new lot
            self.ledger.lot_moved(moved)
        self._done("lots moved", moved)

    def decide(self, withdrawal: Record, status: str) -> None:
        """Approve a withdrawal, or reject it."""
        decided = self.change(withdrawal, {"status": status})
        self._done(f"withdrawals {status}", decided)
        for given in decided["allocations"] if status == "approved" else ():
            self.ledger.lot_adjusted(id_of(given["inventory"]))

    def change(self, withdrawal: Record, body: Record) -> Record:
        """Change what a withdrawal says."""
        path = f"{WITHDRAWALS}/{withdrawal['_id']}"
        changed = self._until(
            lambda: self.manager.patch(path, **body),
            lambda: self._if_so(path, body),
        )
        self.ledger.changed("withdrawal:updated", "updated", changed)
        return self._done("withdrawals changed", changed)

    def _if_so(self, path: str, body: Record) -> Record | None:
        now: Record = self.manager.get(path)
        return now if body.items() <= now.items() else None

    def delete(self, withdrawal: Record) -> None:
        """Delete a withdrawal; what it holds goes back."""
        path = f"{WITHDRAWALS}/{withdrawal['_id']}"

        def act() -> Record:
            answer = self.manager.insist("DELETE", path)
            if not answer.ok:
                self.tally.problem(f"DELETE {path} answered {answer.status}")
            return withdrawal

        def gone() -> Record | None:
            try:
                self.manager.get(path)
            except Refused as refused:
                return withdrawal if refused.answer.status == 404 else None
            return None

        self._until(act, gone)
        self.ledger.changed("withdrawal:updated", "deleted", withdrawal)
        self._done("withdrawals deleted", withdrawal)

    def _until(
        self, act: Callable[[], Record], look: Callable[[], Record | None]
    ) -> Record:
        while True:
            try:
                return act()
            except NoAnswer:
                self.manager.wait_until_back()
                time.sleep(0.2)
                found = look()
                if found is not None:
                    return found

    def _done(self, what: str, record: Record) -> Record:
        self.tally.done[what] += 1
        return record
