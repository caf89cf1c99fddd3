"""Laminated units: sheets are scanned separately and become one pane."""

import pytest

from invariants import WorkshopState
from lookups import order_of, pane_actions, pane_of
from scenarios import (
    bring_to_lamination,
    claim_pane,
    order_with_panes,
    order_with_units,
    pass_station,
)


@pytest.fixture
def press(workshop):
    return str(workshop.station(is_laminate_station=True).pk)


@pytest.fixture
def route(workshop, press):
    cut, pack = (str(one.pk) for one in workshop.stations(2))
    return [cut, press, pack]


def test_pane_of_three_sheets_is_created_as_a_parent_and_its_sheets(
    admin, route, press
):
    glass = {"sheetsPerPane": 3, "color": "clear"}
    size = {"width": 100, "height": 50}
    body = {"routing": route, "rawGlass": glass, "dimensions": size, "notes": "ด่วน"}
    made = admin.post("/api/panes", body)
    assert made.status == 201
    parent, sheets = made.data["parent"], made.data["sheets"]
    assert made.headers["Location"] == f"/api/panes/{parent['_id']}"
    assert made.headers["ETag"].startswith(f'"{parent["version"]}.')
    assert (parent["laminateRole"], parent["currentStatus"]) == ("parent", "pending")
    assert (parent["currentStation"], parent["routing"]) == (None, [route[2]])
    assert parent["childPanes"] == [sheet["_id"] for sheet in sheets]
    number = parent["paneNumber"]
    assert [s["paneNumber"] for s in sheets] == [f"{number}-{x}" for x in "ABC"]
    assert [s["sheetLabel"] for s in sheets] == ["A", "B", "C"]
    for sheet in sheets:
        assert (sheet["laminateRole"], sheet["currentStation"]) == ("sheet", route[0])
        assert sheet["routing"] == route[:2]
        assert (sheet["parentPane"], sheet["laminateStation"]) == (parent["_id"], press)
        assert sheet["qrCode"] == f"STDPLUS:{sheet['paneNumber']}"
        assert (sheet["rawGlass"], sheet["notes"]) == (parent["rawGlass"], "ด่วน")
        assert sheet["dimensions"]["area"] == 5000
    assert admin.get("/api/panes", laminateRole="sheet").data


def test_route_without_a_lamination_station_creates_nothing(admin, workshop):
    route = [str(one.pk) for one in workshop.stations(2)]
    pane = {"routing": route, "rawGlass": {"sheetsPerPane": 2}}
    alone = admin.post("/api/panes", pane)
    assert (alone.status, alone.errors["code"]) == (400, "NO_LAMINATION_STATION")
    body = {
        "customer": str(workshop.customer().pk),
        "details": {"type": "a", "quantity": 2},
        "panes": [{"routing": route}, pane],
    }
    assert admin.post("/api/requests", body).status == 400
    assert admin.get("/api/requests").data == admin.get("/api/panes").data == []


def test_sheets_start_at_a_given_station_of_their_own_route_only(admin, route, press):
    pane = {"routing": route, "rawGlass": {"sheetsPerPane": 2}}
    made = admin.post("/api/panes", {**pane, "currentStation": press}).data
    assert {sheet["routeIndex"] for sheet in made["sheets"]} == {1}
    off = admin.post("/api/panes", {**pane, "currentStation": route[2]})
    assert (off.status, off.errors["code"]) == (400, "STATION_NOT_ON_ROUTE")


def test_request_creates_units_that_its_order_counts_as_one_each(admin, workshop):
    job = order_with_units(admin, workshop, sheets=2, count=3)
    assert len(job.parents) == 3
    assert all(len(sheets) == 2 for sheets in job.sheets)
    assert job.order["paneCount"] == 3
    order = order_of(admin, job.order)
    assert order["stationBreakdown"] == {job.stations[0]: 6}


