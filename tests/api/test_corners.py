"""Corners of the plain line: where two rules meet, and where a refusal must be whole."""

import pytest

from stories import line, through


def order_of(api, order):
    return api.get(f"/api/orders/{order['_id']}").data


def fresh(api, order):
    panes = api.get("/api/panes", order=order["_id"], limit=100).data
    live = [p for p in panes if p["currentStatus"] not in ("cancelled", "defected")]
    stands = [p["currentStation"] for p in live if p["currentStation"]]
    return {
        "paneCount": len(live),
        "panesCompleted": sum(p["currentStatus"] == "completed" for p in live),
        "stationBreakdown": {one: stands.count(one) for one in stands},
    }


def same(api, order):
    found = order_of(api, order)
    want = fresh(api, order)
    assert {name: found[name] for name in want} == want


def test_cancelling_a_request_counts_every_order_that_loses_a_pane(admin, workshop):
    day, other = line(admin, workshop), line(admin, workshop)
    pane = f"/api/panes/{day.panes[0]['_id']}"
    admin.patch(pane, {"order": other.order["_id"]})
    assert order_of(admin, other.order)["paneCount"] == 2
    answer = admin.patch(f"/api/requests/{day.request['_id']}", {"status": "cancelled"})
    assert answer.status == 200
    assert admin.get(pane).data["currentStatus"] == "cancelled"
    same(admin, other.order)


def test_cancelling_a_request_counts_an_order_cancelled_before(admin, workshop):
    day = line(admin, workshop)
    admin.patch(f"/api/orders/{day.order['_id']}", {"status": "cancelled"})
    admin.patch(f"/api/requests/{day.request['_id']}", {"status": "cancelled"})
    same(admin, day.order)


def test_several_sheets_get_no_route_without_a_press_by_the_back_door(admin, workshop):
    station = str(workshop.station().pk)
    made = admin.post("/api/panes", {"rawGlass": {"sheetsPerPane": 2}}).data
    path = f"/api/panes/{made['_id']}"
    assert admin.patch(path, {"routing": [station]}).status == 400
    assert admin.get(path).data == made


def test_a_laminated_pane_without_a_route_can_still_be_written(admin):
    made = admin.post("/api/panes", {"rawGlass": {"sheetsPerPane": 2}}).data
    path = f"/api/panes/{made['_id']}"
    assert admin.patch(path, {"notes": "x"}).status == 200


@pytest.mark.parametrize("action", ["laminate", "qc_fail"])
def test_an_unknown_pane_comes_before_what_is_not_built(worker, action):
    assert worker.scan("PNE-0000", action, reason="broken").status == 404


@pytest.mark.parametrize("field", ["pane", "material"])
def test_a_changed_claim_still_fits_its_order(admin, worker, workshop, field):
    day, other = line(admin, workshop), line(admin, workshop)
    body = {"source": "worker", "material": day.material, "description": "x",
            "reportedBy": worker.id, "pane": day.panes[0]["_id"]}  # fmt: skip
    made = worker.post(f"/api/orders/{day.order['_id']}/claims", body).data
    wrong = {"pane": other.panes[0]["_id"], "material": other.material}
    path = f"/api/claims/{made['_id']}"
    answer = worker.patch(path, {field: wrong[field]})
    assert answer.status == 400, answer
    assert admin.get(path).data == made


@pytest.mark.parametrize("change", [{"status": "approved"}, {"decision": "keep"}])
def test_unknown_claims_come_before_decisions(admin, change):
    assert admin.patch(f"/api/claims/{'0' * 24}", change).status == 404


def test_the_order_of_the_checks(nobody, holder, admin, workshop):
    day = line(admin, workshop)
    viewer, scanner = holder("panes:view"), holder("panes:scan")
    good, gone = day.numbers[0], "PNE-0000"
    for number in (good, gone):
        for body in ({"action": "scan_in"}, {"action": "dance"}, {}):
            path = f"/api/panes/{number}/scan"
            assert nobody.post(path, body).status == 401
            assert viewer.post(path, body).status == 403
    assert scanner.post(f"/api/panes/{gone}/scan", {}).status == 404
    assert scanner.post(f"/api/panes/{good}/scan", {}).status == 400
    for body in ({}, {"source": "x"}):
        path = "/api/orders/{}/claims"
        known, unknown = path.format(day.order["_id"]), path.format("nonsense")
        assert nobody.post(unknown, body).status == 401
        assert scanner.post(unknown, body).status == 403
        assert admin.post(unknown, body).status == 404
        assert admin.post(known, body).status == 400
    for kind in ("orders", "requests", "panes", "claims"):
        missing = f"/api/{kind}/{'0' * 24}"
        assert nobody.patch(missing, {"quantity": "x"}).status == 401
        assert scanner.patch(missing, {"quantity": "x"}).status == 403
        assert admin.patch(missing, {"quantity": "x"}).status == 404


