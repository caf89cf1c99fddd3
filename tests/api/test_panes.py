"""Panes: created, read, corrected, and counted by station."""

import pytest

from lookups import order_of
from scenarios import order_with_panes, order_with_units

GEOMETRY = {
    "dimensions": {"width": 400, "height": 300.5, "thickness": 6},
    "rawGlass": {
        "glassType": "Clear",
        "color": "ใส",
        "thickness": 6,
        "sheetsPerPane": 1,
    },
    "notches": [{"id": "n1", "type": "rectangle", "x": 0, "y": 0, "width": 5}],
    "processes": ["ตัด", "เจียร"],
    "cornerSpec": "R5",
}


def test_pane_keeps_its_description(admin):
    made = admin.post("/api/panes", GEOMETRY).data
    assert made["dimensions"] == {**GEOMETRY["dimensions"], "area": 400 * 300.5}
    for name in ("rawGlass", "processes", "cornerSpec"):
        assert made[name] == GEOMETRY[name]
    assert (made["laminateRole"], made["routeIndex"]) == ("single", 0)
    path = f"/api/panes/{made['_id']}"
    wider = admin.patch(path, {"dimensions": {"width": 500}}).data["dimensions"]
    assert wider == {"width": 500, "height": 300.5, "thickness": 6, "area": 150250}


def test_pane_starts_at_its_given_station(admin, workshop):
    one, two, three = (str(station.pk) for station in workshop.stations(3))
    body = {"routing": [one, two, one], "currentStation": two}
    made = admin.post("/api/panes", body).data
    assert (made["currentStation"], made["routeIndex"]) == (two, 1)
    off = admin.post("/api/panes", {"routing": [one], "currentStation": three})
    assert (off.status, off.errors["code"]) == (400, "STATION_NOT_ON_ROUTE")
    loose = admin.post("/api/panes", {"currentStation": three}).data
    assert (loose["currentStation"], loose["currentStatus"]) == (three, "pending")


def test_correction_is_logged_with_before_and_after(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=3)
    pane = job.panes[0]
    path = f"/api/panes/{pane['_id']}"
    assert worker.patch(path, {"currentStation": job.stations[2]}).status == 403
    moved = admin.patch(path, {"currentStation": job.stations[2]}).data
    assert (moved["currentStation"], moved["routeIndex"]) == (job.stations[2], 2)
    (log,) = admin.get("/api/pane-logs", action="correction").data
    assert (log["worker"], log["pane"]) == (admin.id, pane["_id"])
    assert log["before"]["currentStation"] == job.stations[0]
    assert log["after"]["currentStation"] == job.stations[2]
    order = order_of(admin, job.order)
    assert order["stationBreakdown"] == {job.stations[2]: 1}
    admin.patch(path, {"notes": "no correction", "currentStation": job.stations[2]})
    assert len(admin.get("/api/pane-logs", action="correction").data) == 1


def test_correction_is_logged_with_its_reason(admin, workshop):
    job = order_with_panes(admin, workshop, steps=2)
    path = f"/api/panes/{job.panes[0]['_id']}"
    body = {"currentStation": job.stations[1], "correctionReason": "ข้ามสถานี"}
    changed = admin.patch(path, body)
    assert "correctionReason" not in changed.data
    assert "warnings" not in changed.body
    (log,) = admin.get("/api/pane-logs", action="correction").data
    assert log["reason"] == "ข้ามสถานี"
    admin.patch(path, {"notes": "x", "correctionReason": "no correction"})
    assert len(admin.get("/api/pane-logs", action="correction").data) == 1


def test_correction_completes_a_pane_and_reopens_it(admin, workshop):
    job = order_with_panes(admin, workshop, steps=2)
    path = f"/api/panes/{job.panes[0]['_id']}"
    done = admin.patch(path, {"currentStatus": "completed"}).data
    assert (done["currentStation"], done["routeIndex"]) == (None, 2)
    assert done["completedAt"]
    order = f"/api/orders/{job.order['_id']}"
    assert admin.get(order).data["status"] == "completed"
    back = {"currentStatus": "pending", "currentStation": job.stations[1]}
    again = admin.patch(path, back).data
    assert (again["completedAt"], again["routeIndex"]) == (None, 1)
    assert admin.get(order).data["status"] == "in_progress"


