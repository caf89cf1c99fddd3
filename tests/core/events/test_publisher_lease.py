"""One process publishes at a time, and one that is killed does not block the others."""

import os
import subprocess
import sys
from datetime import timedelta

import gevent
import pytest
from gevent.event import Event
from mongoengine.connection import get_db
from pymongo.errors import AutoReconnect, PyMongoError

from glassflow.core.events import event_log, publisher_lease
from glassflow.core.events.publisher_lease import COLLECTION, LEASE, PublisherLease
from glassflow.core.process import clock, deadlines
from glassflow.core.store import counters
from glassflow.core.store.unit_of_work import unit_of_work
from greenlets import spawn
from screens import Screen
from waiting import WAIT_TIMEOUT_S, wait_until


@pytest.fixture
def leases(app):
    """Makes publisher leases, while the application's own publisher does not work."""
    realtime = app.extensions["realtime"]
    made = []

    def make():
        made.append(PublisherLease())
        return made[-1]

    with realtime.publisher._one_at_a_time:
        get_db()[COLLECTION].delete_many({})
        counters.ensure(["lease_test"])
        yield make
        for lease in made:
            lease.release()
        get_db()[COLLECTION].delete_many({})


def draw():
    """Write a document, as a publisher does."""
    row = {"_id": "lease_test"}
    get_db()[counters.COLLECTION].update_one(row, {"$inc": {"seq": 1}})


def drawn():
    """How often a transaction with `draw` was committed."""
    row = get_db()[counters.COLLECTION].find_one({"_id": "lease_test"})
    return row["seq"]


def let_expire():
    get_db()[COLLECTION].update_one(LEASE, {"$set": {"until": clock.now()}})


def session_id(lease):
    return lease._session.session_id["id"].hex()


def test_only_one_holds_the_lease_until_it_is_released(leases):
    first, second = leases(), leases()
    assert first.hold()
    assert not second.hold()
    assert first.hold()
    first.release()
    assert second.hold()
    assert not first.hold()


def test_lease_of_a_process_that_does_not_renew_it_can_be_taken(leases):
    first, second = leases(), leases()
    assert first.hold()
    let_expire()
    assert second.hold()
    first._renewed = float("-inf")  # as a second later
    assert not first.hold()


def test_lease_that_ends_in_the_far_future_can_be_taken(leases):
    first, second = leases(), leases()
    assert first.hold()
    year = {"until": clock.now() + timedelta(days=365)}
    get_db()[COLLECTION].update_one(LEASE, {"$set": year})
    assert second.hold()


def test_lease_of_a_dead_process_of_this_machine_can_be_taken_at_once(leases):
    first, second = leases(), leases()
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    own = f"/{os.getpid()}/"
    first._owner = first._owner.replace(own, f"/{ended.pid}/")
    assert first.hold()
    assert second.hold()


def test_of_many_at_once_one_takes_the_lease(leases):
    many = [leases() for _ in range(8)]
    held = [spawn(lease.hold) for lease in many]
    gevent.joinall(held, raise_error=True)
    assert sorted(greenlet.value for greenlet in held) == [False] * 7 + [True]


def test_lease_ends_later_than_a_group_that_is_published_under_it():
    renewed_after = 1.0
    longest = renewed_after + deadlines.PUBLISH_TIMEOUT_S
    assert longest < deadlines.PUBLISHER_LEASE_S


def test_session_is_named_in_the_lease_and_renewed_after_a_failure(leases):
    lease = leases()
    assert lease.hold()
    first = lease._session
    assert get_db()[COLLECTION].find_one(LEASE)["session"] == session_id(lease)
    with pytest.raises(ValueError, match="on purpose"), lease.session():
        raise ValueError("on purpose")
    assert lease.hold()
    assert lease._session is not first
    assert get_db()[COLLECTION].find_one(LEASE)["session"] == session_id(lease)


def test_session_of_a_failed_attempt_is_killed_before_others_can_use_it(leases):
    lease = leases()
    assert lease.hold()
    with pytest.raises(ValueError, match="on purpose"), lease.session():
        raise ValueError("on purpose")
    failed = lease._failed
    assert not failed.has_ended
    assert lease.hold()
    assert failed.has_ended
    assert get_db()[COLLECTION].find_one(LEASE)["session"] == session_id(lease)


def test_session_without_the_lease_is_refused(leases):
    with pytest.raises(RuntimeError), leases().session():
        pass


def test_live_holder_that_lost_the_lease_repeats_its_transaction(leases):
    mine, other = leases(), leases()
    tries, begun, ended = [], Event(), Event()

    @unit_of_work
    def publish_slowly():
        tries.append(1)
        draw()
        begun.set()
        ended.wait(WAIT_TIMEOUT_S)

    def publish():
        with mine.session():
            publish_slowly()

    assert mine.hold()
    before = drawn()
    publishing = spawn(publish)
    assert begun.wait(WAIT_TIMEOUT_S)
    let_expire()
    assert other.hold()
    ended.set()
    publishing.get(timeout=WAIT_TIMEOUT_S)
    assert len(tries) == 2
    assert drawn() == before + 1


def names_received(screen):
    changes = screen.payloads("material:updated")
    return [change["data"].get("name") for change in changes]


@pytest.mark.slow
def test_change_after_the_death_of_a_publisher_is_published(app, admin, leases):
    mine = Screen(admin).join("join_inventory")
    dead = leases()
    dead._owner = "another-host/1/dead"
    assert dead.hold()
    # It was killed in a transaction that has stored an event with the next number.
    session = dead._session
    session.start_transaction()
    before = event_log.last()
    held = {"_id": "held", "seq": before + 1, "at": clock.now()}
    get_db()[event_log.COLLECTION].insert_one(held, session=session)
    let_expire()
    body = {"name": "after", "unit": "sheet", "reorderPoint": 0}
    assert admin.post("/api/materials", body).status == 201
    publisher = app.extensions["realtime"].publisher
    # as a second later: it would take the lease for its own, and wait for the transaction
    publisher._lease._renewed = float("-inf")
    publisher._one_at_a_time.release()
    try:
        wait_until(lambda: "after" in names_received(mine))
    finally:
        publisher._one_at_a_time.acquire()
    mine.close()
    numbers = [event.seq for event in event_log.after(before)]
    assert numbers == list(range(before + 1, event_log.last() + 1))  # no gap
    with pytest.raises(PyMongoError):
        session.commit_transaction()


def test_lease_is_free_at_once_when_it_is_released_after_a_failed_attempt(leases):
    mine, other = leases(), leases()
    assert mine.hold()
    with pytest.raises(ValueError, match="on purpose"), mine.session():
        raise ValueError("on purpose")
    mine.release()
    assert other.hold()


def test_session_that_cannot_be_killed_is_left_to_the_next_holder(leases, monkeypatch):
    mine, other = leases(), leases()
    killed = []

    def fail(session_id):
        raise AutoReconnect("away")

    assert mine.hold()
    failed = session_id(mine)
    with pytest.raises(ValueError, match="on purpose"), mine.session():
        raise ValueError("on purpose")
    with monkeypatch.context() as away:
        away.setattr(publisher_lease, "_kill", fail)
        mine.release()
    monkeypatch.setattr(publisher_lease, "_kill", killed.append)
    assert other.hold()
    assert killed == [failed]
