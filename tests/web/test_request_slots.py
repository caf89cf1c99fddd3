"""The places of the gate: in the order of arrival, and no waiting in vain."""

import gevent
import pytest

from glassflow.web.request_slots import FairSemaphore
from greenlets import spawn
from waiting import REQUEST_TIMEOUT_S as LONG_S

WAIT_S = 1.0


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def waiting(places, count=1, timeout=LONG_S):
    """Greenlets that wait for a place each, in this order."""
    greenlets = [spawn(places.acquire, timeout) for _ in range(count)]
    gevent.sleep(0)
    return greenlets


def test_as_many_as_there_are_places_get_one_at_once():
    places = FairSemaphore(2)
    assert [places.acquire(0) for _ in range(3)] == [True, True, False]
    places.release()
    assert places.acquire(0)


def test_place_that_becomes_free_is_handed_to_who_has_waited_longest():
    places = FairSemaphore(1)
    places.acquire(0)
    first, second = waiting(places, 2)
    places.release()
    assert first.get()
    assert not second.ready()
    places.release()
    assert second.get()


def test_who_has_just_arrived_does_not_overtake_those_who_wait():
    places = FairSemaphore(1)
    places.acquire(0)
    [first] = waiting(places)
    places.release()  # `first` has not run yet
    assert not places.acquire(0)
    assert first.get()


def test_who_gives_up_leaves_the_queue_and_takes_no_place():
    places = FairSemaphore(1)
    places.acquire(0)
    [patient] = waiting(places)
    assert not spawn(places.acquire, 0.001).get()
    places.release()
    assert patient.get()
    places.release()
    assert places.acquire(0)


def test_killed_greenlet_leaves_the_queue():
    places = FairSemaphore(1)
    places.acquire(0)
    killed, other = waiting(places, 2)
    killed.kill()
    places.release()
    assert other.get()


def test_burst_after_a_quiet_time_waits_and_is_not_refused(clock):
    places = FairSemaphore(1, clock=clock)
    places.acquire(0)
    many = waiting(places, 50, WAIT_S * 60)
    assert not any(one.ready() for one in many)
    gevent.killall(many)


def overload(places, clock, passing):
    """Let the queue last for the time that one may wait, while so many get through."""
    places.acquire(0)
    queue = waiting(places, passing + 1)
    for _ in range(passing):
        clock.now += WAIT_S / passing
        places.release()
    gevent.sleep(0)
    return queue


def test_queue_that_takes_more_than_half_of_the_time_refuses_at_once(clock):
    """So those at its end get a place well before they would have to give up."""
    places = FairSemaphore(1, clock=clock)
    overload(places, clock, passing=8)  # and one still waits
    others = waiting(places, 4, WAIT_S)
    assert [one.ready() for one in others] == [False, False, False, True]
    assert others[-1].get() is False
    gevent.killall(others)


def test_place_after_an_overload_is_free_for_the_next_one(clock):
    places = FairSemaphore(1, clock=clock)
    [*_, last] = overload(places, clock, passing=3)
    places.release()
    assert last.get()
    places.release()
    assert places.acquire(0)
