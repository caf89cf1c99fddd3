"""The effects that the pane table names, and how the scans of one order take turns."""

import time
from functools import partial

import pytest
from bson import ObjectId

from concurrency import run_in_queue
from glassflow.core.process import clock
from glassflow.core.store import outbox, retry_queue
from glassflow.domain.panes.status import Action, Effect
from glassflow.domain.panes.table import effects_of
from glassflow.models import ALL
from glassflow.models.order import Order
from glassflow.schemas.scan import BATCH_ACTIONS
from glassflow.services.scanning import context
from glassflow.services.scanning import scan as scanning
from greenlets import spawn
from scenarios import bring_to_lamination, order_with_panes, order_with_units
from stock_api import create_lot
from waiting import wait_until


def test_every_effect_has_a_function_of_its_name():
    assert set(scanning.EFFECTS) == set(Effect)
    for effect, function in scanning.EFFECTS.items():
        assert function.__name__ == effect.value


def test_every_effect_belongs_to_an_action():
    named = {effect for action in Action for effect in effects_of(action)}
    assert named == set(Effect)


@pytest.mark.parametrize("action", list(Action))
def test_an_action_has_each_effect_once(action):
    assert len(effects_of(action)) == len(set(effects_of(action)))


PREPARED = {  # what is scanned before, so that the action is accepted
    Action.SCAN_OUT: Action.COMPLETE,
    Action.QC_PASS: Action.COMPLETE,
    Action.QC_FAIL: Action.COMPLETE,
}


@pytest.fixture
def without_effects(monkeypatch):
    """Lets no effect of a scan do anything; returns what enters the outbox from here on."""
    entered = []
    for effect in scanning.EFFECTS:
        monkeypatch.setitem(scanning.EFFECTS, effect, date_logs)
    monkeypatch.setattr(outbox, "_add", entered.append)
    monkeypatch.setattr(outbox, "add_changeset", entered.append)
    return entered


def date_logs(scans, context):
    """Give the logs the time that the answer needs; they are not stored."""
    for log in (log for one in scans for log in one.logs):
        log.created_at = log.updated_at = clock.now()


def stored():
    """Every record as it is in the store, by its model."""
    return {
        model.__name__: sorted(model.collection().find(), key=lambda one: one["_id"])
        for model in ALL
    }


def pane_for(action, admin, worker, manager, workshop):
    """Return the number of a pane that the action is accepted for, on its last step."""
    if action is Action.LAMINATE:
        job = order_with_units(admin, workshop, assignedTo=manager.id)
        for number in job.sheets[0]:
            bring_to_lamination(worker, number, job)
        return job.sheets[0][0]
    job = order_with_panes(admin, workshop, steps=1, assignedTo=manager.id)
    create_lot(admin, job.material, 10)
    if action in PREPARED:
        assert worker.scan(job.numbers[0], PREPARED[action]).status == 200
    return job.numbers[0]


@pytest.mark.parametrize("action", list(Action))
def test_scan_does_nothing_that_the_table_does_not_name(
    admin, worker, manager, workshop, request, action
):
    number = pane_for(action, admin, worker, manager, workshop)
    entered, before = request.getfixturevalue("without_effects"), stored()
    reason = {"reason": "broken"} if action is Action.QC_FAIL else {}
    assert worker.scan(number, action, **reason).status == 200
    assert (stored(), entered) == (before, [])


@pytest.mark.parametrize("action", BATCH_ACTIONS)
def test_batch_scan_does_nothing_that_the_table_does_not_name(
    admin, worker, manager, workshop, request, action
):
    number = pane_for(action, admin, worker, manager, workshop)
    entered, before = request.getfixturevalue("without_effects"), stored()
    body = {"paneNumbers": [number], "action": action}
    assert worker.post("/api/panes/batch-scan", body).status == 200
    assert (stored(), entered) == (before, [])


def scan_one(worker, numbers, action):
    return worker.scan(numbers[0], action)


def scan_batch(worker, numbers, action):
    return worker.post(
        "/api/panes/batch-scan", {"paneNumbers": numbers, "action": action}
    )


def undo(worker, numbers, action):
    return worker.post(f"/api/panes/{numbers[0]}/undo", {})


@pytest.mark.parametrize("send", [scan_one, scan_batch, undo])
@pytest.mark.parametrize("known", [slice(None), slice(-1)])
def test_scan_that_waits_for_its_order_reads_its_pane_once(
    admin, worker, workshop, trips, send, known
):
    """Where the order of the pane, or only that of a neighbour, was read before."""
    job = order_with_panes(admin, workshop)
    worker.scan(job.numbers[0], Action.SCAN_IN)
    context._last_orders.clear()
    context._last_orders[job.numbers[0][known]] = ObjectId(job.order["_id"])
    turn = (Order.collection_name(), job.order["_id"])
    call = partial(send, worker, job.numbers, Action.COMPLETE)
    commands = trips(lambda: run_in_queue(turn, [call]))
    assert "abortTransaction" not in commands


@pytest.mark.parametrize("send", [scan_one, scan_batch, undo])
def test_pane_that_has_another_order_than_expected_is_scanned(
    admin, worker, workshop, send
):
    job, other = (order_with_panes(admin, workshop) for _ in range(2))
    worker.scan(job.numbers[0], Action.SCAN_IN)
    context._last_orders[job.numbers[0]] = ObjectId(other.order["_id"])
    turn = (Order.collection_name(), other.order["_id"])
    call = partial(send, worker, job.numbers, Action.COMPLETE)
    assert [one.status for one in run_in_queue(turn, [call])] == [200]
    assert context._last_orders[job.numbers[0]] == ObjectId(job.order["_id"])
    assert retry_queue._queues == {}


@pytest.mark.parametrize("send", [scan_one, scan_batch])
@pytest.mark.parametrize("action", [Action.SCAN_IN, Action.COMPLETE])
def test_scan_waits_for_an_earlier_scan_of_its_order(
    admin, worker, workshop, send, action
):
    """Also one that does not write the order: it would slow the earlier one down."""
    job = order_with_panes(admin, workshop, panes=2)
    worker.scan(job.numbers[0], Action.SCAN_IN)  # the order has begun
    turn = (Order.collection_name(), job.order["_id"])
    with retry_queue.hold([turn], time.monotonic() + 60):
        scan = spawn(send, worker, job.numbers[1:], action)
        wait_until(lambda: len(retry_queue._queues[turn]) == 2 or scan.ready())
        assert not scan.ready()
    assert scan.get(timeout=60).status == 200
    assert retry_queue._queues == {}


def test_scan_that_does_not_write_its_order_ends_its_turn_before_it_writes(
    admin, worker, workshop, monkeypatch
):
    job = order_with_panes(admin, workshop, panes=2)
    worker.scan(job.numbers[0], Action.SCAN_IN)
    waited_for = []
    write = scanning.records.write

    def noting_turns(*args, **options):
        waited_for.append(list(retry_queue._queues))
        return write(*args, **options)

    monkeypatch.setattr(scanning.records, "write", noting_turns)
    assert worker.scan(job.numbers[1], Action.SCAN_IN).status == 200
    assert worker.scan(job.numbers[1], Action.COMPLETE).status == 200
    assert waited_for
    assert all(turns == [] for turns in waited_for)
