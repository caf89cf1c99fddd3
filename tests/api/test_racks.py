"""Racks: panes are put on them, taken off and scanned with them; who stands on none."""

from functools import partial

import pytest
from bson import ObjectId

from concurrency import create_clients, run_concurrently
from glassflow.core.process import clock
from glassflow.core.process.json import iso
from lookups import pane_of
from pictures import photo
from scenarios import claim_pane, order_with_panes, order_with_units, pass_station

PATH = "/api/racks"


def make_rack(api, **values):
    answer = api.post(PATH, {"name": "Trolley", "place": "Cutting", **values})
    assert answer.status == 201, answer
    return answer.data


@pytest.fixture
def rack(admin):
    return make_rack(admin)


def act(api, rack, name, numbers, **body):
    path = f"{PATH}/{rack['rackNumber']}/{name}"
    return api.post(path, {"paneNumbers": numbers, **body})


def put(api, rack, numbers, **body):
    answer = act(api, rack, "put", numbers, **body)
    assert answer.status == 200, answer
    return answer.data


def scan(api, rack, numbers, action="complete", **body):
    return act(api, rack, "scan", numbers, action=action, **body)


def on(api, rack):
    """The numbers of the panes on a rack."""
    found = api.get("/api/panes", rack=rack["_id"], sort="paneNumber").data
    return [one["paneNumber"] for one in found]


def undo(api, numbers):
    return api.post("/api/panes/batch-undo", {"paneNumbers": numbers})


def test_panes_are_put_on_a_rack_moved_to_another_and_taken_off(
    worker, admin, workshop, rack
):
    job = order_with_panes(admin, workshop, panes=3)
    first, second, third = job.numbers
    there, other = {"station": job.stations[0]}, make_rack(admin)
    given = [first, f"STDPLUS:{second}", first.lower()]
    done = put(worker, rack, given, **there)
    assert [one["paneNumber"] for one in done["panes"]] == [first, second]
    assert {one["rack"] for one in done["panes"]} == {rack["_id"]}
    assert (done["rack"]["station"], done["rack"]["version"]) == (job.stations[0], 2)
    assert put(worker, rack, given, **there) == done  # again: nothing to change
    put(worker, other, [second, third])
    assert (on(admin, rack), on(admin, other)) == ([first], [second, third])
    shown = admin.get(f"/api/panes/{second}", populate="true").data["rack"]
    assert shown == {
        "_id": other["_id"],
        **{name: other[name] for name in ("rackNumber", "name", "place")},
    }
    passport = admin.get(f"/api/panes/{second}/passport", populate="true").data
    assert passport["pane"]["rack"] == shown

    off = act(worker, other, "take-off", [first, second], **there).data
    assert [one["rack"] for one in off["panes"]] == [rack["_id"], None]
    assert off["rack"]["station"] == job.stations[0]
    assert (on(admin, rack), on(admin, other)) == ([first], [third])


def test_rack_is_found_by_its_id_number_and_code(worker, rack):
    assert rack["qrCode"] == f"STDPLUS:{rack['rackNumber']}"
    digits = int(rack["rackNumber"].removeprefix("RCK-"))
    for name in (rack["_id"], rack["rackNumber"].lower(), rack["qrCode"]):
        assert worker.get(f"{PATH}/{name}").data == rack
    for text in (f"RCK-{digits}", f"rck000{digits}", rack["qrCode"], "troll"):
        (found,) = worker.get("/api/search", q=text).data
        assert (found["kind"], found["rackNumber"]) == ("rack", rack["rackNumber"])
    assert worker.get(f"{PATH}/RCK-9999").status == 404


def test_put_names_all_panes_that_cannot_stand_on_a_rack_and_changes_none(
    worker, admin, workshop, rack
):
    job = order_with_panes(admin, workshop, panes=3)
    units = order_with_units(admin, workshop)
    fine, lost, cancelled = job.numbers
    worker.scan(lost, "qc_fail", reason="broken", beforeComplete=True)
    path = f"/api/panes/{job.panes[2]['_id']}"
    assert admin.patch(path, {"currentStatus": "cancelled"}).status == 200
    refused = act(worker, rack, "put", [fine, lost, cancelled, units.parents[0]])
    assert (refused.status, refused.errors["code"]) == (409, "NOT_ON_FLOOR")
    assert refused.errors["paneNumbers"] == [lost, cancelled, units.parents[0]]
    unknown = act(worker, rack, "put", [fine, "PNE-0000"])
    assert (unknown.status, unknown.errors["code"]) == (400, "UNKNOWN_PANES")
    assert unknown.errors["paneNumbers"] == ["PNE-0000"]
    assert on(admin, rack) == []
    for body in ({"station": str(ObjectId())}, {"operator": str(ObjectId())}):
        assert act(admin, rack, "put", [fine], **body).status == 400
    late = act(worker, rack, "put", [fine], occurredAt="2001-01-01T00:00:00Z")
    assert late.errors["code"] == "SCAN_TOO_OLD"
    assert put(worker, rack, [fine], occurredAt=iso(clock.now()))
    for numbers in ([], ["x"] * 501):
        assert set(act(worker, rack, "put", numbers).faults) == {"paneNumbers"}


