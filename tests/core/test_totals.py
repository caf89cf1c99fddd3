"""Totals of queries, counted on threads that several requests wait for."""

import time
from functools import partial

import gevent
import pymongo
import pytest
from gevent.event import Event

from concurrency import run_concurrently
from glassflow.core import deadlines, kept, totals
from glassflow.core.long_reads import LongRead
from greenlets import spawn
from waiting import wait_until


@pytest.fixture(autouse=True)
def _forget():
    kept.clear()


def test_callers_who_need_a_total_at_once_wait_for_one_count():
    counted = []

    def count():
        counted.append(1)
        gevent.sleep(0.02)
        return 7

    ask = [lambda: totals.of("panes", {"a": 1}, count)] * 6
    assert run_concurrently(ask) == [7] * 6
    assert counted == [1]


def test_error_of_a_count_reaches_all_who_wait_for_it():
    def count():
        gevent.sleep(0.02)
        raise ConnectionError("away")

    def ask():
        with pytest.raises(ConnectionError):
            totals.of("panes", {"a": 2}, count)
        return True

    assert run_concurrently([ask] * 3) == [True] * 3
    assert totals._counts == {}


def test_total_whose_thread_has_not_started_yet_is_waited_for(monkeypatch):
    """Starting a thread lets others run, who find the count."""
    start = LongRead.start

    def start_late(counting):
        gevent.sleep(0.02)
        start(counting)

    monkeypatch.setattr(LongRead, "start", start_late)
    ask = [lambda: totals.of("panes", {"a": 3}, lambda: 7)] * 3
    assert run_concurrently(ask) == [7] * 3


@pytest.fixture
def occupied(monkeypatch):
    """As many counts as may run at once, which go on until the event is set."""
    monkeypatch.setattr(deadlines, "COUNT_WAIT_S", 60.0)
    begun, may_end = [], Event()

    def count():
        begun.append(1)
        may_end.wait()
        return 7

    asking = [
        spawn(partial(totals.of, "panes", {"b": number}, count))
        for number in range(totals.AT_ONCE)
    ]
    wait_until(lambda: len(begun) == totals.AT_ONCE)
    yield may_end
    may_end.set()
    gevent.joinall(asking)


def test_few_counts_run_at_once(monkeypatch):
    monkeypatch.setattr(deadlines, "COUNT_WAIT_S", 60.0)
    running, at_once = set(), []

    def count(number):
        running.add(number)
        at_once.append(len(running))
        gevent.sleep(0.01)
        running.discard(number)
        return number

    ask = [
        partial(totals.of, "panes", {"a": number}, partial(count, number))
        for number in range(10)
    ]
    assert run_concurrently(ask) == list(range(10))
    assert max(at_once) == totals.AT_ONCE


def test_count_that_waits_for_others_has_all_its_time_afterwards(occupied):
    limits = []

    def count():
        limits.append(pymongo._csot.get_deadline())
        return 7

    waiting = spawn(partial(totals.of, "panes", {"a": 1}, count))
    wait_until(lambda: len(totals._counts) == totals.AT_ONCE + 1)
    gevent.sleep(0.05)
    others_end = time.monotonic()
    occupied.set()
    assert waiting.get() == 7
    assert limits[0] >= others_end + deadlines.COUNT_TIMEOUT_S


def test_no_count_is_begun_while_many_wait(occupied):
    def ask(number, count):
        return totals.of("panes", {"a": number}, count)

    waiting = [spawn(partial(ask, n, lambda: 7)) for n in range(totals.MAX_WAITING)]
    wait_until(lambda: len(totals._counts) == totals.AT_ONCE + totals.MAX_WAITING)
    counted = []
    assert ask(totals.MAX_WAITING, lambda: counted.append(1) or 7) is None
    occupied.set()
    assert [one.get() for one in waiting] == [7] * totals.MAX_WAITING
    assert counted == []
    assert ask(totals.MAX_WAITING, lambda: 7) == 7
