"""Losers of a conflict on one document retry one at a time; others do not wait."""

import time

import gevent
import gevent.event
import pytest
from bson import ObjectId
from mongoengine.connection import get_db

from concurrency import run_concurrently, run_in_queue
from factories import save
from glassflow.core.store import locks, retry_queue
from glassflow.core.store.retry_queue import TurnTimeout
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.models.customer import Customer
from glassflow.services import records
from greenlets import spawn
from waiting import wait_until

UNITS = 20


@pytest.fixture
def collection(app):
    """An empty collection that exists, as a transaction should not create it."""
    found = get_db()["conflict_queue_test"]
    found.delete_many({})
    found.insert_one({"_id": "other"})
    yield found
    found.drop()


def soon():
    return time.monotonic() + 30


def test_the_last_announced_write_counts(app):
    retry_queue.forget()
    assert retry_queue.last_written() == frozenset()
    one, two = ObjectId(), ObjectId()
    retry_queue.writing("panes", one)
    assert retry_queue.last_written() == {("panes", str(one))}
    retry_queue.writing("orders", one, two)
    assert retry_queue.last_written() == {("orders", str(one)), ("orders", str(two))}
    retry_queue.forget()
    assert retry_queue.last_written() == frozenset()


def test_saving_and_touching_a_record_announces_the_write(workshop):
    customer, other = workshop.customer(), workshop.customer()
    retry_queue.forget()
    workshop.customer()  # an insert: nobody else writes a document that is new
    assert retry_queue.last_written() == frozenset()
    customer.name = "changed"
    save(customer)
    assert retry_queue.last_written() == {("customers", str(customer.pk))}
    locks.touch(Customer, [other.pk])
    assert retry_queue.last_written() == {("customers", str(other.pk))}
    locks.touch_named(locks.ROLE_CHANGES)
    assert retry_queue.last_written() == {(locks.COLLECTION, locks.ROLE_CHANGES)}


def test_a_bulk_write_announces_all_its_records(workshop):
    customers = [workshop.customer() for _ in range(2)]
    for record in customers:
        record.discount = 5

    @unit_of_work
    def change():
        records.store(*customers)
        return retry_queue.last_written()

    assert change() == {("customers", str(one.pk)) for one in customers}
    assert retry_queue.last_written() == frozenset()  # the unit of work forgets


def test_turns_for_one_document_do_not_overlap():
    running, most = [], []

    def take():
        with retry_queue.hold([("c", "1")], soon()):
            running.append(1)
            most.append(len(running))
            gevent.sleep(0.001)
            running.pop()

    run_concurrently([take] * 5)
    assert most == [1] * 5
    assert retry_queue._queues == {}


def test_turns_come_in_the_order_in_which_units_began_to_wait():
    taken = []

    def take(number):
        with retry_queue.hold([("c", "1")], soon()):
            taken.append(number)

    with retry_queue.hold([("c", "1")], soon()):
        running = [spawn(take, number) for number in range(3)]
        wait_until(lambda: len(retry_queue._queues["c", "1"]) == 4)
    take(3)  # the turn has ended, and none of the others has run since
    gevent.joinall(running)
    assert taken == [0, 1, 2, 3]
    assert retry_queue._queues == {}


def test_turns_for_other_documents_do_not_wait():
    with retry_queue.hold([("c", "1"), ("c", "2")], soon()):

        def other():
            with retry_queue.hold([("c", "3"), ("d", "1")], soon()):
                return True

        assert spawn(other).get(timeout=60)


def test_turns_for_several_documents_in_any_order_do_not_deadlock():
    documents = [("c", str(n)) for n in range(4)]

    def take(order):
        with retry_queue.hold(order, soon()):
            gevent.sleep(0.001)
            return True

    orders = [documents, documents[::-1]] * 5
    assert (
        run_concurrently([lambda order=order: take(order) for order in orders])
        == [True] * 10
    )


def test_a_turn_that_does_not_come_in_time_ends_with_an_error():
    with retry_queue.hold([("c", "1")], soon()):

        def late():
            with retry_queue.hold([("c", "1")], time.monotonic() + 0.01):
                raise AssertionError("two turns at once")

        with pytest.raises(TurnTimeout):
            spawn(late).get(timeout=60)
    assert retry_queue._queues == {}


