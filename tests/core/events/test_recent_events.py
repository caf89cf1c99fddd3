"""Events in memory are given out only without a gap, and only so many are kept."""

from glassflow.core.events.event_log import Event
from glassflow.core.events.recent_events import RecentEvents


def events(*numbers, size=1):
    return [Event("x", b"x" * size, ("r|k",), None, seq=seq) for seq in numbers]


def numbers(found):
    return [event.seq for event in found]


def test_events_follow_a_number_up_to_another():
    recent = RecentEvents()
    recent.add(events(1, 2, 3, 4))
    assert numbers(recent.after(1, 3)) == [2, 3]
    assert numbers(recent.after(0, 99)) == [1, 2, 3, 4]
    assert recent.after(4, 99) == []


def test_events_behind_a_gap_are_not_given_out():
    recent = RecentEvents()
    recent.add(events(1, 2, 4, 5))
    assert numbers(recent.after(0, 9)) == [1, 2]
    assert recent.after(2, 9) == []
    recent.add(events(3))
    assert numbers(recent.after(0, 9)) == [1, 2, 3, 4, 5]


def test_number_of_events_is_limited():
    recent = RecentEvents(max_events=3)
    recent.add(events(*range(1, 6)))
    assert recent.after(1, 9) == []
    assert numbers(recent.after(2, 9)) == [3, 4, 5]


def test_bytes_of_events_are_limited():
    recent = RecentEvents(max_bytes=100)
    recent.add(events(1, 2, 3, size=40))
    assert numbers(recent.after(1, 9)) == [2, 3]
    recent.add(events(4, size=101))
    assert recent.after(1, 9) == []
    recent.add(events(5, size=100))
    assert numbers(recent.after(4, 9)) == [5]


def test_event_that_is_added_twice_counts_once():
    recent = RecentEvents(max_bytes=100)
    recent.add(events(1, size=60))
    recent.add(events(1, size=60))
    assert numbers(recent.after(0, 9)) == [1]


def test_cleared_events_are_not_given_out():
    recent = RecentEvents(max_bytes=100)
    recent.add(events(1, size=60))
    recent.clear()
    assert recent.after(0, 9) == []
    recent.add(events(1, 2, size=50))
    assert numbers(recent.after(0, 9)) == [1, 2]
