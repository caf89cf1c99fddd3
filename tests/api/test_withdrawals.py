"""Withdrawals: stored and read; what they do to the stock is not there yet."""

import pytest

PATH = "/api/withdrawals"


@pytest.fixture
def taking(workshop):
    """The body of a new withdrawal."""
    return {
        "material": str(workshop.material().pk),
        "quantity": 2,
        "stockType": "Raw",
    }


def test_a_worker_withdraws_in_their_own_name(worker, taking):
    made = worker.post(PATH, taking).data
    assert made["withdrawalNumber"].startswith("WDW-")
    assert made["withdrawnBy"] == worker.id
    assert made["status"] == "pending"
    assert made["withdrawnDate"] == made["createdAt"]
    assert (made["panes"], made["allocations"]) == ([], [])
    assert worker.get(f"{PATH}/{made['_id']}").data == made


def test_another_name_needs_to_manage(worker, manager, taking):
    assert worker.post(PATH, {**taking, "withdrawnBy": manager.id}).status == 403
    assert worker.post(PATH, {**taking, "withdrawnBy": worker.id}).status == 201
    made = manager.post(PATH, {**taking, "withdrawnBy": worker.id}).data
    assert made["withdrawnBy"] == worker.id


def test_the_stock_is_not_touched_yet(admin, taking):
    lot = {"stockType": "Raw", "quantity": 3, "location": "A-01"}
    stored = admin.post(
        "/api/inventories", {**lot, "material": taking["material"]}
    ).data
    admin.post(PATH, {**taking, "inventory": stored["_id"]})
    assert admin.get(f"/api/inventories/{stored['_id']}").data == stored
    assert len(admin.get("/api/material-logs").data) == 1


@pytest.mark.parametrize(
    "change", [{"status": "approved"}, {"status": "rejected"}, {"quantity": 3}]
)
def test_what_would_move_stock_is_not_there_yet(admin, taking, change):
    made = admin.post(PATH, taking).data
    path = f"{PATH}/{made['_id']}"
    answer = admin.patch(path, {**change, "notes": "x"})
    assert (answer.status, answer.body["success"]) == (501, False)
    assert admin.get(path).data == made


def test_a_decision_cannot_be_made_with_the_withdrawal(admin, worker, taking):
    assert worker.post(PATH, {**taking, "status": "approved"}).status == 403
    assert admin.post(PATH, {**taking, "status": "approved"}).status == 501
    assert admin.get(PATH).data == []


def test_notes_change_and_what_is_sent_back_unchanged_does_no_harm(admin, taking):
    made = admin.post(PATH, taking).data
    path = f"{PATH}/{made['_id']}"
    answer = admin.patch(path, {**made, "notes": "ด่วน"})
    assert answer.data["notes"] == "ด่วน"
    assert "warnings" not in answer.body


def test_withdrawals_are_filtered_and_read_with_names(admin, worker, taking):
    mine = worker.post(PATH, taking).data
    admin.post(PATH, taking)
    found = admin.get(PATH, withdrawnBy=worker.id, populate="true").data
    assert [row["_id"] for row in found] == [mine["_id"]]
    assert found[0]["material"]["_id"] == taking["material"]
    assert set(found[0]["withdrawnBy"]) == {"_id", "name", "username", "position"}


def test_a_worker_cannot_change_or_delete_one(worker, admin, taking):
    made = worker.post(PATH, taking).data
    path = f"{PATH}/{made['_id']}"
    assert worker.patch(path, {"notes": "x"}).status == 403
    assert worker.delete(path).status == 403
    assert admin.delete(path).status == 200


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"material": None}, "material"),
        ({"quantity": 0}, "quantity"),
        ({"quantity": 1.5}, "quantity"),
        ({"quantity": "2"}, "quantity"),
        ({"stockType": None}, "stockType"),
        ({"stockType": "New"}, "stockType"),
        ({"status": "done"}, "status"),
        ({"panes": [1]}, "panes.0"),
        ({"withdrawnDate": "today"}, "withdrawnDate"),
    ],
)
def test_bad_input_is_refused(admin, taking, change, field):
    assert list(admin.post(PATH, {**taking, **change}).faults) == [field]