@pytest.mark.slow
def test_sheets_are_scanned_laminated_and_completed_as_one_pane(
    admin, worker, workshop
):
    job = order_with_units(admin, workshop, sheets=2)
    (a, b), (parent,) = job.sheets[0], job.parents
    bring_to_lamination(worker, a, job)
    early = worker.scan(a, "laminate", station=job.lamination_station)
    assert early.status == 400
    assert "(1/2)" in early.message
    assert early.errors["code"] == "SHEETS_MISSING"
    assert early.errors["present"] == [a]
    assert pane_of(admin, a)["laminateRole"] == "sheet"
    bring_to_lamination(worker, b, job)
    done = worker.scan(a, "laminate", station=job.lamination_station).data
    assert done["survivorPaneNumber"] == done["pane"]["paneNumber"] == a
    assert (done["mergedSheets"], done["sheetPaneNumbers"]) == (2, [a, b])
    assert done["retiredPaneNumbers"] == [b, parent]
    assert done["parentRetired"] is True
    assert done["log"]["action"] == "laminate_start"
    one = done["pane"]
    assert (one["laminateRole"], one["routeIndex"]) == ("single", -1)
    assert (one["currentStatus"], one["currentStation"]) == (
        "awaiting_scan_out",
        job.lamination_station,
    )
    assert one["routing"] == job.stations[2:]
    assert one["laminateMergedAt"]
    for number in (b, parent):
        gone = pane_of(admin, number)
        assert (gone["currentStatus"], gone["mergedInto"]) == (
            "merged_into",
            one["_id"],
        )
        assert gone["currentStation"] is None
        assert pane_actions(admin, number)[-1] == "laminate_complete"
    order = order_of(admin, job.order)
    assert (order["paneCount"], order["stationBreakdown"]) == (
        1,
        {job.lamination_station: 1},
    )
    assert worker.scan(a, "scan_out").data["nextStation"] == job.stations[2]
    assert pass_station(worker, a, job.stations[2]).data["pane"]["currentStatus"] == (
        "completed"
    )
    order = order_of(admin, job.order)
    assert (order["status"], order["progressPercent"]) == ("completed", 100)


def test_unit_with_lamination_as_its_last_step_is_completed_by_scan_out(
    admin, worker, workshop
):
    job = order_with_units(admin, workshop, before=0, after=0)
    for sheet in job.sheets[0]:
        worker.scan(sheet, "complete", station=job.lamination_station)
    worker.scan(job.sheets[0][1], "laminate")
    out = worker.scan(job.sheets[0][1], "scan_out").data["pane"]
    assert (out["currentStatus"], out["currentStation"]) == ("completed", None)
    assert order_of(admin, job.order)["status"] == "completed"


def test_unmerged_sheet_cannot_leave_its_lamination_station(worker, admin, workshop):
    job = order_with_units(admin, workshop, before=0)
    sheet = job.sheets[0][0]
    worker.scan(sheet, "complete", station=job.lamination_station)
    for action in ("scan_out", "qc_pass"):
        answer = worker.scan(sheet, action, station=job.lamination_station)
        assert (answer.status, answer.errors["code"]) == (400, "UNMERGED_SHEET")


@pytest.mark.slow
def test_laminating_the_parent_requires_the_survivor(admin, worker, workshop):
    job = order_with_units(admin, workshop, sheets=3)
    parent, sheets = job.parents[0], job.sheets[0]
    assert worker.scan(parent, "scan_in").errors["code"] == "LAMINATE_PARENT"
    for sheet in sheets:
        bring_to_lamination(worker, sheet, job)
    unnamed = worker.scan(parent, "laminate", station=job.lamination_station)
    assert (unnamed.status, unnamed.errors["code"]) == (400, "SURVIVOR_REQUIRED")
    for wrong in ("PNE-9999", parent):
        answer = worker.scan(parent, "laminate", laminateSurvivorPaneNumber=wrong)
        assert (answer.status, answer.errors["code"]) == (400, "NOT_A_SHEET")
    qr = f"stdplus:{sheets[2].lower()}"
    done = worker.scan(parent, "laminate", laminateSurvivorPaneNumber=qr).data
    assert done["survivorPaneNumber"] == sheets[2]
    assert done["retiredPaneNumbers"] == [*sheets[:2], parent]


def test_laminating_a_sheet_can_name_another_survivor(admin, worker, workshop):
    job = order_with_units(admin, workshop)
    a, b = job.sheets[0]
    for sheet in (a, b):
        bring_to_lamination(worker, sheet, job)
    done = worker.scan(a, "laminate", laminateSurvivorPaneNumber=b).data
    assert (done["pane"]["paneNumber"], done["survivorPaneNumber"]) == (b, b)
    assert pane_of(admin, a)["currentStatus"] == "merged_into"


@pytest.mark.slow
def test_scans_of_merged_panes_are_answered_with_the_survivor(admin, worker, workshop):
    job = order_with_units(admin, workshop)
    (a, b), (parent,) = job.sheets[0], job.parents
    for sheet in (a, b):
        bring_to_lamination(worker, sheet, job)
    worker.scan(a, "laminate")
    for number, action in ((b, "scan_in"), (b, "laminate"), (parent, "laminate")):
        answer = worker.scan(number, action, laminateSurvivorPaneNumber=b)
        assert answer.status == 400
        assert answer.errors["code"] == "MERGED_INTO"
        assert answer.errors["survivorPaneNumber"] == a
    again = worker.scan(a, "laminate", laminateSurvivorPaneNumber=b)
    assert (again.status, again.errors["code"]) == (400, "ALREADY_LAMINATED")
    assert again.errors["survivorPaneNumber"] == a