@pytest.mark.slow
def test_losers_of_one_document_need_few_attempts(collection):
    collection.insert_one({"_id": "hot", "n": 0})
    attempts = []

    @unit_of_work
    def increment():
        attempts.append(1)
        row = collection.find_one({"_id": "hot"})
        retry_queue.writing(collection.name, "hot")
        collection.update_one({"_id": "hot"}, {"$set": {"n": row["n"] + 1}})
        collection.update_one({"_id": ObjectId()}, {"$set": {"n": 1}})

    run_concurrently([increment] * UNITS)
    assert collection.find_one({"_id": "hot"})["n"] == UNITS
    # Without a queue each needs about 8, most of them in vain.
    assert len(attempts) < 4 * UNITS


def test_a_loser_does_not_wait_for_the_losers_of_other_documents(collection):
    """Its retry ends while an unrelated retry is still running."""
    collection.insert_many([{"_id": name, "n": 0} for name in ("slow", "quick")])
    ended = []

    def lose_once(name, during_retry):
        attempts = []

        @unit_of_work
        def work():
            attempts.append(1)
            row = collection.find_one({"_id": name})
            if len(attempts) == 1:
                other = spawn(collection.update_one, {"_id": name}, {"$inc": {"n": 10}})
                other.join()
            else:
                during_retry()
            retry_queue.writing(collection.name, name)
            collection.update_one({"_id": name}, {"$set": {"n": row["n"] + 1}})

        work()
        ended.append(name)

    def run_quick():
        spawn(lose_once, "quick", lambda: None).get(timeout=60)

    lose_once("slow", run_quick)
    assert ended == ["quick", "slow"]
    assert collection.find_one({"_id": "quick"})["n"] == 11
    assert collection.find_one({"_id": "slow"})["n"] == 11


@pytest.mark.slow
def test_units_that_reserve_a_document_do_not_conflict(collection):
    collection.insert_one({"_id": "hot", "n": 0})
    attempts, written = [], []

    @unit_of_work
    def increment():
        attempts.append(1)
        row = collection.find_one({"_id": "hot"})
        retry_queue.reserve(collection.name, "hot")
        written.append(1)
        collection.update_one({"_id": "hot"}, {"$set": {"n": row["n"] + 1}})

    run_in_queue((collection.name, "hot"), [increment] * UNITS)
    assert collection.find_one({"_id": "hot"})["n"] == UNITS
    assert len(attempts) == 2 * UNITS
    assert len(written) == UNITS  # none has begun to write in vain
    assert retry_queue._queues == {}


def test_unit_that_need_not_write_a_document_any_more_ends_its_turn():
    with retry_queue.hold([("c", "1"), ("d", "1")], soon()):
        retry_queue.reserve("c")
        assert list(retry_queue._queues) == [("d", "1")]
        retry_queue.reserve("d", "1")
        assert list(retry_queue._queues) == [("d", "1")]
    assert retry_queue._queues == {}


def test_reserved_document_is_busy_for_others_until_the_unit_ends():
    def reserve(*ids):
        with retry_queue.hold([("d", "1")], soon()):
            retry_queue.reserve("c", *ids)

    with retry_queue.hold([], soon()):
        retry_queue.reserve("c", "1")
        spawn(reserve, "2").get(timeout=60)
        with pytest.raises(retry_queue.Reserved) as refused:
            spawn(reserve, "1", "2").get(timeout=60)
    wanted = {("c", "1"), ("c", "2"), ("d", "1")}
    assert refused.value.documents == wanted
    spawn(reserve, "1").get(timeout=60)
    assert retry_queue._queues == {}


@pytest.mark.parametrize("count", [retry_queue.MANY, retry_queue.MANY + 1])
def test_document_of_a_unit_that_writes_many_is_not_written_by_others(count):
    documents = [("panes", str(number)) for number in range(count)]
    ended = gevent.event.Event()

    def write_many():
        with retry_queue.hold(documents, soon()):
            retry_queue.writing("panes", *range(count))
            ended.wait()

    def write_one(number):
        with retry_queue.hold([("orders", "1")], soon()):
            retry_queue.writing("panes", number)

    spawn(write_many)
    wait_until(lambda: len(retry_queue._queues) == count)
    spawn(write_one, count).get()  # another pane
    if count > retry_queue.MANY:
        with pytest.raises(retry_queue.Reserved) as error:
            spawn(write_one, 7).get()
        assert error.value.documents == {("panes", "7"), ("orders", "1")}
    else:
        spawn(write_one, 7).get()
    ended.set()
    wait_until(lambda: not retry_queue._queues)
    spawn(write_one, 7).get()
