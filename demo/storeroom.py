"""The store room's day: opened, a round for each material, and one that runs low."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from demo.client import Answer, Api, NoAnswer, Record
from demo.expected import Ledger
from demo.heard import id_of
from demo.stock_acts import LOTS, WITHDRAWALS, StockActs
from demo.tally import Tally

MARGIN = 60  # units above the reorder point that the day begins with
TOO_MANY = 1_000_000


class StoreRoom(StockActs):
    """What the storekeeper and the manager do with the stock all day."""

    def __init__(
        self,
        crew: Mapping[str, Api],
        materials: Iterable[str],
        *,
        ledger: Ledger,
        tally: Tally,
        run: str,
    ) -> None:
        """`materials` are the ids of what the day's jobs are made of."""
        super().__init__(crew, ledger=ledger, tally=tally, run=run)
        self.materials = list(dict.fromkeys(materials))
        self.told = [api.id for api in crew.values() if api.may("inventory:manage")]

    def open(self) -> None:
        """Take in what is missing, before anybody needs it."""
        held: dict[str, float] = {}
        for lot in self.manager.all(LOTS, isActive="true"):
            material = id_of(lot["material"])
            held[material] = held.get(material, 0) + lot["quantity"]
        for material in self.materials:
            wanted = self.manager.get(f"/api/materials/{material}")["reorderPoint"]
            if held.get(material, 0) < wanted + MARGIN:
                self.take_in(material, wanted + MARGIN)

    def tend(self) -> None:
        """Do a round for each material, and one with a film that runs low."""
        try:
            for material in self.materials:
                self.round(material)
            self.run_low()
        except Exception as error:  # told in the report, and the others go on
            self.tally.problem(f"store room: {error!r}")

    def round(self, material: str) -> None:
        """Withdraw in every way there is, give back, and move a part of a lot."""
        lot = self.take_in(material, 20)
        self.decide(self.withdraw(material, 5), "approved")
        self.decide(self.withdraw(material, 4), "rejected")
        named = self.withdraw(material, 6, inventory=lot["_id"])
        self.change(named, {"quantity": 2})
        kept = self.withdraw(material, 3)
        self.delete(self.change(kept, {"quantity": 1}))
        self.move(lot, 4)
        self._wrongly(material, lot, named)
        self.decide(named, "approved")

    def run_low(self) -> None:
        """A film of the day's own goes below its reorder point, twice, by withdrawals."""
        mark = next(self.marks)
        body = {"code": f"FLM-{mark}", "name": f"ฟิล์ม {mark}", "unit": "ม้วน"}
        film = self.manager.make(
            "/api/materials",
            {**body, "reorderPoint": 5},
            lambda: self.manager.all("/api/materials", code=body["code"]),
        )
        self.ledger.changed("material:updated", "created", film)
        self.take_in(film["_id"], 8)
        first = self.withdraw(film["_id"], 4)
        self.ledger.stock_low(film["_id"], self.told)
        self.withdraw(film["_id"], 1)  # low already: nobody is told again
        self.decide(first, "rejected")
        self.withdraw(film["_id"], 3)
        self.ledger.stock_low(film["_id"], self.told)

    def _wrongly(self, material: str, lot: Record, withdrawal: Record) -> None:
        """What has to be refused, and to change nothing."""
        far = {"quantity": TOO_MANY, "toLocation": "Z", "stockType": "Raw"}
        path = f"{WITHDRAWALS}/{withdrawal['_id']}"
        for kind, status, send in (
            ("withdrawal of too much", 400, ("POST", WITHDRAWALS, far)),
            ("move of too much", 400, ("POST", f"{LOTS}/{lot['_id']}/move", far)),
            ("keeper decides", 403, ("PATCH", path, {"status": "approved"})),
        ):
            method, where, body = send
            self.tally.wrong(kind, self._try(method, where, material, body), status)

    def _try(self, method: str, path: str, material: str, body: Record) -> Answer:
        named = {"material": material} if path == WITHDRAWALS else {}
        while True:
            try:
                return self.keeper.insist(method, path, {**body, **named})
            except NoAnswer:
                self.keeper.wait_until_back()
