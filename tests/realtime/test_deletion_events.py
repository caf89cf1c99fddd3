"""A deletion publishes each affected record once, and nothing when it fails."""

from collections import Counter

import pytest

from lookups import pane_of
from scenarios import claim_under_order, order_with_panes, order_with_units

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
def cascade(set_policy):
    set_policy(delete_policy="cascade")


@pytest.fixture
def count_events(admin, screen):
    """Counts the events of a deletion: by `(event, action)`, and by record."""
    watcher = screen(admin, *EVERYWHERE)

    def count(path, body=None, status=200):
        received = watcher.events_during(
            admin, lambda: answers.append(admin.delete(f"/api/{path}", body))
        )
        assert answers[-1].status == status, answers[-1]
        by_record = Counter(
            (event, payload["data"]["_id"]) for event, payload in received
        )
        return Counter(
            (event, payload["action"]) for event, payload in received
        ), by_record

    answers = []
    return count


def order_with_dependents(admin, workshop):
    """An order of two panes with a claim, a withdrawal and the lot of it."""
    job = order_with_panes(admin, workshop, panes=2, steps=2)
    lot = {"material": job.material, "stockType": "Raw", "location": "A"}
    job.lot = admin.post("/api/inventories", {**lot, "quantity": 9}).data["_id"]
    body = {"material": job.material, "quantity": 2, "stockType": "Raw"}
    taken = {**body, "order": job.order["_id"]}
    job.withdrawal = admin.post("/api/withdrawals", taken).data["_id"]
    job.claim = claim_under_order(admin, job)["_id"]
    return job


def test_deleting_a_customer_publishes_each_deleted_record_once(
    admin, workshop, cascade, count_events
):
    job = order_with_dependents(admin, workshop)
    events, by_record = count_events(f"customers/{job.customer}")
    assert events == {
        ("claim:updated", "deleted"): 1,
        ("withdrawal:updated", "deleted"): 1,
        ("pane:updated", "deleted"): 2,
        ("order:updated", "deleted"): 1,
        ("request:updated", "deleted"): 1,
        ("inventory:updated", "adjusted"): 1,  # the withdrawal is returned
        ("log:updated", "created"): 1,  # the ledger entry
    }
    assert set(by_record.values()) == {1}


def test_deleting_a_material_publishes_each_deleted_record_once(
    admin, workshop, cascade, count_events
):
    job = order_with_dependents(admin, workshop)
    events, by_record = count_events(f"materials/{job.material}")
    assert events == {
        ("claim:updated", "deleted"): 1,
        ("withdrawal:updated", "deleted"): 1,
        ("pane:updated", "deleted"): 2,
        ("order:updated", "deleted"): 1,
        ("inventory:updated", "deleted"): 1,
        ("material:updated", "deleted"): 1,
        ("log:updated", "deleted"): 2,  # the import and the withdrawal
    }
    assert set(by_record.values()) == {1}


@pytest.mark.slow
def test_records_that_a_deletion_changes_are_published_once(
    admin, workshop, cascade, count_events
):
    job = order_with_dependents(admin, workshop)
    body = {"panes": [pane["_id"] for pane in job.panes]}
    admin.patch(f"/api/withdrawals/{job.withdrawal}", body)
    admin.patch(f"/api/orders/{job.order['_id']}", {"claim": job.claim})
    events, by_record = count_events(f"panes/{job.panes[0]['_id']}")
    assert events == {
        ("claim:updated", "deleted"): 1,
        ("pane:updated", "deleted"): 1,
        ("order:updated", "updated"): 1,  # its figures, and its claim
        ("withdrawal:updated", "updated"): 1,  # its panes
    }
    assert set(by_record.values()) == {1}


def test_deleting_a_station_publishes_each_rerouted_pane_once(
    admin, workshop, cascade, count_events
):
    job = order_with_panes(admin, workshop, panes=3, steps=2)
    events, by_record = count_events(f"stations/{job.stations[0]}")
    assert events == {
        ("pane:updated", "updated"): 3,
        ("order:updated", "updated"): 1,
        ("station:updated", "deleted"): 1,
    }
    assert set(by_record.values()) == {1}


def test_deleting_a_unit_publishes_each_pane_once(admin, workshop, count_events):
    job = order_with_units(admin, workshop, sheets=3)
    parent = pane_of(admin, job.parents[0])["_id"]
    events, by_record = count_events(f"panes/{parent}")
    assert events == {("pane:updated", "deleted"): 4, ("order:updated", "updated"): 1}
    assert set(by_record.values()) == {1}


def test_deleting_a_pending_claim_publishes_its_pane_and_order(
    admin, workshop, count_events
):
    job = order_with_dependents(admin, workshop)
    events, by_record = count_events(f"claims/{job.claim}")
    assert events == {
        ("claim:updated", "deleted"): 1,
        ("pane:updated", "updated"): 1,
        ("order:updated", "updated"): 1,
    }
    assert set(by_record.values()) == {1}


def test_deleting_a_withdrawal_publishes_its_lot(admin, workshop, count_events):
    job = order_with_dependents(admin, workshop)
    events, by_record = count_events(f"withdrawals/{job.withdrawal}")
    assert events == {
        ("withdrawal:updated", "deleted"): 1,
        ("inventory:updated", "adjusted"): 1,
        ("log:updated", "created"): 1,
    }
    assert set(by_record.values()) == {1}


@pytest.mark.parametrize("status", [404, 409, 500])
def test_failed_deletion_publishes_nothing(
    admin, workshop, count_events, monkeypatch, set_policy, status
):
    job = order_with_dependents(admin, workshop)
    body = None
    if status == 404:
        body = {"ids": [str(workshop.customer().pk), "0" * 24]}
    if status == 500:
        set_policy(delete_policy="cascade")
        target = "glassflow.services.order_figures.recount_all"
        monkeypatch.setattr(target, lambda _: 1 / 0)
    path = "customers" if body else f"customers/{job.customer}"
    assert count_events(path, body, status) == (Counter(), Counter())
