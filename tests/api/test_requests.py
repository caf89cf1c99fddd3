"""Requests: made with their panes or not at all, moved in time, cancelled."""

import pytest

from stories import line, through


@pytest.fixture
def body(workshop):
    return {
        "customer": str(workshop.customer().pk),
        "details": {"type": "window", "quantity": 2},
    }


def test_a_request_brings_its_panes_along(admin, workshop, body):
    station = str(workshop.station().pk)
    panes = [
        {
            "routing": [station],
            "dimensions": {"width": 900, "height": 1200, "thickness": 6},
            "holes": [{"id": "h1", "x": 10, "y": 20, "diameter": 8}],
            "edgeTasks": [{"side": "top", "edgeProfile": "flat"}],
            "notes": "ระวังแตก",
        },
        {"routing": []},
        {},
    ]
    made = admin.post("/api/requests", {**body, "panes": panes}).data
    assert made["details"] == {**body["details"], "estimatedPrice": 0}
    assert made["status"] == "pending"
    found = admin.get("/api/panes", request=made["_id"], sort="paneNumber").data
    routed, nothing_to_do, unrouted = found
    assert (routed["currentStation"], routed["currentStatus"]) == (station, "pending")
    assert routed["dimensions"]["area"] == 900 * 1200
    assert routed["holes"][0]["type"] == "circle"
    assert routed["edgeTasks"][0]["status"] == "pending"
    assert routed["qrCode"] == f"STDPLUS:{routed['paneNumber']}"
    assert (nothing_to_do["currentStatus"], nothing_to_do["currentStation"]) == (
        "completed",
        None,
    )
    assert (unrouted["currentStatus"], unrouted["currentStation"]) == ("pending", None)


@pytest.mark.parametrize(
    ("pane", "status"),
    [
        ({"routing": ["0" * 24]}, 400),
        ({"material": "0" * 24}, 400),
        ({"dimensions": {"width": -1}}, 400),
        ({"holes": [{"x": 1, "y": 1}]}, 400),
        ({"rawGlass": {"sheetsPerPane": 0}}, 400),
    ],
)
def test_one_bad_pane_and_nothing_is_made(admin, workshop, body, pane, status):
    answer = admin.post("/api/requests", {**body, "panes": [{}, pane, {}]})
    assert answer.status == status, answer
    assert admin.get("/api/requests").data == []
    assert admin.get("/api/panes").data == []


def test_a_pane_off_its_route_is_refused_and_nothing_is_made(admin, workshop, body):
    here, there = (str(one.pk) for one in workshop.stations(2))
    panes = [{}, {"routing": [here], "currentStation": there}]
    answer = admin.post("/api/requests", {**body, "panes": panes})
    assert (answer.status, answer.errors["code"]) == (400, "STATION_NOT_ON_ROUTE")
    assert admin.get("/api/requests").data == []
    assert admin.get("/api/panes").data == []


def test_a_changed_deadline_needs_its_reason(admin, body):
    first = {**body, "deadline": "2026-12-01T00:00:00Z"}
    path = f"/api/requests/{admin.post('/api/requests', first).data['_id']}"
    later = {"deadline": "2026-12-24T18:00:00+07:00"}
    assert set(admin.patch(path, later).faults) == {"deadlineChangeReason"}
    assert admin.patch(path, {"deliveryLocation": "ชลบุรี"}).status == 200
    changed = admin.patch(path, {**later, "deadlineChangeReason": "ฝนตก"}).data
    assert changed["deadline"] == "2026-12-24T11:00:00.000Z"


def test_cancelling_stops_what_is_open_and_leaves_what_is_finished(
    admin, worker, workshop
):
    day = line(admin, workshop, steps=1, panes=3)
    through(worker, day.numbers[0], day.stations[0])
    worker.scan(day.numbers[1], "scan_in")
    path = f"/api/requests/{day.request['_id']}"
    said = {"status": "cancelled", "cancelReason": "ลูกค้าเปลี่ยนใจ"}
    data = admin.patch(path, said).data
    assert (data["cancelledBy"], data["cancelReason"]) == (admin.id, "ลูกค้าเปลี่ยนใจ")
    panes = admin.get("/api/panes", request=day.request["_id"], sort="paneNumber").data
    assert [(p["currentStatus"], p["currentStation"]) for p in panes] == [
        ("completed", None),
        ("cancelled", None),
        ("cancelled", None),
    ]
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert (order["status"], order["paneCount"], order["panesCompleted"]) == (
        "cancelled",
        1,
        1,
    )
    logs = admin.get("/api/pane-logs", action="correction").data
    assert {log["after"]["currentStatus"] for log in logs} == {"cancelled"}
    assert len(logs) == 2
    assert admin.patch(path, {"status": "pending"}).status == 400
    order = {
        "customer": day.customer,
        "material": day.material,
        "quantity": 1,
        "request": day.request["_id"],
    }
    assert admin.post("/api/orders", order).status == 400
