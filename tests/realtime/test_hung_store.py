"""The store hangs: handshakes and socket events are refused in time, checks repeated."""

import json

import gevent
import pytest
from pymongo.errors import ConnectionFailure

from glassflow.core.events.log_pages import EventCache
from glassflow.core.process import deadlines
from glassflow.realtime import token_watch
from glassflow.realtime.log_tail import LogTail
from greenlets import spawn
from screens import refused_handshake
from suspended import suspended
from waiting import wait_until

pytestmark = pytest.mark.embedded_store
UNAVAILABLE = "Service unavailable"


@pytest.fixture
def hang(store_process, app, monkeypatch):
    """Stops the store's process while a function runs: `hang(connect)`."""

    def run(act):
        with monkeypatch.context() as short:
            short.setattr(deadlines, "REQUEST_TIMEOUT_S", 0.3)
            short.setattr(deadlines, "ABORT_GRACE_S", 0.3)
            with suspended(store_process.process.pid):
                return act()

    return run


def test_handshake_is_refused_while_the_store_hangs(server, admin, screen, hang):
    auth = {"token": admin.token}
    refused = hang(lambda: refused_handshake(server, auth))
    assert refused == [{"message": UNAVAILABLE}]
    assert screen(admin).call("join_me")["ok"]


@pytest.mark.parametrize(
    "event",
    [
        ["mobile-scan", {"stationId": "s"}],
        ["system_alert", {"message": "x"}],
        ["resume", {"after": 0}],
    ],
    ids=lambda event: event[0],
)
def test_event_that_needs_the_store_is_refused_while_it_hangs(
    admin, raw, screen, hang, event, forget_recent
):
    screen(admin).catch_up(admin)  # the log has an event
    forget_recent()
    client = raw(admin)

    def call():
        client.send("427" + json.dumps(event))
        while (text := client.packet()).startswith("42"):
            pass
        return json.loads(text.removeprefix("437"))

    assert hang(call) == [{"ok": False, "error": UNAVAILABLE}]
    assert client.call("join_dashboard")["ok"]


def test_check_that_fails_while_the_store_hangs_is_repeated(
    admin, worker, screen, hang, monkeypatch, caplog
):
    mine = screen(worker, "join_dashboard")
    monkeypatch.setattr(token_watch, "RECHECK_INTERVAL_S", 0)
    hang(lambda: wait_until(lambda: "cannot check open connections" in caplog.text))
    assert mine.socket.connected
    assert worker.post("/api/auth/logout").status == 200
    mine.wait_for(lambda: not mine.socket.connected)


def test_handshakes_do_not_wait_for_each_other_while_the_log_tail_starts(
    app, monkeypatch
):
    monkeypatch.setattr(deadlines, "REQUEST_TIMEOUT_S", 0.05)
    callbacks = dict.fromkeys(("on_event", "on_recheck"), lambda _: None)
    callbacks["on_missed"] = lambda: None
    callbacks["warm_up"] = lambda: gevent.sleep(3600)
    tail = LogTail(None, EventCache(), **callbacks)
    starting = spawn(tail.start)
    gevent.sleep(0)
    with pytest.raises(ConnectionFailure):
        tail.start()
    starting.kill()
