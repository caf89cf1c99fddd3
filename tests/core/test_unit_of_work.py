"""All or nothing, told only when stored, whoever else is at the same documents."""

from functools import partial

import gevent
import pymongo
import pytest
from mongoengine.connection import get_connection
from pymongo.errors import OperationFailure, PyMongoError

from crowd import at_once
from glassflow.core import clock, outbox, unit_of_work
from glassflow.core.unit_of_work import unit_of_work as work
from glassflow.domain.errors import Conflict
from glassflow.models.customer import Customer


@pytest.fixture
def told(app, _fresh):
    """What was published, instead of going to the sockets."""
    published, before = [], list(outbox._publisher)
    outbox.set_publisher(
        lambda bundles: published.extend(e for b in bundles for e in b.entries)
    )
    yield published
    outbox._publisher[:] = before


def names():
    return sorted(one.name for one in Customer.objects)


def test_what_is_saved_is_there_after_the_commit_and_then_told(told):
    @work
    def make():
        Customer(name="a").save()
        assert told == []
        return "done"

    assert make() == "done"
    assert names() == ["a"]
    assert [(one.kind, one.action) for one in told] == [("Customer", "created")]


def test_an_exception_after_a_save_leaves_nothing_and_tells_nothing(told):
    @work
    def fail():
        Customer(name="a").save()
        outbox.tell("notification", {}, stations=["s"])
        raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert (names(), told) == ([], [])


def test_an_inner_unit_joins_the_outer_one(told):
    @work
    def inner():
        Customer(name="inner").save()

    @work
    def outer():
        inner()
        assert told == []
        raise LookupError

    with pytest.raises(LookupError):
        outer()
    assert (names(), told) == ([], [])


def test_what_is_written_is_read_back_inside_and_not_outside(told):
    @work
    def make():
        Customer(name="a").save()
        assert names() == ["a"]
        outside = gevent.spawn(names)
        outside.join()
        assert outside.value == []

    make()


@pytest.mark.slow
def test_a_conflict_storm_keeps_every_increment(told):
    customers = [Customer(name=str(n), discount=0).save() for n in range(10)]

    @work
    def increment(pk):
        customer = Customer.objects.get(pk=pk)
        customer.discount += 1
        customer.save()

    def storm(begin):
        for step in range(8):
            increment(customers[(begin + step) % 10].pk)

    at_once(partial(storm, begin) for begin in range(30))
    assert sum(one.discount for one in Customer.objects) == 240
    changes = [one for one in told if one.action == "updated"]
    assert len(changes) == 240  # a repeated try tells once


def test_a_repeated_try_sees_what_the_other_has_written(told):
    pk = Customer(name="a", discount=0).save().pk
    seen = []

    @work
    def increment():
        customer = Customer.objects.get(pk=pk)
        seen.append(customer.discount)
        if len(seen) == 1:
            other = gevent.spawn(Customer.objects(pk=pk).update_one, set__discount=50)
            other.join()
        customer.discount += 1
        customer.save()

    increment()
    assert seen == [0, 50]
    assert Customer.objects.get(pk=pk).discount == 51


def test_the_clock_stands_still_inside_and_goes_on_outside(told):
    @work
    def twice():
        first = clock.now()
        gevent.sleep(0.01)
        return first, clock.now()

    first, second = twice()
    assert first == second
    gevent.sleep(0.002)
    assert clock.now() > first


def test_a_race_that_is_never_won_ends_in_a_conflict(told, monkeypatch):
    monkeypatch.setattr(unit_of_work, "PATIENCE", 0.2)
    pk = Customer(name="a", discount=0).save().pk
    tries = []

    @work
    def always_late():
        tries.append(1)
        customer = Customer.objects.get(pk=pk)
        other = gevent.spawn(Customer.objects(pk=pk).update_one, inc__discount=10)
        other.join()
        customer.discount = 1
        customer.save()

    with pytest.raises(Conflict):
        always_late()
    assert len(tries) > 1
    assert Customer.objects.get(pk=pk).discount == 10 * len(tries)
    assert [one for one in told if one.action == "updated"] == []


@pytest.mark.parametrize("saved", [True, False], ids=["before the commit", "at it"])
def test_who_runs_out_of_patience_holds_nothing_from_others(told, monkeypatch, saved):
    monkeypatch.setattr(unit_of_work, "PATIENCE", 0.1)
    pk = Customer(name="a", discount=0).save().pk

    @work
    def slowly():
        if saved:
            customer = Customer.objects.get(pk=pk)
            customer.discount = 1
            customer.save()
        else:  # nothing is told, so the commit is the next that the store hears
            Customer._get_collection().update_one({"_id": pk}, {"$set": {"x": 1}})
        gevent.sleep(0.3)

    @work
    def another():
        customer = Customer.objects.get(pk=pk)
        customer.discount = 5
        customer.save()

    with pytest.raises(PyMongoError), pymongo.timeout(0.2):
        slowly()
    with get_connection().start_session() as same:  # would end it without being asked
        get_connection().admin.command("ping", session=same)
        another()
    assert [(one.name, one.discount) for one in Customer.objects] == [("a", 5)]


def test_entries_are_told_in_the_order_of_the_changes(told):
    @work
    def make():
        first = Customer(name="a").save()
        outbox.tell("notification", {"n": 1}, stations=["s"])
        Customer(name="b").save()
        first.name = "c"
        first.save()

    make()
    assert [getattr(one, "kind", "message") for one in told] == [
        "Customer",
        "message",
        "Customer",
    ]
    assert told[0].data["name"] == "c"  # one record, one event, as it ended


def test_a_commit_whose_answer_got_lost_is_not_done_twice(told, lose_an_answer):
    @work
    def make():
        Customer(name="once").save()

    lost = lose_an_answer()
    make()
    assert lost
    assert Customer.objects(name="once").count() == 1
    assert len(told) == 1


def test_a_commit_that_failed_is_done_again(told, monkeypatch):
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
        Customer(name="again").save()

    make()
    assert Customer.objects(name="again").count() == 1
    assert len(told) == 1
