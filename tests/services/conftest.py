"""Clients for the tests of concurrent requests, and a recorder of round trips."""

import gevent
import pytest

from concurrency import create_clients
from glassflow.core.events import event_numbers, publisher_lease
from glassflow.core.process import deadlines, record_cache
from glassflow.jobs import publisher as publisher_module
from store_commands import record_commands
from waiting import wait_until

NEVER_S = 1e6


@pytest.fixture
def worker_clients(server, workshop):
    """Clients of twenty different workers."""
    return create_clients(server, workshop)


@pytest.fixture
def admin_clients(server, workshop):
    """Clients of twenty different administrators."""
    return create_clients(server, workshop, "admin")


@pytest.fixture
def publisher(app):
    """The application's publisher, which does nothing at intervals.

    It neither looks at the outbox nor renews its lease unless a request causes it. Cached
    workers, roles and stations do not expire.
    """
    realtime = app.extensions["realtime"]
    made = realtime.publisher
    made.start()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(publisher_module, "POLL_INTERVAL_S", NEVER_S)
        patched.setattr(publisher_lease, "RENEW_AFTER_S", NEVER_S)
        patched.setattr(deadlines, "RECORD_CACHE_S", NEVER_S)
        made.wake()  # it may still wait for the end of an interval
        yield made
    made.wake()


@pytest.fixture
def trips(publisher, monkeypatch):
    """Returns the names of the commands that a call causes, until its events are stored.

    Those of its requests, and of the publisher of this process. Workers, roles and
    stations are cached only with `cached=True`: those of earlier requests.
    """
    recorder = record_commands(
        monkeypatch, lambda _: not _is_of_others(publisher), of_all=True
    )

    def count(call, cached=False):
        wait_until(lambda: _is_idle(publisher))
        event_numbers.next_free()  # which the first publication of a process would read
        if not cached:
            record_cache.clear_all()
        recorder.sent.clear()
        answers = call()
        for answer in answers if isinstance(answers, list) else [answers]:
            assert answer.status in (200, 201), answer
        wait_until(lambda: _is_idle(publisher))
        return recorder.names

    return count


def _is_of_others(publisher):
    """Whether the current greenlet works in the background and does not publish.

    The log tail reads events that are in the log already, and the sessions check open
    sockets.
    """
    greenlet = gevent.getcurrent()
    in_background = getattr(greenlet, "name", "") == "background"
    return in_background and greenlet is not publisher._greenlet


def _is_idle(publisher):
    """Whether the publisher has published all that this process has committed."""
    works = publisher._wake_up.is_set() or publisher._one_at_a_time.locked()
    return not works and not publisher._in_memory
