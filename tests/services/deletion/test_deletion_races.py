"""A record is deleted while others begin to reference it: no reference dangles.

Without `core.store.reference_locks` about every third round leaves a dangling reference.
"""

import time
from functools import partial
from itertools import cycle

import pytest
from mongoengine.connection import get_db

from concurrency import run_concurrently
from glassflow.core.process import deadlines
from glassflow.core.store import reference_locks
from glassflow.core.store.unit_of_work import RetryTransaction
from glassflow.models.request import Request
from glassflow.services import customers
from greenlets import spawn
from lookups import dangling_references
from scenarios import order_with_panes
from sizes import size
from store_commands import record_commands
from waiting import wait_until

pytestmark = [pytest.mark.sized, pytest.mark.slow]
ROUNDS = size(2, long=10)


def run_alternately(admin_clients, *calls):
    """Let the clients send these requests alternately, all at the same time."""
    return run_concurrently(
        partial(api.call, method, path, json=body)
        for api, (method, path, body) in zip(admin_clients, cycle(calls), strict=False)
    )


def race(admin_clients, delete, make):
    """Delete a record while half of the clients create a reference to it."""
    answers = run_alternately(admin_clients, ("DELETE", delete, None), make)
    gone, made = answers[::2], answers[1::2]
    assert {one.status for one in gone} <= {200, 404, 409}, gone
    assert {one.status for one in made} <= {200, 201, 400, 404, 409}, made
    assert dangling_references() == []
    deleted = [one for one in gone if one.status == 200]
    stored = [one for one in made if one.status in (200, 201)]
    assert len(deleted) <= 1
    assert bool(deleted) != bool(stored), answers  # exactly one of both
    return bool(deleted)


def test_customer_is_deleted_or_gets_an_order(admin_clients, workshop):
    material = str(workshop.material().pk)
    for _ in range(ROUNDS):
        customer = str(workshop.customer().pk)
        body = {"customer": customer, "material": material, "quantity": 1}
        make = ("POST", "/api/orders", body)
        race(admin_clients, f"/api/customers/{customer}", make)


def test_template_is_deleted_or_gets_a_station(admin_clients, workshop):
    for _ in range(ROUNDS):
        template = str(workshop.template().pk)
        make = ("POST", "/api/stations", {"name": "a", "templateId": template})
        race(admin_clients, f"/api/station-templates/{template}", make)


def test_station_is_deleted_or_gets_a_pane(admin_clients, workshop):
    for _ in range(ROUNDS):
        station = str(workshop.station().pk)
        make = ("POST", "/api/panes", {"routing": [station]})
        race(admin_clients, f"/api/stations/{station}", make)


def test_station_is_deleted_or_a_pane_without_a_route_is_scanned_there(
    admin, admin_clients, workshop
):
    for _ in range(ROUNDS):
        station = str(workshop.station().pk)
        number = admin.post("/api/panes", {}).data["paneNumber"]
        scan = {"action": "scan_in", "station": station}
        make = ("POST", f"/api/panes/{number}/scan", scan)
        race(admin_clients, f"/api/stations/{station}", make)


def test_template_is_deleted_or_a_station_changes_to_it(admin_clients, workshop):
    for _ in range(ROUNDS):
        old, new = workshop.template(), str(workshop.template().pk)
        station = workshop.station(template=old).pk
        make = ("PATCH", f"/api/stations/{station}", {"templateId": new})
        race(admin_clients, f"/api/station-templates/{new}", make)


def test_material_is_deleted_or_gets_a_lot(admin_clients, workshop):
    for _ in range(ROUNDS):
        material = str(workshop.material().pk)
        lot = {"material": material, "stockType": "Raw", "quantity": 1, "location": "A"}
        race(
            admin_clients,
            f"/api/materials/{material}",
            ("POST", "/api/inventories", lot),
        )


def test_order_is_deleted_with_its_pane_or_the_pane_is_scanned(
    admin, admin_clients, workshop
):
    for _ in range(ROUNDS):
        job = order_with_panes(admin, workshop)
        order, (number,) = job.order["_id"], job.numbers
        scan = ("POST", f"/api/panes/{number}/scan", {"action": "scan_in"})
        deleted = race(admin_clients, f"/api/orders/{order}", scan)
        assert bool(admin.get("/api/panes", order=order).data) != deleted


def locks_written(commands):
    """The ids of the locks that were added to the shards, and of those removed."""
    updates = [one["u"] for command in commands.sent for one in command["updates"]]
    return [
        {name for update in updates for name in update.get(operator, ())}
        for operator in ("$set", "$unset")
    ]