@pytest.mark.parametrize(
    "change",
    [
        {"currentStatus": "merged_into"},
        {"currentStatus": "claimed"},
        {"currentStatus": "flying"},
        {"currentStation": None},
        {"currentStation": "0" * 24},
        {"routing": ["0" * 24]},
        {"order": "0" * 24},
    ],
)
def test_invalid_correction_changes_nothing(admin, workshop, change):
    job = order_with_panes(admin, workshop)
    path = f"/api/panes/{job.panes[0]['_id']}"
    assert admin.patch(path, change).status == 400
    assert admin.get(path).data == job.panes[0]
    assert admin.get("/api/pane-logs").data == []


def test_pane_that_changes_its_order_is_counted_in_the_new_one(admin, workshop):
    first = order_with_panes(admin, workshop, panes=2)
    second = order_with_panes(admin, workshop, customer=first.customer)
    path = f"/api/panes/{first.panes[0]['_id']}"
    admin.patch(path, {"order": second.order["_id"]})

    def count(job):
        return order_of(admin, job.order)["paneCount"]

    assert (count(first), count(second)) == (2, 2)  # the first has a quantity of two


def test_pending_counts_list_pending_panes_by_order_and_request(
    admin, worker, workshop
):
    one, two = (
        order_with_panes(admin, workshop, panes=3),
        order_with_panes(admin, workshop, panes=1),
    )
    here = one.stations[0]

    def counts(**query):
        return worker.get("/api/panes/pending-counts", **query).data

    row = {"order": one.order["_id"], "request": one.request["_id"]}
    assert counts(station=here) == [{**row, "count": 3}]
    for action in ("scan_in", "complete"):  # nor while it is worked on
        worker.scan(one.numbers[0], action)
        assert counts(station=here) == [{**row, "count": 2}]
    worker.scan(one.numbers[0], "scan_out")  # pending at the next station
    assert [entry["count"] for entry in counts()] == [3, 1]
    assert counts()[1]["order"] == two.order["_id"]
    assert counts(station="") == counts()


def test_pending_counts_leave_out_cancelled_work(admin, worker, workshop):
    jobs = [order_with_panes(admin, workshop) for _ in range(3)]
    kept, ordered, requested = jobs
    admin.patch(f"/api/orders/{ordered.order['_id']}", {"status": "cancelled"})
    path = f"/api/requests/{requested.request['_id']}"
    admin.patch(path, {"status": "cancelled"})
    # stored by a release that left the panes of cancelled orders open
    pane = {"pane_number": "PNE-9001", "qr_code": "x", "order": ordered.order["_id"]}
    workshop.make("Pane", **pane)
    rows = worker.get("/api/panes/pending-counts").data
    assert [row["order"] for row in rows] == [kept.order["_id"]]
    admin.patch(path, {"status": "pending"})
    rows = worker.get("/api/panes/pending-counts").data
    assert {row["order"] for row in rows} == {
        kept.order["_id"],
        requested.order["_id"],
    }


def test_pending_counts_have_panes_without_order_and_count_sheets_not_parents(
    admin, worker, workshop
):
    alone = admin.post("/api/panes", {}).data
    assert alone["currentStatus"] == "pending"
    assert worker.get("/api/panes/pending-counts").data == [
        {"order": None, "request": None, "count": 1}
    ]
    job = order_with_units(admin, workshop, sheets=2)
    assert worker.get("/api/panes/pending-counts").data[0] == {
        "order": job.order["_id"],
        "request": job.request["_id"],
        "count": 2,
    }


def test_pending_counts_treat_their_station_as_lists_do(admin, worker, workshop):
    order_with_panes(admin, workshop)
    for station, status in (("x", 400), ("0" * 24, 200)):
        found = worker.get("/api/panes/pending-counts", station=station)
        listed = worker.get("/api/panes", station=station)
        assert found.status == listed.status == status
    assert found.data == listed.data == []


def test_dimensions_of_zero_are_not_measured_yet(admin):
    unmeasured = {"width": 0, "height": 0, "thickness": 0}
    body = {"dimensions": unmeasured, "rawGlass": {"thickness": 0}}
    made = admin.post("/api/panes", body).data
    assert made["dimensions"] == {**unmeasured, "area": 0}
    assert made["rawGlass"]["thickness"] == 0
    path = f"/api/panes/{made['_id']}"
    wrong = admin.patch(path, {"dimensions": {"width": -1}})
    assert set(wrong.faults) == {"dimensions.width"}


