"""Ends what the tests before may still do in the application of this test process.

Else it would change the records of the next test, or be cut off where its collections are
emptied, and the next test would fail of it.
"""

from contextlib import ExitStack, contextmanager

from mongoengine.connection import get_connection

import databases
import server
from waiting import WAIT_TIMEOUT_S, wait_until

PATIENCE_S = 2.0  # with what waits for a transaction that a test left open
_stopped = []  # publishers that a module has stopped


@contextmanager
def publishing_stopped(app):
    """In the block, as long as a module if need be, the application publishes nothing."""
    publisher = app.extensions["realtime"].publisher
    with publisher._one_at_a_time:
        _stopped.append(publisher)
        publisher._lease.release()
        try:
            yield
        finally:
            _stopped.remove(publisher)


@contextmanager
def ended(app):
    """Await requests and publishing; in the block, nothing is written or published.

    On the embedded store, both would wait without end for a transaction that a test left
    open, and so would the block.
    """
    _close_polling_clients(app)
    publisher = app.extensions["realtime"].publisher
    with ExitStack() as stack:
        try:
            _await_all(publisher, PATIENCE_S, stack)
            _end_transactions()
        except AssertionError:
            _end_transactions()
            _await_all(publisher, WAIT_TIMEOUT_S, stack)
        publisher._in_memory.clear()  # as the outbox, which the block empties
        yield


def _await_all(publisher, timeout_s, stack):
    server.await_requests(timeout_s)
    if publisher not in _stopped:
        assert publisher._one_at_a_time.acquire(timeout=timeout_s), "it publishes"
        stack.callback(publisher._one_at_a_time.release)


def _end_transactions():
    if not databases.TEST_URI:
        get_connection().admin.command("killAllSessions", [])


def deliver_events(app):
    """Deliver what is in the event log: later, clients of the next test would receive it.

    The log tail looks for events that a test has stored there itself only now and then.
    """
    tail = app.extensions["realtime"]._log_tail
    if tail._greenlet is not None:
        tail.poll()
        wait_until(lambda: tail.position >= tail._end)


def _close_polling_clients(app):
    """Close the connections of polling clients that a test left.

    The service closes them 45 s later, and gives them the events of other tests until then.
    """
    for connection in list(app.extensions["socketio"].server.eio.sockets.values()):
        if not connection.upgraded:
            connection.close(wait=False, abort=True)
