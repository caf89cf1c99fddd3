"""Many at the same stock at once, over real HTTP: nothing is taken or returned twice."""

import time
from collections import Counter
from functools import partial

import pytest

from crowd import CLIENTS, ROUNDS, at_once, gather
from storeroom import BOOK, LOTS, TAKINGS, assert_balanced, move, on, put_in, take

pytestmark = pytest.mark.slow


@pytest.fixture
def crowd(server, workshop):
    """Twenty managers with a client each."""
    return gather(server, workshop, "manager")


@pytest.fixture
def race(request):
    """Makes calls at once, `(function, *arguments)` each; prints the figures."""
    counts, started = Counter(), time.monotonic()

    def run(calls):
        answers = at_once(partial(*call) for call in calls)
        counts.update(str(one.status) for one in answers)
        return answers

    yield run
    took = time.monotonic() - started
    print(f"\n{request.node.name}: {dict(counts)} in {took:.1f} s")


def won(answers):
    return [one for one in answers if one.status in (200, 201)]


def refusals(answers):
    return {
        (one.status, (one.errors or {}).get("code"))
        for one in answers
        if one.status not in (200, 201)
    }


def booked(api, lot, action):
    rows = api.get(BOOK, inventory=lot["_id"], actionType=action, limit=100).data
    return [row["quantityChanged"] for row in rows]


SHORT = {(400, "INSUFFICIENT_STOCK")}
FINAL = {(400, "WITHDRAWAL_DECIDED")}


def test_the_last_of_the_stock_is_withdrawn_once(admin, workshop, crowd, race):
    for _ in range(ROUNDS):
        lot = put_in(admin, workshop.material(), 1)
        answers = race([(take, api, lot, 1) for api in crowd])
        assert (len(won(answers)), refusals(answers)) == (1, SHORT)
        assert (on(admin, lot), booked(admin, lot, "withdraw")) == ([0], [-1])
    assert_balanced()


def test_the_last_of_a_lot_is_moved_once(admin, workshop, crowd, race):
    for _ in range(ROUNDS):
        lot = put_in(admin, workshop.material(), 1)
        answers = race([(move, api, lot, 1, f"B-{n}") for n, api in _each(crowd)])
        assert (len(won(answers)), refusals(answers)) == (1, SHORT)
        assert (on(admin, lot), booked(admin, lot, "move")) == ([0], [-1])
        lots = admin.get(LOTS, material=lot["material"]).data
        assert sorted(one["quantity"] for one in lots) == [0, 1]
    assert_balanced()


def test_moves_to_one_new_place_meet_in_one_lot(admin, workshop, crowd, race):
    for _ in range(ROUNDS // 4):
        glass = workshop.material()
        lots = [put_in(admin, glass, 3, f"A-{n}") for n, _ in _each(crowd)]
        answers = race(
            [(move, api, lot, 2, "B") for api, lot in zip(crowd, lots, strict=True)]
        )
        assert len(won(answers)) == CLIENTS
        (met,) = admin.get(LOTS, material=str(glass.pk), location="B").data
        assert met["quantity"] == 2 * CLIENTS
        assert set(on(admin, *lots)) == {1}
    assert_balanced()


def test_a_withdrawal_is_approved_or_rejected_not_both(admin, workshop, crowd, race):
    outcomes = Counter()
    for _ in range(ROUNDS):
        lot = put_in(admin, workshop.material(), 5)
        path = f"{TAKINGS}/{take(admin, lot, 4).data['_id']}"
        words = ("approved", "rejected")
        answers = race(
            [(api.patch, path, {"status": words[n % 2]}) for n, api in _each(crowd)]
        )
        (only,) = won(answers)
        assert refusals(answers) == FINAL
        left = {"approved": 1, "rejected": 5}[only.data["status"]]
        assert admin.get(path).data["status"] == only.data["status"]
        assert on(admin, lot) == [left]
        outcomes[only.data["status"]] += 1
    assert_balanced()
    print(f"\n{dict(outcomes)}")


def test_a_withdrawal_deleted_by_all_gives_back_once(admin, workshop, crowd, race):
    for _ in range(ROUNDS):
        lot = put_in(admin, workshop.material(), 5)
        path = f"{TAKINGS}/{take(admin, lot, 4).data['_id']}"
        answers = race([(api.delete, path) for api in crowd])
        assert (len(won(answers)), refusals(answers)) == (1, {(404, None)})
        assert (on(admin, lot), sorted(booked(admin, lot, "withdraw"))) == (
            [5],
            [-4, 4],
        )
    assert_balanced()


def test_one_quantity_changed_by_all_is_that_of_one_of_them(
    admin, workshop, crowd, race
):
    for _ in range(ROUNDS):
        lot = put_in(admin, workshop.material(), 15)
        path = f"{TAKINGS}/{take(admin, lot, 5).data['_id']}"
        answers = race(
            [(api.patch, path, {"quantity": n + 1}) for n, api in _each(crowd)]
        )
        assert refusals(answers) <= SHORT
        has = admin.get(path).data["quantity"]
        assert has in {one.data["quantity"] for one in won(answers)}
        assert on(admin, lot) == [15 - has]
    assert_balanced()


def test_a_reorder_point_crossed_by_two_at_once_is_told_once(
    admin, manager, workshop, crowd, race
):
    for _ in range(ROUNDS):
        glass = workshop.material(reorder_point=11)
        lots = [put_in(admin, glass, 6, f"A-{n}") for n in range(2)]
        answers = race(
            [(_take_of, api, lot) for api, lot in zip(crowd, lots, strict=False)]
        )
        assert len(won(answers)) == 2
        told = admin.get("/api/notifications", recipient=manager.id, type="low_stock")
        assert [row["referenceId"] for row in told.data].count(str(glass.pk)) == 1
    assert_balanced()


def test_all_kinds_of_changes_at_once_leave_the_book_right(
    admin, workshop, crowd, race
):
    statuses = Counter()
    for _ in range(ROUNDS // 4):
        glass = workshop.material(reorder_point=12)
        one, two = (put_in(admin, glass, 9, f"A-{n}") for n in range(2))
        first, second = (take(admin, one, 4).data["_id"] for _ in range(2))
        acts = (
            lambda api, lot=one: take(api, lot, 3),
            lambda api, lot=two: move(api, lot, 2, "A-0"),
            lambda api, lot=one: move(api, lot, 1, "B"),
            lambda api, lot=one: api.patch(f"{LOTS}/{lot['_id']}", {"quantity": 6}),
            lambda api, lot=two: api.delete(f"{LOTS}/{lot['_id']}"),
            lambda api, lot=two: api.patch(f"{LOTS}/{lot['_id']}", {"isActive": False}),
            lambda api, one=first: api.patch(f"{TAKINGS}/{one}", {"quantity": 2}),
            lambda api, one=first: api.patch(
                f"{TAKINGS}/{one}", {"status": "approved"}
            ),
            lambda api, one=second: api.patch(f"{TAKINGS}/{one}", {"quantity": 7}),
            lambda api, one=second: api.delete(f"{TAKINGS}/{one}"),
        )
        answers = race([(acts[n % len(acts)], api) for n, api in _each(crowd)])
        statuses.update(one.status for one in answers)
        assert_balanced()
        lots = admin.get(LOTS, material=str(glass.pk)).data
        assert all(lot["quantity"] >= 0 for lot in lots)
    assert set(statuses) <= {200, 201, 400, 404, 409}


def _each(crowd):
    return list(enumerate(crowd))


def _take_of(api, lot):
    return take(api, lot, 1, inventory=lot["_id"])
