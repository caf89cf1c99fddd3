"""Long random days in the store room: after every step the book is right."""

import random
from collections import Counter

import pytest

from glassflow.services.stock_check import differences
from storeroom import LOTS, TAKINGS, move, put_in, take

STEPS = 120
FINE = ("200", "201", "400", "409")

pytestmark = pytest.mark.slow


class Day:
    """Does one thing after the other, as chance will have it."""

    def __init__(self, api, workshop, chance):
        self.api, self.chance = api, chance
        self.glass = [str(workshop.material(reorder_point=8).pk) for _ in range(2)]

    def step(self):
        act = self.chance.choice(
            (self.put_in, self.take, self.change, self.move) * 3
            + (self.correct, self.decide, self.drop_lots, self.drop_takings)
        )
        answer = act()
        return f"{act.__name__} {answer.status if answer else '-'}"

    def some(self, path):
        return self.chance.choice(self.api.get(path, limit=100).data or [None])

    def amount(self):
        return self.chance.choice((1, 2, 5, 0.1, 2.75, 17))

    def put_in(self):
        where = f"A-{self.chance.randrange(4)}"
        kind = self.chance.choice(("Raw", "Reuse"))
        glass = self.chance.choice(self.glass)
        put_in(self.api, glass, self.amount(), where, stockType=kind)

    def take(self):
        lot = self.some(LOTS)
        named = lot and self.chance.random() < 0.3
        values = {"inventory": lot["_id"]} if named else {}
        return lot and take(self.api, lot, self.chance.randrange(1, 9), **values)

    def move(self):
        lot = self.some(LOTS)
        to = f"A-{self.chance.randrange(4)}"
        return lot and move(self.api, lot, self.amount(), to)

    def correct(self):
        lot = self.some(LOTS)
        change = self.chance.choice(
            (
                {"quantity": self.amount()},
                {"isActive": self.chance.random() < 0.7},
                {"material": self.chance.choice(self.glass)},
                {"stockType": self.chance.choice(("Raw", "Reuse"))},
            )
        )
        return lot and self.api.patch(f"{LOTS}/{lot['_id']}", change)

    def change(self):
        found = self.some(TAKINGS)
        change = self.chance.choice(
            (
                {"quantity": self.chance.randrange(1, 9)},
                {"quantity": self.chance.randrange(1, 9)},
                {"material": self.chance.choice(self.glass), "inventory": None},
                {"stockType": self.chance.choice(("Raw", "Reuse"))},
            )
        )
        return found and self.api.patch(f"{TAKINGS}/{found['_id']}", change)

    def decide(self):
        found = self.some(TAKINGS)
        word = self.chance.choice(("approved", "rejected"))
        return found and self.api.patch(f"{TAKINGS}/{found['_id']}", {"status": word})

    def drop_lots(self):
        return self._drop(LOTS)

    def drop_takings(self):
        return self._drop(TAKINGS)

    def _drop(self, path):
        found = [one for one in (self.some(path), self.some(path)) if one]
        ids = sorted({one["_id"] for one in found})
        return ids and self.api.delete(path, {"ids": ids})


@pytest.mark.parametrize("seed", range(3))
def test_a_day_of_anything_leaves_the_stock_as_the_book_says(admin, workshop, seed):
    day, done = Day(admin, workshop, random.Random(seed)), Counter()
    for number in range(STEPS):
        did = day.step()
        done[did] += 1
        assert [str(one) for one in differences()] == [], (number, did)
        lots = admin.get(LOTS, limit=100).data
        assert all(lot["quantity"] >= 0 for lot in lots), (number, did)
        assert all(held(one) == one["quantity"] for one in kept(admin)), (number, did)
    assert {did.rpartition(" ")[2] for did in done} <= {"-", *FINE}, done
    print(f"\n{dict(sorted(done.items()))}")


def kept(api):
    """The withdrawals that hold what they ask for."""
    return api.get(TAKINGS, status="pending,approved", limit=100).data


def held(withdrawal):
    return sum(one["quantity"] for one in withdrawal["allocations"])