def test_put_that_a_device_kept_leaves_a_pane_where_it_has_gone_since(
    worker, admin, workshop, rack
):
    job = order_with_panes(admin, workshop, panes=2)
    at = iso(clock.now())
    pass_station(admin, job.numbers[0], job.stations[0])  # others brought it on
    put(worker, rack, job.numbers, occurredAt=at)
    assert on(admin, rack) == job.numbers[1:]
    put(worker, rack, job.numbers, occurredAt=iso(clock.now()))
    assert on(admin, rack) == job.numbers


def test_scan_of_a_rack_scans_its_panes_which_stay_until_they_are_taken_back(
    worker, admin, workshop, rack
):
    job = order_with_panes(admin, workshop, steps=2, panes=3)
    first, second = job.stations
    put(worker, rack, job.numbers, station=first)
    early = scan(worker, rack, job.numbers, "scan_out", station=first)
    assert early.errors["code"] == "NOT_COMPLETED_YET"
    done = scan(
        worker, rack, job.numbers, "scan_out", station=first, beforeComplete=True
    ).data
    assert (done["count"], done["updatedCount"], len(done["logs"])) == (3, 3, 3)
    assert {one["currentStation"] for one in done["panes"]} == {second}
    assert done["undoableUntil"]
    came = scan(worker, rack, job.numbers, "scan_in", station=second).data
    assert came["rack"]["station"] == second
    assert on(admin, rack) == job.numbers

    back = undo(worker, job.numbers)
    assert back.status == 200, back
    assert {one["currentStatus"] for one in back.data["panes"]} == {"pending"}
    assert on(admin, rack) == job.numbers
    for action in ("start", "qc_fail", "laminate"):
        assert set(scan(worker, rack, job.numbers, action).faults) == {"action"}
    gone = scan(worker, rack, job.numbers, "scan_in", station=str(ObjectId()))
    assert gone.status == 400
    assert admin.get(f"{PATH}/{rack['_id']}").data["station"] == second


def test_rack_whose_panes_have_changed_is_not_scanned(worker, admin, workshop, rack):
    job = order_with_panes(admin, workshop, panes=3)
    put(worker, rack, job.numbers)
    worker.scan(job.numbers[2], "scan_in")
    put(worker, make_rack(admin), [job.numbers[1]])
    changed = scan(worker, rack, job.numbers, station=job.stations[0])
    assert (changed.status, changed.errors["code"]) == (409, "RACK_CHANGED")
    assert changed.errors["paneNumbers"] == job.numbers[1:]
    statuses = [pane_of(admin, one)["currentStatus"] for one in job.numbers]
    assert statuses == ["pending", "pending", "in_progress"]
    assert admin.get(f"{PATH}/{rack['_id']}").data["station"] is None


@pytest.mark.parametrize("action", ["scan_in", "start", "complete"])
def test_who_works_on_a_pane_takes_it_off_and_undo_puts_it_back(
    worker, admin, workshop, rack, action
):
    job = order_with_panes(admin, workshop, panes=2)
    put(worker, rack, job.numbers)
    body = {"paneNumbers": job.numbers[1:], "action": action}
    assert worker.scan(job.numbers[0], action).data["pane"]["rack"] is None
    assert worker.post("/api/panes/batch-scan", body).status == 200
    assert on(admin, rack) == []
    assert undo(worker, job.numbers).status == 200
    assert on(admin, rack) == job.numbers


@pytest.mark.parametrize("action", ["scan_out", "qc_pass"])
def test_handing_on_alone_takes_no_pane_off(worker, admin, workshop, rack, action):
    job = order_with_panes(admin, workshop, steps=1, panes=2)
    done, early = job.numbers
    worker.scan(done, "complete")
    put(worker, rack, job.numbers)
    worker.scan(done, action)
    worker.scan(early, action, beforeComplete=True)
    assert on(admin, rack) == [done]  # finished, and waits for its delivery


