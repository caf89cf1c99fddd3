"""Concurrent changes of the same stock: nothing is withdrawn or returned twice."""

from collections import Counter
from functools import partial

import pytest

from concurrency import (
    CLIENTS,
    FEW_ROUNDS,
    ROUNDS,
    count_refusals,
    create_clients,
    run_concurrently,
)
from stock_api import (
    LEDGER,
    LOTS,
    WITHDRAWALS,
    assert_stock_matches_ledger,
    create_lot,
    move_part,
    quantities_of,
    withdraw,
)

pytestmark = [pytest.mark.sized, pytest.mark.slow]


@pytest.fixture
def manager_clients(server, workshop):
    """Clients of twenty different managers."""
    return create_clients(server, workshop, "manager")


def race(calls):
    """Run `(function, *arguments)` calls concurrently; return their answers."""
    return run_concurrently(partial(*call) for call in calls)


def successes(answers):
    return [one for one in answers if one.status in (200, 201)]


def refusals(answers):
    return set(count_refusals(answers))


def posted(api, lot, action):
    rows = api.get(LEDGER, inventory=lot["_id"], actionType=action, limit=100).data
    return [row["quantityChanged"] for row in rows]


SHORT = {(400, "INSUFFICIENT_STOCK")}
FINAL = {(400, "WITHDRAWAL_DECIDED")}


def test_last_quantity_of_a_lot_is_withdrawn_once(admin, workshop, manager_clients):
    for _ in range(ROUNDS):
        lot = create_lot(admin, workshop.material(), 1)
        answers = race([(withdraw, api, lot, 1) for api in manager_clients])
        assert (len(successes(answers)), refusals(answers)) == (1, SHORT)
        assert (quantities_of(admin, lot), posted(admin, lot, "withdraw")) == (
            [0],
            [-1],
        )
    assert_stock_matches_ledger()


def test_last_quantity_of_a_lot_is_moved_once(admin, workshop, manager_clients):
    for _ in range(ROUNDS):
        lot = create_lot(admin, workshop.material(), 1)
        answers = race(
            [
                (move_part, api, lot, 1, f"B-{n}")
                for n, api in _numbered(manager_clients)
            ]
        )
        assert (len(successes(answers)), refusals(answers)) == (1, SHORT)
        assert (quantities_of(admin, lot), posted(admin, lot, "move")) == ([0], [-1])
        lots = admin.get(LOTS, material=lot["material"]).data
        assert sorted(one["quantity"] for one in lots) == [0, 1]
    assert_stock_matches_ledger()


def test_concurrent_moves_to_a_location_create_one_lot(
    admin, workshop, manager_clients
):
    for _ in range(FEW_ROUNDS):
        glass = workshop.material()
        lots = [
            create_lot(admin, glass, 3, f"A-{n}") for n, _ in _numbered(manager_clients)
        ]
        answers = race(
            [
                (move_part, api, lot, 2, "B")
                for api, lot in zip(manager_clients, lots, strict=True)
            ]
        )
        assert len(successes(answers)) == CLIENTS
        (met,) = admin.get(LOTS, material=str(glass.pk), location="B").data
        assert met["quantity"] == 2 * CLIENTS
        assert set(quantities_of(admin, *lots)) == {1}
    assert_stock_matches_ledger()


def test_withdrawal_is_approved_or_rejected_and_never_both(
    admin, workshop, manager_clients
):
    outcomes = Counter()
    for _ in range(ROUNDS):
        lot = create_lot(admin, workshop.material(), 5)
        path = f"{WITHDRAWALS}/{withdraw(admin, lot, 4).data['_id']}"
        statuses = ("approved", "rejected")
        answers = race(
            [
                (api.patch, path, {"status": statuses[n % 2]})
                for n, api in _numbered(manager_clients)
            ]
        )
        (only,) = successes(answers)
        assert refusals(answers) == FINAL
        left = {"approved": 1, "rejected": 5}[only.data["status"]]
        assert admin.get(path).data["status"] == only.data["status"]
        assert quantities_of(admin, lot) == [left]
        outcomes[only.data["status"]] += 1
    assert_stock_matches_ledger()


