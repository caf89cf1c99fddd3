"""Clients and other fixtures of the realtime tests."""

from types import SimpleNamespace

import pytest
from mongoengine.connection import get_db

from glassflow.core.events import event_log, event_numbers
from glassflow.realtime import limits
from glassflow.realtime.wire import websocket
from glassflow.services.events import payloads
from messages import send_message
from metrics_samples import Metrics, Watched
from raw_client import RawClient


@pytest.fixture
def bucket_clock(monkeypatch):
    """The clock of the buckets, which stands still unless `bucket_clock.seconds` changes."""
    clock = SimpleNamespace(seconds=0.0)
    monkeypatch.setattr(limits, "clock_s", lambda: clock.seconds)
    return clock


@pytest.fixture
def raw(server):
    """Opens raw clients: `raw(api)`; they are closed afterwards."""
    opened = []

    def connect(api, **options):
        opened.append(RawClient(server, api.token, **options))
        return opened[-1]

    yield connect
    for client in opened:
        client.ws.shutdown()  # also closes what only the server has closed


@pytest.fixture
def others_unaffected(raw, manager, capfd, caplog):
    """Fails if another client no longer receives events, or if an error was logged."""
    other = raw(manager)
    assert other.call("join-station", "others")["ok"]
    yield
    send_message("notification", {"title": "still connected"}, stations=["others"])
    assert other.event()[1] == {"title": "still connected"}
    assert other.call("join_dashboard")["ok"]
    assert "Traceback" not in capfd.readouterr().err
    assert not [record for record in caplog.records if record.exc_info]


@pytest.fixture
def log_tail(app):
    """The log tail of the application, which has been started."""
    tail = app.extensions["realtime"]._log_tail
    tail.start()
    return tail


@pytest.fixture
def forget_recent(app):
    """Makes the process forget the events in memory: it has to read the store."""
    realtime = app.extensions["realtime"]
    return realtime._event_cache.clear


@pytest.fixture
def expire_events(forget_recent):
    """Removes events as their retention does: `expire_events({"seq": 7})`."""

    def expire(query):
        event_numbers.save()  # as it is long before any event expires
        get_db()[event_log.COLLECTION].delete_many(query)
        forget_recent()

    return expire


@pytest.fixture
def sessions(app):
    """The open sockets of the application."""
    return app.extensions["realtime"]._sessions


@pytest.fixture
def no_size_limit(monkeypatch):
    """Events may be of any size, as in the event logs of earlier releases."""
    monkeypatch.setattr(payloads, "MAX_EVENT_BYTES", 1 << 30)


@pytest.fixture
def hour_long_timeouts(app, monkeypatch):
    """A client that does not read is not disconnected, however slow the machine is.

    By default it is disconnected after 45 s, because it answers no ping.
    """
    eio = app.extensions["socketio"].server.eio
    monkeypatch.setattr(eio, "ping_interval", 3600)
    monkeypatch.setattr(eio, "ping_timeout", 3600)
    monkeypatch.setattr(websocket, "SEND_TIMEOUT_S", 3600.0)


@pytest.fixture
def hung_up(anonymous):
    """Counts the connections that the service has ended for a reason: `hung_up("rate")`."""
    watched = Watched(lambda: Metrics(anonymous.get("/metrics").text))
    return lambda reason: watched.growth("hung_up_total", reason=reason)