def test_undo_leaves_a_pane_on_no_rack_that_is_gone(worker, admin, workshop, rack):
    job = order_with_panes(admin, workshop, panes=2)
    put(worker, rack, job.numbers)
    blocked = admin.delete(f"{PATH}/{rack['rackNumber']}")
    assert (blocked.status, blocked.errors["counts"]) == (409, {"pane": 2})
    for number in job.numbers:
        worker.scan(number, "scan_in")
    assert admin.delete(f"{PATH}/{rack['rackNumber']}").status == 200
    assert undo(worker, job.numbers).status == 200
    assert {pane_of(admin, one)["rack"] for one in job.numbers} == {None}
    restored = admin.post(f"{PATH}/{rack['_id']}/restore")
    assert (restored.status, restored.data["qrCode"]) == (201, rack["qrCode"])


def test_lost_merged_cancelled_and_delivered_panes_stand_on_no_rack(
    worker, admin, workshop, rack
):
    job = order_with_panes(admin, workshop, steps=1, panes=5)
    failed, scrapped, kept, delivered, cancelled = job.numbers
    for number in (kept, delivered):
        pass_station(worker, number, job.stations[0])
    put(worker, rack, job.numbers)
    failure = worker.scan(failed, "qc_fail", reason="broken", beforeComplete=True)
    assert failure.data["remadePane"]["rack"] is None
    assert on(admin, rack) == job.numbers[1:]
    assert undo(worker, [failed]).status == 200
    assert on(admin, rack) == job.numbers

    claim = claim_pane(worker, scrapped, photos=[photo()]).data
    assert scrapped in on(admin, rack)  # nobody has decided yet
    body = {"status": "approved", "decision": "destroy", "remake": True}
    assert admin.patch(f"/api/claims/{claim['_id']}", body).status == 200
    planned = {"customer": job.customer, "panes": [job.panes[3]["_id"]]}
    delivery = admin.post("/api/deliveries", planned).data
    given = {"paneNumbers": [delivered], "receivedBy": "Lek"}
    path = f"/api/deliveries/{delivery['_id']}"
    assert worker.post(f"{path}/hand-over", given).status == 200
    assert on(admin, rack) == [failed, kept, cancelled]
    assert worker.post(f"{path}/undo", {}).status == 200
    assert pane_of(admin, delivered)["rack"] is None  # nobody knows where it went
    order = f"/api/orders/{job.order['_id']}"
    assert admin.patch(order, {"status": "cancelled"}).status == 200
    assert on(admin, rack) == [kept]


def test_survivor_of_a_lamination_stays_on_its_rack(worker, admin, workshop, rack):
    unit = order_with_units(admin, workshop, before=0)
    sheets = unit.sheets[0]
    for sheet in sheets:
        worker.scan(sheet, "scan_in", station=unit.lamination_station)
    put(worker, rack, sheets)
    worker.scan(sheets[0], "laminate", station=unit.lamination_station)
    assert on(admin, rack) == [sheets[0]]
    assert pane_of(admin, sheets[1])["rack"] is None


def test_rack_of_a_pane_is_no_field_of_its_body(worker, admin, workshop, rack):
    job = order_with_panes(admin, workshop)
    path = f"/api/panes/{job.panes[0]['_id']}"
    warned = admin.patch(path, {"rack": rack["_id"], "notes": "x"})
    assert (warned.data["notes"], warned.data["rack"]) == ("x", None)
    assert "rack" in [one["field"] for one in warned.body["warnings"]]


def test_screens_of_both_stations_hear_of_a_rack_that_is_moved(
    worker, admin, workshop, screen
):
    job = order_with_panes(admin, workshop, panes=2)
    rack = make_rack(admin, station=job.stations[0])
    watching = screen(admin).join_station(job.stations[0])
    arriving = screen(admin).join_station(job.stations[1])
    act_there = partial(put, worker, rack, job.numbers, station=job.stations[1])
    told = watching.events_during(admin, act_there)
    assert [name for name, _ in told] == [
        "pane:updated",
        "pane:updated",
        "rack:updated",
    ]
    assert {payload["action"] for _, payload in told} == {"updated"}
    arriving.wait_for(lambda: "rack:updated" in arriving.event_names())
    # the rack stays where it is, and something else stands on it
    less = partial(act, worker, rack, "take-off", job.numbers[:1])
    told = arriving.events_during(admin, less)
    assert [name for name, _ in told] == ["rack:updated"]
    assert arriving.events_during(admin, less) == []


