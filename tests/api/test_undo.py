"""The last scan of a pane is undone within a minute, as a correction."""

from datetime import datetime, timedelta
from functools import partial

import pytest

from concurrency import count_refusals, run_concurrently, successes
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from lookups import assert_figures_match, order_of, pane_actions, pane_of, remakes_of
from scenarios import (
    bring_to_lamination,
    claim_pane,
    order_with_panes,
    order_with_units,
    pass_station,
)
from screens import Screen

# What an undo does not restore, since it is one more change of the record.
OF_THE_RECORD = ("version", "updatedAt", "lastScan")


def undo(api, number, **body):
    return api.post(f"/api/panes/{number}/undo", body)


def stored(number):
    row = Pane.collection().find_one({"paneNumber": number})
    return {name: value for name, value in row.items() if name not in OF_THE_RECORD}


def scan(api, number, action):
    """Scan a pane; an action that ends with "early" is one before its work is completed."""
    name, _, early = action.partition(" ")
    more = {"beforeComplete": True} if early else {}
    return api.scan(number, name, reason="broken", **more)


def fail(api, number):
    """Let a pane fail its check where it is; return the data of the answer."""
    assert api.scan(number, "complete").status == 200
    return api.scan(number, "qc_fail", reason="scratch").data


@pytest.mark.parametrize(
    ("earlier", "action"),
    [
        ([], "scan_in"),
        ([], "complete"),  # implies a scan_in
        ([], "start"),
        (["scan_in"], "complete"),
        (["complete"], "scan_out"),
        (["complete", "scan_out", "complete"], "qc_pass"),  # of the last step
        (["complete"], "qc_fail"),
        ([], "scan_out early"),  # implies a scan_in and a complete
        (["scan_in"], "scan_out early"),
        (["scan_out early", "scan_in"], "qc_pass early"),
        ([], "qc_fail early"),
        (["scan_in"], "qc_fail early"),
    ],
)
def test_undo_restores_everything_that_the_scan_changed(
    worker, admin, workshop, earlier, action
):
    job = order_with_panes(admin, workshop, steps=2)
    (number,) = job.numbers
    for one in earlier:
        assert scan(worker, number, one).status == 200
    before, order = stored(number), order_of(admin, job.order)
    assert scan(worker, number, action).status == 200
    assert stored(number) != before
    assert undo(worker, number).status == 200
    assert stored(number) == before
    after = order_of(admin, job.order)
    for name in ("status", "paneCount", "panesCompleted", "stationBreakdown"):
        assert after[name] == order[name], name
    assert_figures_match(admin, job.order)


def test_undo_is_logged_as_a_correction_and_the_scan_stays_in_the_log(
    worker, admin, workshop
):
    job = order_with_panes(admin, workshop, steps=2)
    (number,) = job.numbers
    worker.scan(number, "complete")
    scan = worker.scan(number, "scan_out").data
    data = undo(worker, f"stdplus:{number}".lower(), reason="ผิดแผ่น").data
    first, second = job.stations
    assert data["pane"] == pane_of(worker, number)
    assert data["undone"] == scan["log"]
    assert data["cancelledPaneNumbers"] == []
    log = data["log"]
    assert (log["action"], log["reason"]) == ("correction", "ผิดแผ่น")
    assert log["description"] == "undo scan_out"
    assert (log["worker"], log["station"]) == (worker.id, first)
    places = [
        (log[name]["currentStation"], log[name]["currentStatus"])
        for name in ("before", "after")
    ]
    assert places == [(second, "pending"), (first, "awaiting_scan_out")]
    assert pane_actions(admin, number)[-2:] == ["scan_out", "correction"]
    assert worker.scan(number, "scan_out").data["nextStation"] == second


def test_scan_says_until_when_it_can_be_undone(worker, admin, workshop):
    job = order_with_panes(admin, workshop, panes=2)
    data = worker.scan(job.numbers[0], "scan_in").data
    again = worker.scan(job.numbers[0], "scan_in").data  # a duplicate
    body = {"paneNumbers": job.numbers, "action": "start"}
    batch = worker.post("/api/panes/batch-scan", body).data
    for until, log in (
        (data["undoableUntil"], data["log"]),
        (again["undoableUntil"], data["log"]),
        (batch["undoableUntil"], batch["logs"][1]),
    ):
        window = datetime.fromisoformat(until) - datetime.fromisoformat(
            log["createdAt"]
        )
        assert window == timedelta(seconds=60)
    assert undo(worker, job.numbers[1]).data["pane"]["currentStatus"] == "pending"
    assert "undo" not in data["log"]


