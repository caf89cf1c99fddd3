"""Cached records: never older than the last change of this process, nor than 2 s."""

import time

import pytest
from bson import ObjectId
from cachetools import TLRUCache
from gevent.event import Event
from mongoengine.connection import get_db

from glassflow.core.process import deadlines, record_cache
from glassflow.core.process.record_cache import RecordCache
from glassflow.core.store import outbox
from glassflow.core.store.unit_of_work import unit_of_work
from greenlets import spawn
from waiting import WAIT_TIMEOUT_S

KIND, COLLECTION = "CacheTest", "cache_test"


@pytest.fixture
def collection(app):
    """An empty collection that exists, as a transaction should not create it."""
    found = get_db()[COLLECTION]
    found.delete_many({})
    found.insert_one({"_id": "other"})
    yield found
    found.drop()


@pytest.fixture
def cache(collection, monkeypatch):
    """A cache of the collection, whose records do not expire."""
    monkeypatch.setattr(deadlines, "RECORD_CACHE_S", 1e6)
    yield RecordCache(KIND, COLLECTION)
    del record_cache._caches[KIND]


@pytest.fixture
def stored(collection):
    """The id of a stored record whose `n` is 1."""
    return collection.insert_one({"n": 1}).inserted_id


def change_unseen(collection, record_id):
    """Change the record as another process does."""
    collection.update_one({"_id": record_id}, {"$inc": {"n": 1}})


@unit_of_work
def change(collection, record_id, error=None):
    """Change the record as the service does: the outbox reports it."""
    collection.update_one({"_id": record_id}, {"$inc": {"n": 1}})
    outbox.record(KIND, {"_id": record_id}, "updated")
    if error:
        raise error


def test_record_is_read_once_until_it_expires(collection, cache, stored):
    assert cache.get(stored)["n"] == 1
    change_unseen(collection, stored)
    assert cache.get(stored)["n"] == 1
    cache._rows.expire(time.monotonic() + deadlines.RECORD_CACHE_S)
    assert cache.get(stored)["n"] == 2


def test_record_that_does_not_exist_is_looked_up_again(collection, cache):
    later = ObjectId()
    assert cache.get(later) is None
    collection.insert_one({"_id": later})
    assert cache.get(later) == {"_id": later}


def test_only_missing_records_are_read(collection, cache, stored):
    other = collection.insert_one({"n": 5}).inserted_id
    assert cache.get(stored)["n"] == 1
    change_unseen(collection, stored)
    found = cache.get_all([stored, other, ObjectId()])
    assert {key: row["n"] for key, row in found.items()} == {stored: 1, other: 5}


def test_changed_record_is_forgotten_after_the_commit(collection, cache, stored):
    cache.get(stored)
    change(collection, stored)
    assert cache.get(stored)["n"] == 2


def test_record_is_forgotten_after_a_change_that_failed(collection, cache, stored):
    """Its commit may have been stored, though the answer was lost."""
    cache.get(stored)
    with pytest.raises(ValueError, match="on purpose"):
        change(collection, stored, ValueError("on purpose"))
    change_unseen(collection, stored)
    assert cache.get(stored)["n"] == 2


def test_record_is_forgotten_after_a_change_outside_a_unit_of_work(
    collection, cache, stored
):
    cache.get(stored)
    change_unseen(collection, stored)
    outbox.record(KIND, {"_id": stored}, "updated")
    assert cache.get(stored)["n"] == 2


def test_read_that_began_before_a_change_is_not_cached(
    collection, cache, stored, monkeypatch
):
    reached, released = Event(), Event()
    get_database = record_cache.get_db

    class Slow:
        """Answers a query only when it is released, with what it has read before."""

        def find(self, query):
            rows = list(collection.find(query))
            reached.set()
            assert released.wait(WAIT_TIMEOUT_S)
            return rows

    monkeypatch.setattr(record_cache, "get_db", lambda: {COLLECTION: Slow()})
    reading = spawn(cache.get, stored)
    assert reached.wait(WAIT_TIMEOUT_S)
    change(collection, stored)
    released.set()
    assert reading.get(timeout=WAIT_TIMEOUT_S)["n"] == 1
    monkeypatch.setattr(record_cache, "get_db", get_database)
    assert cache.get(stored)["n"] == 2


def test_read_inside_a_transaction_caches_the_present_state(collection, cache, stored):
    """And not the state when the transaction began."""

    @unit_of_work
    def read():
        collection.find_one({"_id": stored})
        spawn(change, collection, stored).get(timeout=WAIT_TIMEOUT_S)
        return collection.find_one({"_id": stored})["n"], cache.get(stored)["n"]

    assert read() == (1, 2)
    assert cache.get(stored)["n"] == 2


def test_record_that_was_used_longest_ago_makes_room(collection, cache, monkeypatch):
    monkeypatch.setattr(cache, "_rows", TLRUCache(2, ttu=record_cache._expires_at))
    ids = [collection.insert_one({"n": 1}).inserted_id for _ in range(3)]
    for one in ids:
        cache.get(one)
    for one in ids:
        change_unseen(collection, one)
    assert [cache.get(one)["n"] for one in reversed(ids)] == [1, 1, 2]