def test_rack_is_read_with_panes_and_managed_with_stations(
    client_with_keys, admin, workshop, rack
):
    job = order_with_panes(admin, workshop, panes=1)
    for missing in ("panes:view", "stations:manage"):
        other = client_with_keys(
            *({"panes:view", "panes:scan", "stations:manage"} - {missing})
        )
        path = f"{PATH}/{rack['_id']}"
        assert other.get(path).status == (403 if missing == "panes:view" else 200)
        expected = 403 if missing == "stations:manage" else 200
        assert other.patch(path, {"notes": missing}).status == expected
        assert act(other, rack, "put", job.numbers).status == 200
    reader = client_with_keys("panes:view")
    for name in ("put", "take-off"):
        assert act(reader, rack, name, job.numbers).status == 403
    assert scan(reader, rack, job.numbers).status == 403
    for_another = {"operator": admin.id, "station": job.stations[0]}
    refused = act(
        client_with_keys("panes:scan"), rack, "put", job.numbers, **for_another
    )
    assert refused.status == 403


def test_checklist_says_where_panes_stand_to_those_who_see_panes(
    worker, admin, client_with_keys, workshop, rack
):
    job = order_with_panes(admin, workshop, panes=2)
    put(worker, rack, job.numbers[:1])
    planned = {"customer": job.customer, "panes": [one["_id"] for one in job.panes]}
    delivery = admin.post("/api/deliveries", planned).data
    path = f"/api/deliveries/{delivery['_id']}/checklist"
    shown = [one["rack"] for one in worker.get(path).data["panes"]]
    names = ("_id", "rackNumber", "name", "place")
    assert shown == [{name: rack[name] for name in names}, None]
    driver = client_with_keys("orders:view", "panes:scan")
    assert [one["rack"] for one in driver.get(path).data["panes"]] == [None, None]
    assert driver.get("/api/search", q=rack["rackNumber"]).data == []


def test_of_two_racks_at_once_a_pane_stands_on_one(server, admin, workshop):
    job = order_with_panes(admin, workshop, panes=4)
    racks = [make_rack(admin) for _ in range(2)]
    clients = create_clients(server, workshop, count=2)
    answers = run_concurrently(
        [
            partial(act, api, one, "put", job.numbers)
            for api, one in zip(clients, racks, strict=True)
        ]
    )
    for one, answer in zip(racks, answers, strict=True):
        assert answer.status == 200
        assert {pane["rack"] for pane in answer.data["panes"]} == {one["_id"]}
    assert sorted(on(admin, one) for one in racks) == [[], job.numbers]


@pytest.mark.parametrize("other", ["take-off", "single", "delete"])
def test_rack_is_scanned_whole_or_not_beside_another_change(
    server, admin, workshop, other
):
    one, two = create_clients(server, workshop, role="manager", count=2)
    for n in range(4):
        rack = make_rack(admin)
        job = order_with_panes(admin, workshop, steps=2, panes=3)
        put(admin, rack, job.numbers)
        changes = {
            "take-off": partial(act, two, rack, "take-off", job.numbers[:1]),
            "single": partial(two.scan, job.numbers[0], "scan_in"),
            "delete": partial(two.delete, f"{PATH}/{rack['_id']}"),
        }
        together = partial(scan, one, rack, job.numbers, station=job.stations[0])
        calls = [together, changes[other]]
        answers = run_concurrently(calls if n % 2 else calls[::-1])
        scanned, changed = answers if n % 2 else answers[::-1]
        statuses = [pane_of(admin, number)["currentStatus"] for number in job.numbers]
        if scanned.status == 200:
            assert statuses == ["awaiting_scan_out"] * 3
        else:
            assert scanned.errors["code"] == "RACK_CHANGED"
            assert statuses[1:] == ["pending"] * 2
        assert (changed.status == 409) == (other == "delete") or changed.status == 400


def test_put_and_deletion_at_once_leave_no_pane_on_a_rack_that_is_gone(
    server, admin, workshop
):
    one, two = create_clients(server, workshop, role="manager", count=2)
    for n in range(4):
        rack, job = make_rack(admin), order_with_panes(admin, workshop)
        calls = [
            partial(act, one, rack, "put", job.numbers),
            partial(two.delete, f"{PATH}/{rack['_id']}"),
        ]
        run_concurrently(calls if n % 2 else calls[::-1])
        exists = admin.get(f"{PATH}/{rack['_id']}").status == 200
        assert pane_of(admin, job.numbers[0])["rack"] == (
            rack["_id"] if exists else None
        )
