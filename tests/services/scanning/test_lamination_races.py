"""Concurrent scans of the sheets of one unit: it is laminated once, and completely."""

from collections import Counter

import pytest

from concurrency import CLIENTS, ROUNDS, count_refusals, run_concurrently
from invariants import WorkshopState
from scenarios import order_with_units
from screens import Screen

pytestmark = [pytest.mark.sized, pytest.mark.slow, pytest.mark.timeout(400)]


def test_unit_is_laminated_once_with_any_survivor(admin, worker_clients, workshop):
    job = order_with_units(admin, workshop, sheets=4, count=ROUNDS, before=0)
    refused, survived = Counter(), Counter()
    for parent, sheets in zip(job.parents, job.sheets, strict=True):
        batch = {"paneNumbers": sheets, "action": "scan_in"}
        assert admin.post("/api/panes/batch-scan", batch).status == 200
        calls = []
        for n, api in enumerate(worker_clients):
            survivor = sheets[n % 4]
            scanned = parent if n % 2 else sheets[(n // 2) % 4]
            calls.append(
                lambda api=api, scanned=scanned, survivor=survivor: api.scan(
                    scanned,
                    "laminate",
                    station=job.lamination_station,
                    laminateSurvivorPaneNumber=survivor,
                )
            )
        answers = run_concurrently(calls)
        (won,) = [one.data for one in answers if one.status == 200]
        refused += count_refusals(answers)
        survived[won["survivorPaneNumber"][-1]] += 1
        assert sorted(won["sheetPaneNumbers"]) == sorted(sheets)
        for answer in answers:
            if answer.status != 200 and answer.errors:
                named = answer.errors["survivorPaneNumber"]
                assert named == won["survivorPaneNumber"]
    assert {code for _, code in refused} == {"MERGED_INTO", "ALREADY_LAMINATED"}
    assert {status for status, _ in refused} == {400}
    state = WorkshopState(admin)
    state.check()
    starts = [log for log in state.logs if log["action"] == "laminate_start"]
    ends = [log for log in state.logs if log["action"] == "laminate_complete"]
    assert (len(starts), len(ends)) == (ROUNDS, ROUNDS * 4)
    print(f"{ROUNDS} units of 4, {CLIENTS} at each: {dict(survived)}, {dict(refused)}")


def test_unit_is_ready_when_its_last_two_sheets_arrive_concurrently(
    admin, worker_clients, workshop
):
    """The second arrival sees the first, so never do both publish `waiting`."""
    job = order_with_units(admin, workshop, sheets=2, count=ROUNDS, before=0)
    station = Screen(admin).join_station(job.lamination_station)

    def arrive():
        for pair in job.sheets:
            scans = zip(pair, worker_clients, strict=False)
            answers = run_concurrently(
                [lambda n=n, api=api: api.scan(n, "scan_in") for n, api in scans]
            )
            assert [one.status for one in answers] == [200, 200]

    events = Counter(name for name, _ in station.events_during(admin, arrive))
    station.close()
    assert events["laminate:waiting"] == events["laminate:ready"] == ROUNDS


def test_unit_is_laminated_or_loses_a_sheet_to_a_failed_check(
    admin, worker_clients, workshop
):
    job = order_with_units(admin, workshop, sheets=2, count=ROUNDS, before=0)
    outcome = Counter()
    for a, b in job.sheets:
        batch = {"paneNumbers": [a, b], "action": "complete"}
        assert admin.post("/api/panes/batch-scan", batch).status == 200
        calls = []
        for n, api in enumerate(worker_clients[:10]):
            action = ("laminate", "qc_fail")[n % 2]
            number = a if action == "laminate" else b
            fields = {"reason": "broken"} if action == "qc_fail" else {}
            calls.append(
                lambda api=api, number=number, action=action, fields=fields: api.scan(
                    number, action, station=job.lamination_station, **fields
                )
            )
        won = [
            one.data["log"]["action"]
            for one in run_concurrently(calls)
            if one.status == 200
        ]
        assert len(won) == 1
        outcome[won[0]] += 1
    WorkshopState(admin).check()
    print(f"{ROUNDS} units laminated and failed at once: {dict(outcome)}")
