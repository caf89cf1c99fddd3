"""Imports of records with rules of their own: requests with panes, workers, claims."""

import json

import pytest
from mongoengine.connection import get_db

from factories import PASSWORD
from glassflow.core.events import event_log
from pictures import photo
from scenarios import order_with_panes
from tables_api import exported_rows, import_rows
from waiting import wait_until

FORMATS = ("csv", "xlsx")
REQUESTS, WORKERS, CLAIMS = "requests", "workers", "claims"


def counts(answer):
    return [answer.data[name] for name in ("created", "updated", "unchanged")]


def faults(answer):
    assert answer.status == 400, answer
    return [(one["row"], one["field"]) for one in answer.errors]


@pytest.fixture
def drawn(app):
    """The last number that each counter has given, once all events are published.

    The counter of events is raised later than events get their numbers.
    """

    def read():
        wait_until(app.extensions["realtime"].flush)
        seqs = {row["_id"]: row["seq"] for row in get_db()["counters"].find()}
        return seqs | {"events": event_log.last()}

    return read


@pytest.mark.parametrize("format", FORMATS)
def test_rows_below_a_request_are_its_panes(admin, workshop, drawn, format):
    workshop.customer(name="บ้านสวน")
    glass = workshop.material(name="Clear")
    stations = [str(one.pk) for one in workshop.stations(2)]
    names = [admin.get(f"/api/stations/{one}").data["name"] for one in stations]
    pane = {
        "panes.dimensions.width": 1200.5,
        "panes.dimensions.height": 800,
        "panes.routing.name": ", ".join(names),
        "panes.material.name": "Clear",
        "panes.quantity": 2,
    }
    rows = [
        {"customer.name": "บ้านสวน", "details.type": "window", "details.quantity": 3,
         **pane},
        {"panes.dimensions.width": 300, "panes.notes": "เจาะรู", "panes.quantity": None},
        {"customer.name": "บ้านสวน", "details.type": "door", "details.quantity": 1},
    ]  # fmt: skip
    rows = [dict.fromkeys(rows[0] | rows[1]) | row for row in rows]
    before = drawn()
    trial = import_rows(admin, REQUESTS, rows, format, dryRun=1)
    assert counts(trial) == [2, 0, 0], trial
    assert drawn() == before
    assert [(one["row"], one["action"]) for one in trial.data["rows"]] == [
        (2, "created"),
        (3, "created"),
        (4, "created"),
    ]
    assert trial.data["rows"][1]["changes"]["panes.notes"] == {
        "from": "",
        "to": "เจาะรู",
    }
    assert admin.get("/api/panes").data == []
    answer = import_rows(admin, REQUESTS, rows, format)
    assert counts(answer) == [2, 0, 0]
    first, second = (
        row["_id"] for row in answer.data["rows"] if row.get("_id") is not None
    )
    found = admin.get("/api/panes", request=first, sort="paneNumber").data
    assert [one["dimensions"]["width"] for one in found] == [1200.5, 1200.5, 300]
    assert [one["routing"] for one in found] == [stations, stations, []]
    assert [one["material"] for one in found] == [str(glass.pk), str(glass.pk), None]
    assert found[2]["notes"] == "เจาะรู"
    assert admin.get("/api/panes", request=second).data == []


def test_fault_of_a_pane_is_in_its_own_row(admin, workshop):
    workshop.customer(name="Aek")
    request = {"customer.name": "Aek", "details.type": "a", "details.quantity": 1}
    rows = [
        {**request, "panes.dimensions.width": "wide"},
        {"panes.dimensions.height": -1, "panes.material.name": "Nothing"},
        {"panes.quantity": 0},
        {**request, "details.quantity": "many", "panes.notes": "fine"},
    ]
    rows = [dict.fromkeys([n for row in rows for n in row], "") | row for row in rows]
    answer = import_rows(admin, REQUESTS, rows)
    assert sorted(faults(answer)) == [
        (2, "panes.dimensions.width"),
        (3, "panes.material.name"),
        (4, "panes.quantity"),
        (5, "details.quantity"),
    ]
    assert admin.get("/api/requests").data == []


