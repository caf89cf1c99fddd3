"""Sockets while a token or a role changes, or while the store is unavailable."""

import json
from unittest.mock import Mock

import pytest
import requests
from gevent.event import Event
from glassflow_client import PATH
from pymongo.errors import ServerSelectionTimeoutError

from clients import Api
from glassflow.core.process import record_cache
from glassflow.realtime import token_watch
from glassflow.realtime.limits import Limits
from glassflow.realtime.token_watch import TokenWatch
from glassflow.services.auth import identity
from greenlets import spawn
from screens import Joined
from store_commands import record_commands
from waiting import REQUEST_TIMEOUT_S, WAIT_TIMEOUT_S

MATERIAL = {"name": "a", "unit": "b", "reorderPoint": 1}


class PausedHandshake:
    """Pauses a handshake before or after its token is looked up in the store."""

    def __init__(self):
        self.reached, self.released = Event(), Event()

    def wait(self):
        self.reached.set()
        assert self.released.wait(WAIT_TIMEOUT_S)


@pytest.fixture
def pause_handshakes(monkeypatch):
    """Pauses all handshakes: `pause_handshakes("before")` or `("after")` the lookup."""

    def pause(moment):
        paused = PausedHandshake()

        def identify(token):
            if moment == "before":
                paused.wait()
            identified = identity.identify(token)
            if moment == "after":
                paused.wait()
            return identified

        monkeypatch.setattr(token_watch, "identify", identify)
        return paused

    return pause


class Polling:
    """A polling client that sends raw packets."""

    def __init__(self, url, token):
        self.url = f"{url}{PATH}/?EIO=4&transport=polling"
        self.url += (
            "&sid="
            + json.loads(requests.get(self.url, timeout=REQUEST_TIMEOUT_S).text[1:])[
                "sid"
            ]
        )
        self.connect_packet = "40" + json.dumps({"token": token})

    def post(self, *packets):
        body = "\x1e".join(packets).encode()
        assert (
            requests.post(self.url, data=body, timeout=REQUEST_TIMEOUT_S).status_code
            == 200
        )

    def packets(self):
        return requests.get(self.url, timeout=REQUEST_TIMEOUT_S).text.split("\x1e")


def count_sockets(app):
    rooms = app.extensions["socketio"].server.manager.rooms
    return len(rooms.get("/", {}).get(None, ()))


@pytest.mark.slow
def test_client_that_disconnects_during_its_handshake_leaves_no_session(
    app, server, admin, pause_handshakes
):
    handshake = pause_handshakes("before")
    count = count_sockets(app)
    client = Polling(server, admin.token)
    connecting = spawn(client.post, client.connect_packet)
    assert handshake.reached.wait(WAIT_TIMEOUT_S)
    client.post("1")
    handshake.released.set()
    connecting.get()
    assert count_sockets(app) == count


@pytest.mark.slow
def test_socket_is_closed_if_its_token_is_revoked_during_the_handshake(
    worker, pause_handshakes, screen
):
    handshake = pause_handshakes("after")
    opening = spawn(screen, worker)
    assert handshake.reached.wait(WAIT_TIMEOUT_S)
    assert worker.post("/api/auth/logout").status == 200
    handshake.released.set()
    mine = opening.get()
    mine.wait_for(lambda: not mine.socket.connected)


@pytest.mark.slow
def test_socket_is_closed_after_its_token_was_revoked_during_a_store_outage(
    worker, screen, monkeypatch
):
    mine = screen(worker)
    attempts = []

    def fail(token):
        attempts.append(token)
        raise ServerSelectionTimeoutError("the store is down")

    monkeypatch.setattr(token_watch, "identify", fail)
    assert worker.post("/api/auth/logout").status == 200
    mine.wait_for(lambda: len(attempts) >= 2)
    assert mine.socket.connected
    monkeypatch.setattr(token_watch, "identify", identity.identify)
    mine.wait_for(lambda: not mine.socket.connected)


@pytest.mark.slow
def test_sessions_notice_changes_of_roles_and_workers_by_another_process(
    admin, workshop, server, screen, monkeypatch
):
    role = workshop.role(permissions=["materials:view"])
    worker = workshop.worker(role=role)
    mine = screen(Api(server, identity.issue(worker.pk), worker), "join_dashboard")

    def change():
        admin.post("/api/materials", MATERIAL)

    assert len(mine.events_during(admin, change)) == 1
    no_keys = {"$set": {"permissions": []}}
    role.collection().update_one({"_id": role.pk}, no_keys)
    monkeypatch.setattr(token_watch, "RECHECK_INTERVAL_S", 0)
    mine.wait_for(lambda: mine.events_during(admin, change) == [])
    deactivated = {"$set": {"isActive": False}}
    worker.collection().update_one({"_id": worker.pk}, deactivated)
    mine.wait_for(lambda: not mine.socket.connected)


def test_check_of_many_tokens_reads_their_workers_and_roles_at_once(
    app, workshop, monkeypatch
):
    role = workshop.role(permissions=["materials:view"])
    watch = TokenWatch(Limits(connections=50))
    for _ in range(12):
        token = identity.issue(workshop.worker(role=role).pk)
        watch.open(token, Mock())
    watch.stop()
    record_cache.clear_all()
    commands = record_commands(monkeypatch)
    watch.recheck("Role", role.pk)
    assert commands.names == ["find", "find"]
    record_cache.clear_all()
    watch.recheck_all()
    watch._check_all()
    assert commands.names == ["find"] * 4


def test_polling_client_may_send_two_hundred_packets_in_one_post(server, admin):
    client = Polling(server, admin.token)
    client.post(client.connect_packet)
    assert client.packets()[0].startswith("40{")
    client.post(*(f'42{serial}["join_dashboard"]' for serial in range(200)))
    packets = []
    while len(packets) < 200:
        packets += client.packets()
    acks = [json.loads(text.removeprefix(f"43{n}")) for n, text in enumerate(packets)]
    assert acks == [[Joined("dashboard")]] * 200
