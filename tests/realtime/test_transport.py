"""Events arrive whole and in order, however slowly a client reads."""

import json
import socket
import time

import gevent
import pytest

from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.realtime.wire import websocket
from messages import send_message
from waiting import wait_until

SMALL = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),)


def notify(station, **data):
    send_message("notification", data, stations=[station])


@unit_of_work
def notify_many(station, serials, **data):
    for serial in serials:
        notify(station, serial=serial, **data)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("hour_long_timeouts")
def test_client_that_stops_reading_receives_5000_events_whole_and_in_order(
    app, raw, admin
):
    sockets = app.extensions["socketio"].server.eio.sockets
    before = set(sockets)
    client = raw(admin, sockopt=SMALL)
    client.ws.settimeout(300)
    assert client.call("join_station_room", {"stationId": "s"})["ok"]
    (connection,) = [one for sid, one in sockets.items() if sid not in before]
    padding = "กระจก" * 100
    for start in range(0, 5000, 100):
        notify_many("s", range(start, start + 100), padding=padding)
    with gevent.Timeout(300):
        while connection.queue.qsize() < 1000:  # until the kernel's buffers are full
            gevent.sleep(0.05)
    for serial in range(5000):
        event, data, *_ = client.event()
        assert (event, data["serial"], data["padding"]) == (
            "notification",
            serial,
            padding,
        )


@pytest.mark.slow
@pytest.mark.usefixtures("no_size_limit")
def test_event_of_3_mb_arrives_whole(raw, admin):
    client = raw(admin, sockopt=SMALL)
    client.call("join_station_room", {"stationId": "s"})
    text = "x" * 3_000_000
    notify("s", text=text)
    assert client.event()[1]["text"] == text
    notify("s", text="after")
    assert client.event()[1]["text"] == "after"


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("hour_long_timeouts")
def test_client_that_stops_reading_does_not_delay_others(raw, admin):
    slow, quick = raw(admin, sockopt=SMALL), raw(admin)
    for client in (slow, quick):
        client.call("join_station_room", {"stationId": "s"})
    for start in range(0, 2000, 100):
        notify_many("s", range(start, start + 100), padding="x" * 2000)
    begin = time.monotonic()
    assert [quick.event()[1]["serial"] for _ in range(2000)] == list(range(2000))
    assert admin.get("/api/auth/me").status == 200
    assert time.monotonic() - begin < 300  # far less than the hour of the timeouts


def test_compression_is_not_negotiated(raw, admin):
    client = raw(
        admin,
        header=["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"],
    )
    assert "sec-websocket-extensions" not in client.ws.getheaders()
    assert client.call("join_dashboard")["ok"]


def test_second_connect_packet_on_the_same_transport_is_ignored(raw, admin):
    client = raw(admin)
    assert client.call("join_station_room", {"stationId": "s"})["ok"]
    client.send("40" + json.dumps({"token": admin.token}))
    client.send("40" + json.dumps({"token": "invalid"}))
    notify("s", text="after both")
    assert client.event()[1]["text"] == "after both"
    assert client.call("join_dashboard")["ok"]


@pytest.mark.parametrize(
    "packet",
    ["427[]", "427{}", "427[3]", "427[null]", '427["connect",{}]',
     '427["disconnect"]', '427["join_order",' + "[" * 50 + "]" * 50 + "]"],
)  # fmt: skip
def test_malformed_event_is_acknowledged_and_the_socket_keeps_working(
    raw, admin, packet
):
    client = raw(admin)
    client.send(packet)
    assert client.packet().startswith("437")
    assert client.call("join_dashboard")["ok"]


@pytest.fixture
def one_second_timeouts(app, monkeypatch):
    """The ping interval and all timeouts of a socket are one second."""
    eio = app.extensions["socketio"].server.eio
    monkeypatch.setattr(eio, "ping_interval", 1)
    monkeypatch.setattr(eio, "ping_timeout", 1)
    monkeypatch.setattr(websocket, "SEND_TIMEOUT_S", 1.0)
    monkeypatch.setattr(websocket, "CLOSE_TIMEOUT_S", 1.0)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.usefixtures("one_second_timeouts")
def test_client_that_never_reads_is_disconnected(raw, admin):
    client = raw(admin, sockopt=SMALL)
    client.call("join_station_room", {"stationId": "s"})
    for _ in range(400):
        notify("s", padding="x" * 50_000)
    gevent.sleep(3)
    assert client.rest() < 400 * 50_000


@pytest.mark.slow
@pytest.mark.usefixtures("one_second_timeouts")
def test_client_that_answers_no_ping_is_disconnected(raw, admin, hung_up):
    client = raw(admin)
    client.ws.sock.settimeout(60)
    client.rest()
    wait_until(lambda: hung_up("silent") == 1)
