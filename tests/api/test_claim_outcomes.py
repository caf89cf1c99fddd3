"""What a decision on a claim will do is said before it is taken, and is what it does."""

import pytest

from lookups import order_of, pane_of, remakes_of
from scenarios import (
    bring_to_lamination,
    claim_pane,
    order_with_panes,
    order_with_units,
    pass_station,
)
from stock_api import create_lot, quantities_of

FIGURES = ("status", "paneCount", "panesCompleted", "progressPercent")


def outcomes_of(api, claim, **query):
    return api.get(f"/api/claims/{claim['_id']}/outcomes", **query)


def decide(api, claim, outcome):
    fields = ("status", "decision", "remake")
    body = {name: outcome[name] for name in fields if outcome[name] is not None}
    return api.patch(f"/api/claims/{claim['_id']}", body)


def unfinished_pane(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=2, panes=2)
    pass_station(worker, job.numbers[0], job.stations[0])
    return job, job.numbers[0]


def finished_pane(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1, panes=1)
    pass_station(worker, job.numbers[0], job.stations[0])
    return job, job.numbers[0]


def sheet_of_a_unit(admin, worker, workshop):
    job = order_with_units(admin, workshop)
    return job, job.sheets[0][1]


def laminated_pane(admin, worker, workshop):
    job = order_with_units(admin, workshop)
    for sheet in job.sheets[0]:
        bring_to_lamination(worker, sheet, job)
        worker.scan(sheet, "complete")
    assert worker.scan(job.sheets[0][0], "laminate").status == 200
    return job, job.sheets[0][0]


@pytest.mark.slow
@pytest.mark.parametrize("position", range(5))
@pytest.mark.parametrize(
    "situation", [unfinished_pane, finished_pane, sheet_of_a_unit, laminated_pane]
)
def test_decision_does_what_was_said_before(
    admin, worker, workshop, situation, position
):
    job, number = situation(admin, worker, workshop)
    lot = create_lot(admin, job.material, 1)
    claim = claim_pane(worker, number).data
    said = outcomes_of(admin, claim).data
    before = order_of(admin, job.order)
    assert said["order"] == {name: before[name] for name in FIGURES}
    outcome = said["outcomes"][position]
    answer = decide(admin, claim, outcome)

    if outcome["refusal"]:
        assert (answer.status, answer.message) == (400, outcome["refusal"]["message"])
        assert situation is sheet_of_a_unit
        assert outcome["remake"] is False
        return
    assert answer.status == 200
    pane, order = pane_of(admin, number), order_of(admin, job.order)
    assert outcome["pane"] == {
        "status": pane["currentStatus"],
        "station": pane["currentStation"],
    }
    assert outcome["order"] == {name: order[name] for name in FIGURES}
    made = remakes_of(admin, number)
    assert bool(outcome["remade"]) == bool(made) == bool(outcome["remake"])
    assert quantities_of(admin, lot) == [1]
    if made:
        pieces = [pane_of(admin, one) for one in made[0]["childPanes"]] or made
        said_pieces = (outcome["remade"]["pieces"], outcome["remade"]["station"])
        assert said_pieces == (len(pieces), pieces[0]["currentStation"])


def test_outcomes_follow_the_station_of_the_remake(admin, worker, workshop):
    job, number = unfinished_pane(admin, worker, workshop)
    claim = claim_pane(worker, number).data
    last = job.stations[1]
    found = outcomes_of(admin, claim, remakeStation=last).data["outcomes"]
    assert [one["remade"] and one["remade"]["station"] for one in found] == [
        None,
        last,
        None,
        last,
        None,
    ]
    elsewhere = str(workshop.station().pk)
    refused = outcomes_of(admin, claim, remakeStation=elsewhere).data["outcomes"][1]
    assert refused["refusal"]["code"] == "STATION_NOT_ON_ROUTE"
    assert (refused["remade"], refused["order"]) == (None, None)
    assert outcomes_of(admin, claim, remakeStation="x").status == 400


def test_reading_outcomes_changes_nothing(admin, worker, workshop):
    job, number = unfinished_pane(admin, worker, workshop)
    claim = claim_pane(worker, number).data
    before = (pane_of(admin, number), order_of(admin, job.order))
    outcomes_of(admin, claim, remakeStation=job.stations[1])
    assert (pane_of(admin, number), order_of(admin, job.order)) == before
    assert admin.get(f"/api/claims/{claim['_id']}").data["version"] == claim["version"]
    assert remakes_of(admin, number) == []


def test_claimed_panes_of_one_order_that_were_finished_at_different_times(
    admin, worker, workshop, clock_at
):
    job = order_with_panes(admin, workshop, steps=1, panes=2)
    claims = []
    for seconds, number in zip((0, 90), job.numbers, strict=True):
        clock_at(seconds)
        pass_station(worker, number, job.stations[0])
        claims.append(claim_pane(worker, number, source="customer").data)
    for claim in claims:
        answer = outcomes_of(admin, claim)
        assert answer.status == 200, answer.body
        assert answer.data["outcomes"]


def test_decided_claim_has_no_outcomes(admin, worker, workshop):
    _, number = unfinished_pane(admin, worker, workshop)
    claim = claim_pane(worker, number).data
    admin.patch(f"/api/claims/{claim['_id']}", {"status": "rejected"})
    assert outcomes_of(admin, claim).data["outcomes"] == []


def test_outcomes_have_only_what_their_reader_may_see(
    admin, worker, workshop, client_with_keys
):
    _, number = unfinished_pane(admin, worker, workshop)
    claim = claim_pane(worker, number).data
    assert outcomes_of(worker, claim).status == 403
    bare = outcomes_of(client_with_keys("claims:approve"), claim).data
    assert bare["order"] is None
    for outcome in bare["outcomes"]:
        shown = (outcome[name] for name in ("pane", "remade", "order"))
        assert list(shown) == [None] * 3


def test_remake_in_a_cancelled_order_is_said_to_be_refused(admin, worker, workshop):
    job = order_with_panes(admin, workshop, steps=1, panes=2)
    number = job.numbers[0]
    pass_station(worker, number, job.stations[0])
    claim = claim_pane(worker, number).data
    admin.patch(f"/api/orders/{job.order['_id']}", {"status": "cancelled"})
    for outcome in outcomes_of(admin, claim).data["outcomes"]:
        assert bool(outcome["refusal"]) == bool(outcome["remake"])


@pytest.mark.parametrize("position", [2, 4])
def test_outcomes_without_a_remake_in_a_cancelled_request_are_said_as_they_come(
    admin, worker, workshop, position
):
    job, number = finished_pane(admin, worker, workshop)
    claim = claim_pane(worker, number).data
    path = f"/api/requests/{job.request['_id']}"
    admin.patch(path, {"status": "cancelled"})
    outcome = outcomes_of(admin, claim).data["outcomes"][position]
    assert (outcome["refusal"], outcome["remake"]) == (None, False)
    assert decide(admin, claim, outcome).status == 200
    order = order_of(admin, job.order)
    assert outcome["order"] == {name: order[name] for name in FIGURES}


def test_claim_without_a_pane_changes_nothing_but_itself(admin, worker, workshop):
    job = order_with_panes(admin, workshop)
    body = {
        "source": "customer",
        "material": job.material,
        "description": "ทั้งชุด",
        "reportedBy": worker.id,
    }
    claim = worker.post(f"/api/orders/{job.order['_id']}/claims", body).data
    said = outcomes_of(admin, claim).data
    assert [one["pane"] for one in said["outcomes"]] == [None] * 5
    assert all(one["order"] == said["order"] for one in said["outcomes"])
