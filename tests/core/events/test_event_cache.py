"""Cached events are given out only without a gap, and the size of all is limited."""

import pytest

from glassflow.core.events import log_pages
from glassflow.core.events.event_log import Event
from glassflow.core.events.log_pages import EventCache


@pytest.fixture(autouse=True)
def small_cache(monkeypatch):
    """A cache of 100 bytes of payloads."""
    monkeypatch.setattr(log_pages, "CACHE_BYTES", 100)
    monkeypatch.setattr(log_pages, "EVENT_BYTES", 0)


def events(*numbers, size=1):
    return [Event("x", b"x" * size, ("r|k",), None, seq=seq) for seq in numbers]


def numbers(found):
    return [event.seq for event in found]


def test_events_follow_a_number_up_to_another():
    cache = EventCache()
    cache.add(events(1, 2, 3, 4))
    assert numbers(cache.after(1, 3)) == [2, 3]
    assert numbers(cache.after(0, 99)) == [1, 2, 3, 4]
    assert cache.after(4, 99) == []


def test_events_behind_a_gap_are_not_given_out():
    cache = EventCache()
    cache.add(events(1, 2, 4, 5))
    assert numbers(cache.after(0, 9)) == [1, 2]
    assert cache.after(2, 9) == []
    cache.add(events(3))
    assert numbers(cache.after(0, 9)) == [1, 2, 3, 4, 5]


def test_bytes_of_events_are_limited():
    cache = EventCache()
    cache.add(events(1, 2, 3, size=40))
    assert numbers(cache.after(1, 9)) == [2, 3]
    cache.add(events(4, size=101))
    assert numbers(cache.after(1, 9)) == [2, 3]
    cache.add(events(5, size=100))
    assert numbers(cache.after(4, 9)) == [5]


def test_event_that_is_added_twice_counts_once():
    cache = EventCache()
    cache.add(events(1, size=60))
    cache.add(events(1, size=60))
    assert numbers(cache.after(0, 9)) == [1]


def test_cleared_events_are_not_given_out():
    cache = EventCache()
    cache.add(events(1, size=60))
    cache.clear()
    assert cache.after(0, 9) == []
    cache.add(events(1, 2, size=50))
    assert numbers(cache.after(0, 9)) == [1, 2]
