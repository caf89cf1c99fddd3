"""A cascade is told record by record, once each, and not at all when it fails."""

from collections import Counter

import pytest

from glassflow.services import policy
from stories import line, units

EVERYWHERE = (
    "join_dashboard",
    "join_inventory",
    "join_station",
    "join_log",
    "join_request",
    "join_withdrawal",
    "join_order",
    "join_claim",
    "join_pane",
    "join_production",
)


@pytest.fixture
def cascade(app):
    before = policy.current()
    policy.configure(policy.Policy(delete_policy="cascade"))
    yield
    policy.configure(before)


@pytest.fixture
def told(admin, screen):
    """Counts what is heard of a deletion: `(event, action)`, and by which record."""
    watcher = screen(admin, *EVERYWHERE)

    def count(path, body=None, status=200):
        heard = watcher.during(
            admin, lambda: answers.append(admin.delete(f"/api/{path}", body))
        )
        assert answers[-1].status == status, answers[-1]
        whom = Counter((event, said["data"]["_id"]) for event, said in heard)
        return Counter((event, said["action"]) for event, said in heard), whom

    answers = []
    return count


def rich(admin, workshop):
    """An order of two panes with a claim, a withdrawal, and a lot that it took from."""
    day = line(admin, workshop, panes=2, steps=2)
    lot = {"material": day.material, "stockType": "Raw", "location": "A"}
    day.lot = admin.post("/api/inventories", {**lot, "quantity": 9}).data["_id"]
    body = {"material": day.material, "quantity": 2, "stockType": "Raw"}
    taken = {**body, "order": day.order["_id"]}
    day.withdrawal = admin.post("/api/withdrawals", taken).data["_id"]
    body = {
        "source": "worker",
        "material": day.material,
        "description": "แตก",
        "reportedBy": admin.id,
        "pane": day.panes[0]["_id"],
    }
    path = f"/api/orders/{day.order['_id']}/claims"
    day.claim = admin.post(path, body).data["_id"]
    return day


def test_everything_that_goes_with_a_customer_is_told_once(
    admin, workshop, cascade, told
):
    day = rich(admin, workshop)
    events, whom = told(f"customers/{day.customer}")
    assert events == {
        ("claim:updated", "deleted"): 1,
        ("withdrawal:updated", "deleted"): 1,
        ("pane:updated", "deleted"): 2,
        ("order:updated", "deleted"): 1,
        ("request:updated", "deleted"): 1,
        ("inventory:updated", "adjusted"): 1,  # what had been taken is back
        ("log:updated", "created"): 1,  # as the stock book says
    }
    assert set(whom.values()) == {1}


def test_everything_that_goes_with_a_material_is_told_once(
    admin, workshop, cascade, told
):
    day = rich(admin, workshop)
    events, whom = told(f"materials/{day.material}")
    assert events == {
        ("claim:updated", "deleted"): 1,
        ("withdrawal:updated", "deleted"): 1,
        ("pane:updated", "deleted"): 2,
        ("order:updated", "deleted"): 1,
        ("inventory:updated", "deleted"): 1,
        ("material:updated", "deleted"): 1,
        ("log:updated", "created"): 2,  # what came back, and what was left
    }
    assert set(whom.values()) == {1}


@pytest.mark.slow
def test_what_stays_and_is_changed_by_it_is_told_once(admin, workshop, cascade, told):
    day = rich(admin, workshop)
    body = {"panes": [pane["_id"] for pane in day.panes]}
    admin.patch(f"/api/withdrawals/{day.withdrawal}", body)
    admin.patch(f"/api/orders/{day.order['_id']}", {"claim": day.claim})
    events, whom = told(f"panes/{day.panes[0]['_id']}")
    assert events == {
        ("claim:updated", "deleted"): 1,
        ("pane:updated", "deleted"): 1,
        ("order:updated", "updated"): 1,  # its figures, and its claim
        ("withdrawal:updated", "updated"): 1,  # its panes
    }
    assert set(whom.values()) == {1}


def test_a_station_that_goes_is_told_with_all_that_is_led_past_it(
    admin, workshop, cascade, told
):
    day = line(admin, workshop, panes=3, steps=2)
    events, whom = told(f"stations/{day.stations[0]}")
    assert events == {
        ("pane:updated", "updated"): 3,
        ("order:updated", "updated"): 1,
        ("station:updated", "deleted"): 1,
    }
    assert set(whom.values()) == {1}


def test_a_unit_is_told_pane_by_pane(admin, workshop, told):
    day = units(admin, workshop, sheets=3)
    parent = admin.get(f"/api/panes/{day.parents[0]}").data["_id"]
    events, whom = told(f"panes/{parent}")
    assert events == {("pane:updated", "deleted"): 4, ("order:updated", "updated"): 1}
    assert set(whom.values()) == {1}


def test_a_pending_claim_that_goes_is_told_with_its_pane_and_order(
    admin, workshop, told
):
    day = rich(admin, workshop)
    events, whom = told(f"claims/{day.claim}")
    assert events == {
        ("claim:updated", "deleted"): 1,
        ("pane:updated", "updated"): 1,
        ("order:updated", "updated"): 1,
    }
    assert set(whom.values()) == {1}


def test_a_withdrawal_that_goes_is_told_with_its_lot(admin, workshop, told):
    day = rich(admin, workshop)
    events, whom = told(f"withdrawals/{day.withdrawal}")
    assert events == {
        ("withdrawal:updated", "deleted"): 1,
        ("inventory:updated", "adjusted"): 1,
        ("log:updated", "created"): 1,
    }
    assert set(whom.values()) == {1}


@pytest.mark.parametrize("status", [404, 409, 500])
def test_a_deletion_that_fails_is_not_told(admin, workshop, told, monkeypatch, status):
    day = rich(admin, workshop)
    body = None
    if status == 404:
        body = {"ids": [str(workshop.customer().pk), "0" * 24]}
    if status == 500:
        before = policy.current()
        policy.configure(policy.Policy(delete_policy="cascade"))
        target = "glassflow.services.deletion.order_progress.recount_orders"
        monkeypatch.setattr(target, lambda _: 1 / 0)
    path = "customers" if body else f"customers/{day.customer}"
    try:
        assert told(path, body, status) == (Counter(), Counter())
    finally:
        if status == 500:
            policy.configure(before)
