"""A process that is killed while it publishes does not keep the others from it."""

import time

import gevent
import pytest
from gevent.event import Event
from mongoengine.connection import get_db
from pymongo.errors import PyMongoError

from glassflow.core import counters, event_log, publishers
from glassflow.core.publishers import Publishing
from glassflow.core.unit_of_work import unit_of_work
from screens import Screen

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("usual_patience")]


@unit_of_work
def draw():
    counters.take(event_log.COUNTER, 1)


def materials(screen):
    """The names of the materials that a screen has heard of; of other tests', too."""
    told = [said for event, said in screen.heard if event == "material:updated"]
    return [said["data"].get("name") for said in told]


@pytest.fixture
def stopped(app, monkeypatch):
    """A publisher that has stopped in the middle of a transaction, as if it were dead."""
    publishing = Publishing()
    with publishing.session():
        pass
    session = publishing._session
    session.start_transaction()
    collection = get_db()[counters.COLLECTION]
    query = {"_id": event_log.COUNTER}
    held = collection.update_one(query, {"$inc": {"seq": 1}}, session=session)
    assert held.modified_count == 1
    yield session
    session.end_session()


def test_what_is_changed_after_a_publisher_died_is_heard_soon(admin, workshop, stopped):
    mine = Screen(admin).join("join_inventory")
    before = event_log.last()
    begun = time.monotonic()
    body = {"name": "after", "unit": "sheet", "reorderPoint": 0}
    assert admin.post("/api/materials", body).status == 201
    with gevent.Timeout(20):  # without it, the store would take a minute
        while "after" not in materials(mine):
            gevent.sleep(0.05)
    print(f"heard after {time.monotonic() - begun:.1f} s")
    mine.close()
    numbers = [event.seq for event in event_log.after(before)]
    assert numbers == list(range(before + 1, event_log.last() + 1))  # none is lost
    with pytest.raises(PyMongoError):
        stopped.commit_transaction()


def test_a_publisher_that_lives_repeats_its_transaction(app):
    mine, other = Publishing(), Publishing()
    tries, begun, ended = [], Event(), Event()

    @unit_of_work
    def slowly():
        tries.append(1)
        counters.take(event_log.COUNTER, 1)
        begun.set()
        ended.wait(5)

    def publish():
        with mine.session():
            slowly()

    before = event_log.last()
    publishing = gevent.spawn(publish)
    assert begun.wait(5)
    other.end_others()
    ended.set()
    publishing.get(timeout=5)
    assert len(tries) == 2
    assert event_log.last() == before + 1


def test_a_session_is_kept_and_known_and_another_after_a_failure(app):
    mine = Publishing()
    known = get_db()[publishers.COLLECTION]
    with mine.session():
        first = mine._session
        assert known.find_one({"_id": first.session_id["id"].hex()})
        draw()
    with mine.session():
        assert mine._session is first
    with pytest.raises(ValueError, match="on purpose"), mine.session():
        raise ValueError("on purpose")
    with mine.session():
        assert mine._session is not first
        assert known.find_one({"_id": mine._session.session_id["id"].hex()})
        draw()
