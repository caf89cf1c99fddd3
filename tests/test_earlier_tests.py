"""What a test leaves under way is ended before the next one, and does not reach it."""

from functools import wraps
from types import SimpleNamespace

import gevent
import pytest
from gevent.event import Event

import earlier_tests
from glassflow.core.events import outbox_batches
from glassflow.services.events.room_map import STATION_KEY, keyed_room
from greenlets import spawn
from messages import add_to_log, send_message


@pytest.fixture
def held(app, monkeypatch):
    """Requests for roles set `held.begun`, and go on once `held.released` is set."""
    endpoint = "roles.index"
    view, held = app.view_functions[endpoint], SimpleNamespace()
    held.begun, held.released = Event(), Event()

    @wraps(view)
    def hold(**values):
        held.begun.set()
        held.released.wait()
        return view(**values)

    monkeypatch.setitem(app.view_functions, endpoint, hold)
    yield held
    held.released.set()


def test_request_whose_client_has_ended_is_awaited(app, admin, held):
    client = spawn(admin.get, "/api/roles")
    held.begun.wait()
    client.kill()
    ended = Event()

    def end():
        with earlier_tests.ended(app):
            ended.set()

    ending = spawn(end)
    gevent.sleep(0.1)
    assert not ended.is_set()
    held.released.set()
    ending.get()


def test_nothing_is_published_while_the_collections_are_emptied(app):
    publisher = app.extensions["realtime"].publisher
    with earlier_tests.ended(app):
        send_message("notification", {"title": "left"}, stations=["s"])
        publishing = spawn(publisher.flush)
        gevent.sleep(0.1)
        assert outbox_batches.pending(1)
    publishing.get()
    assert not outbox_batches.pending(1)


def test_events_that_a_test_has_stored_itself_are_delivered(app):
    tail = app.extensions["realtime"]._log_tail
    tail.start()
    earlier_tests.deliver_events(app)
    rooms = [keyed_room("station:s", STATION_KEY)]
    last = add_to_log("told", [{"serial": 1}, {"serial": 2}], rooms=rooms)
    assert tail.position == last - 2
    earlier_tests.deliver_events(app)
    assert tail.position == last