def test_unit_that_leaves_the_order_of_its_laminated_pane_is_no_longer_counted_there(
    admin, worker, workshop
):
    """That pane may have been moved there without its parent and merged sheets."""
    job = order_with_units(admin, workshop)
    for sheet in job.sheets[0]:
        bring_to_lamination(worker, sheet, job)
    survivor = job.sheets[0][0]
    worker.scan(survivor, "laminate")
    body = {"customer": job.customer, "material": job.order["material"], "quantity": 1}
    first, second = (admin.post("/api/orders", body).data for _ in "ab")
    for number, order in ((survivor, first), (job.parents[0], second)):
        path = f"/api/panes/{number}"
        assert admin.patch(path, {"order": order["_id"]}).status == 200
    assert pane_of(admin, survivor)["order"] == second["_id"]
    counted = [order_of(admin, one)["stationBreakdown"] for one in (first, second)]
    assert counted == [{}, {job.lamination_station: 1}]


@pytest.mark.slow
@pytest.mark.parametrize("by", ["survivor", "retired", "parent"])
def test_repeated_laminate_scan_returns_its_first_result(admin, worker, workshop, by):
    job = order_with_units(admin, workshop)
    (a, b), (parent,) = job.sheets[0], job.parents
    for sheet in (a, b):
        bring_to_lamination(worker, sheet, job)
    number = {"survivor": a, "retired": b, "parent": parent}[by]
    fields = {"laminateSurvivorPaneNumber": a, "station": job.lamination_station}
    first = worker.scan(number, "laminate", **fields).data
    assert worker.scan(number, "laminate", **fields).data == first
    assert pane_actions(admin, a).count("laminate_start") == 1


@pytest.mark.slow
def test_laminating_needs_a_unit_its_station_and_uncancelled_work(
    admin, worker, workshop
):
    plain = order_with_panes(admin, workshop)
    answer = worker.scan(plain.numbers[0], "laminate", station=plain.stations[0])
    assert (answer.status, answer.errors["code"]) == (400, "NOT_LAMINATED")
    job = order_with_units(admin, workshop)
    for sheet in job.sheets[0]:
        bring_to_lamination(worker, sheet, job)
    sheet = job.sheets[0][0]
    wrong = worker.scan(sheet, "laminate", station=job.stations[0])
    assert (wrong.status, wrong.errors["code"]) == (400, "WRONG_STATION")
    assert wrong.errors["currentStation"]["_id"] == job.lamination_station
    admin.patch(f"/api/orders/{job.order['_id']}", {"status": "cancelled"})
    stopped = worker.scan(sheet, "laminate", station=job.lamination_station)
    assert (stopped.status, stopped.errors["code"]) == (400, "ALREADY_CANCELLED")
    assert pane_of(admin, sheet)["currentStatus"] == "cancelled"


def test_pending_single_pane_is_split_by_a_change(admin, workshop, route):
    made = admin.post("/api/panes", {"routing": route}).data
    path = f"/api/panes/{made['_id']}"
    unit = admin.patch(path, {"rawGlass": {"sheetsPerPane": 2}}).data
    assert set(unit) == {"parent", "sheets"}
    parent, sheets = unit["parent"], unit["sheets"]
    assert admin.get(path).data == parent
    assert (parent["laminateRole"], parent["currentStation"]) == ("parent", None)
    assert parent["routing"] == route[2:]
    found = admin.get("/api/panes", parentPane=parent["_id"], sort="paneNumber").data
    assert found == sheets
    assert [sheet["_id"] for sheet in sheets] == parent["childPanes"]
    assert [s["paneNumber"] for s in sheets] == [
        f"{made['paneNumber']}-{label}" for label in "AB"
    ]
    unrouted = admin.post("/api/panes", {"rawGlass": {"sheetsPerPane": 2}}).data
    assert unrouted["laminateRole"] == "single"
    routed = admin.patch(f"/api/panes/{unrouted['_id']}", {"routing": route}).data
    assert routed["parent"]["laminateRole"] == "parent"


