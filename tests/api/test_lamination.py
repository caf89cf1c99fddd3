"""Laminated units: sheets travel on their own and become one pane, once and whole."""

import pytest

from stories import line, through, to_the_press, units


def pane_of(api, number):
    return api.get(f"/api/panes/{number}").data


def logs_of(api, number):
    pane = pane_of(api, number)
    found = api.get("/api/pane-logs", paneId=pane["_id"], sort="createdAt").data
    return [log["action"] for log in found]


@pytest.fixture
def press(workshop):
    return str(workshop.station(is_laminate_station=True).pk)


@pytest.fixture
def route(workshop, press):
    cut, pack = (str(one.pk) for one in workshop.stations(2))
    return [cut, press, pack]


def test_a_pane_of_three_sheets_is_made_as_a_dormant_parent_and_its_sheets(
    admin, route, press
):
    glass = {"sheetsPerPane": 3, "color": "clear"}
    size = {"width": 100, "height": 50}
    body = {"routing": route, "rawGlass": glass, "dimensions": size, "notes": "ด่วน"}
    made = admin.post("/api/panes", body)
    assert made.status == 201
    parent, sheets = made.data["parent"], made.data["sheets"]
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


def test_without_a_lamination_station_nothing_is_made(admin, workshop):
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


def test_sheets_begin_at_a_given_station_of_their_way_only(admin, route, press):
    pane = {"routing": route, "rawGlass": {"sheetsPerPane": 2}}
    made = admin.post("/api/panes", {**pane, "currentStation": press}).data
    assert {sheet["routeIndex"] for sheet in made["sheets"]} == {1}
    off = admin.post("/api/panes", {**pane, "currentStation": route[2]})
    assert (off.status, off.errors["code"]) == (400, "STATION_NOT_ON_ROUTE")


def test_a_request_makes_whole_units_that_its_order_counts_as_one_each(admin, workshop):
    day = units(admin, workshop, sheets=2, count=3)
    assert len(day.parents) == 3
    assert all(len(sheets) == 2 for sheets in day.sheets)
    assert day.order["paneCount"] == 3
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert order["stationBreakdown"] == {day.stations[0]: 6}


@pytest.mark.slow
def test_sheets_travel_are_laminated_and_finish_as_one_pane(admin, worker, workshop):
    day = units(admin, workshop, sheets=2)
    (a, b), (parent,) = day.sheets[0], day.parents
    to_the_press(worker, a, day)
    early = worker.scan(a, "laminate", station=day.press)
    assert early.status == 400
    assert "(1/2)" in early.message
    assert early.errors["code"] == "SHEETS_MISSING"
    assert early.errors["present"] == [a]
    assert pane_of(admin, a)["laminateRole"] == "sheet"
    to_the_press(worker, b, day)
    done = worker.scan(a, "laminate", station=day.press).data
    assert done["survivorPaneNumber"] == done["pane"]["paneNumber"] == a
    assert done["mergedSheets"] == [a, b]
    assert done["retiredPaneNumbers"] == [b, parent]
    assert done["parentRetired"] is True
    assert done["log"]["action"] == "laminate_start"
    one = done["pane"]
    assert (one["laminateRole"], one["routeIndex"]) == ("single", -1)
    assert (one["currentStatus"], one["currentStation"]) == (
        "awaiting_scan_out",
        day.press,
    )
    assert one["routing"] == day.stations[2:]
    assert one["laminateMergedAt"]
    for number in (b, parent):
        gone = pane_of(admin, number)
        assert (gone["currentStatus"], gone["mergedInto"]) == (
            "merged_into",
            one["_id"],
        )
        assert gone["currentStation"] is None
        assert logs_of(admin, number)[-1] == "laminate_complete"
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert (order["paneCount"], order["stationBreakdown"]) == (1, {day.press: 1})
    assert worker.scan(a, "scan_out").data["nextStation"] == day.stations[2]
    assert through(worker, a, day.stations[2]).data["pane"]["currentStatus"] == (
        "completed"
    )
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert (order["status"], order["progressPercent"]) == ("completed", 100)


