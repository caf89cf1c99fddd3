"""Panes by themselves: made, read, corrected, and counted where they wait."""

import pytest

from stories import line

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


def test_a_pane_is_kept_as_it_was_described(admin):
    made = admin.post("/api/panes", GEOMETRY).data
    assert made["dimensions"] == {**GEOMETRY["dimensions"], "area": 400 * 300.5}
    for name in ("rawGlass", "processes", "cornerSpec"):
        assert made[name] == GEOMETRY[name]
    assert (made["laminateRole"], made["routeIndex"]) == ("single", 0)
    path = f"/api/panes/{made['_id']}"
    wider = admin.patch(path, {"dimensions": {"width": 500}}).data["dimensions"]
    assert wider == {"width": 500, "height": 300.5, "thickness": 6, "area": 150250}


def test_a_pane_begins_where_it_is_put_on_its_route(admin, workshop):
    one, two, three = (str(station.pk) for station in workshop.stations(3))
    body = {"routing": [one, two, one], "currentStation": two}
    made = admin.post("/api/panes", body).data
    assert (made["currentStation"], made["routeIndex"]) == (two, 1)
    off = admin.post("/api/panes", {"routing": [one], "currentStation": three})
    assert (off.status, off.errors["code"]) == (400, "STATION_NOT_ON_ROUTE")
    loose = admin.post("/api/panes", {"currentStation": three}).data
    assert (loose["currentStation"], loose["currentStatus"]) == (three, "pending")


def test_a_correction_is_logged_with_before_and_after(admin, worker, workshop):
    day = line(admin, workshop, steps=3)
    pane = day.panes[0]
    path = f"/api/panes/{pane['_id']}"
    assert worker.patch(path, {"currentStation": day.stations[2]}).status == 403
    moved = admin.patch(path, {"currentStation": day.stations[2]}).data
    assert (moved["currentStation"], moved["routeIndex"]) == (day.stations[2], 2)
    (log,) = admin.get("/api/pane-logs", action="correction").data
    assert (log["worker"], log["pane"]) == (admin.id, pane["_id"])
    assert log["before"]["currentStation"] == day.stations[0]
    assert log["after"]["currentStation"] == day.stations[2]
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert order["stationBreakdown"] == {day.stations[2]: 1}
    admin.patch(path, {"notes": "no correction", "currentStation": day.stations[2]})
    assert len(admin.get("/api/pane-logs", action="correction").data) == 1


def test_a_correction_completes_and_takes_back(admin, workshop):
    day = line(admin, workshop, steps=2)
    path = f"/api/panes/{day.panes[0]['_id']}"
    done = admin.patch(path, {"currentStatus": "completed"}).data
    assert (done["currentStation"], done["routeIndex"]) == (None, 2)
    assert done["completedAt"]
    order = f"/api/orders/{day.order['_id']}"
    assert admin.get(order).data["status"] == "completed"
    back = {"currentStatus": "pending", "currentStation": day.stations[1]}
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
def test_a_correction_that_makes_no_sense_changes_nothing(admin, workshop, change):
    day = line(admin, workshop)
    path = f"/api/panes/{day.panes[0]['_id']}"
    assert admin.patch(path, change).status == 400
    assert admin.get(path).data == day.panes[0]
    assert admin.get("/api/pane-logs").data == []


def test_a_pane_that_changes_its_order_is_counted_where_it_is(admin, workshop):
    first, second = line(admin, workshop, panes=2), line(admin, workshop)
    path = f"/api/panes/{first.panes[0]['_id']}"
    admin.patch(path, {"order": second.order["_id"]})

    def count(day):
        return admin.get(f"/api/orders/{day.order['_id']}").data["paneCount"]

    assert (count(first), count(second)) == (1, 2)


def test_pending_counts_say_what_waits_where(admin, worker, workshop):
    one, two = line(admin, workshop, panes=3), line(admin, workshop, panes=1)
    here = one.stations[0]
    found = worker.get("/api/panes/pending-counts", station=here).data
    assert found == [
        {"order": one.order["_id"], "request": one.request["_id"], "count": 3}
    ]
    worker.scan(one.numbers[0], "complete")
    assert worker.get("/api/panes/pending-counts", station=here).data == found
    worker.scan(one.numbers[0], "scan_out")
    assert worker.get("/api/panes/pending-counts", station=here).data[0]["count"] == 2
    everywhere = worker.get("/api/panes/pending-counts").data
    assert [row["count"] for row in everywhere] == [3, 1]
    assert everywhere[1]["order"] == two.order["_id"]
    assert worker.get("/api/panes/pending-counts", station="x").status == 404


def test_the_timeline_tells_pane_and_material_oldest_first(admin, worker, workshop):
    day = line(admin, workshop, steps=1)
    note = {
        "material": day.material,
        "actionType": "cut",
        "quantityChanged": -1,
        "panes": [day.panes[0]["_id"]],
    }
    worker.scan(day.numbers[0], "scan_in")
    admin.post("/api/material-logs", note)
    worker.scan(day.numbers[0], "complete")
    for query in ({"materialId": day.material}, {"paneNumber": day.numbers[0].lower()}):
        found = worker.get("/api/pane-logs/timeline", **query).data
        kinds = [(one["type"], one.get("action")) for one in found]
        assert kinds == [("pane", "scan_in"), ("material", None), ("pane", "complete")]
    assert worker.get("/api/pane-logs/timeline").status == 400
    assert worker.get("/api/pane-logs/timeline", paneNumber="PNE-0").status == 404
    assert worker.get("/api/pane-logs/timeline", materialId="0" * 24).status == 404


def test_pane_logs_are_read_only(admin, worker, workshop):
    day = line(admin, workshop)
    worker.scan(day.numbers[0], "scan_in")
    (log,) = admin.get("/api/pane-logs").data
    path = f"/api/pane-logs/{log['_id']}"
    assert admin.get(path).data == log
    for method in ("POST", "DELETE"):
        assert admin.call(method, "/api/pane-logs", json={}).status == 405
    for method in ("PATCH", "DELETE", "PUT"):
        assert admin.call(method, path, json={}).status == 405
