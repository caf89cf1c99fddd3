"""Twenty at one claim, one unit, one request: one wins, and the floor stays right."""

from collections import Counter

import pytest

from crowd import CLIENTS, ROUNDS, at_once
from invariants import Floor
from screens import Screen
from stories import line, units

ACTIONS = ("scan_in", "start", "complete")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


def codes(answers):
    """How often each refusal was given, as (status, code)."""
    return Counter(
        (one.status, (one.errors or {}).get("code"))
        for one in answers
        if one.status != 200
    )


def claim(api, number):
    """Make a claim of a pane; give its path."""
    body = {"source": "worker", "description": "x", "reportedBy": api.id}
    made = api.post("/api/claims/from-pane", {**body, "paneNumber": number})
    return f"/api/claims/{made.data['_id']}"


def test_a_claim_is_approved_once_and_remade_once(admin, worker, judges, workshop):
    day = line(admin, workshop, steps=2, panes=ROUNDS)
    refused = Counter()
    for pane in day.panes:
        path = claim(worker, pane["paneNumber"])
        answers = at_once(
            [
                lambda api=api, path=path: api.patch(path, {"status": "approved"})
                for api in judges
            ]
        )
        (won,) = [one for one in answers if one.status == 200]
        refused += codes(answers)
        (remake,) = admin.get("/api/panes", remakeOf=pane["_id"]).data
        assert won.data["remadePane"] == remake["_id"]
        assert admin.get(path).data["approvedBy"] == won.data["approvedBy"]
    assert set(refused) == {(400, "CLAIM_DECIDED")}
    Floor(admin).check()
    print(f"{ROUNDS} claims, {CLIENTS} approvals each: {dict(refused)}")


def test_a_claim_is_approved_or_rejected_and_never_both(
    admin, worker, judges, workshop
):
    day = line(admin, workshop, steps=2, panes=ROUNDS)
    won = Counter()
    for pane in day.panes:
        path = claim(worker, pane["paneNumber"])
        answers = at_once(
            [
                lambda api=api, path=path, n=n: api.patch(
                    path, {"status": ("approved", "rejected")[n % 2]}
                )
                for n, api in enumerate(judges)
            ]
        )
        (one,) = [answer for answer in answers if answer.status == 200]
        won[one.data["status"]] += 1
        remakes = admin.get("/api/panes", remakeOf=pane["_id"]).data
        assert len(remakes) == (one.data["status"] == "approved")
    Floor(admin).check()
    print(f"{ROUNDS} claims, approved and rejected at once: {dict(won)}")