def test_a_unit_whose_way_ends_with_its_lamination_is_finished_by_its_scan_out(
    admin, worker, workshop
):
    day = units(admin, workshop, before=0, after=0)
    for sheet in day.sheets[0]:
        worker.scan(sheet, "complete", station=day.press)
    worker.scan(day.sheets[0][1], "laminate")
    out = worker.scan(day.sheets[0][1], "scan_out").data["pane"]
    assert (out["currentStatus"], out["currentStation"]) == ("completed", None)
    assert admin.get(f"/api/orders/{day.order['_id']}").data["status"] == "completed"


def test_an_unmerged_sheet_never_leaves_its_lamination_station(worker, admin, workshop):
    day = units(admin, workshop, before=0)
    sheet = day.sheets[0][0]
    worker.scan(sheet, "complete", station=day.press)
    for action in ("scan_out", "qc_pass"):
        answer = worker.scan(sheet, action, station=day.press)
        assert (answer.status, answer.errors["code"]) == (400, "UNMERGED_SHEET")


@pytest.mark.slow
def test_laminating_by_the_parent_names_the_survivor(admin, worker, workshop):
    day = units(admin, workshop, sheets=3)
    parent, sheets = day.parents[0], day.sheets[0]
    assert worker.scan(parent, "scan_in").errors["code"] == "LAMINATE_PARENT"
    for sheet in sheets:
        to_the_press(worker, sheet, day)
    unnamed = worker.scan(parent, "laminate", station=day.press)
    assert (unnamed.status, unnamed.errors["code"]) == (400, "SURVIVOR_REQUIRED")
    for wrong in ("PNE-9999", parent):
        answer = worker.scan(parent, "laminate", laminateSurvivorPaneNumber=wrong)
        assert (answer.status, answer.errors["code"]) == (400, "NOT_A_SHEET")
    qr = f"stdplus:{sheets[2].lower()}"
    done = worker.scan(parent, "laminate", laminateSurvivorPaneNumber=qr).data
    assert done["survivorPaneNumber"] == sheets[2]
    assert done["retiredPaneNumbers"] == [*sheets[:2], parent]


def test_a_sheet_can_name_another_survivor(admin, worker, workshop):
    day = units(admin, workshop)
    a, b = day.sheets[0]
    for sheet in (a, b):
        to_the_press(worker, sheet, day)
    done = worker.scan(a, "laminate", laminateSurvivorPaneNumber=b).data
    assert (done["pane"]["paneNumber"], done["survivorPaneNumber"]) == (b, b)
    assert pane_of(admin, a)["currentStatus"] == "merged_into"


@pytest.mark.slow
def test_scans_of_merged_panes_are_answered_with_the_survivor(admin, worker, workshop):
    day = units(admin, workshop)
    (a, b), (parent,) = day.sheets[0], day.parents
    for sheet in (a, b):
        to_the_press(worker, sheet, day)
    worker.scan(a, "laminate")
    for number, action in ((b, "scan_in"), (b, "laminate"), (parent, "laminate")):
        answer = worker.scan(number, action, laminateSurvivorPaneNumber=b)
        assert answer.status == 400
        assert answer.errors["code"] == "MERGED_INTO"
        assert answer.errors["survivorPaneNumber"] == a
    again = worker.scan(a, "laminate", laminateSurvivorPaneNumber=b)
    assert (again.status, again.errors["code"]) == (400, "ALREADY_LAMINATED")
    assert again.errors["survivorPaneNumber"] == a


@pytest.mark.slow
@pytest.mark.parametrize("by", ["survivor", "retired", "parent"])
def test_the_same_laminate_sent_again_answers_its_first_result(
    admin, worker, workshop, by
):
    day = units(admin, workshop)
    (a, b), (parent,) = day.sheets[0], day.parents
    for sheet in (a, b):
        to_the_press(worker, sheet, day)
    number = {"survivor": a, "retired": b, "parent": parent}[by]
    said = {"laminateSurvivorPaneNumber": a, "station": day.press}
    first = worker.scan(number, "laminate", **said).data
    assert worker.scan(number, "laminate", **said).data == first
    assert logs_of(admin, a).count("laminate_start") == 1