def test_undo_of_the_first_scan_makes_the_order_pending_again(worker, admin, workshop):
    job = order_with_panes(admin, workshop, panes=2)
    first, second = job.numbers
    worker.scan(first, "scan_in")
    assert order_of(admin, job.order)["status"] == "in_progress"
    worker.scan(second, "scan_in")
    undo(worker, first)
    assert order_of(admin, job.order)["status"] == "in_progress"
    undo(worker, second)  # this scan did not begin the order
    worker.scan(second, "scan_in")
    undo(worker, second)
    assert order_of(admin, job.order)["status"] == "in_progress"
    other = order_with_panes(admin, workshop)
    worker.scan(other.numbers[0], "complete")
    undo(worker, other.numbers[0])
    assert order_of(admin, other.order)["status"] == "pending"


def test_scan_of_another_worker_is_undone_by_a_manager_only(
    worker, manager, admin, workshop, client_with_keys
):
    job = order_with_panes(admin, workshop)
    (number,) = job.numbers
    worker.scan(number, "scan_in")
    answer = undo(client_with_keys("panes:scan"), number)
    assert (answer.status, answer.errors["code"]) == (403, "NOT_OWN_SCAN")
    assert answer.message == "Not authorized for this action"
    assert undo(client_with_keys("panes:view"), number).status == 403
    assert pane_of(admin, number)["currentStatus"] == "in_progress"
    assert undo(manager, number).status == 200


def test_scan_in_the_name_of_a_worker_is_undone_by_either(
    worker, admin, workshop, client_with_keys
):
    job = order_with_panes(admin, workshop)
    (number,) = job.numbers
    for undoing in (worker, client_with_keys("panes:scan")):
        sender = client_with_keys("panes:scan", "workers:view")
        sender.scan(number, "scan_in", operator=undoing.id)
        assert undo(undoing, number).status == 200
        sender.scan(number, "scan_in", operator=undoing.id)
        assert undo(sender, number).status == 200


def test_undo_without_a_last_scan_is_refused(worker, admin, workshop):
    job = order_with_panes(admin, workshop)
    (number,) = job.numbers
    assert undo(worker, "PNE-0000").status == 404
    assert undo(worker, "PNE-0000", reason=5).status == 404
    assert list(undo(worker, number, reason=5).faults) == ["reason"]
    answer = undo(worker, number)
    assert (answer.status, answer.errors) == (
        400,
        {"code": "NOTHING_TO_UNDO", "lastAction": None, "paneNumber": number},
    )
    worker.scan(number, "scan_in")
    assert undo(worker, number).status == 200
    answer = undo(worker, number)  # only one scan back
    assert answer.errors["code"] == "NOTHING_TO_UNDO"
    assert answer.errors["lastAction"] == "correction"


def test_undo_after_a_minute_is_refused(worker, admin, workshop):
    job = order_with_panes(admin, workshop)
    (number,) = job.numbers
    log = worker.scan(number, "scan_in").data["log"]
    earlier = datetime.fromisoformat(log["createdAt"]) - timedelta(seconds=61)
    PaneLog.collection().update_many({}, {"$set": {"createdAt": earlier}})
    answer = undo(worker, number)
    assert (answer.status, answer.errors["code"]) == (400, "UNDO_TOO_LATE")
    assert answer.errors["action"] == "scan_in"
    assert answer.errors["undoableUntil"] < log["createdAt"]


def test_undo_is_refused_once_the_pane_has_changed(worker, admin, workshop):
    job = order_with_panes(admin, workshop)
    (number,) = job.numbers
    worker.scan(number, "scan_in")
    admin.patch(f"/api/panes/{job.panes[0]['_id']}", {"notes": "x"})
    answer = undo(worker, number)
    assert (answer.status, answer.errors["code"]) == (400, "CHANGED_SINCE_SCAN")
    worker.scan(number, "complete")
    claim_pane(worker, number)
    assert undo(worker, number).errors["code"] == "NOTHING_TO_UNDO"
    assert pane_of(admin, number)["currentStatus"] == "claimed"