def test_of_twenty_claims_of_one_pane_one_is_open(admin, crowd, workshop):
    day = line(admin, workshop, steps=1, panes=ROUNDS // 2)
    refused = Counter()
    for number, pane in zip(day.numbers, day.panes, strict=True):
        if pane is day.panes[0]:  # a finished one too
            admin.scan(number, "complete")
            admin.scan(number, "scan_out")
        answers = at_once(
            [
                lambda api=api, number=number: api.post(
                    "/api/claims/from-pane",
                    {
                        "source": "worker",
                        "description": "x",
                        "reportedBy": api.id,
                        "paneNumber": number,
                    },
                )
                for api in crowd
            ]
        )
        assert [one.status for one in answers].count(201) == 1
        refused += codes([one for one in answers if one.status != 201])
    assert set(refused) == {(409, "OPEN_CLAIM")}
    Floor(admin).check()


def test_a_unit_is_laminated_once_whoever_is_to_survive(admin, crowd, workshop):
    day = units(admin, workshop, sheets=4, count=ROUNDS, before=0)
    refused, survived = Counter(), Counter()
    for parent, sheets in zip(day.parents, day.sheets, strict=True):
        batch = {"paneNumbers": sheets, "action": "scan_in"}
        assert admin.post("/api/panes/batch-scan", batch).status == 200
        calls = []
        for n, api in enumerate(crowd):
            survivor = sheets[n % 4]
            scanned = parent if n % 2 else sheets[(n // 2) % 4]
            calls.append(
                lambda api=api, scanned=scanned, survivor=survivor: api.scan(
                    scanned,
                    "laminate",
                    station=day.press,
                    laminateSurvivorPaneNumber=survivor,
                )
            )
        answers = at_once(calls)
        (won,) = [one.data for one in answers if one.status == 200]
        refused += codes(answers)
        survived[won["survivorPaneNumber"][-1]] += 1
        assert sorted(won["mergedSheets"]) == sorted(sheets)
        for answer in answers:
            if answer.status != 200 and answer.errors:
                named = answer.errors["survivorPaneNumber"]
                assert named == won["survivorPaneNumber"]
    assert {code for _, code in refused} == {"MERGED_INTO", "ALREADY_LAMINATED"}
    assert {status for status, _ in refused} == {400}
    floor = Floor(admin)
    floor.check()
    starts = [log for log in floor.logs if log["action"] == "laminate_start"]
    ends = [log for log in floor.logs if log["action"] == "laminate_complete"]
    assert (len(starts), len(ends)) == (ROUNDS, ROUNDS * 4)
    print(f"{ROUNDS} units of 4, {CLIENTS} at each: {dict(survived)}, {dict(refused)}")


def test_the_last_two_sheets_arrive_at_once_and_the_unit_is_ready(
    admin, crowd, workshop
):
    """Whichever comes second sees the first: never are both told to wait."""
    day = units(admin, workshop, sheets=2, count=ROUNDS, before=0)
    station = Screen(admin).join_station(day.press)

    def arrive():
        for pair in day.sheets:
            scans = zip(pair, crowd, strict=False)
            answers = at_once(
                [lambda n=n, api=api: api.scan(n, "scan_in") for n, api in scans]
            )
            assert [one.status for one in answers] == [200, 200]

    events = Counter(name for name, _ in station.during(admin, arrive))
    station.close()
    assert events["laminate:waiting"] == events["laminate:ready"] == ROUNDS


def test_a_unit_is_laminated_or_loses_a_sheet_to_a_failed_check(admin, crowd, workshop):
    day = units(admin, workshop, sheets=2, count=ROUNDS, before=0)
    outcome = Counter()
    for a, b in day.sheets:
        batch = {"paneNumbers": [a, b], "action": "complete"}
        assert admin.post("/api/panes/batch-scan", batch).status == 200
        calls = []
        for n, api in enumerate(crowd[:10]):
            action = ("laminate", "qc_fail")[n % 2]
            number = a if action == "laminate" else b
            said = {"reason": "broken"} if action == "qc_fail" else {}
            calls.append(
                lambda api=api, number=number, action=action, said=said: api.scan(
                    number, action, station=day.press, **said
                )
            )
        won = [one.data["log"]["action"] for one in at_once(calls) if one.status == 200]
        assert len(won) == 1
        outcome[won[0]] += 1
    Floor(admin).check()
    print(f"{ROUNDS} units laminated and failed at once: {dict(outcome)}")


def test_a_request_is_cancelled_while_its_panes_are_scanned(admin, crowd, workshop):
    applied, refused = Counter(), Counter()
    for _ in range(ROUNDS):
        day = line(admin, workshop, steps=2, panes=4)
        path = f"/api/requests/{day.request['_id']}"
        calls = [
            lambda api=api, n=n, day=day: api.scan(
                day.numbers[n % 4], ACTIONS[n % 3], station=day.stations[0]
            )
            for n, api in enumerate(crowd[:-1])
        ]
        cancel = lambda path=path: admin.patch(path, {"status": "cancelled"})  # noqa: E731
        middle = len(calls) // 2
        answers = at_once([*calls[:middle], cancel, *calls[middle:]])
        assert answers[middle].status == 200, answers[middle]
        del answers[middle]
        applied.update(
            one.data["log"]["action"] for one in answers if one.status == 200
        )
        refused += codes(answers)
        panes = admin.get("/api/panes", request=day.request["_id"]).data
        assert {pane["currentStatus"] for pane in panes} == {"cancelled"}
        order = admin.get(f"/api/orders/{day.order['_id']}").data
        assert (order["status"], order["stationBreakdown"]) == ("cancelled", {})
    # a scan that came too late meets the pane that is cancelled now
    assert {code for _, code in refused} <= {"ALREADY_CANCELLED", "AWAITING_SCAN_OUT"}
    assert {status for status, _ in refused} == {400}
    Floor(admin).check()
    print(f"{ROUNDS} requests cancelled under {CLIENTS - 1} scans each: "
          f"{dict(applied)} applied before, {dict(refused)} refused after")  # fmt: skip
