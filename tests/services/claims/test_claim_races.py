"""Concurrent decisions and claims: exactly one succeeds."""

from collections import Counter
from functools import partial

import pytest
from mongoengine.connection import get_db

from concurrency import CLIENTS, FEW_ROUNDS, ROUNDS, count_refusals, run_concurrently
from glassflow.core.store.files import BUCKET
from invariants import WorkshopState
from pictures import load, picture
from scenarios import claim_pane, order_with_panes, pass_station

pytestmark = [pytest.mark.sized, pytest.mark.slow, pytest.mark.timeout(400)]


def claim_path(api, number):
    """Claim a pane and return the path of the claim."""
    return f"/api/claims/{claim_pane(api, number).data['_id']}"


def test_claim_is_approved_once_and_has_one_remake(
    admin, worker, admin_clients, workshop
):
    job = order_with_panes(admin, workshop, steps=2, panes=ROUNDS)
    refused = Counter()
    for pane in job.panes:
        path = claim_path(worker, pane["paneNumber"])
        answers = run_concurrently(
            [
                lambda api=api, path=path: api.patch(path, {"status": "approved"})
                for api in admin_clients
            ]
        )
        (won,) = [one for one in answers if one.status == 200]
        refused += count_refusals(answers)
        (remake,) = admin.get("/api/panes", remakeOf=pane["_id"]).data
        assert won.data["remadePane"] == remake["_id"]
        assert admin.get(path).data["approvedBy"] == won.data["approvedBy"]
    assert set(refused) == {(400, "CLAIM_DECIDED")}
    WorkshopState(admin).check()
    print(f"{ROUNDS} claims, {CLIENTS} approvals each: {dict(refused)}")


def test_claim_is_approved_or_rejected_and_never_both(
    admin, worker, admin_clients, workshop
):
    job = order_with_panes(admin, workshop, steps=2, panes=ROUNDS)
    won = Counter()
    for pane in job.panes:
        path = claim_path(worker, pane["paneNumber"])
        answers = run_concurrently(
            [
                lambda api=api, path=path, n=n: api.patch(
                    path, {"status": ("approved", "rejected")[n % 2]}
                )
                for n, api in enumerate(admin_clients)
            ]
        )
        (one,) = [answer for answer in answers if answer.status == 200]
        won[one.data["status"]] += 1
        remakes = admin.get("/api/panes", remakeOf=pane["_id"]).data
        assert len(remakes) == (one.data["status"] == "approved")
    WorkshopState(admin).check()
    print(f"{ROUNDS} claims, approved and rejected at once: {dict(won)}")


def test_one_of_twenty_concurrent_claims_of_a_pane_is_created(
    admin, worker_clients, workshop
):
    job = order_with_panes(admin, workshop, steps=1, panes=FEW_ROUNDS)
    refused = Counter()
    for number, pane in zip(job.numbers, job.panes, strict=True):
        if pane is job.panes[0]:  # a finished one too
            admin.scan(number, "complete")
            admin.scan(number, "scan_out")
        answers = run_concurrently(
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
                for api in worker_clients
            ]
        )
        assert [one.status for one in answers].count(201) == 1
        refused += count_refusals(answers)
    assert set(refused) == {(409, "OPEN_CLAIM")}
    WorkshopState(admin).check()


@pytest.mark.parametrize("decision", [{"decision": "keep"}, {"remake": False}], ids=str)
def test_finished_pane_is_claimed_and_approved_once_however_often_at_once(
    admin, worker, worker_clients, admin_clients, workshop, decision
):
    """Claims and approvals of one pane at the same time, until none is possible."""
    job = order_with_panes(admin, workshop, steps=1, panes=FEW_ROUNDS)
    for number, pane in zip(job.numbers, job.panes, strict=True):
        pass_station(admin, number, job.stations[0])
        path = claim_path(worker, number)
        body = {"status": "approved", **decision}
        approvals = [partial(api.patch, path, body) for api in admin_clients[::2]]
        claims = [partial(claim_pane, api, number) for api in worker_clients[::2]]
        answers = run_concurrently([*approvals, *claims])
        assert [one.status for one in answers].count(200) == 1
        assert [one.status for one in answers].count(201) == 0
        remakes = admin.get("/api/panes", remakeOf=pane["_id"]).data
        assert len(remakes) == body.get("remake", True)
        assert len(admin.get("/api/claims", pane=pane["_id"]).data) == 1
    WorkshopState(admin).check()


def test_photos_that_are_replaced_by_many_at_once_leave_one_file(
    worker, admin_clients, admin, workshop
):
    job = order_with_panes(admin, workshop)
    path, stored = claim_path(worker, job.numbers[0]), get_db()[f"{BUCKET}.files"]
    before = stored.count_documents({})
    pictures = [picture(size=300_000) for _ in admin_clients]
    changes = [
        partial(api.patch, path, {"photos": [data_url]})
        for api, (data_url, _) in zip(admin_clients, pictures, strict=True)
    ]
    assert {one.status for one in run_concurrently(changes)} == {200}
    (link,) = worker.get(path).data["photos"]
    assert load(worker, link).content in {content for _, content in pictures}
    assert stored.count_documents({}) == before + 1


def test_claim_that_is_deleted_while_its_photos_change_leaves_no_file(
    worker, admin_clients, admin, workshop
):
    stored = get_db()[f"{BUCKET}.files"]
    before = stored.count_documents({})
    for _ in range(FEW_ROUNDS):
        job = order_with_panes(admin, workshop)
        path = claim_path(worker, job.numbers[0])
        calls = [
            partial(api.patch, path, {"photos": [picture()[0]]})
            for api in admin_clients[1::2]
        ]
        calls.insert(len(calls) // 2, partial(admin.delete, path))
        assert {one.status for one in run_concurrently(calls)} <= {200, 404}
        assert worker.get(path).status == 404
    assert stored.count_documents({}) == before
