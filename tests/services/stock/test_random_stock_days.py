"""Random changes of the stock: after every step it matches the ledger."""

import random
from collections import Counter

import pytest

from glassflow.services.stock.audit import differences
from sizes import size
from stock_api import LOTS, WITHDRAWALS, create_lot, move_part, withdraw

DAYS = size(1, long=3)
STEPS = size(90, long=120)
POSSIBLE_STATUSES = ("200", "201", "400", "409")

pytestmark = [pytest.mark.sized, pytest.mark.slow]


class RandomChanges:
    """Makes one random change after the other."""

    def __init__(self, api, workshop, rng):
        self.api, self.rng = api, rng
        self.glass = [str(workshop.material(reorder_point=8).pk) for _ in range(2)]

    def step(self):
        act = self.rng.choice(
            (self.create_lot, self.withdraw, self.change, self.move_part) * 3
            + (self.correct, self.decide, self.delete_lots, self.delete_withdrawals)
        )
        answer = act()
        return f"{act.__name__} {answer.status if answer else '-'}"

    def some(self, path):
        return self.rng.choice(self.api.get(path, limit=100).data or [None])

    def amount(self):
        return self.rng.choice((1, 2, 5, 0.1, 2.75, 17))

    def create_lot(self):
        where = f"A-{self.rng.randrange(4)}"
        kind = self.rng.choice(("Raw", "Reuse"))
        glass = self.rng.choice(self.glass)
        create_lot(self.api, glass, self.amount(), where, stockType=kind)

    def withdraw(self):
        lot = self.some(LOTS)
        named = lot and self.rng.random() < 0.3
        values = {"inventory": lot["_id"]} if named else {}
        return lot and withdraw(self.api, lot, self.rng.randrange(1, 9), **values)

    def move_part(self):
        lot = self.some(LOTS)
        to = f"A-{self.rng.randrange(4)}"
        return lot and move_part(self.api, lot, self.amount(), to)

    def correct(self):
        lot = self.some(LOTS)
        change = self.rng.choice(
            (
                {"quantity": self.amount()},
                {"isActive": self.rng.random() < 0.7},
                {"material": self.rng.choice(self.glass)},
                {"stockType": self.rng.choice(("Raw", "Reuse"))},
            )
        )
        return lot and self.api.patch(f"{LOTS}/{lot['_id']}", change)

    def change(self):
        found = self.some(WITHDRAWALS)
        change = self.rng.choice(
            (
                {"quantity": self.rng.randrange(1, 9)},
                {"quantity": self.rng.randrange(1, 9)},
                {"material": self.rng.choice(self.glass), "inventory": None},
                {"stockType": self.rng.choice(("Raw", "Reuse"))},
            )
        )
        return found and self.api.patch(f"{WITHDRAWALS}/{found['_id']}", change)

    def decide(self):
        found = self.some(WITHDRAWALS)
        status = self.rng.choice(("approved", "rejected"))
        return found and self.api.patch(
            f"{WITHDRAWALS}/{found['_id']}", {"status": status}
        )

    def delete_lots(self):
        return self._delete(LOTS)

    def delete_withdrawals(self):
        return self._delete(WITHDRAWALS)

    def _delete(self, path):
        found = [one for one in (self.some(path), self.some(path)) if one]
        ids = sorted({one["_id"] for one in found})
        return ids and self.api.delete(path, {"ids": ids})


@pytest.mark.parametrize("seed", range(DAYS))
def test_stock_matches_the_ledger_after_random_changes(admin, workshop, seed):
    changes, done = RandomChanges(admin, workshop, random.Random(seed)), Counter()
    for number in range(STEPS):
        did = changes.step()
        done[did] += 1
        assert [str(one) for one in differences()] == [], (number, did)
        lots = admin.get(LOTS, limit=100).data
        assert all(lot["quantity"] >= 0 for lot in lots), (number, did)
        assert all(held(one) == one["quantity"] for one in holding(admin)), (
            number,
            did,
        )
    assert {did.rpartition(" ")[2] for did in done} <= {"-", *POSSIBLE_STATUSES}, done


def holding(api):
    """The withdrawals that hold stock."""
    return api.get(WITHDRAWALS, status="pending,approved", limit=100).data


def held(withdrawal):
    return sum(one["quantity"] for one in withdrawal["allocations"])