def test_finished_pane_of_a_cancelled_order_is_not_opened_again(
    worker, admin, workshop
):
    job = order_with_panes(admin, workshop, steps=1, panes=2)
    pass_station(worker, job.numbers[0], job.stations[0])
    path = f"/api/orders/{job.order['_id']}"
    assert admin.patch(path, {"status": "cancelled"}).status == 200
    answer = undo(worker, job.numbers[0])
    assert (answer.status, answer.errors["code"]) == (400, "ORDER_CANCELLED")
    assert pane_of(admin, job.numbers[0])["currentStatus"] == "completed"


def test_finished_pane_is_not_put_back_to_a_deleted_station(worker, admin, workshop):
    job = order_with_panes(admin, workshop, steps=1)
    pass_station(worker, job.numbers[0], job.stations[0])
    assert admin.delete(f"/api/stations/{job.stations[0]}").status == 200
    answer = undo(worker, job.numbers[0])
    assert (answer.status, answer.message) == (400, "Station not found")


def test_of_two_undos_at_once_one_wins(worker, manager, admin, workshop):
    job = order_with_panes(admin, workshop, panes=3)
    for number in job.numbers:
        before = stored(number)
        worker.scan(number, "complete")
        answers = run_concurrently(
            [partial(undo, api, number) for api in (worker, manager, worker, admin)]
        )
        assert len(successes(answers)) == 1, answers
        assert count_refusals(answers) == {(400, "NOTHING_TO_UNDO"): 3}
        assert stored(number) == before
        assert pane_actions(admin, number) == ["scan_in", "complete", "correction"]
    assert_figures_match(admin, job.order)


def test_undo_and_the_next_scan_at_once_leave_one_of_two_states(
    worker, admin, workshop
):
    job = order_with_panes(admin, workshop, panes=4)
    for number in job.numbers:
        worker.scan(number, "complete")
        undone, scanned = run_concurrently(
            [partial(undo, worker, number), partial(admin.scan, number, "scan_out")]
        )
        outcomes = (undone.status, scanned.status)
        place = pane_of(admin, number)["currentStation"]
        assert (*outcomes, place) in (
            (200, 400, job.stations[0]),
            (400, 200, job.stations[1]),
            (403, 200, job.stations[1]),  # the last scan is another worker's
        )
    assert_figures_match(admin, job.order)


def test_undo_is_heard_at_both_stations_and_on_the_dashboard(worker, admin, workshop):
    job = order_with_panes(admin, workshop, steps=2)
    (number,) = job.numbers
    worker.scan(number, "complete")
    worker.scan(number, "scan_out")
    screens = [Screen(admin).join_station(one) for one in job.stations]
    screens.append(Screen(admin).join("join_dashboard"))
    heard = [len(screen.catch_up(admin).received) for screen in screens]
    undo(worker, number)
    for screen, start in zip(screens, heard, strict=True):
        events = screen.catch_up(admin).received[start:]
        (change,) = [data for name, data in events if name == "pane:updated"]
        assert change["action"] == "updated"
        assert change["data"]["currentStatus"] == "awaiting_scan_out"
        screen.close()


def test_what_an_undo_needs_is_not_sent(worker, admin, workshop):
    job = order_with_panes(admin, workshop)
    screen = Screen(admin).join("join_dashboard")
    scan = partial(worker.scan, job.numbers[0], "scan_in")
    events = screen.events_during(admin, scan)
    (sent,) = [data for name, data in events if name == "log:updated"]
    assert sent["data"]["paneLog"]["action"] == "scan_in"
    assert "undo" not in sent["data"]["paneLog"]
    screen.close()


# Failed checks


def test_undo_of_a_failed_check_cancels_the_remake(worker, admin, workshop):
    job = order_with_panes(admin, workshop, steps=2, quantity=5)
    (number,) = job.numbers
    for _ in range(2):  # the second failed check makes a remake of its own
        remake = fail(worker, number)["remadePane"]
        data = undo(worker, number).data
        assert data["cancelledPaneNumbers"] == [remake["paneNumber"]]
        assert data["pane"]["currentStatus"] == "awaiting_scan_out"
        cancelled = pane_of(admin, remake["paneNumber"])
        assert (cancelled["currentStatus"], cancelled["remakeOf"]) == (
            "cancelled",
            None,
        )
        assert pane_actions(admin, remake["paneNumber"]) == ["correction"]
    assert remakes_of(admin, number) == []
    assert order_of(admin, job.order)["paneCount"] == 5  # as many are due as before
    reopened = admin.patch(
        f"/api/panes/{cancelled['_id']}", {"currentStatus": "pending"}
    )
    assert reopened.status == 400
    assert claim_pane(worker, number).status == 201


