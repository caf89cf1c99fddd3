"""What a scan is known to write before it has read its pane."""

import time
from types import SimpleNamespace

import pytest
from bson import ObjectId

from glassflow.core import conflict_queue, deadlines
from glassflow.core.bounded_dict import BoundedDict
from glassflow.domain.panes.status import Action
from glassflow.models.material import Material
from glassflow.models.order import Order
from glassflow.services.panes import expected_writes
from greenlets import spawn
from scenarios import order_with_panes
from waiting import wait_until

STAYING = {Action.SCAN_IN, Action.START, Action.COMPLETE}


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch):
    monkeypatch.setattr(expected_writes, "_panes", BoundedDict(2))


def pane(number, order, material=None):
    return SimpleNamespace(pane_number=number, order=order, material=material)


@pytest.mark.parametrize("action", Action)
def test_scan_that_ends_a_step_writes_the_order_and_a_failed_check_the_material(action):
    order, material = ObjectId(), ObjectId()
    expected_writes.remember([pane("P-1", order, material)])
    expected = {Order: {order}, Material: {material}}
    if action != Action.QC_FAIL:
        del expected[Material]
    if action in STAYING:
        expected = {}
    assert expected_writes.of(action, ["P-1", "P-2"]) == expected


def test_pane_that_moved_to_another_order_is_known_with_the_newer_one():
    old, new = ObjectId(), ObjectId()
    expected_writes.remember([pane("P-1", old)])
    expected_writes.remember([pane("P-1", new), pane("P-2", None)])
    assert expected_writes.of(Action.SCAN_OUT, ["P-1", "P-2"]) == {Order: {new}}


def test_pane_that_was_scanned_longest_ago_is_forgotten_first():
    orders = [ObjectId() for _ in range(3)]
    for n in (0, 1, 0, 2):
        expected_writes.remember([pane(f"P-{n}", orders[n])])
    numbers = [f"P-{n}" for n in range(3)]
    written = expected_writes.of(Action.SCAN_OUT, numbers)
    assert written == {Order: {orders[0], orders[2]}}


def test_panes_of_a_new_order_are_known_before_their_first_scan(admin, workshop):
    job = order_with_panes(admin, workshop)
    order = job.order["_id"]
    added = admin.post("/api/panes", {"order": order}).data
    numbers = [*job.numbers, added["paneNumber"]]
    for number in numbers:
        written = expected_writes.of(Action.SCAN_OUT, [number])
        assert written == {Order: {ObjectId(order)}}


@pytest.mark.parametrize("action", sorted(STAYING))
def test_scan_that_stays_waits_behind_those_that_write_the_order(
    admin, worker, workshop, monkeypatch, action
):
    monkeypatch.setattr(deadlines, "TURNS_OF_OTHERS_S", 60)
    job = order_with_panes(admin, workshop, panes=2)
    first, second = job.numbers
    worker.scan(first, "scan_in")  # the order has begun: others do not write it
    hot = (Order._get_collection_name(), job.order["_id"])
    with conflict_queue.turn([hot], time.monotonic() + 60):
        scan = spawn(worker.scan, second, action)
        wait_until(lambda: conflict_queue._queues[hot].users == 2 or scan.ready())
        assert not scan.ready()
    assert scan.get(timeout=60).status == 200
