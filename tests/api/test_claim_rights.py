"""Who may report, change and decide a claim; nobody decides their own."""

import pytest

from lookups import claim_of, remakes_of
from scenarios import claim_pane, order_with_panes

DECISIONS = (
    {"status": "approved"},
    {"status": "rejected"},
    {"decision": "keep"},
    {"remake": False},
    {"status": "approved", "decision": "destroy"},
)
FORBIDDEN = (403, "Not authorized for this action")


@pytest.fixture
def job(admin, workshop):
    return order_with_panes(admin, workshop, steps=2)


def path_of(claim):
    return f"/api/claims/{claim['_id']}"


def refusal(answer):
    return answer.status, answer.message


def test_claim_keeps_its_creator_whatever_a_client_sends(admin, worker, manager, job):
    made = claim_pane(worker, job.numbers[0], createdBy=manager.id)
    assert made.data["createdBy"] == worker.id
    assert "warnings" not in made.body
    admin.patch(path_of(made.data), {"createdBy": admin.id, "description": "x"})
    assert claim_of(admin, made.data)["createdBy"] == worker.id


def test_creator_of_a_claim_is_populated_on_demand_only(admin, worker, job):
    made = claim_pane(worker, job.numbers[0]).data
    assert admin.get(path_of(made), populate="true").data["createdBy"] == worker.id
    shown = admin.get(path_of(made), populate="createdBy").data["createdBy"]
    assert set(shown) == {"_id", "name", "username", "position"}


def test_only_a_holder_of_claims_manage_reports_in_another_name(
    worker, manager, client_with_keys, job
):
    creator = client_with_keys("claims:create", "claims:approve")
    for api in (worker, creator):
        answer = claim_pane(api, job.numbers[0], reportedBy=manager.id)
        assert refusal(answer) == FORBIDDEN
    made = claim_pane(manager, job.numbers[0], reportedBy=worker.id).data
    assert (made["reportedBy"], made["createdBy"]) == (worker.id, manager.id)


def test_reporter_of_a_claim_does_not_change(admin, worker, manager, job):
    made = claim_pane(worker, job.numbers[0]).data
    for api in (worker, manager, admin):
        for change in ({}, {"status": "approved"}):
            body = {"reportedBy": manager.id, **change}
            answer = api.patch(path_of(made), body)
            assert answer.status in (400, 403), answer
        answer = api.patch(path_of(made), {"reportedBy": manager.id})
        assert (answer.status, answer.errors["code"]) == (400, "REPORTER_FIXED")
        answer = api.patch(path_of(made), {"reportedBy": worker.id})
        assert (answer.status, answer.data) == (200, made)
    assert claim_of(admin, made) == made


@pytest.mark.parametrize("decision", DECISIONS, ids=str)
def test_nobody_decides_a_claim_that_they_report(manager, job, decision):
    own = claim_pane(manager, job.numbers[0]).data
    assert refusal(manager.patch(path_of(own), decision)) == FORBIDDEN
    assert claim_of(manager, own) == own


@pytest.mark.parametrize("decision", DECISIONS, ids=str)
def test_nobody_decides_a_claim_that_they_create_in_another_name(
    manager, worker, job, decision
):
    own = claim_pane(manager, job.numbers[0], reportedBy=worker.id).data
    assert refusal(manager.patch(path_of(own), decision)) == FORBIDDEN
    assert claim_of(manager, own) == own


@pytest.mark.parametrize("decision", DECISIONS, ids=str)
def test_only_a_holder_of_everything_decides_while_creating(
    admin, manager, worker, job, decision
):
    for api in (worker, manager):
        answer = claim_pane(api, job.numbers[0], **decision)
        assert refusal(answer) == FORBIDDEN
    in_another_name = {"reportedBy": worker.id, **decision}
    assert refusal(claim_pane(manager, job.numbers[0], **in_another_name)) == FORBIDDEN
    made = claim_pane(admin, job.numbers[0], **decision).data
    assert {name: made[name] for name in decision} == decision
    approved = decision.get("status") == "approved"
    assert len(remakes_of(admin, job.numbers[0])) == approved