def test_withdrawal_deleted_concurrently_returns_its_stock_once(
    admin, workshop, manager_clients
):
    for _ in range(ROUNDS):
        lot = create_lot(admin, workshop.material(), 5)
        path = f"{WITHDRAWALS}/{withdraw(admin, lot, 4).data['_id']}"
        answers = race([(api.delete, path) for api in manager_clients])
        assert (len(successes(answers)), refusals(answers)) == (1, {(404, None)})
        assert (quantities_of(admin, lot), sorted(posted(admin, lot, "withdraw"))) == (
            [5],
            [-4, 4],
        )
    assert_stock_matches_ledger()


def test_concurrently_changed_quantity_is_that_of_one_request(
    admin, workshop, manager_clients
):
    for _ in range(ROUNDS):
        lot = create_lot(admin, workshop.material(), 15)
        path = f"{WITHDRAWALS}/{withdraw(admin, lot, 5).data['_id']}"
        answers = race(
            [
                (api.patch, path, {"quantity": n + 1})
                for n, api in _numbered(manager_clients)
            ]
        )
        assert refusals(answers) <= SHORT
        has = admin.get(path).data["quantity"]
        assert has in {one.data["quantity"] for one in successes(answers)}
        assert quantities_of(admin, lot) == [15 - has]
    assert_stock_matches_ledger()


def test_concurrent_withdrawals_below_the_reorder_point_send_one_notification(
    admin, manager, workshop, manager_clients
):
    for _ in range(ROUNDS):
        glass = workshop.material(reorder_point=11)
        lots = [create_lot(admin, glass, 6, f"A-{n}") for n in range(2)]
        answers = race(
            [
                (_withdraw_named, api, lot)
                for api, lot in zip(manager_clients, lots, strict=False)
            ]
        )
        assert len(successes(answers)) == 2
        notifications = admin.get(
            "/api/notifications", recipient=manager.id, type="low_stock"
        )
        assert [row["referenceId"] for row in notifications.data].count(
            str(glass.pk)
        ) == 1
    assert_stock_matches_ledger()


def test_concurrent_changes_of_all_kinds_leave_the_ledger_balanced(
    admin, workshop, manager_clients
):
    statuses = Counter()
    for _ in range(FEW_ROUNDS):
        glass = workshop.material(reorder_point=12)
        one, two = (create_lot(admin, glass, 9, f"A-{n}") for n in range(2))
        first, second = (withdraw(admin, one, 4).data["_id"] for _ in range(2))
        acts = (
            lambda api, lot=one: withdraw(api, lot, 3),
            lambda api, lot=two: move_part(api, lot, 2, "A-0"),
            lambda api, lot=one: move_part(api, lot, 1, "B"),
            lambda api, lot=one: api.patch(f"{LOTS}/{lot['_id']}", {"quantity": 6}),
            lambda api, lot=two: api.delete(f"{LOTS}/{lot['_id']}"),
            lambda api, lot=two: api.patch(f"{LOTS}/{lot['_id']}", {"isActive": False}),
            lambda api, one=first: api.patch(f"{WITHDRAWALS}/{one}", {"quantity": 2}),
            lambda api, one=first: api.patch(
                f"{WITHDRAWALS}/{one}", {"status": "approved"}
            ),
            lambda api, one=second: api.patch(f"{WITHDRAWALS}/{one}", {"quantity": 7}),
            lambda api, one=second: api.delete(f"{WITHDRAWALS}/{one}"),
        )
        answers = race(
            [(acts[n % len(acts)], api) for n, api in _numbered(manager_clients)]
        )
        statuses.update(one.status for one in answers)
        assert_stock_matches_ledger()
        lots = admin.get(LOTS, material=str(glass.pk)).data
        assert all(lot["quantity"] >= 0 for lot in lots)
    assert set(statuses) <= {200, 201, 400, 404, 409}


def _numbered(manager_clients):
    return list(enumerate(manager_clients))


def _withdraw_named(api, lot):
    return withdraw(api, lot, 1, inventory=lot["_id"])
