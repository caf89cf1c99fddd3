"""No transaction stays open, whatever ends the unit of work that began it.

An open one would make a plain write of its document wait in the store without an end.
"""

import threading
from contextlib import contextmanager

import gevent
import pymongo
import pytest
from gevent.event import Event
from mongoengine.connection import get_connection
from pymongo.client_session import ClientSession
from pymongo.errors import (
    ConnectionFailure,
    OperationFailure,
    PyMongoError,
    WaitQueueTimeoutError,
)

from factories import save
from glassflow.core.process import deadlines
from glassflow.core.store import outbox, transactions
from glassflow.core.store.outbox_entries import Message
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.models.customer import Customer
from greenlets import spawn
from waiting import wait_until

NEVER_S = 1e-6  # too short for any answer of the store
PLAIN_WRITE_TIMEOUT_S = 30


@pytest.fixture
def customer(app, _empty_collections):
    """The id of a customer whose document a transaction writes."""
    return save(Customer(name="a")).pk


@pytest.fixture
def in_transaction(customer):
    """Runs a function in a unit of work that has written the customer."""

    def run(then):
        @unit_of_work
        def change():
            # unlike a save, this stores nothing in the outbox afterwards
            Customer.collection().update_one({"_id": customer}, {"$inc": {"x": 1}})
            return then()

        return change()

    return run


@contextmanager
def commits_that(act):
    """Let an act take place instead of sending a commit, but for those that publish."""
    send = ClientSession._finish_transaction

    def acting(session, connection, command):
        publishing = getattr(gevent.getcurrent(), "name", "") == "background"
        if command == "commitTransaction" and not publishing:
            return act()
        return send(session, connection, command)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ClientSession, "_finish_transaction", acting)
        yield


def assert_nothing_is_open(customer):
    """The customer can be written outside of any transaction; no session is withheld."""
    wait_until(lambda: not transactions._abandoned and not transactions._open)
    with pymongo.timeout(PLAIN_WRITE_TIMEOUT_S):
        Customer.collection().update_one({"_id": customer}, {"$set": {"x": 0}})


def fail_with(error):
    def fail():
        raise error

    return fail


def test_refused_unit_of_work_is_aborted_at_once(customer, in_transaction):
    with pytest.raises(LookupError):
        in_transaction(fail_with(LookupError()))
    assert not transactions._abandoned
    assert_nothing_is_open(customer)


def test_all_connections_in_use_at_the_deadline(customer, in_transaction, monkeypatch):
    monkeypatch.setattr(deadlines, "UNIT_OF_WORK_TIMEOUT_S", 0)
    with pytest.raises(WaitQueueTimeoutError):
        in_transaction(fail_with(WaitQueueTimeoutError("all are in use")))
    assert_nothing_is_open(customer)


def test_abort_that_the_store_does_not_confirm_in_time(
    customer, in_transaction, monkeypatch
):
    monkeypatch.setattr(deadlines, "ABORT_GRACE_S", NEVER_S)
    with pytest.raises(LookupError):
        in_transaction(fail_with(LookupError()))
    assert_nothing_is_open(customer)


def test_session_is_killed_again_until_the_store_confirms_it(
    customer, in_transaction, monkeypatch
):
    kill, tries = transactions.kill, []

    def refuse_twice(sessions):
        tries.append(1)
        if len(tries) < 3:
            raise ConnectionFailure("away")
        kill(sessions)

    monkeypatch.setattr(transactions, "kill", refuse_twice)
    monkeypatch.setattr(transactions, "KILL_PAUSE_S", 0.01)
    monkeypatch.setattr(deadlines, "ABORT_GRACE_S", NEVER_S)
    with pytest.raises(LookupError):
        in_transaction(fail_with(LookupError()))
    assert_nothing_is_open(customer)
    assert len(tries) == 3


def test_killed_greenlet(customer, in_transaction):
    inside = Event()

    def wait():
        inside.set()
        gevent.sleep(60)

    running = spawn(in_transaction, wait)
    inside.wait()
    running.kill()
    assert_nothing_is_open(customer)


@pytest.mark.parametrize("grace_s", [NEVER_S, None])
def test_greenlet_that_is_killed_during_its_commit(
    customer, in_transaction, monkeypatch, grace_s
):
    if grace_s is not None:
        monkeypatch.setattr(deadlines, "ABORT_GRACE_S", grace_s)
    at_commit = Event()

    def wait():
        at_commit.set()
        gevent.sleep(60)

    with commits_that(wait):
        running = spawn(in_transaction, lambda: None)
        at_commit.wait()
        running.kill()
    assert_nothing_is_open(customer)


def test_time_limit_that_ends_during_a_commit(customer, in_transaction, monkeypatch):
    monkeypatch.setattr(deadlines, "UNIT_OF_WORK_TIMEOUT_S", 0)
    monkeypatch.setattr(deadlines, "ABORT_GRACE_S", NEVER_S)
    late = OperationFailure("operation exceeded time limit", 50)
    with commits_that(fail_with(late)), pytest.raises(ConnectionFailure):
        in_transaction(lambda: None)
    assert_nothing_is_open(customer)


@pytest.mark.slow
def test_change_outside_a_unit_of_work(customer, monkeypatch):
    """Its outbox batch has a transaction of its own."""
    monkeypatch.setattr(deadlines, "ABORT_GRACE_S", NEVER_S)
    message = Message("notification", {})
    with (
        commits_that(fail_with(OperationFailure("no", 91))),
        pytest.raises(PyMongoError),
    ):
        outbox._add(message)
    assert_nothing_is_open(customer)


def test_process_that_stops_ends_what_is_open_and_begins_nothing(
    customer, in_transaction, monkeypatch
):
    monkeypatch.setattr(transactions, "_stopping", threading.Event())
    inside, stopped = Event(), Event()

    def wait():
        inside.set()
        stopped.wait()

    running = spawn(in_transaction, wait)
    inside.wait()
    transactions.stop()
    with pymongo.timeout(PLAIN_WRITE_TIMEOUT_S):
        Customer.collection().update_one({"_id": customer}, {"$set": {"x": 0}})
    stopped.set()
    with pytest.raises(ConnectionFailure):
        running.get()
    assert Customer.collection().find_one({"_id": customer})["x"] == 0


def test_session_is_not_used_for_anything_else_before_it_is_killed(
    customer, in_transaction, monkeypatch
):
    kill, release = transactions.kill, Event()

    def wait_and_kill(sessions):
        release.wait()
        kill(sessions)

    monkeypatch.setattr(deadlines, "ABORT_GRACE_S", NEVER_S)
    monkeypatch.setattr(transactions, "kill", wait_and_kill)
    with pytest.raises(LookupError):
        in_transaction(fail_with(LookupError()))
    (abandoned,) = transactions._abandoned
    with get_connection().start_session() as other:
        assert other.session_id != abandoned.session_id
    release.set()
    assert_nothing_is_open(customer)
