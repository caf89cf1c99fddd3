"""Calls: help and stops of machines, from the call to its end, and maintenance as one."""

from functools import partial

import pytest
from mongoengine.connection import get_db

from concurrency import create_clients, run_concurrently
from glassflow.core.process.json import iso
from glassflow.jobs.overdue import Overdue
from scenarios import order_with_panes, pass_station

PATH = "/api/calls"
HOUR_S = 3600


@pytest.fixture
def station(workshop):
    return str(workshop.station(name="Washing").pk)


def call(api, station, kind="machine", **values):
    return api.post(PATH, {"station": station, "kind": kind, **values})


def act(api, made, name, **body):
    return api.post(f"{PATH}/{made['_id']}/{name}", body)


def open_calls(api, **query):
    return api.get(PATH, status="open,taken", **query).data


def notices(api, **query):
    found = api.get("/api/notifications", type="station_call", **query).data
    return [(one["title"], one["message"], one["readStatus"]) for one in found]


def end_what_is_over():
    """Do what the process that publishes does once a minute."""
    Overdue(is_holder=lambda: True).look()


def status_of(api, station):
    return api.get(f"/api/stations/{station}").data["status"]


def test_call_is_taken_by_one_who_answers_and_ends(worker, manager, admin, station):
    answer = call(worker, station, machineStands=True, reason="ใบเลื่อยหัก")
    assert answer.status == 201, answer.body
    made = answer.data
    assert made["callNumber"].startswith("CALL-")
    assert (made["status"], made["calledByName"]) == ("open", worker.worker.name)
    heard = (
        "เรียกที่สถานี Washing",
        f"เครื่องหยุด: {worker.worker.name} เรียก: ใบเลื่อยหัก",
        False,
    )
    assert notices(manager, recipient=manager.id) == [heard]
    assert notices(worker, recipient=worker.id) == []  # has no key to answer

    taken = act(manager, made, "take").data
    assert (taken["status"], taken["takenByName"]) == ("taken", manager.worker.name)
    assert act(manager, made, "take").data == taken
    late = act(admin, made, "take")
    assert (late.status, late.errors["code"]) == (409, "CALL_TAKEN")
    assert late.errors["takenByName"] == manager.worker.name
    assert [read for *_, read in notices(manager, recipient=manager.id)] == [True]

    ended = act(worker, made, "end").data
    assert (ended["status"], ended["ending"]) == ("ended", "person")
    assert act(admin, made, "end").data == ended
    assert open_calls(worker) == []
    for name in ("take", "release"):
        late = act(admin, made, name)
        assert (late.status, late.errors["code"]) == (409, "CALL_ENDED")


def test_who_goes_may_not_be_able_to_and_the_others_are_told_again(
    worker, manager, admin, client_with_keys, station
):
    made = call(worker, station, "question").data
    assert act(worker, made, "release").data["status"] == "open"
    act(manager, made, "take")
    assert act(client_with_keys("panes:scan"), made, "release").status == 403
    waits = act(manager, made, "release").data
    assert (waits["status"], waits["takenBy"], waits["takenByName"]) == (
        "open",
        None,
        "",
    )
    assert [read for *_, read in notices(admin, recipient=admin.id)] == [False, True]
    assert act(admin, made, "take").data["takenByName"] == admin.worker.name


def test_second_call_for_the_same_reason_joins_the_first(
    worker, admin, station, workshop
):
    made = call(worker, station).data
    again = call(admin, station, machineStands=True, reason="เสียงดัง")
    joined = again.data
    assert (joined["_id"], joined["calledBy"]) == (made["_id"], worker.id)
    assert (joined["machineStands"], joined["reason"]) == (True, "เสียงดัง")
    assert call(worker, station, "glass").status == 201
    assert call(worker, str(workshop.station().pk)).status == 201
    assert len(open_calls(worker)) == 3
    act(worker, made, "end")
    assert call(worker, station).status == 201


def test_of_equal_calls_at_once_one_is_made_and_of_two_who_go_one_goes(
    server, workshop, station
):
    clients = create_clients(server, workshop, role="manager", count=4)
    answers = run_concurrently([partial(call, one, station) for one in clients])
    assert len({one.data["_id"] for one in answers}) == 1
    (made,) = open_calls(clients[0])
    answers = run_concurrently([partial(act, one, made, "take") for one in clients])
    assert sorted(one.status for one in answers) == [200, 409, 409, 409]
    answers = run_concurrently([partial(act, one, made, "end") for one in clients])
    assert {one.status for one in answers} == {200}
    assert len({one.data["endedBy"] for one in answers}) == 1


