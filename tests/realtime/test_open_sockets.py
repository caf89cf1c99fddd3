"""What becomes of open sockets when something changes at an awkward moment."""

import json

import gevent
import pytest
import requests
from pymongo.errors import ServerSelectionTimeoutError

from clients import Api
from glassflow.realtime import sessions
from glassflow.services import identity
from screens import PATH, Joined

MATERIAL = {"name": "a", "unit": "b", "reorderPoint": 1}


@pytest.fixture
def slowly(monkeypatch):
    """Makes each handshake take half a second, before or after the store is asked."""

    def make(*, before=0.0, after=0.0):
        def identify(token):
            gevent.sleep(before)
            who = identity.identify(token)
            gevent.sleep(after)
            return who

        monkeypatch.setattr(sessions, "identify", identify)

    return make


class Polling:
    """A polling client by hand."""

    def __init__(self, url, token):
        self.url = f"{url}{PATH}/?EIO=4&transport=polling"
        self.url += "&sid=" + json.loads(requests.get(self.url).text[1:])["sid"]
        self.hello = "40" + json.dumps({"token": token})

    def post(self, *packets):
        body = "\x1e".join(packets).encode()
        assert requests.post(self.url, data=body, timeout=10).status_code == 200

    def packets(self):
        return requests.get(self.url, timeout=10).text.split("\x1e")


def connected(app):
    rooms = app.extensions["socketio"].server.manager.rooms
    return len(rooms.get("/", {}).get(None, ()))


@pytest.mark.slow
def test_a_client_that_leaves_in_its_handshake_leaves_nothing_behind(
    app, server, admin, slowly
):
    slowly(before=0.5)
    count = connected(app)
    client = Polling(server, admin.token)
    hello = gevent.spawn(client.post, client.hello)
    gevent.sleep(0.2)
    client.post("1")
    hello.get()
    assert connected(app) == count


@pytest.mark.slow
def test_a_token_that_is_revoked_in_its_handshake_ends_the_socket(
    worker, slowly, screen
):
    slowly(after=0.5)
    opening = gevent.spawn(screen, worker)
    gevent.sleep(0.25)
    assert worker.post("/api/auth/logout").status == 200
    mine = opening.get()
    mine.wait_for(lambda: not mine.socket.connected)


@pytest.mark.slow
def test_a_socket_ends_when_the_store_was_away_as_its_token_was_revoked(
    worker, screen, monkeypatch
):
    mine = screen(worker)

    def away(token):
        raise ServerSelectionTimeoutError("the store is away")

    monkeypatch.setattr(sessions, "identify", away)
    assert worker.post("/api/auth/logout").status == 200
    gevent.sleep(1.5)
    assert mine.socket.connected
    monkeypatch.setattr(sessions, "identify", identity.identify)
    mine.wait_for(lambda: not mine.socket.connected)


@pytest.mark.slow
def test_what_another_process_changes_is_noticed_too(
    admin, workshop, server, screen, monkeypatch
):
    role = workshop.role(permissions=["materials:view"])
    found = workshop.worker(role=role)
    mine = screen(Api(server, identity.issue(found.pk), found), "join_dashboard")

    def change():
        admin.post("/api/materials", MATERIAL)

    assert len(mine.during(admin, change)) == 1
    none = {"$set": {"permissions": []}}
    role._get_collection().update_one({"_id": role.pk}, none)
    monkeypatch.setattr(sessions, "AGAIN_AFTER", 0)
    gevent.sleep(2.5)
    assert mine.during(admin, change) == []
    off = {"$set": {"isActive": False}}
    found._get_collection().update_one({"_id": found.pk}, off)
    mine.wait_for(lambda: not mine.socket.connected)


def test_a_polling_client_may_say_much_in_one_post(server, admin):
    client = Polling(server, admin.token)
    client.post(client.hello)
    assert client.packets()[0].startswith("40{")
    client.post(*(f'42{serial}["join_dashboard"]' for serial in range(200)))
    heard = []
    with gevent.Timeout(10):
        while len(heard) < 200:
            heard += client.packets()
    acks = [json.loads(text.removeprefix(f"43{n}")) for n, text in enumerate(heard)]
    assert acks == [[Joined("dashboard")]] * 200
