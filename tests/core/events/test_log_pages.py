"""Clients that continue at once read the event log one page at a time, and share it."""

import gevent
import pytest
from gevent.event import Event
from pymongo.errors import ConnectionFailure

from glassflow.core.events import log_pages
from glassflow.core.events.log_pages import PAGE_EVENTS, EventCache, LogPages
from glassflow.core.process import deadlines
from greenlets import spawn
from messages import add_to_log

COUNT = 3 * PAGE_EVENTS


@pytest.fixture
def pages():
    """Pages of which no event is in memory yet."""
    return LogPages(EventCache())


@pytest.fixture
def last(app):
    """The number of the last of `COUNT` events, of which no process has any in memory."""
    return add_to_log("told", [{"serial": n} for n in range(COUNT)], rooms=["r|k"])


@pytest.fixture
def reads(monkeypatch):
    """The pages that the store is asked for: pairs of numbers, once others have run."""
    read, asked, under_way = log_pages._read_store, [], []

    def read_alone(after, upto, last):
        asked.append((after, upto))
        under_way.append(after)
        gevent.sleep(0)
        assert under_way == [after], "two read at once"
        try:
            return read(after, upto, last)
        finally:
            under_way.remove(after)

    monkeypatch.setattr(log_pages, "_read_store", read_alone)
    return asked


def numbers(pages, after, last):
    """Read all that follows a number, as a client that resumes; return the numbers."""
    found = []
    while events := pages.read(after, last):
        found += [event.seq for event in events]
        after = found[-1]
    return found


def test_a_hundred_clients_read_each_page_of_the_store_once(pages, last, reads):
    first = last - COUNT
    clients = [spawn(numbers, pages, first, last) for _ in range(100)]
    gevent.joinall(clients, raise_error=True)
    expected = list(range(first + 1, last + 1))
    assert all(client.value == expected for client in clients)
    assert reads == [
        (start, start + PAGE_EVENTS) for start in range(first, last, PAGE_EVENTS)
    ]


def test_clients_at_different_numbers_read_one_after_the_other(pages, last, reads):
    starts = range(last - COUNT, last, PAGE_EVENTS)
    clients = [spawn(numbers, pages, start, last) for start in starts]
    gevent.joinall(clients, raise_error=True)
    assert [client.value[0] for client in clients] == [start + 1 for start in starts]
    assert sorted(reads) == [(start, start + PAGE_EVENTS) for start in starts]


def test_client_waits_for_others_only_as_long_as_a_read_may_take(
    pages, last, monkeypatch
):
    monkeypatch.setattr(deadlines, "REQUEST_TIMEOUT_S", 0.05)
    reading, may_go_on = Event(), Event()

    def read_for_ever(*_):
        reading.set()
        may_go_on.wait()

    with monkeypatch.context() as hung:
        hung.setattr(log_pages, "_read_store", read_for_ever)
        other = spawn(pages.read, last - COUNT, last)
        reading.wait()
        waiting = spawn(pages.read, last - COUNT, last)
        with pytest.raises(ConnectionFailure, match="others are reading"):
            waiting.get(timeout=60)
        other.kill()
    monkeypatch.undo()
    assert pages.read(last - COUNT, last)