def test_splitting_a_pane_updates_the_figures_of_its_order(admin, workshop, route):
    job = order_with_panes(admin, workshop, steps=1, panes=2)
    path = f"/api/panes/{job.panes[0]['_id']}"
    change = {"routing": route, "rawGlass": {"sheetsPerPane": 2}}
    assert admin.patch(path, {**change, "currentStation": route[0]}).status == 200
    order = order_of(admin, job.order)
    assert order["paneCount"] == 2
    assert order["stationBreakdown"] == {job.stations[0]: 1, route[0]: 2}


def test_started_pane_or_one_without_lamination_station_is_not_split(
    admin, worker, workshop, route
):
    two = {"rawGlass": {"sheetsPerPane": 2}}
    made = admin.post("/api/panes", {"routing": route}).data
    worker.scan(made["paneNumber"], "scan_in")
    begun = admin.patch(f"/api/panes/{made['_id']}", two)
    assert (begun.status, begun.errors["code"]) == (400, "ALREADY_STARTED")
    plain = order_with_panes(admin, workshop).panes[0]
    nowhere = admin.patch(f"/api/panes/{plain['_id']}", two)
    assert (nowhere.status, nowhere.errors["code"]) == (400, "NO_LAMINATION_STATION")
    assert pane_of(admin, plain["paneNumber"])["rawGlass"]["sheetsPerPane"] == 1


def test_corrections_cannot_split_a_unit(admin, workshop, route):
    job = order_with_units(admin, workshop)
    sheet = pane_of(admin, job.sheets[0][0])
    parent = pane_of(admin, job.parents[0])
    other = order_with_panes(admin, workshop, customer=job.customer)
    refused = {
        "SHEETS_FIXED": (parent, {"rawGlass": {"sheetsPerPane": 3}}),
        "SHEET_OF_UNIT": (sheet, {"order": other.order["_id"]}),
        "LAMINATE_PARENT": (parent, {"currentStatus": "completed"}),
        "CORRECTION_REFUSED": (sheet, {"currentStatus": "completed"}),
    }
    for code, (pane, change) in refused.items():
        answer = admin.patch(f"/api/panes/{pane['_id']}", change)
        assert (answer.status, answer.errors["code"]) == (400, code)
    off = admin.patch(f"/api/panes/{sheet['_id']}", {"routing": job.stations[:1]})
    assert off.errors["code"] == "CORRECTION_REFUSED"
    moved = admin.patch(f"/api/panes/{parent['_id']}", {"order": other.order["_id"]})
    assert moved.status == 200
    assert pane_of(admin, sheet["paneNumber"])["order"] == other.order["_id"]
    counts = [order_of(admin, one)["paneCount"] for one in (job.order, other.order)]
    assert counts == [1, 2]  # without panes an order counts its quantity


def test_change_of_a_route_needs_a_lamination_station_for_several_sheets(
    admin, workshop
):
    station = str(workshop.station().pk)
    made = admin.post("/api/panes", {"rawGlass": {"sheetsPerPane": 2}}).data
    path = f"/api/panes/{made['_id']}"
    assert admin.patch(path, {"routing": [station]}).status == 400
    assert admin.get(path).data == made


def test_laminated_pane_without_a_route_can_be_changed(admin):
    made = admin.post("/api/panes", {"rawGlass": {"sheetsPerPane": 2}}).data
    path = f"/api/panes/{made['_id']}"
    assert admin.patch(path, {"notes": "x"}).status == 200


PLACE = ("currentStatus", "currentStation", "arrivedAt", "routing", "routeIndex")


def places(api, job):
    """Where the panes of the first unit are, by number."""
    numbers = [job.parents[0], *job.sheets[0]]
    return {one: [pane_of(api, one)[name] for name in PLACE] for one in numbers}


def set_status(api, number, status):
    body = {"currentStatus": status, "correctionReason": "ลูกค้าไม่เอา"}
    return api.patch(f"/api/panes/{pane_of(api, number)['_id']}", body)


def agreed(api, job):
    request = api.get(f"/api/requests/{job.request['_id']}").data
    return request["details"]["estimatedPrice"]