@pytest.mark.slow
def test_laminating_needs_a_unit_its_station_and_going_work(admin, worker, workshop):
    plain = line(admin, workshop)
    answer = worker.scan(plain.numbers[0], "laminate", station=plain.stations[0])
    assert (answer.status, answer.errors["code"]) == (400, "NOT_LAMINATED")
    day = units(admin, workshop)
    for sheet in day.sheets[0]:
        to_the_press(worker, sheet, day)
    sheet = day.sheets[0][0]
    wrong = worker.scan(sheet, "laminate", station=day.stations[0])
    assert (wrong.status, wrong.errors["code"]) == (400, "WRONG_STATION")
    assert wrong.errors["currentStation"]["_id"] == day.press
    admin.patch(f"/api/orders/{day.order['_id']}", {"status": "cancelled"})
    stopped = worker.scan(sheet, "laminate", station=day.press)
    assert (stopped.status, stopped.errors["code"]) == (400, "WORK_CANCELLED")
    assert pane_of(admin, sheet)["currentStatus"] == "in_progress"


def test_a_single_pane_that_waits_is_divided_by_a_change(admin, workshop, route):
    made = admin.post("/api/panes", {"routing": route}).data
    path = f"/api/panes/{made['_id']}"
    parent = admin.patch(path, {"rawGlass": {"sheetsPerPane": 2}}).data
    assert (parent["laminateRole"], parent["currentStation"]) == ("parent", None)
    assert parent["routing"] == route[2:]
    sheets = admin.get("/api/panes", parentPane=parent["_id"], sort="paneNumber").data
    assert [sheet["_id"] for sheet in sheets] == parent["childPanes"]
    assert [s["paneNumber"] for s in sheets] == [
        f"{made['paneNumber']}-{label}" for label in "AB"
    ]
    unrouted = admin.post("/api/panes", {"rawGlass": {"sheetsPerPane": 2}}).data
    assert unrouted["laminateRole"] == "single"
    routed = admin.patch(f"/api/panes/{unrouted['_id']}", {"routing": route}).data
    assert routed["laminateRole"] == "parent"


def test_dividing_counts_the_order_anew(admin, workshop, route):
    day = line(admin, workshop, steps=1, panes=2)
    path = f"/api/panes/{day.panes[0]['_id']}"
    change = {"routing": route, "rawGlass": {"sheetsPerPane": 2}}
    assert admin.patch(path, {**change, "currentStation": route[0]}).status == 200
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert order["paneCount"] == 2
    assert order["stationBreakdown"] == {day.stations[0]: 1, route[0]: 2}


def test_a_pane_in_work_or_off_every_press_is_not_divided(
    admin, worker, workshop, route
):
    two = {"rawGlass": {"sheetsPerPane": 2}}
    made = admin.post("/api/panes", {"routing": route}).data
    worker.scan(made["paneNumber"], "scan_in")
    begun = admin.patch(f"/api/panes/{made['_id']}", two)
    assert (begun.status, begun.errors["code"]) == (400, "ALREADY_STARTED")
    plain = line(admin, workshop).panes[0]
    nowhere = admin.patch(f"/api/panes/{plain['_id']}", two)
    assert (nowhere.status, nowhere.errors["code"]) == (400, "NO_LAMINATION_STATION")
    assert pane_of(admin, plain["paneNumber"])["rawGlass"] is None


def test_a_unit_stays_whole_under_corrections(admin, workshop, route):
    day = units(admin, workshop)
    sheet = pane_of(admin, day.sheets[0][0])
    parent = pane_of(admin, day.parents[0])
    other = line(admin, workshop)
    refused = {
        "SHEETS_FIXED": (parent, {"rawGlass": {"sheetsPerPane": 3}}),
        "SHEET_OF_UNIT": (sheet, {"order": other.order["_id"]}),
        "LAMINATE_PARENT": (parent, {"currentStatus": "completed"}),
        "CORRECTION_REFUSED": (sheet, {"currentStatus": "completed"}),
    }
    for code, (pane, change) in refused.items():
        answer = admin.patch(f"/api/panes/{pane['_id']}", change)
        assert (answer.status, answer.errors["code"]) == (400, code)
    off = admin.patch(f"/api/panes/{sheet['_id']}", {"routing": day.stations[:1]})
    assert off.errors["code"] == "CORRECTION_REFUSED"
    moved = admin.patch(f"/api/panes/{parent['_id']}", {"order": other.order["_id"]})
    assert moved.status == 200
    assert pane_of(admin, sheet["paneNumber"])["order"] == other.order["_id"]
    counts = [
        admin.get(f"/api/orders/{one['_id']}").data["paneCount"]
        for one in (day.order, other.order)
    ]
    assert counts == [1, 2]  # without panes an order counts its quantity