def test_maintenance_is_a_stop_that_says_why_and_since_when(
    admin, worker, client_with_keys, station
):
    admin.patch(f"/api/stations/{station}", {"status": "online"})
    closing = {"refusesScanIn": True, "reason": "เปลี่ยนใบเลื่อย"}
    assert call(worker, station, **closing).status == 403
    made = call(admin, station, **closing).data
    assert (made["machineStands"], made["refusesScanIn"]) == (True, True)
    assert status_of(admin, station) == "maintenance"
    assert call(worker, station).data["_id"] == made["_id"]
    path = f"{PATH}/{made['_id']}"
    for change in ({"machineStands": False}, {"kind": "other"}):
        assert admin.patch(path, change).status == 400

    assert act(worker, made, "end").status == 403
    assert (
        act(client_with_keys("panes:scan", "stations:manage"), made, "end").status
        == 200
    )
    assert status_of(admin, station) == "online"


def test_status_of_a_station_begins_and_ends_its_maintenance(admin, workshop, station):
    path = f"/api/stations/{station}"
    assert admin.patch(path, {"status": "maintenance"}).status == 200
    (made,) = open_calls(admin, station=station)
    assert (made["kind"], made["refusesScanIn"], made["calledBy"]) == (
        "machine",
        True,
        admin.id,
    )
    admin.patch(path, {"status": "maintenance", "notes": "again"})
    assert open_calls(admin, station=station) == [made]
    assert admin.patch(path, {"status": "online"}).data["status"] == "online"
    assert admin.get(f"{PATH}/{made['_id']}").data["ending"] == "person"

    open_call = call(admin, station, reason="หัวจับหลวม").data
    admin.patch(path, {"status": "maintenance"})
    (closed,) = open_calls(admin, station=station)
    assert (closed["_id"], closed["reason"]) == (open_call["_id"], "หัวจับหลวม")
    act(admin, closed, "end")
    assert status_of(admin, station) == "online"

    body = {"name": "b", "templateId": str(workshop.station().template_id)}
    made = admin.post("/api/stations", {**body, "status": "maintenance"}).data
    (closed,) = open_calls(admin, station=made["_id"])
    act(admin, closed, "end")
    assert status_of(admin, made["_id"]) == "offline"


def test_maintenance_begun_twice_at_once_is_one_call(server, workshop, station):
    first, second = create_clients(server, workshop, role="admin", count=2)
    run_concurrently(
        [
            partial(call, first, station, refusesScanIn=True),
            partial(
                second.patch, f"/api/stations/{station}", {"status": "maintenance"}
            ),
        ]
    )
    (made,) = open_calls(first)
    assert made["refusesScanIn"]
    assert status_of(first, station) == "maintenance"
    act(first, made, "end")
    assert (open_calls(first), status_of(first, station)) == ([], "offline")


def test_calls_end_with_their_shift_but_maintenance_does_not(
    admin, worker, station, workshop, clock_at
):
    other = str(workshop.station().pk)
    admin.patch(f"/api/stations/{other}", {"status": "maintenance"})
    made = call(worker, station, machineStands=True).data
    clock_at(3 * HOUR_S)
    end_what_is_over()
    assert len(open_calls(admin)) == 2
    clock_at(28 * HOUR_S)
    end_what_is_over()
    (left,) = open_calls(admin)
    assert left["refusesScanIn"]
    ended = admin.get(f"{PATH}/{made['_id']}").data
    assert (ended["ending"], ended["endedBy"]) == ("shift", None)
    (row, *_) = admin.get(f"{PATH}/{made['_id']}/history").data
    assert row["via"] == "service", row


def test_kept_end_of_a_stop_has_its_own_time_and_corrects_that_of_the_shift(
    admin, worker, station, clock_at
):
    made = call(worker, station, machineStands=True).data
    ended_at = iso(clock_at(HOUR_S))
    clock_at(28 * HOUR_S)
    end_what_is_over()
    for _ in range(2):
        ended = act(worker, made, "end", occurredAt=ended_at).data
        assert (ended["ending"], ended["endedAt"]) == ("person", ended_at)
        assert ended["endedByName"] == worker.worker.name
    early = call(worker, station).data
    ended = act(worker, early, "end", occurredAt=ended_at).data
    assert ended["endedAt"] == early["calledAt"]  # it does not end before it begins
    refused = act(worker, call(worker, station).data, "end", occurredAt="2020-01-01")
    assert refused.errors["code"] == "SCAN_TOO_OLD"


def test_call_about_a_pane_ends_when_the_pane_is_handed_on(admin, worker, workshop):
    job = order_with_panes(admin, workshop)
    washing, cutting = job.stations
    [pane] = job.panes
    made = call(worker, washing, "glass", pane=pane["_id"], calledFrom=cutting).data
    assert made["paneNumber"] == job.numbers[0]
    end_what_is_over()
    assert [one["_id"] for one in open_calls(worker)] == [made["_id"]]
    pass_station(worker, job.numbers[0], washing)
    end_what_is_over()
    ended = worker.get(f"{PATH}/{made['_id']}").data
    assert (ended["ending"], ended["endedBy"]) == ("pane_moved", None)


