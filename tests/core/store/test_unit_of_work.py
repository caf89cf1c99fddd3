"""Units of work: atomic, isolated, and published only after the commit."""

from functools import partial

import gevent
import pymongo
import pytest
from mongoengine.connection import get_connection
from pymongo.client_session import ClientSession
from pymongo.errors import (
    AutoReconnect,
    ConnectionFailure,
    OperationFailure,
    PyMongoError,
)

from concurrency import run_concurrently
from factories import save
from glassflow import runtime
from glassflow.core.process import clock, deadlines
from glassflow.core.store import unit_of_work
from glassflow.core.store.unit_of_work import unit_of_work as work
from glassflow.domain.errors import Conflict, Contention
from glassflow.models.customer import Customer
from greenlets import spawn
from messages import send_message


@pytest.fixture
def published(app, _empty_collections, monkeypatch):
    """Collects published entries instead of sending them to clients."""
    entries = []
    monkeypatch.setattr(
        runtime.current(),
        "publish_soon",
        lambda batches: entries.extend(e for b in batches for e in b.entries),
    )
    return entries


def names():
    return sorted(one.name for one in Customer.objects)


def test_saved_record_is_published_after_the_commit(published):
    @work
    def make():
        save(Customer(name="a"))
        assert published == []
        return "done"

    assert make() == "done"
    assert names() == ["a"]
    assert [(one.kind, one.action) for one in published] == [("Customer", "created")]


def test_exception_after_a_save_stores_and_publishes_nothing(published):
    @work
    def fail():
        save(Customer(name="a"))
        send_message("notification", {}, stations=["s"])
        raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert (names(), published) == ([], [])


def test_inner_unit_of_work_joins_the_outer_one(published):
    @work
    def inner():
        save(Customer(name="inner"))

    @work
    def outer():
        inner()
        assert published == []
        raise LookupError

    with pytest.raises(LookupError):
        outer()
    assert (names(), published) == ([], [])


def test_uncommitted_writes_are_visible_only_inside(published):
    @work
    def make():
        save(Customer(name="a"))
        assert names() == ["a"]
        outside = spawn(names)
        outside.join()
        assert outside.value == []

    make()


@pytest.mark.slow
def test_concurrent_increments_are_all_stored(published):
    customers = [save(Customer(name=str(n), discount=0)) for n in range(10)]

    @work
    def increment(pk):
        customer = Customer.objects.get(pk=pk)
        customer.discount += 1
        save(customer)

    def increment_several(begin):
        for step in range(8):
            increment(customers[(begin + step) % 10].pk)

    run_concurrently(partial(increment_several, begin) for begin in range(30))
    assert sum(one.discount for one in Customer.objects) == 240
    changes = [one for one in published if one.action == "updated"]
    assert len(changes) == 240  # a retry publishes once


def test_retry_reads_what_the_other_transaction_has_written(published):
    pk = save(Customer(name="a", discount=0)).pk
    seen = []

    @work
    def increment():
        customer = Customer.objects.get(pk=pk)
        seen.append(customer.discount)
        if len(seen) == 1:
            other = spawn(Customer.objects(pk=pk).update_one, set__discount=50)
            other.join()
        customer.discount += 1
        save(customer)

    increment()
    assert seen == [0, 50]
    assert Customer.objects.get(pk=pk).discount == 51


def test_clock_is_frozen_inside_a_unit_of_work(published):
    @work
    def twice():
        first = clock.now()
        gevent.sleep(0.01)
        return first, clock.now()

    first, second = twice()
    assert first == second
    gevent.sleep(0.002)
    assert clock.now() > first


def test_unit_of_work_raises_conflict_at_its_deadline(published, monkeypatch):
    monkeypatch.setattr(deadlines, "UNIT_OF_WORK_TIMEOUT_S", 2.0)
    pk = save(Customer(name="a", discount=0)).pk
    tries = []

    @work
    def lose_every_race():
        tries.append(1)
        customer = Customer.objects.get(pk=pk)
        other = spawn(Customer.objects(pk=pk).update_one, inc__discount=10)
        other.join()
        customer.discount = 1
        save(customer)

    with pytest.raises(Conflict):
        lose_every_race()
    assert len(tries) > 1
    assert Customer.objects.get(pk=pk).discount == 10 * len(tries)
    assert [one for one in published if one.action == "updated"] == []