def test_request_is_changed_without_its_panes(admin, workshop):
    job = order_with_panes(admin, workshop)
    (row,) = exported_rows(admin, REQUESTS)
    answer = import_rows(admin, REQUESTS, [row | {"panes.notes": "x"}])
    assert faults(answer) == [(2, "panes")]
    answer = import_rows(admin, REQUESTS, [row | {"notes": "ส่งเช้า"}])
    assert counts(answer) == [0, 1, 0]
    path = f"/api/requests/{job.request['_id']}"
    assert admin.get(path).data["notes"] == "ส่งเช้า"
    due = {"_id": row["_id"], "deadline": "2030-01-01"}
    assert counts(import_rows(admin, REQUESTS, [due])) == [0, 1, 0]
    moved = {**due, "deadline": "2030-01-02"}
    assert faults(import_rows(admin, REQUESTS, [moved])) == [
        (2, "deadlineChangeReason")
    ]
    moved["deadlineChangeReason"] = "ลูกค้าขอเลื่อน"
    assert counts(import_rows(admin, REQUESTS, [moved])) == [0, 1, 0]


@pytest.mark.parametrize("format", FORMATS)
def test_imported_worker_has_no_password_until_one_is_set(admin, workshop, format):
    known = workshop.worker_with("worker")
    new = {"username": "SomYing", "name": "สมหญิง", "position": "ช่างตัด"}
    rows = [
        {**new, "role.name": "Worker"},
        {"username": known.username.upper(), "name": "ใหม่", "position": "Floor",
         "role.name": "Worker"},
    ]  # fmt: skip
    answer = import_rows(admin, WORKERS, rows, format)
    assert counts(answer) == [1, 1, 0], answer
    path = f"/api/workers/{answer.data['rows'][0]['_id']}"
    made = admin.get(path).data
    assert (made["username"], made["isActive"]) == ("somying", True)
    for password in ("", PASSWORD, "None"):
        login = {"username": "somying", "password": password}
        assert admin.post("/api/auth/login", login).status in (400, 401)
    assert admin.patch(path, {"password": PASSWORD}).status == 200
    login = {"username": "somying", "password": PASSWORD}
    assert admin.post("/api/auth/login", login).status == 200
    assert admin.get(f"/api/workers/{known.pk}").data["name"] == "ใหม่"
    (fault,) = faults(import_rows(admin, WORKERS, [{**rows[0], "password": PASSWORD}]))
    assert fault == (1, "password")


def test_imported_worker_holds_no_more_than_who_imports(admin, client_with_keys):
    manager = client_with_keys("workers:manage", "roles:view")
    new = {"username": "x", "name": "x", "position": "x", "role.name": "Admin"}
    assert faults(import_rows(manager, WORKERS, [new])) == [(2, "")]
    (own,) = [row for row in exported_rows(admin, WORKERS) if row["_id"] == admin.id]
    row = {"_id": own["_id"], "name": "changed"}
    assert faults(import_rows(manager, WORKERS, [row])) == [(2, "")]
    assert client_with_keys("workers:view").worker
    refused = import_rows(client_with_keys("workers:view"), WORKERS, [new])
    assert refused.status == 403


@pytest.mark.parametrize("format", FORMATS)
def test_claims_are_made_of_panes_and_orders_and_keep_their_order(
    admin, workshop, format
):
    job = order_with_panes(admin, workshop, panes=3)
    other = order_with_panes(admin, workshop)
    common = {"source": "worker", "description": "ร้าว",
              "reportedBy.username": admin.worker.username}  # fmt: skip
    order, number = job.order["orderNumber"], job.numbers[0]
    material = admin.get(f"/api/materials/{job.material}").data["name"]
    rows = [
        {**common, "pane.paneNumber": number, "defectCode": "chipped"},
        {**common, "order.orderNumber": order, "material.name": material},
    ]
    names = dict.fromkeys(rows[0] | rows[1])
    answer = import_rows(admin, CLAIMS, [names | row for row in rows], format)
    assert counts(answer) == [2, 0, 0], answer
    of_pane, of_order = (
        admin.get(f"/api/claims/{row['_id']}").data for row in answer.data["rows"]
    )
    assert (of_pane["order"], of_pane["material"]) == (job.order["_id"], job.material)
    assert (of_order["order"], of_order["pane"]) == (job.order["_id"], None)
    assert admin.get(f"/api/panes/{number}").data["currentStatus"] == "claimed"

    path = f"/api/claims/{of_pane['_id']}"
    assert admin.patch(path, {"photos": [photo()]}).status == 200
    rows = exported_rows(admin, CLAIMS, format, sort="claimNumber")
    assert counts(import_rows(admin, CLAIMS, rows, format)) == [0, 0, 2]
    rows[0] |= {"description": "ร้าวมาก", "photos": "[]"}
    assert counts(import_rows(admin, CLAIMS, rows, format)) == [0, 1, 1]
    changed = admin.get(path).data
    assert (changed["description"], len(changed["photos"])) == ("ร้าวมาก", 1)
    moved = {"_id": of_order["_id"], "order.orderNumber": other.order["orderNumber"]}
    assert faults(import_rows(admin, CLAIMS, [moved])) == [(2, "order.orderNumber")]