def test_failed_check_stays_once_work_on_its_remake_has_begun(worker, admin, workshop):
    job = order_with_panes(admin, workshop, steps=2)
    (number,) = job.numbers
    remake = fail(worker, number)["remadePane"]["paneNumber"]
    worker.scan(remake, "scan_in")
    answer = undo(worker, number)
    assert (answer.status, answer.errors["code"]) == (400, "REMAKE_BEGUN")
    assert answer.errors["remadePaneNumber"] == remake
    undo(worker, remake)  # it is logged, so something has happened to it
    assert undo(worker, number).errors["code"] == "REMAKE_BEGUN"
    assert pane_of(admin, number)["currentStatus"] == "defected"


def test_undo_and_a_scan_of_the_remake_at_once_leave_one_pane_to_work_on(
    worker, admin, workshop
):
    job = order_with_panes(admin, workshop, panes=4)
    for number in job.numbers:
        remake = fail(worker, number)["remadePane"]["paneNumber"]
        run_concurrently(
            [partial(undo, worker, number), partial(admin.scan, remake, "scan_in")]
        )
        states = [pane_of(admin, one)["currentStatus"] for one in (number, remake)]
        assert states in (
            ["awaiting_scan_out", "cancelled"],
            ["defected", "in_progress"],
        )
    assert_figures_match(admin, job.order)


def test_undo_of_a_failed_laminated_pane_cancels_the_whole_new_unit(
    worker, admin, workshop
):
    job = order_with_units(admin, workshop, quantity=3)
    (sheets,) = job.sheets
    for sheet in sheets:
        bring_to_lamination(worker, sheet, job)
    worker.scan(sheets[0], "laminate")
    parent = worker.scan(sheets[0], "qc_fail", reason="stain").data["remadePane"]
    data = undo(worker, sheets[0]).data
    assert len(data["cancelledPaneNumbers"]) == 3
    assert parent["paneNumber"] in data["cancelledPaneNumbers"]
    assert order_of(admin, job.order)["paneCount"] == 3
    assert worker.scan(sheets[0], "scan_out").status == 200


# Laminated units


def test_lamination_is_not_undone(worker, admin, workshop):
    job = order_with_units(admin, workshop)
    (sheets,) = job.sheets
    for sheet in sheets:
        bring_to_lamination(worker, sheet, job)
    merged = worker.scan(sheets[0], "laminate").data
    assert merged["undoableUntil"] is None
    for number in (*sheets, *job.parents):
        answer = undo(worker, number)
        assert (answer.status, answer.errors["code"]) == (
            400,
            "LAMINATION_NOT_UNDOABLE",
        )


def test_lamination_station_hears_that_a_sheet_is_missing_again(
    worker, admin, workshop
):
    job = order_with_units(admin, workshop)
    (sheets,) = job.sheets
    for sheet in sheets:
        bring_to_lamination(worker, sheet, job)
    screen = Screen(admin).join_station(job.lamination_station).catch_up(admin)
    events = screen.events_during(admin, lambda: undo(worker, sheets[1]))
    (waiting,) = [data for name, data in events if name == "laminate:waiting"]
    assert (waiting["sheetsPresent"], waiting["sheetsTotal"]) == (1, 2)
    # a board hears of the sheet only
    (sheet,) = [data["data"] for name, data in events if name == "pane:updated"]
    assert (sheet["laminateRole"], sheet["currentStatus"]) == ("sheet", "pending")
    assert sheet["laminateStation"]
    assert sheet["parentPane"]
    worker.scan(sheets[1], "scan_in")
    fail(worker, sheets[0])
    events = screen.events_during(admin, lambda: undo(worker, sheets[0]))
    assert [name for name, _ in events if name.startswith("laminate:")] == [
        "laminate:ready"
    ]
    screen.close()
    assert worker.scan(sheets[0], "laminate").status == 200
