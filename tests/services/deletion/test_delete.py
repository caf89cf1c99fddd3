"""A delete changes each record that stays once, however many reasons there are."""

import pytest

from glassflow.models.order import Order
from glassflow.models.withdrawal import Withdrawal
from scenarios import order_with_panes, order_with_units


@pytest.fixture
def cascade(set_policy):
    set_policy(delete_policy="cascade")


def version_of(model, record_id):
    return model.objects(pk=record_id).first().version


def added_versions(model, record_id, call):
    """Count the versions that a call adds to a record."""
    before = version_of(model, record_id)
    answer = call()
    assert answer.status == 200, answer
    return version_of(model, record_id) - before


def claim_for(admin, job, pane):
    body = {
        "source": "worker",
        "material": job.material,
        "description": "แตก",
        "reportedBy": admin.id,
        "pane": pane,
    }
    return admin.post(f"/api/orders/{job.order['_id']}/claims", body).data["_id"]


@pytest.mark.parametrize("count", [1, 2])
def test_deleted_panes_change_their_order_once(admin, workshop, count):
    job = order_with_panes(admin, workshop, panes=3, quantity=1)
    ids = {"ids": [pane["_id"] for pane in job.panes[:count]]}
    order = job.order["_id"]
    added = added_versions(Order, order, lambda: admin.delete("/api/panes", ids))
    assert added == 1
    assert admin.get(f"/api/orders/{order}").data["paneCount"] == 3 - count


def test_one_deleted_pane_changes_its_order_once(admin, workshop):
    job = order_with_panes(admin, workshop, panes=2)
    path, order = f"/api/panes/{job.panes[0]['_id']}", job.order["_id"]
    assert added_versions(Order, order, lambda: admin.delete(path)) == 1


def test_a_deleted_unit_changes_its_order_once(admin, workshop):
    job = order_with_units(admin, workshop, sheets=2)
    path, order = f"/api/panes/{job.parents[0]}", job.order["_id"]
    assert added_versions(Order, order, lambda: admin.delete(path)) == 1


def test_panes_of_several_orders_change_each_order_once(admin, workshop):
    days = [order_with_panes(admin, workshop, panes=2, quantity=1) for _ in range(3)]
    before = [version_of(Order, job.order["_id"]) for job in days]
    body = {"ids": [job.panes[0]["_id"] for job in days]}
    assert admin.delete("/api/panes", body).data == {"deletedCount": 3}
    after = [version_of(Order, job.order["_id"]) for job in days]
    assert after == [version + 1 for version in before]
    for job in days:
        order = admin.get(f"/api/orders/{job.order['_id']}").data
        assert order["paneCount"] == 1
        assert order["stationBreakdown"] == {job.stations[0]: 1}


def test_a_pane_deleted_with_the_claim_of_its_order_changes_the_order_once(
    admin, workshop, cascade
):
    job = order_with_panes(admin, workshop, panes=2, quantity=1)
    path = f"/api/orders/{job.order['_id']}"
    claim = claim_for(admin, job, job.panes[0]["_id"])
    assert admin.patch(path, {"claim": claim}).data["claim"] == claim
    pane = f"/api/panes/{job.panes[0]['_id']}"
    assert added_versions(Order, job.order["_id"], lambda: admin.delete(pane)) == 1
    order = admin.get(path).data
    assert (order["paneCount"], order["claim"]) == (1, None)


def test_a_deleted_pending_claim_changes_its_order_once(admin, workshop):
    job = order_with_panes(admin, workshop)
    claim = claim_for(admin, job, job.panes[0]["_id"])
    path, order = f"/api/claims/{claim}", job.order["_id"]
    assert added_versions(Order, order, lambda: admin.delete(path)) == 1


def test_panes_of_a_withdrawal_are_taken_off_it_at_once(admin, workshop):
    job = order_with_panes(admin, workshop, panes=3)
    lot = {"material": job.material, "stockType": "Raw", "location": "A"}
    admin.post("/api/inventories", {**lot, "quantity": 9})
    ids = [pane["_id"] for pane in job.panes]
    body = {"material": job.material, "quantity": 2, "stockType": "Raw", "panes": ids}
    taken = admin.post("/api/withdrawals", body).data["_id"]
    gone = {"ids": ids[:2]}
    added = added_versions(Withdrawal, taken, lambda: admin.delete("/api/panes", gone))
    assert added == 1
    assert admin.get(f"/api/withdrawals/{taken}").data["panes"] == ids[2:]


def test_an_unknown_id_comes_before_an_entry_that_has_to_stay(admin, workshop):
    lot = {"material": str(workshop.material().pk), "stockType": "Raw", "quantity": 2}
    admin.post("/api/inventories", {**lot, "location": "A"})
    (entry,) = admin.get("/api/material-logs").data
    both = admin.delete("/api/material-logs", {"ids": [entry["_id"], "0" * 24]})
    assert (both.status, both.message) == (404, "Material log not found")
    alone = admin.delete("/api/material-logs", {"ids": [entry["_id"]]})
    assert (alone.status, alone.errors["code"]) == (409, "IMMUTABLE_LOG")