def test_call_is_heard_at_its_station_and_by_the_boards(
    admin, worker, screen, station, workshop
):
    tablet = screen(worker).join_station(station)
    elsewhere = screen(worker).join_station(str(workshop.station().pk))
    board = screen(worker, "join_dashboard")
    made = call(worker, station).data
    act(worker, made, "take")
    act(worker, made, "end")
    for one in (tablet, board):
        heard = one.catch_up(admin).payloads("call:updated")
        assert [event["action"] for event in heard] == ["created", "taken", "ended"]
    assert elsewhere.catch_up(admin).payloads("call:updated") == []


def test_board_has_the_calls_that_have_not_ended(worker, station):
    ended, made = call(worker, station, "other").data, call(worker, station).data
    act(worker, ended, "end")
    act(worker, made, "take")
    (shown,) = worker.get("/api/board").data["calls"]
    assert shown["_id"] == made["_id"]
    assert shown.items() <= worker.get(f"{PATH}/{made['_id']}").data.items()


def test_stops_are_added_up_by_station_and_kind(
    admin, worker, station, workshop, clock_at
):
    other = str(workshop.station(name="Cutting").pk)
    stop, question = (
        call(worker, station, machineStands=True).data,
        call(worker, other, "question").data,
    )
    forgotten = call(worker, other, machineStands=True).data
    clock_at(60)
    act(admin, stop, "take")
    clock_at(600)
    act(worker, stop, "end")
    act(worker, question, "end")
    clock_at(28 * HOUR_S)
    end_what_is_over()
    assert admin.get(f"{PATH}/{forgotten['_id']}").data["ending"] == "shift"
    found = worker.get(f"{PATH}/pareto", days=7).data
    names = (
        "stationName",
        "kind",
        "calls",
        "stops",
        "stoppedSeconds",
        "openEnded",
        "waitedSeconds",
    )
    assert [tuple(row[name] for name in names) for row in found["rows"]] == [
        ("Washing", "machine", 1, 1, 600, 0, 60),
        ("Cutting", "machine", 1, 1, 0, 1, None),
        ("Cutting", "question", 1, 0, 0, 0, None),
    ]
    assert found["totals"] == {
        "calls": 3, "stops": 2, "stoppedSeconds": 600, "openEnded": 1, "waitedSeconds": 60,
    }  # fmt: skip
    assert found["days"] == 7
    clock_at(9 * 24 * HOUR_S)
    assert worker.get(f"{PATH}/pareto", days=7).data["rows"] == []
    assert worker.get(f"{PATH}/pareto", days=0).status == 400


def test_open_call_keeps_its_station_and_an_ended_one_can_be_deleted(
    admin, worker, station, set_policy
):
    made = call(worker, station).data
    for policy in ("restrict", "cascade"):
        set_policy(delete_policy=policy)
        for path in (f"/api/stations/{station}", f"{PATH}/{made['_id']}"):
            refused = admin.delete(path)
            assert (refused.status, "1 open call" in refused.body["message"]) == (
                409,
                True,
            )
        set_policy(delete_policy="restrict")
    act(worker, made, "end")
    assert admin.delete(f"/api/stations/{station}").status == 200
    assert worker.get(f"{PATH}/{made['_id']}").data["station"] == station
    assert worker.delete(f"{PATH}/{made['_id']}").status == 403
    assert admin.delete(f"{PATH}/{made['_id']}").status == 200


def test_reason_is_corrected_by_who_manages_stations(admin, worker, station):
    made = call(worker, station).data
    path = f"{PATH}/{made['_id']}"
    assert worker.patch(path, {"reason": "x"}).status == 403
    changed = admin.patch(path, {"reason": "สายพานขาด", "machineStands": True}).data
    assert (changed["reason"], changed["machineStands"]) == ("สายพานขาด", True)
    assert admin.patch(path, {"kind": None}).status == 400


def test_migration_gives_stations_in_maintenance_their_call(app, admin, workshop):
    closed = str(workshop.station(status="maintenance").pk)
    for _ in range(2):
        get_db()["migrations"].delete_many({"_id": "0017_maintenance_calls"})
        assert app.test_cli_runner().invoke(args=["migrate"]).exit_code == 0
    (made,) = open_calls(admin)
    assert (made["station"], made["refusesScanIn"]) == (closed, True)
    act(admin, made, "end")
    assert status_of(admin, closed) == "offline"