def test_claims_in_a_file_follow_the_rules_of_single_ones(
    admin, workshop, client_with_keys
):
    job = order_with_panes(admin, workshop, panes=2)
    keys = ("claims:create", "orders:view", "panes:view", "workers:view")
    reporter = client_with_keys(*keys)
    row = {"source": "worker", "description": "x", "reportedBy": reporter.id,
           "pane.paneNumber": job.numbers[0]}  # fmt: skip
    wrong = [
        {**row, "reportedBy": admin.id},
        {**row, "status": "approved"},
        {**row, "pane.paneNumber": "PNE-0"},
        {**row, "pane.paneNumber": ""},
    ]
    for one in wrong:
        answer = import_rows(reporter, CLAIMS, [one])
        assert {number for number, _ in faults(answer)} == {2}, one
    assert counts(import_rows(reporter, CLAIMS, [row])) == [1, 0, 0]
    assert faults(import_rows(reporter, CLAIMS, [row])) == [(2, "")]  # is claimed
    (known,) = exported_rows(admin, CLAIMS)
    changed = {"_id": known["_id"], "description": "y"}
    assert faults(import_rows(reporter, CLAIMS, [changed])) == [(2, "")]


@pytest.mark.parametrize("dry_run", [0, 1])
def test_cells_that_no_record_can_hold_are_faults(admin, workshop, dry_run):
    workshop.customer(name="Aek")
    request = {"customer.name": "Aek", "details.type": "a", "details.quantity": 1}
    refused = {
        "details.estimatedPrice": "9" * 5000,
        "deadline": "0001-01-01",
        "expectedDeliveryDate": "9999-12-31T23:59:59-07:00",
        "panes.holes": "[" * 200 + "]" * 200,
        "panes.notches": f"[{'{},' * 500}{{}}]",
    }
    for field, cell in refused.items():
        answer = import_rows(admin, REQUESTS, [request | {field: cell}], dryRun=dry_run)
        assert answer.status == (200 if dry_run else 400), field
        found = answer.errors or answer.data["errors"]
        assert found[0]["row"] == 2
        assert found[0]["field"].startswith(field)
    assert admin.get("/api/requests").data == []


def test_one_dry_run_shows_every_row_that_a_rule_refuses(
    admin, workshop, client_with_keys
):
    """Of each kind that is created one by one, and of one that is created at once."""
    job = order_with_panes(admin, workshop)
    free, steps = workshop.station(name="Free"), [str(one) for one in job.stations]
    request = {"customer": job.customer, "details.type": "a", "details.quantity": 1}
    astray = {"currentStation": str(free.pk), "routing": json.dumps(steps)}
    of_request = {f"panes.{name}": cell for name, cell in astray.items()}
    manager = client_with_keys("workers:manage", "roles:view")
    worker = {"position": "x", "role.name": "Admin"}
    claim = {"source": "worker", "description": "x", "reportedBy": admin.id}
    code = {"name": "a", "code": "dup"}
    unnamed = [{"name": "b"}, {"name": "c", "code": "other"}, {"name": "d"}]
    files = [
        (admin, REQUESTS, [request | of_request, request, request | of_request]),
        (admin, "panes", [astray, {"routing": astray["routing"]}, astray]),
        (manager, WORKERS, [worker | {"username": n, "name": n} for n in "ab"]),
        (admin, CLAIMS, [claim | {"order": job.order["_id"], "material": one}
                         for one in (str(workshop.material().pk), job.material) * 2]),
        # a unique value that is taken ends the transaction of the dry run
        (admin, "job-types", [code, *({"code": "dup"} | one for one in unnamed)]),
    ]  # fmt: skip
    expected = [[2, 4], [2, 4], [2, 3], [2, 4], [3, 5]]
    for (api, name, rows), faulty in zip(files, expected, strict=True):
        before = admin.get(f"/api/{name}", limit=100).data
        names = dict.fromkeys([key for row in rows for key in row], "")
        trial = import_rows(api, name, [names | row for row in rows], dryRun=1)
        assert [one["row"] for one in trial.data["errors"]] == faulty, name
        actions = {one["row"]: one["action"] for one in trial.data["rows"]}
        others = {row for row, action in actions.items() if action == "created"}
        assert (trial.data["created"], trial.data["faults"]) == (
            len(others),
            len(faulty),
        )
        assert others == set(range(2, len(rows) + 2)) - set(faulty)
        assert import_rows(api, name, [names | row for row in rows]).status == 400
        assert admin.get(f"/api/{name}", limit=100).data == before
