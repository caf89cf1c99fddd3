"""The time limit of a request counts its calls to the store only."""

import time

import pymongo
import pytest
from mongoengine.connection import get_db
from pymongo.errors import PyMongoError

from glassflow.core.process import deadlines, time_limit
from glassflow.core.process.time_limit import TimeLimit
from glassflow.core.store import counters
from glassflow.core.store.unit_of_work import RetryTransaction, unit_of_work
from glassflow.domain.errors import Conflict

pytestmark = pytest.mark.usefixtures("app")


def call_store():
    get_db().command("ping")


def test_calls_are_refused_after_the_limit_and_free_after_its_end():
    limit = TimeLimit(0.01)
    limit.start()
    time.sleep(0.02)
    with pytest.raises(PyMongoError):
        call_store()
    limit.stop()
    call_store()


def test_a_pause_does_not_count_and_what_was_left_is_left():
    limit = TimeLimit(5)
    limit.start()
    left_before = pymongo._csot.remaining()
    with time_limit.paused():
        assert pymongo._csot.remaining() is None
        limit._since -= 100  # as if the pause had been long
    assert 0 < pymongo._csot.remaining() <= left_before
    limit.stop()


def test_time_before_a_pause_counts():
    limit = TimeLimit(5)
    limit.start()
    limit._since -= 100
    with time_limit.paused():
        pass
    time.sleep(0.002)
    with pytest.raises(PyMongoError):
        call_store()
    limit.stop()


def test_what_is_left_bounds_other_limits():
    limit = TimeLimit(5)
    limit.start()
    assert time_limit.at_most(3) == 3
    assert 4 < time_limit.at_most(9) <= 5
    limit._since -= 100
    assert time_limit.at_most(3) == time_limit.SHORTEST_S
    with time_limit.paused():
        assert time_limit.at_most(3) == 3
    limit.stop()
    assert time_limit.at_most(9) == 9


def test_lost_race_is_a_conflict_before_the_limit_of_the_request(monkeypatch):
    """However late in the request the unit of work begins."""
    monkeypatch.setattr(deadlines, "LAST_ATTEMPT_S", 19.5)
    limit = TimeLimit(20)
    limit.start()
    tries = []

    @unit_of_work
    def lose():
        tries.append(1)
        raise RetryTransaction

    with pytest.raises(Conflict):
        lose()
    assert tries
    assert limit.left_s > 0
    limit.stop()


def test_numbers_are_drawn_within_the_limit_of_the_request(monkeypatch):
    increment, given = counters._increment, []

    def record(*args):
        given.append(pymongo._csot.remaining())
        return increment(*args)

    monkeypatch.setattr(counters, "_increment", record)
    limit = TimeLimit(deadlines.COUNTER_TIMEOUT_S / 2)
    limit.start()
    counters.next_numbers("PNE")
    limit.stop()
    counters.next_numbers("PNE")
    assert given[0] <= deadlines.COUNTER_TIMEOUT_S / 2 < given[1]


def test_without_a_limit_a_pause_does_nothing():
    with time_limit.paused():
        call_store()
    assert pymongo._csot.remaining() is None
