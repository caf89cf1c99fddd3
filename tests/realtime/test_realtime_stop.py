"""Starting and stopping the realtime side of an application."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from databases import new_database

# In a process of its own, because it stops what the other tests need.
SCRIPT = """
from gevent import monkey
monkey.patch_all()
import gc, sys
import gevent
import requests
from clients import Api
from factories import Workshop
from glassflow.app import create_app
from glassflow.core.events import event_log
from glassflow.core.store import outbox
from glassflow.services.prepare import ensure_indexes
from glassflow.services.auth import identity
from glassflow.services.notices import system_alerts
from glassflow.settings import load_settings
from mongoengine.connection import get_db
from screens import Screen
from server import serve


def background():
    greenlets = [one for one in gc.get_objects() if isinstance(one, gevent.Greenlet)]
    return [g for g in greenlets if g.name == "background" and not g.dead]


env = {"MONGODB_URI": sys.argv[1], "MONGODB_DB": sys.argv[2]}
app = create_app(load_settings("testing", env=env))
ensure_indexes()
realtime = app.extensions["realtime"]
assert background() == []  # an application that only runs a command starts nothing
url, stop_serving = serve(app)
found = Workshop().worker_with("admin")
api = Api(url, identity.issue(found.pk), found)
screen = Screen(api)
started = background()
assert started
headers = {"Authorization": f"Bearer {api.token}", "Accept": "text/event-stream"}
stream = requests.get(url + "/api/events", headers=headers, stream=True, timeout=60)
reading = gevent.spawn(lambda: stream.content)
gevent.sleep(0.2)
assert not reading.ready()
realtime.start()  # nothing is started twice
assert set(background()) == set(started)

publisher = outbox.publish
outbox.publish = lambda batches: None  # so that only stop() publishes the alert
system_alerts.send("the last one")
outbox.publish = publisher
assert realtime.stop() is True
assert [e.name for e in event_log.after(0)] == ["system_alert"]
assert get_db()[outbox.COLLECTION].count_documents({}) == 0
with gevent.Timeout(30):
    reading.get()
    while screen.socket.connected or background():
        gevent.sleep(0.01)
assert realtime.socketio.server.eio.sockets == {}
screen.close()
stop_serving()
print("stopped")
"""


@pytest.mark.slow
def test_stop_ends_streams_and_sockets_and_publishes_what_is_left(store):
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, store, new_database()],
        capture_output=True,
        text=True,
        timeout=110,
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'tests'}"},
    )
    assert done.stdout == "stopped\n", done.stderr
