"""Reads that are made once for all who ask at the same time."""

import gevent
import pytest

from concurrency import run_concurrently
from glassflow.core.process import single_flight
from glassflow.core.process.single_flight import SingleFlight


@pytest.fixture
def clock(monkeypatch):
    """The monotonic clock, which stands until the test sets it."""
    now = [100.0]
    monkeypatch.setattr(single_flight.time, "monotonic", lambda: now[0])
    return now


def test_callers_at_once_share_one_read_also_where_nothing_is_kept():
    reads = []

    def read():
        gevent.sleep(0.02)
        reads.append(1)
        return len(reads)

    shared = SingleFlight(read)
    assert run_concurrently([lambda: shared.get(0.0)] * 50) == [1] * 50
    assert shared.get(0.0) == 2


def test_nothing_is_kept_for_longer_than_the_caller_accepts(clock):
    found = ["reachable"]
    shared = SingleFlight(lambda: found[0])
    assert shared.get(0.5) == "reachable"
    found[0] = "unreachable"
    clock[0] += 0.4
    assert shared.get(0.5) == "reachable"
    clock[0] += 0.2
    assert shared.get(0.5) == "unreachable"


def test_failed_read_is_not_kept():
    answers = [ConnectionError("away"), "back"]

    def read():
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    shared = SingleFlight(read)
    with pytest.raises(ConnectionError):
        shared.get(0.5)
    assert shared.get(0.5) == "back"