def test_timeline_has_pane_and_material_entries_oldest_first(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1)
    note = {
        "material": job.material,
        "actionType": "cut",
        "quantityChanged": -1,
        "panes": [job.panes[0]["_id"]],
    }
    worker.scan(job.numbers[0], "scan_in")
    admin.post("/api/material-logs", note)
    worker.scan(job.numbers[0], "complete")
    for query in ({"materialId": job.material}, {"paneNumber": job.numbers[0].lower()}):
        found = worker.get("/api/pane-logs/timeline", **query).data
        kinds = [(one["type"], one.get("action")) for one in found]
        assert kinds == [("pane", "scan_in"), ("material", None), ("pane", "complete")]
    assert worker.get("/api/pane-logs/timeline").status == 400
    assert worker.get("/api/pane-logs/timeline", paneNumber="PNE-0").status == 404
    assert worker.get("/api/pane-logs/timeline", materialId="0" * 24).status == 404


def test_pane_logs_are_read_only(admin, worker, workshop):
    job = order_with_panes(admin, workshop)
    worker.scan(job.numbers[0], "scan_in")
    (log,) = admin.get("/api/pane-logs").data
    path = f"/api/pane-logs/{log['_id']}"
    assert admin.get(path).data == log
    for method in ("POST", "DELETE"):
        assert admin.call(method, "/api/pane-logs", json={}).status == 405
    for method in ("PATCH", "DELETE", "PUT"):
        assert admin.call(method, path, json={}).status == 405


def test_changed_dimension_changes_the_area(admin):
    made = admin.post("/api/panes", {"dimensions": {"width": 10, "height": 20}}).data
    path = f"/api/panes/{made['_id']}"
    assert admin.patch(path, {"dimensions": {"width": 30}}).data["dimensions"][
        "area"] == 600  # fmt: skip
    sent = admin.patch(path, {"dimensions": {"area": 1}}).data
    assert sent["dimensions"]["area"] == 600
    gone = admin.patch(path, {"dimensions": {"width": None}}).data
    assert not gone["dimensions"].get("area")


def warned(answer):
    assert answer.status == 200, answer
    return {one["field"]: one["message"] for one in answer.body.get("warnings", ())}


def test_pane_sent_back_as_it_was_read_causes_no_warnings(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=2)
    worker.scan(job.numbers[0], "scan_in")
    path = f"/api/panes/{job.numbers[0]}"
    for populate in ("false", "true"):
        read = admin.get(path, populate=populate).data
        if populate == "true":
            read = {name: read[name] for name in ("remakeOf", "childPanes", "qrCode")}
        assert warned(admin.patch(path, read)) == {}


def test_server_owned_field_of_a_pane_that_differs_is_ignored_with_a_warning(admin):
    pane = admin.post("/api/panes", {"dimensions": {"width": 2, "height": 3}}).data
    path = f"/api/panes/{pane['_id']}"
    body = {
        "paneNumber": "PNE-9999",
        "routeIndex": 7,
        "startedAt": "2026-01-01T00:00:00.000Z",
        "dimensions": {"area": 5},
        "sheetLabel": "",
        "qrCode": pane["qrCode"],
        "notes": "mine",
    }
    answer = admin.patch(path, body)
    names = {"paneNumber", "routeIndex", "startedAt", "dimensions.area"}
    assert warned(answer) == dict.fromkeys(names, "Set by the service, ignored")
    assert answer.data["notes"] == "mine"
    for name in ("paneNumber", "routeIndex", "startedAt"):
        assert answer.data[name] == pane[name]
    assert answer.data["dimensions"]["area"] == 6
    strict = {"Prefer": "handling=strict"}
    refused = admin.patch(path, {"routeIndex": 7}, headers=strict)
    assert refused.faults == {"routeIndex": "Set by the service"}


