"""Numbers of events: from memory, without gaps, and none twice."""

import pytest
from bson import ObjectId
from mongoengine.connection import get_db

from glassflow.core.events import event_log, event_numbers
from glassflow.core.events.event_log import Event
from glassflow.core.process import clock
from glassflow.core.store import counters, outbox
from messages import add_to_log
from waiting import wait_until


@pytest.fixture
def alone(app):
    """The store while the application's own publisher does not work; nothing pending."""
    publisher = app.extensions["realtime"].publisher
    publisher.start()
    wait_until(lambda: not get_db()[outbox.COLLECTION].find_one())
    with publisher._one_at_a_time:
        event_numbers.forget()
        yield
        get_db()[outbox.COLLECTION].delete_many({})


def pending_batch(age=0):
    """Store a batch in the outbox; one with an age has an older id. Return its id."""
    batch = ObjectId(bytes([255 - age]) + ObjectId().binary[1:])
    row = {"_id": batch, "at": clock.now(), "entries": []}
    get_db()[outbox.COLLECTION].insert_one(row)
    return batch


def one_event():
    return [Event("x", b"1", ("room",), clock.now())]


def counted():
    return get_db()[counters.COLLECTION].find_one({"_id": event_numbers.COUNTER})["seq"]


def test_next_event_has_the_next_number(alone):
    before = event_log.last()
    for step in (1, 2):
        (stored,) = event_log.store({pending_batch(): one_event()})
        assert stored.seq == before + step
    assert event_log.last() == event_log.last(before) == before + 2


def test_number_that_another_process_has_given_is_not_given_again(alone):
    (first,) = event_log.store({pending_batch(): one_event()})
    add_to_log("other", ["x"], rooms=["room"])
    (second,) = event_log.store({pending_batch(): one_event()})
    assert second.seq == first.seq + 2
    assert not get_db()[outbox.COLLECTION].find_one()


def test_numbers_go_on_after_all_events_have_expired(alone):
    (stored,) = event_log.store({pending_batch(): one_event()})
    assert counted() < stored.seq
    event_numbers.save()
    assert counted() == stored.seq
    get_db()[event_log.COLLECTION].delete_many({})
    event_numbers.forget()  # as a process that starts now
    assert event_log.last() == stored.seq
    assert event_numbers.next_free() == stored.seq + 1


def test_saved_number_never_falls(alone):
    (stored,) = event_log.store({pending_batch(): one_event()})
    event_numbers.save()
    event_numbers.set_highest(stored.seq - 1)
    event_numbers.save()
    assert counted() == stored.seq
    event_numbers.forget()


@pytest.mark.parametrize(("ahead", "skipped"), [(5, 5), (1, 1), (0, 1), (-5, 1)])
def test_numbers_are_skipped_and_one_at_least(alone, ahead, skipped):
    (stored,) = event_log.store({pending_batch(): one_event()})
    event_numbers.skip_to(stored.seq + ahead)
    assert event_numbers.are_skipped(stored.seq, stored.seq + skipped)
    assert not event_numbers.are_skipped(stored.seq - 1, stored.seq + skipped)
    assert not event_numbers.are_skipped(stored.seq, stored.seq + skipped + 1)
    assert event_log.last() == stored.seq + skipped
    (following,) = event_log.store({pending_batch(): one_event()})
    assert following.seq == stored.seq + skipped + 1


def test_own_batches_are_stored_if_they_are_the_oldest(alone):
    mine, later = pending_batch(age=1), pending_batch()
    (stored,) = event_log.store_oldest({mine: one_event()})
    assert stored.seq == event_log.last()
    pending = get_db()[outbox.COLLECTION].find()
    assert [row["_id"] for row in pending] == [later]


def test_own_batches_wait_for_an_older_batch_of_another_process(alone):
    before = event_log.last()
    older, mine = pending_batch(age=1), pending_batch()
    assert event_log.store_oldest({mine: one_event()}) is None
    assert event_log.last() == before
    pending = get_db()[outbox.COLLECTION].find().sort("_id", 1)
    assert [row["_id"] for row in pending] == [older, mine]


def test_own_batch_that_another_process_has_published_is_not_stored_again(alone):
    before, mine = event_log.last(), pending_batch()
    get_db()[outbox.COLLECTION].delete_one({"_id": mine})
    assert event_log.store_oldest({mine: one_event()}) is None
    assert event_log.last() == before


def test_published_batch_is_not_taken_for_an_older_one_that_is_pending(alone):
    """As many batches are pending as are to be stored, and not the same."""
    published, older, mine = (pending_batch(age) for age in (2, 1, 0))
    event_log.store({published: one_event()})
    before = event_log.last()
    stale = {published: one_event(), mine: one_event()}
    assert event_log.store_oldest(stale) is None
    assert event_log.last() == before
    pending = get_db()[outbox.COLLECTION].find().sort("_id", 1)
    assert [row["_id"] for row in pending] == [older, mine]
