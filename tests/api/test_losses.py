"""What was lost in the last days: by failed checks and by claims, by station and reason."""

from datetime import timedelta

import pytest

from glassflow.core.process.json import iso
from glassflow.models.pane import Pane
from lookups import remakes_of
from scenarios import claim_pane, claim_under_order, order_with_panes, pass_station

PATH = "/api/dashboard/losses"
SHOWN = ("source", "stationName", "reason", "panes", "remade", "value")


@pytest.fixture
def job(admin, workshop, at):
    """An order of six panes of 100 baht that pass two stations; it is Monday, 9 o'clock."""
    at(0, "09:00")
    made = order_with_panes(admin, workshop, steps=2, panes=6)
    Pane.objects.update(set__agreed_price=100)
    return made


def read(api, **query):
    found = api.get(PATH, **query).data
    return [tuple(row[name] for name in SHOWN) for row in found["rows"]]


def fail(api, number, reason="scratch", **fields):
    body = {"reason": reason, "beforeComplete": True, **fields}
    assert api.scan(number, "qc_fail", **body).status == 200


def claimed(api, number, status="approved", *, source="worker", **decision):
    """Claim a pane as broken, and decide that; returns the claim."""
    defect = {"source": source, "defectCode": "broken"}
    made = claim_pane(api, number, **defect).data
    answer = api.patch(f"/api/claims/{made['_id']}", {"status": status, **decision})
    assert answer.status == 200
    return made


def test_failed_checks_are_added_up_by_station_and_reason_the_dearest_first(
    admin, worker, workshop, job
):
    cut, wash = (admin.get(f"/api/stations/{one}").data["name"] for one in job.stations)
    first, second, third, fourth, *_ = job.numbers
    pass_station(worker, third, job.stations[0])
    pass_station(worker, fourth, job.stations[0])
    for number, reason in (
        (first, "scratch"), (second, "scratch"), (third, "scratch"), (fourth, "stain"),
    ):  # fmt: skip
        fail(worker, number, reason)
    Pane.objects(pane_number=third).update(set__agreed_price=1250.5)
    found = admin.get(PATH).data
    assert read(admin) == [
        ("check", wash, "scratch", 1, 1, "1250.50"),
        ("check", cut, "scratch", 2, 2, "200.00"),
        ("check", wash, "stain", 1, 1, "100.00"),
    ]
    assert [row["station"] for row in found["rows"]] == [
        job.stations[1], job.stations[0], job.stations[1],
    ]  # fmt: skip
    assert found["totals"] == {"panes": 4, "remade": 4, "value": "1550.50"}


def test_undone_check_has_lost_no_pane_and_the_next_failure_counts_once(
    admin, worker, job, at
):
    first, second, third, *_ = job.numbers
    for number in (first, second, third):
        fail(worker, number)
    at(0, "09:00:20")
    for number in (first, second, third):
        assert worker.post(f"/api/panes/{number}/undo").status == 200
    assert read(admin) == []
    fail(worker, first, "stain")
    claimed(admin, second, decision="destroy")
    sources = [(row[0], row[2], row[3]) for row in read(admin)]
    assert sorted(sources) == [("check", "stain", 1), ("worker", "broken", 1)]


def test_remake_that_is_lost_too_is_another_loss_and_both_were_remade(
    admin, worker, job
):
    number = job.numbers[0]
    fail(worker, number)
    (remake,) = remakes_of(admin, number)
    claimed(admin, remake["paneNumber"])
    assert sorted(row[0:1] + row[3:] for row in read(admin)) == [
        ("check", 1, 1, "100.00"), ("worker", 1, 1, "100.00"),
    ]  # fmt: skip


def test_check_that_is_sent_late_counts_on_its_day(admin, worker, job, at):
    happened = at(1, "10:00")
    at(3, "09:00")
    fail(worker, job.numbers[0], occurredAt=iso(happened))
    for days, count in ((7, 1), (8, 0)):  # after its day: 7 days reach it, then not
        at(days, "09:00")
        assert len(read(admin, days=7)) == count
        assert len(read(admin)) == 1


def test_approved_claims_are_lost_by_who_found_the_defect(admin, worker, job):
    """With a remake or without; not what was rejected, is pending or stays as it is."""
    remade, scrapped, rejected, pending, kept, replaced = job.numbers
    for number in (kept, replaced):
        for station in job.stations:
            pass_station(worker, number, station)
    claimed(admin, remade)
    claimed(admin, scrapped, decision="destroy", remake=False)
    claimed(admin, rejected, "rejected")
    claim_pane(worker, pending)
    claimed(admin, kept, source="customer", decision="keep", remake=False)
    claimed(admin, replaced, source="customer", decision="keep")
    assert read(admin) == [
        ("worker", None, "broken", 2, 1, "200.00"),
        ("customer", None, "broken", 1, 1, "100.00"),
    ]


def test_claim_without_a_pane_is_one_without_a_price_on_the_day_of_the_claim(
    admin, job, at
):
    today = at(0, "10:00")
    days = {"yesterday": 1, "tomorrow": -1, "last month": 31}
    for ago in days.values():
        date = iso(today - timedelta(days=ago))
        made = claim_under_order(
            admin, job, pane=None, claimDate=date, defectStation=job.stations[0]
        )
        approved = {"status": "approved", "remake": False}
        assert admin.patch(f"/api/claims/{made['_id']}", approved).status == 200
    (row,) = admin.get(PATH).data["rows"]
    assert (row["station"], row["reason"]) == (job.stations[0], "")
    assert (row["panes"], row["remade"], row["value"]) == (1, 0, "0.00")


def test_callers_without_keys_see_no_prices_no_checks_or_no_claims(
    admin, worker, job, client_with_keys
):
    first, second, third, *_ = job.numbers
    fail(worker, first)
    Pane.objects(pane_number=first).update(set__agreed_price=900)
    claimed(admin, second)
    claimed(admin, third)
    assert [row[0] for row in read(admin)] == ["check", "worker"]
    seen = {
        name: read(client_with_keys("panes:view", *keys))
        for name, keys in {
            "both": ("pane_logs:view", "claims:view"),
            "checks": ("pane_logs:view",),
            "claims": ("claims:view",),
            "none": (),
        }.items()
    }
    # who sees no prices does not see them in the order either
    assert [(row[0], row[3], row[5]) for row in seen["both"]] == [
        ("worker", 2, None), ("check", 1, None),
    ]  # fmt: skip
    assert [row[0] for row in seen["checks"]] == ["check"]
    assert [row[0] for row in seen["claims"]] == ["worker"]
    assert seen["none"] == []
    assert client_with_keys("pane_logs:view", "claims:view").get(PATH).status == 403


def test_deleted_station_has_no_name(admin, worker, workshop, job):
    fail(worker, job.numbers[0])
    for number in job.numbers[1:]:
        fail(worker, number)
    path = f"/api/orders/{job.order['_id']}"
    assert admin.patch(path, {"status": "cancelled"}).status == 200
    assert admin.delete(f"/api/stations/{job.stations[0]}").status == 200
    (row,) = admin.get(PATH).data["rows"]
    assert (row["station"], row["stationName"], row["panes"]) == (
        job.stations[0], None, 6,
    )  # fmt: skip


def test_period_has_the_days_that_are_asked_for(admin, job, at):
    monday = at(0, "12:00").date()
    at(6, "01:00")
    assert admin.get(PATH, days=7).data["from"] == monday.isoformat()
    assert admin.get(PATH).data["days"] == 30
    for wrong in ("0", "31", "x", ""):
        assert set(admin.get(PATH, days=wrong).faults) == {"days"}