def test_panes_are_filtered_by_the_customer_of_their_request_or_order(
    admin, client_with_keys, workshop
):
    job, other = order_with_panes(admin, workshop), order_with_panes(admin, workshop)
    body = {"customer": job.customer, "details": {"type": "door", "quantity": 1}}
    admin.post("/api/requests", {**body, "panes": [{}]})  # of no order yet

    def listed(api=admin, customer=job.customer, **query):
        return api.get("/api/panes", customer=customer, **query)

    assert len(listed().data) == 2
    assert listed(request=job.request["_id"]).data == job.panes
    assert listed(request=other.request["_id"]).data == []
    assert listed(sort="paneNumber", limit=1, page=2).body["pagination"]["total"] == 2
    assert listed(customer="0" * 24).data == []
    assert list(listed(customer="x").faults) == ["customer"]
    assert len(listed(customer="").data) == 3

    order = {"customer": job.customer, "material": job.material, "quantity": 1}
    lone = admin.post("/api/orders", order).data["_id"]
    admin.post("/api/panes", {"order": lone})
    assert len(listed().data) == 3
    counts = {
        "requests:view": 2, "orders:view": 2, "customers:view": 403,
    }  # fmt: skip
    for key, count in counts.items():
        answer = listed(client_with_keys("panes:view", key))
        assert (answer.status if count == 403 else len(answer.data)) == count, key


def test_pane_takes_the_request_and_material_of_the_order_it_is_made_in(
    admin, workshop
):
    job = order_with_panes(admin, workshop)
    owned = {"request": job.request["_id"], "material": job.material}
    order, other = {"order": job.order["_id"]}, str(workshop.material().pk)
    one = admin.post("/api/panes", order).data
    (many,) = admin.post("/api/panes", {"items": [{**order, "material": other}]}).data
    assert {name: one[name] for name in owned} == owned
    assert many["request"] == job.request["_id"]
    assert many["material"] == other  # it keeps its own
    listed = admin.get("/api/panes", request=job.request["_id"]).data
    assert len(listed) == 3


def test_pane_that_moves_into_an_order_takes_its_request(admin, workshop):
    job = order_with_panes(admin, workshop)
    other = order_with_panes(admin, workshop, customer=job.customer)
    path = f"/api/panes/{job.panes[0]['_id']}"
    moved = admin.patch(path, {"order": other.order["_id"]}).data
    assert moved["request"] == other.request["_id"]
    assert moved["material"] == job.material
    # cancelling the request that it has left does not cancel it
    admin.patch(f"/api/requests/{job.request['_id']}", {"status": "cancelled"})
    assert admin.get(path).data["currentStatus"] == "pending"


def test_pane_does_not_stand_in_the_work_of_two_customers(admin, workshop):
    job, other = order_with_panes(admin, workshop), order_with_panes(admin, workshop)
    path = f"/api/panes/{job.panes[0]['_id']}"
    mixed = {"order": job.order["_id"], "request": other.request["_id"]}
    refused = [
        admin.post("/api/panes", mixed),
        admin.post("/api/panes", {"items": [{}, mixed]}),
        admin.patch(path, {"order": other.order["_id"]}),
        admin.patch(path, {"request": other.request["_id"]}),
    ]
    for answer in refused:
        assert (answer.status, answer.errors["code"]) == (409, "OTHER_CUSTOMER")
    assert refused[1].errors["index"] == 1
    assert admin.get(path).data == job.panes[0]
    both = {"order": other.order["_id"], "request": other.request["_id"]}
    assert admin.patch(path, both).status == 200


def test_panes_follow_their_order_to_another_request(admin, workshop):
    job = order_with_panes(admin, workshop, panes=2)
    other = order_with_panes(admin, workshop)
    third = order_with_panes(admin, workshop, customer=job.customer)
    order = f"/api/orders/{job.order['_id']}"
    kept = f"/api/panes/{job.panes[1]['_id']}"
    admin.patch(kept, {"request": third.request["_id"]})
    both = {"request": other.request["_id"], "customer": other.customer}
    refused = admin.patch(order, both)  # the second pane is of the first customer
    assert (refused.status, refused.errors["code"]) == (409, "OTHER_CUSTOMER")
    admin.patch(kept, {"request": job.request["_id"]})
    assert admin.patch(order, both).status == 200
    for pane in job.panes:
        found = admin.get(f"/api/panes/{pane['_id']}").data
        assert found["request"] == other.request["_id"]