def test_one_of_twenty_equal_deletions_succeeds_and_the_others_lock_nothing(
    admin_clients, workshop, monkeypatch
):
    customers_made = [str(workshop.customer().pk) for _ in range(4)]
    station = str(workshop.station().pk)
    for call in (
        ("DELETE", f"/api/customers/{customers_made[0]}", None),
        ("DELETE", "/api/customers", {"ids": customers_made[1:3]}),
        ("DELETE", f"/api/stations/{station}", None),
        merge(str(workshop.customer().pk), customers_made[3]),
    ):
        with monkeypatch.context() as patch:
            commands = record_commands(
                patch,
                lambda command: command.get("update") == reference_locks.COLLECTION,
                of_all=True,
            )
            answers = run_alternately(admin_clients, call)
        assert sorted(one.status for one in answers) == [200] + [404] * 19
        added, removed = locks_written(commands)
        assert len(added) == 1
        assert added <= removed


def test_no_lock_remains_after_concurrent_deletions(admin, admin_clients, workshop):
    job = order_with_panes(admin, workshop)
    customer = f"/api/customers/{job.customer}"
    run_alternately(admin_clients, ("DELETE", customer, None))  # all are refused
    slots = list(get_db()[reference_locks.COLLECTION].find())
    assert len(slots) == reference_locks.SHARDS
    # where its shards were not written in time, a lock is marked as released
    marked = {row["_id"] for row in get_db()[reference_locks.RELEASED].find()}
    assert {lock for slot in slots for lock in slot["going"]} <= marked
    assert admin.patch(f"/api/requests/{job.request['_id']}", {}).status == 200
    body = {"customer": job.customer, "material": job.material, "quantity": 1}
    assert admin.post("/api/orders", body).status == 201


def test_record_can_be_used_after_the_lock_of_a_dead_process_has_expired(
    admin, workshop, monkeypatch, production_deadlines
):
    customer = workshop.customer()
    body = {"customer": str(customer.pk), "details": {"type": "a", "quantity": 1}}
    names = [reference_locks.lock_name("Customer", customer.pk)]
    lock = reference_locks.deleting(names, time.monotonic() + 10)
    with lock:
        answer = admin.post("/api/requests", body)
        assert (answer.status, answer.message) == (
            409,
            "Somebody else is changing the same record; please try again",
        )
        monkeypatch.setattr(deadlines, "LOCK_TTL_S", -1.0)  # long ago
        assert admin.post("/api/requests", body).status == 201


def merge(kept, gone):
    return "POST", f"/api/customers/{kept}/merge", {"customers": [gone]}


def test_customer_is_merged_and_what_is_made_for_it_meanwhile_moves_too(
    admin_clients, workshop
):
    details = {"type": "a", "quantity": 1}
    for _ in range(ROUNDS):
        kept, gone = (str(workshop.customer().pk) for _ in range(2))
        make = ("POST", "/api/requests", {"customer": gone, "details": details})
        answers = run_alternately(admin_clients, merge(kept, gone), make)
        merged, made = answers[::2], answers[1::2]
        assert {one.status for one in merged} == {200, 404}, merged
        assert {one.status for one in made} <= {201, 400}, made
        stored = sum(one.status == 201 for one in made)
        assert Request.objects(customer=kept).count() == stored
        assert dangling_references() == []


def test_request_that_is_made_within_a_merge_does_not_refer_to_who_is_gone(
    admin_clients, workshop, monkeypatch
):
    kept, gone = (str(workshop.customer().pk) for _ in range(2))
    making, waits = [], []
    protect, move = reference_locks.protect, customers._move_references

    def protect_or_note(names):
        try:
            protect(names)
        except RetryTransaction:
            waits.append(names)
            raise

    def move_and_let_another_make(*given):
        move(*given)
        body = {"customer": gone, "details": {"type": "a", "quantity": 1}}
        making.append(spawn(partial(admin_clients[1].post, "/api/requests", body)))
        wait_until(lambda: waits or making[0].ready())

    monkeypatch.setattr(reference_locks, "protect", protect_or_note)
    monkeypatch.setattr(customers, "_move_references", move_and_let_another_make)
    method, path, body = merge(kept, gone)
    assert admin_clients[0].call(method, path, json=body).status == 200
    answer = making[0].get()
    assert (answer.status, answer.message) == (400, "Customer not found")
    assert dangling_references() == []


def test_of_two_merges_in_opposite_directions_one_is_done(admin_clients, workshop):
    for _ in range(ROUNDS):
        one, other = (str(workshop.customer().pk) for _ in range(2))
        for customer in (one, other):
            workshop.make("Request", customer=customer, details={})
        calls = merge(one, other), merge(other, one)
        answers = run_alternately(admin_clients[:2], *calls)
        assert sorted(one.status for one in answers) == [200, 404], answers
        assert dangling_references() == []