@pytest.mark.parametrize(
    ("code", "refusal"),
    [
        (24, Contention),
        (112, Contention),
        (246, Contention),
        (251, ConnectionFailure),  # as a store that was restarted answers
    ],
)
@pytest.mark.parametrize("labels", [["TransientTransactionError"], []])
def test_transient_error_is_retried_and_reported_at_the_deadline(
    published, monkeypatch, code, refusal, labels
):
    monkeypatch.setattr(deadlines, "UNIT_OF_WORK_TIMEOUT_S", 0.2)
    tries = []

    @work
    def refused():
        tries.append(1)
        save(Customer(name="a"))
        raise OperationFailure("refused by the store", code, {"errorLabels": labels})

    with pytest.raises(refusal):
        refused()
    assert len(tries) > 1
    assert (names(), published) == ([], [])


def test_lost_connection_at_the_deadline_is_no_conflict(published, monkeypatch):
    monkeypatch.setattr(deadlines, "UNIT_OF_WORK_TIMEOUT_S", 0.05)

    @work
    def cut_off():
        raise AutoReconnect(errors={"errorLabels": ["TransientTransactionError"]})

    with pytest.raises(ConnectionFailure):
        cut_off()


def test_conflict_after_a_lost_connection_is_no_conflict(published, monkeypatch):
    monkeypatch.setattr(deadlines, "UNIT_OF_WORK_TIMEOUT_S", 0.2)
    errors = iter(
        [AutoReconnect(errors={"errorLabels": ["TransientTransactionError"]})]
    )

    @work
    def cut_off_and_then_refused():
        raise next(errors, unit_of_work.RetryTransaction())

    with pytest.raises(ConnectionFailure):
        cut_off_and_then_refused()


def test_unknown_result_of_a_commit_at_the_deadline_is_a_connection_failure(
    published, monkeypatch
):
    monkeypatch.setattr(deadlines, "UNIT_OF_WORK_TIMEOUT_S", 0.2)
    unknown = {"errorLabels": ["UnknownTransactionCommitResult"]}
    commits = []

    def no_answer(session):
        commits.append(1)
        raise OperationFailure("stopped", 91, unknown)

    monkeypatch.setattr(ClientSession, "commit_transaction", no_answer)

    @work
    def make():
        save(Customer(name="a"))

    with pytest.raises(ConnectionFailure):
        make()
    assert len(commits) > 1


@pytest.mark.parametrize("saved", [True, False], ids=["before the commit", "at it"])
def test_timed_out_unit_of_work_leaves_no_lock(published, monkeypatch, saved):
    pk = save(Customer(name="a", discount=0)).pk

    @work
    def exceed_the_deadline():
        if saved:
            customer = Customer.objects.get(pk=pk)
            customer.discount = 1
            save(customer)
        else:  # nothing is published, so the commit is the next command
            Customer.collection().update_one({"_id": pk}, {"$set": {"x": 1}})
        gevent.sleep(0.3)

    @work
    def another():
        customer = Customer.objects.get(pk=pk)
        customer.discount = 5
        save(customer)

    with monkeypatch.context() as short:
        short.setattr(deadlines, "UNIT_OF_WORK_TIMEOUT_S", 0.1)
        with pytest.raises(PyMongoError), pymongo.timeout(0.2):
            exceed_the_deadline()
    with get_connection().start_session() as same:  # may reuse the server session
        get_connection().admin.command("ping", session=same)
        another()
    assert [(one.name, one.discount) for one in Customer.objects] == [("a", 5)]


def test_entries_are_published_in_the_order_of_the_changes(published):
    @work
    def make():
        first = save(Customer(name="a"))
        send_message("notification", {"n": 1}, stations=["s"])
        save(Customer(name="b"))
        first.name = "c"
        save(first)

    make()
    assert [getattr(one, "kind", "message") for one in published] == [
        "Customer",
        "message",
        "Customer",
    ]
    assert (
        published[0].data["name"] == "c"
    )  # one event for a record, with its last state


def test_commit_with_a_lost_answer_is_not_repeated(published, lose_commit_answer):
    @work
    def make():
        save(Customer(name="once"))

    lost = lose_commit_answer()
    make()
    assert lost
    assert Customer.objects(name="once").count() == 1
    assert len(published) == 1


def test_failed_commit_is_retried(published, monkeypatch):
    labels = {"errorLabels": ["TransientTransactionError"]}
    commit, done = unit_of_work._commit, []

    def fail_first(session, deadline):
        if not done:
            done.append(True)
            session.abort_transaction()
            raise OperationFailure("no such transaction", 251, labels)
        commit(session, deadline)

    monkeypatch.setattr(unit_of_work, "_commit", fail_first)

    @work
    def make():
        save(Customer(name="again"))

    make()
    assert Customer.objects(name="again").count() == 1
    assert len(published) == 1
