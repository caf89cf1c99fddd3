"""What a scan is known to write before it has read its pane."""

import time
from types import SimpleNamespace

import pytest
from bson import ObjectId

from glassflow.core.process import deadlines
from glassflow.core.process.bounded_dict import BoundedDict
from glassflow.core.store import retry_queue
from glassflow.domain.panes.status import Action
from glassflow.models.order import Order
from glassflow.services.panes import expected_writes
from greenlets import spawn
from scenarios import order_with_panes
from waiting import wait_until

STAYING = {Action.SCAN_IN, Action.START, Action.COMPLETE}


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch):
    monkeypatch.setattr(expected_writes, "_orders", BoundedDict(2))


def pane(number, order):
    return SimpleNamespace(pane_number=number, order=order)


def test_pane_that_moved_to_another_order_is_known_with_the_newer_one():
    old, new = ObjectId(), ObjectId()
    expected_writes.remember([pane("P-1", old)])
    expected_writes.remember([pane("P-1", new), pane("P-2", None)])
    assert expected_writes.orders_of(["P-1", "P-2"]) == {new}


def test_pane_that_was_scanned_longest_ago_is_forgotten_first():
    orders = [ObjectId() for _ in range(3)]
    for n in (0, 1, 0, 2):
        expected_writes.remember([pane(f"P-{n}", orders[n])])
    numbers = [f"P-{n}" for n in range(3)]
    assert expected_writes.orders_of(numbers) == {orders[0], orders[2]}


def test_panes_of_a_new_order_are_known_before_their_first_scan(admin, workshop):
    job = order_with_panes(admin, workshop)
    order = job.order["_id"]
    added = admin.post("/api/panes", {"order": order}).data
    numbers = [*job.numbers, added["paneNumber"]]
    for number in numbers:
        assert expected_writes.orders_of([number]) == {ObjectId(order)}


@pytest.mark.parametrize("action", sorted(STAYING))
def test_scan_that_stays_waits_behind_those_that_write_the_order(
    admin, worker, workshop, monkeypatch, action
):
    monkeypatch.setattr(deadlines, "TURNS_OF_OTHERS_S", 60)
    job = order_with_panes(admin, workshop, panes=2)
    first, second = job.numbers
    worker.scan(first, "scan_in")  # the order has begun: others do not write it
    hot = (Order._get_collection_name(), job.order["_id"])
    with retry_queue.hold([hot], time.monotonic() + 60):
        scan = spawn(worker.scan, second, action)
        wait_until(lambda: retry_queue._queues[hot].users == 2 or scan.ready())
        assert not scan.ready()
    assert scan.get(timeout=60).status == 200
