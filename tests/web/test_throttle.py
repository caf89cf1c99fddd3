"""Login attempts are limited for all processes together, with few calls to the store."""

import pytest
from mongoengine.connection import get_db

from glassflow.core.access import rate_limits
from glassflow.web import throttle
from glassflow.web.throttle import Throttle


@pytest.fixture(autouse=True)
def _no_attempts(app):
    get_db()[rate_limits.COLLECTION].delete_many({})


def test_two_processes_count_together(clock_at):
    one, two = Throttle(), Throttle()
    assert [process.hit("a", 3) for process in (one, two, one)] == [None] * 3
    assert [process.hit("a", 3) for process in (one, two)] == [60, 60]
    clock_at(59.5)
    assert [process.hit("a", 3) for process in (one, two)] == [1, 1]
    clock_at(60)
    assert [process.hit("a", 3) for process in (one, two, one)] == [None] * 3
    assert two.hit("a", 3) == 60


def test_refused_attempts_ask_the_store_only_once(clock_at, monkeypatch):
    counted, count = [], rate_limits.count

    def record(key, window):
        counted.append(key)
        return count(key, window)

    monkeypatch.setattr(rate_limits, "count", record)
    one = Throttle()
    for _ in range(10):
        one.hit("a", 2)
    assert counted == ["a"] * 3


def test_remembered_refusals_are_limited(clock_at, monkeypatch):
    monkeypatch.setattr(throttle, "MAX_REFUSED", 2)
    one = Throttle()
    for key in "abc":
        one.hit(key, 0)
    assert list(one._refused) == ["b", "c"]
    assert one.hit("a", 0) == 60  # as the store says
