"""When a pane came to its present station: `arrivedAt`."""

import pytest

from glassflow.core.process.json import iso
from glassflow.models.pane import Pane
from lookups import pane_of
from scenarios import (
    bring_to_lamination,
    claim_pane,
    order_with_panes,
    order_with_units,
    pass_station,
)

MINUTE_S = 60


@pytest.fixture
def minute(clock_at):
    """Sets the clock: `minute(5)` after the begin of the test; returns that time."""
    return lambda number: iso(clock_at(number * MINUTE_S))


def arrival(api, number):
    pane = pane_of(api, number)
    return pane["currentStation"], pane["arrivedAt"]


def test_pane_arrives_when_it_is_made_and_when_it_moves_on(
    admin, worker, workshop, minute
):
    begin = minute(0)
    job = order_with_panes(admin, workshop, steps=2)
    (number,), (first, second) = job.numbers, job.stations
    assert arrival(admin, number) == (first, begin)
    minute(1)
    for action in ("scan_in", "start", "complete"):
        assert worker.scan(number, action).data["pane"]["arrivedAt"] == begin
    moved = minute(2)
    answer = worker.scan(number, "scan_out").data
    assert arrival(admin, number) == (second, moved)
    assert answer["pane"]["arrivedAt"] == moved
    assert answer["log"]["arrivedAt"] == begin  # how long it was there
    minute(3)
    log = pass_station(worker, number, second).data["log"]
    assert arrival(admin, number) == (None, None)
    assert log["arrivedAt"] == moved


def test_pane_arrives_again_where_its_route_has_a_station_twice_in_a_row(
    admin, worker, workshop, minute
):
    job = order_with_panes(admin, workshop, steps=1, route=[0, 0])
    later = minute(1)
    pass_station(worker, job.numbers[0], job.stations[0])
    assert arrival(admin, job.numbers[0]) == (job.stations[0], later)


def test_only_a_correction_of_the_station_is_an_arrival(admin, workshop, minute):
    begin = minute(0)
    job = order_with_panes(admin, workshop, steps=2)
    (number,), (first, second) = job.numbers, job.stations
    path = f"/api/panes/{number}"
    minute(1)
    same = {"notes": "x", "currentStatus": "in_progress", "currentStation": first}
    assert admin.patch(f"{path}", same).data["arrivedAt"] == begin
    moved = minute(2)
    assert admin.patch(path, {"currentStation": second}).data["arrivedAt"] == moved
    answer = admin.patch(path, {"arrivedAt": begin})
    assert answer.data["arrivedAt"] == moved
    assert [one["field"] for one in answer.body["warnings"]] == ["arrivedAt"]


def test_pane_that_is_put_back_has_been_there_since_it_came(
    admin, worker, workshop, minute
):
    begin = minute(0)
    job = order_with_panes(admin, workshop, steps=2)
    (number,), (first, _) = job.numbers, job.stations
    minute(1)
    claim = claim_pane(worker, number).data
    assert arrival(admin, number) == (None, None)
    minute(2)
    path = f"/api/claims/{claim['_id']}"
    assert admin.patch(path, {"status": "rejected"}).status == 200
    assert arrival(admin, number) == (first, begin)
    order = f"/api/orders/{job.order['_id']}"
    for claimed in (False, True):
        if claimed:  # a claim that the cancellation rejects
            assert claim_pane(worker, number).status == 201
        admin.patch(order, {"status": "cancelled"})
        assert arrival(admin, number) == (None, None)
        minute(3)
        admin.patch(order, {"status": "pending"})
        assert arrival(admin, number) == (first, begin)


def test_laminated_pane_stays_and_its_other_sheets_are_nowhere(
    admin, worker, workshop, minute
):
    job = order_with_units(admin, workshop)
    came = minute(1)
    for number in job.sheets[0]:
        bring_to_lamination(worker, number, job)
    minute(2)
    survivor, other = job.sheets[0]
    assert worker.scan(survivor, "laminate").status == 200
    assert arrival(admin, survivor) == (job.lamination_station, came)
    assert arrival(admin, other) == (None, None)
    assert arrival(admin, job.parents[0]) == (None, None)


def test_remake_arrives_when_it_is_made(admin, worker, workshop, minute):
    job = order_with_panes(admin, workshop)
    failed = minute(1)
    for action in ("scan_in", "complete"):
        worker.scan(job.numbers[0], action)
    answer = worker.scan(job.numbers[0], "qc_fail", reason="broken").data
    remake = admin.get("/api/panes", remakeOf=answer["pane"]["_id"]).data[0]
    assert (remake["currentStation"], remake["arrivedAt"]) == (job.stations[0], failed)
    assert answer["pane"]["arrivedAt"] is None


def test_pane_of_an_earlier_release_has_no_arrival_until_it_moves(
    admin, worker, workshop, minute
):
    job = order_with_panes(admin, workshop)
    Pane.collection().update_many({}, {"$unset": {"arrivedAt": 1}})
    assert arrival(admin, job.numbers[0]) == (job.stations[0], None)
    moved = minute(1)
    log = pass_station(worker, job.numbers[0], job.stations[0]).data["log"]
    assert arrival(admin, job.numbers[0]) == (job.stations[1], moved)
    assert log["arrivedAt"] is None
