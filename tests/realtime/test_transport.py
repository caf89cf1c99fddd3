"""What goes out over a socket arrives whole, however slowly it is read."""

import json
import socket
import time

import gevent
import pytest

from glassflow.core import outbox
from glassflow.realtime import framing, websocket

SMALL = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),)


def tell(station, **data):
    outbox.tell("notification", data, stations=[station])


@pytest.mark.slow
def test_a_client_that_stops_reading_gets_5000_events_whole_and_in_order(raw, admin):
    client = raw(admin, sockopt=SMALL)
    assert client.call("join_station_room", {"stationId": "s"})["ok"]
    filling = "กระจก" * 100
    for serial in range(5000):
        tell("s", serial=serial, filling=filling)
    gevent.sleep(2)
    for serial in range(5000):
        event, data, *_ = client.event()
        assert (event, data["serial"], data["filling"]) == (
            "notification",
            serial,
            filling,
        )


@pytest.mark.slow
def test_an_event_of_3_mb_arrives_whole(raw, admin):
    client = raw(admin, sockopt=SMALL)
    client.call("join_station_room", {"stationId": "s"})
    text = "x" * 3_000_000
    tell("s", text=text)
    assert client.event()[1]["text"] == text
    tell("s", text="after")
    assert client.event()[1]["text"] == "after"


@pytest.mark.slow
def test_a_client_that_stops_reading_holds_up_nobody_else(raw, admin):
    slow, quick = raw(admin, sockopt=SMALL), raw(admin)
    for client in (slow, quick):
        client.call("join_station_room", {"stationId": "s"})
    for serial in range(2000):
        tell("s", serial=serial, filling="x" * 2000)
    begun = time.monotonic()
    assert [quick.event()[1]["serial"] for _ in range(2000)] == list(range(2000))
    assert admin.get("/api/auth/me").status == 200
    assert time.monotonic() - begun < 10


def test_no_deflate_is_agreed_on(raw, admin):
    client = raw(
        admin,
        header=["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"],
    )
    assert "sec-websocket-extensions" not in client.ws.getheaders()
    assert client.call("join_dashboard")["ok"]


def test_a_second_connect_on_the_same_transport_is_ignored(raw, admin):
    client = raw(admin)
    assert client.call("join_station_room", {"stationId": "s"})["ok"]
    client.send("40" + json.dumps({"token": admin.token}))
    client.send("40" + json.dumps({"token": "senseless"}))
    tell("s", text="still here")
    assert client.event()[1]["text"] == "still here"
    assert client.call("join_dashboard")["ok"]


@pytest.mark.parametrize(
    "packet",
    ["427[]", "427{}", "427[3]", "427[null]", '427["connect",{}]',
     '427["disconnect"]', '427["join_order",' + "[" * 50 + "]" * 50 + "]"],
)  # fmt: skip
def test_a_senseless_event_is_answered_and_breaks_nothing(raw, admin, packet):
    client = raw(admin)
    client.send(packet)
    assert client.packet().startswith("437")
    assert client.call("join_dashboard")["ok"]


@pytest.fixture
def impatient(app, monkeypatch):
    """Pings each second, and waits a second for anything."""
    eio = app.extensions["socketio"].server.eio
    monkeypatch.setattr(eio, "ping_interval", 1)
    monkeypatch.setattr(eio, "ping_timeout", 1)
    monkeypatch.setattr(framing, "SEND_PATIENCE", 1.0)
    monkeypatch.setattr(websocket, "CLOSE_PATIENCE", 1.0)


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_a_client_that_never_reads_is_hung_up_on(raw, admin):
    client = raw(admin, sockopt=SMALL)
    client.call("join_station_room", {"stationId": "s"})
    for _ in range(400):
        tell("s", filling="x" * 50_000)
    gevent.sleep(3)
    assert client.rest() < 400 * 50_000


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_a_client_that_answers_nothing_is_hung_up_on(raw, admin):
    client = raw(admin)
    client.ws.sock.settimeout(10)
    client.rest()