def test_default_values_of_a_decision_are_no_decision(worker, job):
    defaults = {"status": "pending", "decision": None, "remake": True}
    made = claim_pane(worker, job.numbers[0], **defaults).data
    assert (made["status"], made["approvedBy"]) == ("pending", None)


def test_holder_of_everything_decides_their_own_claim(admin, job):
    made = claim_pane(admin, job.numbers[0]).data
    decided = admin.patch(path_of(made), {"status": "approved"}).data
    assert decided["approvedBy"] == admin.id


@pytest.mark.parametrize(
    "keys", [("claims:approve",), ("claims:approve", "claims:view")]
)
@pytest.mark.parametrize("status", ["approved", "rejected"])
def test_claims_approve_alone_is_enough_to_decide(
    admin, worker, client_with_keys, job, keys, status
):
    made = claim_pane(worker, job.numbers[0]).data
    judge = client_with_keys(*keys)
    decision = {"decision": "destroy", "remakeStation": job.stations[1]}
    assert judge.patch(path_of(made), decision).status == 200
    decided = judge.patch(path_of(made), {"status": status}).data
    assert (decided["status"], decided["approvedBy"]) == (status, judge.id)
    assert len(remakes_of(admin, job.numbers[0])) == (status == "approved")


def test_claims_approve_changes_nothing_but_the_decision(
    worker, client_with_keys, job, workshop
):
    made = claim_pane(worker, job.numbers[0]).data
    judge = client_with_keys("claims:approve", "claims:view")
    for name, value in {
        "description": "x",
        "photos": ["https://example.com/a.jpg"],
        "pane": None,
        "defectStation": str(workshop.station().pk),
        "reportedBy": judge.id,
    }.items():
        for decision in ({}, {"status": "approved"}):
            answer = judge.patch(path_of(made), {**decision, name: value})
            assert refusal(answer) == FORBIDDEN, name
    assert claim_of(worker, made) == made
    whole_record = {**made, "status": "rejected"}
    assert judge.patch(path_of(made), whole_record).data["status"] == "rejected"


def test_claims_approve_alone_neither_reads_nor_deletes_claims(
    worker, client_with_keys, job
):
    made = claim_pane(worker, job.numbers[0]).data
    judge = client_with_keys("claims:approve")
    for answer in (
        judge.get("/api/claims"),
        judge.get(path_of(made)),
        judge.delete(path_of(made)),
    ):
        assert refusal(answer) == FORBIDDEN


def test_viewer_changes_neither_a_decision_nor_another_field(
    worker, client_with_keys, job
):
    made = claim_pane(worker, job.numbers[0]).data
    viewer = client_with_keys("claims:view")
    for body in ({"status": "approved"}, {"description": "x"}, {"odd": 1}, {}):
        assert refusal(viewer.patch(path_of(made), body)) == FORBIDDEN
    for decision in DECISIONS:
        assert refusal(worker.patch(path_of(made), decision)) == FORBIDDEN


def test_reporter_sends_an_unchanged_decision_back_with_an_update(worker, job):
    made = claim_pane(worker, job.numbers[0]).data
    answer = worker.patch(path_of(made), {**made, "description": "y"})
    assert (answer.status, answer.data["description"]) == (200, "y")
    assert answer.data["status"] == "pending"


def test_claim_sent_back_as_it_was_read_keeps_its_version(worker, job):
    made = claim_pane(worker, job.numbers[0]).data
    assert worker.patch(path_of(made), made).data == made


def test_claim_without_a_creator_is_decided_by_anyone_but_its_reporter(
    admin, manager, client_with_keys, workshop, job
):
    """As the releases before `createdBy` stored it."""
    stored = workshop.make(
        "Claim",
        claim_number="CLM-9001",
        order=job.order["_id"],
        material=job.material,
        source="worker",
        description="x",
        reported_by=manager.worker.pk,
    )
    old = admin.get(f"/api/claims/{stored.pk}").data
    assert old["createdBy"] is None
    assert refusal(manager.patch(path_of(old), {"status": "rejected"})) == FORBIDDEN
    judge = client_with_keys("claims:approve")
    assert judge.patch(path_of(old), {"status": "rejected"}).status == 200