def test_unit_is_cancelled_on_its_own_with_its_sheets_and_taken_back(
    admin, worker, workshop
):
    job = order_with_units(admin, workshop, count=2)
    (parent, _), (sheet, other) = job.parents, job.sheets[0]
    details = {"estimatedPrice": 2000}
    admin.patch(f"/api/requests/{job.request['_id']}", {"details": details})
    before = places(admin, job)
    assert set_status(admin, parent, "cancelled").status == 200
    now = places(admin, job)
    assert {tuple(one[:2]) for one in now.values()} == {("cancelled", None)}
    logs = admin.get("/api/pane-logs", paneId=pane_of(admin, other)["_id"]).data
    assert [(one["action"], one["reason"]) for one in logs] == [
        ("correction", "ลูกค้าไม่เอา")
    ]
    assert (order_of(admin, job.order)["paneCount"], agreed(admin, job)) == (1, 1000)
    refused = [
        worker.scan(sheet, "start"),
        worker.scan(sheet, "laminate", station=job.lamination_station),
        worker.scan(parent, "laminate", laminateSurvivorPaneNumber=sheet),
        claim_pane(admin, sheet),
        set_status(admin, sheet, "pending"),
    ]
    assert [one.errors["code"] for one in refused] == [
        *["ALREADY_CANCELLED"] * 4,
        "CORRECTION_REFUSED",
    ]
    WorkshopState(admin).check_units_are_complete()

    order = f"/api/orders/{job.order['_id']}"
    assert admin.patch(order, {"status": "cancelled"}).status == 200
    assert set_status(admin, parent, "pending").errors["code"] == "ORDER_CANCELLED"
    assert admin.patch(order, {"status": "pending"}).status == 200
    assert places(admin, job) == now  # only what the order cancelled is restored

    assert set_status(admin, parent, "pending").status == 200
    assert places(admin, job) == before
    assert (order_of(admin, job.order)["paneCount"], agreed(admin, job)) == (2, 2000)
    assert worker.scan(sheet, "start").status == 200
    WorkshopState(admin).check()


@pytest.mark.parametrize(
    ("code", "prepare"),
    [
        ("UNIT_BEGUN", lambda api, sheet: api.scan(sheet, "start")),
        ("OPEN_CLAIM", claim_pane),
        (
            "PANE_DELIVERED",
            lambda api, sheet: api.patch(
                f"/api/panes/{pane_of(api, sheet)['_id']}",
                {"deliveredAt": "2026-11-20T08:00:00Z"},
            ),
        ),
    ],
)
def test_unit_with_a_begun_claimed_or_delivered_sheet_is_not_cancelled(
    admin, workshop, code, prepare
):
    job = order_with_units(admin, workshop)
    assert prepare(admin, job.sheets[0][1]).status in (200, 201)
    before = places(admin, job)
    refused = set_status(admin, job.parents[0], "cancelled")
    assert (refused.status, refused.errors["code"]) == (
        400 if code == "UNIT_BEGUN" else 409,
        code,
    )
    assert job.sheets[0][1] in str(refused.body)
    alone = set_status(admin, job.sheets[0][0], "cancelled")
    assert alone.errors["code"] == "CORRECTION_REFUSED"
    assert places(admin, job) == before


def test_sheet_that_was_replaced_keeps_no_unit_from_being_cancelled(
    admin, worker, workshop
):
    job = order_with_units(admin, workshop)
    sheet = job.sheets[0][0]
    worker.scan(sheet, "complete")
    failed = worker.scan(sheet, "qc_fail", reason="scratch").data
    remake = failed["remadePane"]["paneNumber"]
    assert set_status(admin, job.parents[0], "cancelled").status == 200
    undone = admin.post(f"/api/panes/{sheet}/undo", {})
    assert undone.errors["code"] == "REMAKE_BEGUN"
    assert pane_of(admin, remake)["currentStatus"] == "cancelled"
    assert set_status(admin, job.parents[0], "pending").status == 200
    statuses = [pane_of(admin, one)["currentStatus"] for one in (sheet, remake)]
    assert statuses == ["defected", "pending"]
    WorkshopState(admin).check()


def test_unit_is_taken_back_without_stations_that_are_gone_but_not_without_lamination(
    admin, workshop
):
    job = order_with_units(admin, workshop, before=2, after=2)
    first, second, press, _, last = job.stations
    (parent,), sheets = job.parents, job.sheets[0]
    order = f"/api/orders/{job.order['_id']}"
    assert admin.patch(order, {"status": "cancelled"}).status == 200
    assert admin.delete(f"/api/stations/{press}").status == 200
    assert admin.patch(order, {"status": "pending"}).status == 200
    refused = set_status(admin, parent, "pending")
    assert (refused.status, refused.errors["code"]) == (400, "STATION_GONE")
    for station in (first, job.stations[3]):
        assert admin.delete(f"/api/stations/{station}").status == 200
    assert admin.post(f"/api/stations/{press}/restore", {}).status == 201
    restored = set_status(admin, parent, "pending")
    assert (restored.status, len(restored.body["warnings"])) == (200, 1)
    assert restored.data["routing"] == [last]
    for one in sheets:
        sheet = pane_of(admin, one)
        assert (sheet["currentStation"], sheet["routing"]) == (second, [second, press])
    WorkshopState(admin).check()
