"""Material logs: manual ones beside the ledger entries of the service."""

import pytest

PATH = "/api/material-logs"


@pytest.fixture
def entry(workshop):
    """The body of a note."""
    return {
        "material": str(workshop.material().pk),
        "actionType": "cut",
        "quantityChanged": -2.5,
    }


def test_manual_log_is_created_changed_and_deleted(admin, entry):
    made = admin.post(PATH, entry).data
    assert (made["totalPrice"], made["panes"]) == (0, [])
    path = f"{PATH}/{made['_id']}"
    assert admin.get(path).data == made
    assert admin.patch(path, {"totalPrice": 120}).data["totalPrice"] == 120
    assert admin.delete(path).status == 200
    assert admin.get(PATH).data == []


def test_manual_logs_reference_other_records(admin, entry, workshop):
    pane = workshop.make("Pane", pane_number="PNE-0009")
    parent = admin.post(PATH, entry).data
    body = {
        **entry,
        "panes": [str(pane.pk)],
        "parentLog": parent["_id"],
        "worker": admin.id,
        "referenceId": "CLM-0001",
        "referenceType": "claim",
    }
    made = admin.post(PATH, body).data
    assert {name: made[name] for name in body} == body
    found = admin.get(f"{PATH}/{made['_id']}", populate="panes,worker").data
    assert found["panes"][0]["paneNumber"] == "PNE-0009"
    assert found["worker"]["_id"] == admin.id
    assert found["parentLog"] == parent["_id"]


def test_logs_are_filtered_by_material(admin, entry, workshop):
    made = admin.post(PATH, entry).data
    admin.post(PATH, {**entry, "material": str(workshop.material().pk)})
    found = admin.get(PATH, materialId=entry["material"]).data
    assert [row["_id"] for row in found] == [made["_id"]]


def test_entries_of_the_service_cannot_be_changed_or_deleted(admin, entry):
    lot = {"stockType": "Raw", "quantity": 3, "location": "A-01"}
    admin.post("/api/inventories", {**lot, "material": entry["material"]})
    (written,) = admin.get(PATH).data
    note = admin.post(PATH, entry).data
    path = f"{PATH}/{written['_id']}"
    assert admin.patch(path, {"quantityChanged": 5}).status == 409
    assert admin.delete(path).status == 409
    assert admin.delete(PATH, {"ids": [note["_id"], written["_id"]]}).status == 409
    assert len(admin.get(PATH).data) == 2


def test_manual_log_cannot_be_marked_as_written_by_the_service(admin, entry):
    made = admin.post(PATH, {**entry, "byService": True})
    assert [warning["field"] for warning in made.body["warnings"]] == ["byService"]
    assert admin.delete(f"{PATH}/{made.data['_id']}").status == 200


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"material": ""}, "material"),
        ({"actionType": "steal"}, "actionType"),
        ({"quantityChanged": None}, "quantityChanged"),
        ({"quantityChanged": "1"}, "quantityChanged"),
        ({"referenceType": "order"}, "referenceType"),
        ({"stockType": "New"}, "stockType"),
        ({"panes": "PNE-0001"}, "panes"),
        ({"panes": ["PNE-0001"]}, "panes.0"),
    ],
)
def test_bad_input_is_refused(admin, entry, change, field):
    assert list(admin.post(PATH, {**entry, **change}).faults) == [field]


def test_worker_can_read_logs_and_cannot_write_them(worker, entry):
    assert worker.get(PATH).data == []
    assert worker.post(PATH, entry).status == 403