def test_what_is_refused_leaves_no_trace_anywhere(admin, worker, workshop):
    day = line(admin, workshop)
    worker.scan(day.numbers[0], "complete")
    lists = ("panes", "orders", "requests", "claims", "pane-logs", "notifications")

    def everything():
        return [admin.get(f"/api/{n}", includeMerged="true").data for n in lists]

    before = everything()
    refused = [
        worker.scan(day.numbers[0], "laminate"),
        worker.scan(day.numbers[0], "qc_fail", reason="melted"),
        worker.scan(day.numbers[0], "qc_fail"),
    ]
    off = str(workshop.station().pk)
    said = {"reason": "broken", "remakeStationId": off}
    refused.append(worker.scan(day.numbers[0], "qc_fail", **said))
    said["remakeStationId"] = "0" * 24
    refused.append(worker.scan(day.numbers[0], "qc_fail", **said))
    laminated = {"rawGlass": {"sheetsPerPane": 2}, "routing": day.stations}
    refused.append(admin.post("/api/panes", laminated))
    refused.append(admin.patch(f"/api/panes/{day.panes[0]['_id']}", laminated))
    body = {"customer": day.customer, "details": {"type": "a", "quantity": 1}}
    refused.append(admin.post("/api/requests", {**body, "panes": [{}, laminated]}))
    assert {answer.status for answer in refused} == {400}
    assert everything() == before


def test_a_changed_side_changes_the_area(admin):
    made = admin.post("/api/panes", {"dimensions": {"width": 10, "height": 20}}).data
    path = f"/api/panes/{made['_id']}"
    assert admin.patch(path, {"dimensions": {"width": 30}}).data["dimensions"][
        "area"] == 600  # fmt: skip
    sent = admin.patch(path, {"dimensions": {"area": 1}}).data
    assert sent["dimensions"]["area"] == 600
    gone = admin.patch(path, {"dimensions": {"width": None}}).data
    assert not gone["dimensions"].get("area")


def test_a_repeat_after_the_pane_was_written_is_a_new_scan(worker, admin, workshop):
    day = line(admin, workshop)
    first = worker.scan(day.numbers[0], "scan_in").data
    assert worker.scan(day.numbers[0], "scan_in").data == first
    admin.patch(f"/api/panes/{day.panes[0]['_id']}", {"notes": "x"})
    assert worker.scan(day.numbers[0], "scan_in").data["log"] != first["log"]
    worker.scan(day.numbers[0], "start")
    third = worker.scan(day.numbers[0], "scan_in").data
    assert len(admin.get("/api/pane-logs", action="scan_in").data) == 3
    assert third["log"]["_id"] != first["log"]["_id"]


def test_a_repeat_says_the_same_next_station(worker, admin, workshop):
    day = line(admin, workshop, steps=1, route=[0, 0])
    first = through(worker, day.numbers[0], day.stations[0]).data
    again = worker.scan(day.numbers[0], "scan_out", station=day.stations[0]).data
    assert again == first
    assert first["nextStation"] == day.stations[0]


def test_an_order_with_all_panes_cancelled_or_gone(admin, workshop):
    day = line(admin, workshop, panes=2)
    for pane in day.panes:
        admin.delete(f"/api/panes/{pane['_id']}")
    found = order_of(admin, day.order)
    assert (found["paneCount"], found["progressPercent"]) == (2, 0)
    assert found["status"] == "pending"


def test_a_pane_that_was_scanned_before_its_order_begins_it(worker, admin, workshop):
    station = str(workshop.station().pk)
    customer, glass = str(workshop.customer().pk), str(workshop.material().pk)
    request = admin.post("/api/requests", {
        "customer": customer, "details": {"type": "a", "quantity": 1},
        "panes": [{"routing": [station]}]}).data  # fmt: skip
    (pane,) = admin.get("/api/panes", request=request["_id"]).data
    worker.scan(pane["paneNumber"], "scan_in")
    order = admin.post("/api/orders", {
        "customer": customer, "material": glass, "quantity": 1,
        "request": request["_id"]}).data  # fmt: skip
    assert order["status"] == "pending"
    data = worker.scan(pane["paneNumber"], "start").data
    assert data["pane"]["material"] == glass
    assert order_of(admin, order)["status"] == "in_progress"
    same(admin, order)


def test_a_failed_create_leaves_a_gap_in_the_numbers(admin, workshop):
    customer = str(workshop.customer().pk)
    body = {"customer": customer, "details": {"type": "a", "quantity": 1}}

    def made():
        return int(admin.post("/api/requests", body).data["requestNumber"][4:])

    first = made()
    bad = {**body, "panes": [{"routing": ["0" * 24]}]}
    assert admin.post("/api/requests", bad).status == 400
    assert made() > first + 1


@pytest.mark.parametrize("number", ["PNE-0001/../x", "ก" * 300, "%00", "'", "*"])
def test_odd_numbers_are_no_panes(worker, number):
    assert worker.scan(number, "scan_in").status == 404
    assert worker.post("/api/panes/batch-scan",
        {"paneNumbers": [number], "action": "scan_in"}).status == 400  # fmt: skip
