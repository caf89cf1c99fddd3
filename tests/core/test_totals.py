"""Totals of queries, counted on threads that several requests wait for."""

import gevent
import pytest

from concurrency import run_concurrently
from glassflow.core import kept, totals
from glassflow.core.long_reads import LongRead


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
