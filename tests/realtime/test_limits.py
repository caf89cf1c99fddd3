"""The limits of one client, and how the service refuses what exceeds them."""

import json
import socket
from contextlib import suppress

import pytest
import requests
import websocket

from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.realtime import limits
from glassflow.realtime.wire import connection
from greenlets import spawn
from messages import send_message
from raw_client import open_polling_session
from screens import refused_handshake
from waiting import REQUEST_TIMEOUT_S, wait_until

LIMITS = limits.Limits()
BURST = LIMITS.events_per_second * limits.BURST_S
DISCONNECTED = (ConnectionError, websocket.WebSocketConnectionClosedException)
SMALL = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),)


def test_events_beyond_a_burst_are_refused_and_the_socket_stays_open(
    bucket_clock, admin, raw
):
    client = raw(admin)
    for _ in range(BURST + 50):
        client.send('427["join_me"]')
    acks = [json.loads(client.packet()[3:])[0] for _ in range(BURST + 50)]
    refused = [ack for ack in acks if not ack["ok"]]
    assert len(refused) == 50 + 1  # connecting was an event, too
    assert refused[0] == {
        "ok": False,
        "error": f"Too many events; at most {LIMITS.events_per_second} a second",
    }
    bucket_clock.seconds += 1 / LIMITS.events_per_second
    assert client.call("join_dashboard")["ok"]


def test_client_that_ignores_refusals_is_disconnected(
    bucket_clock, admin, raw, screen, hung_up
):
    mine = screen(admin, "join_dashboard")
    client = raw(admin)
    with pytest.raises(DISCONNECTED):  # noqa: PT012
        for _ in range(BURST * (limits.REFUSED_BURSTS + 4)):
            client.send('42["join_me"]')
        while True:
            client.packet()
    assert hung_up("rate") == 1
    assert mine.call("join_me")["ok"]  # other clients are unaffected


def test_bucket_at_twice_its_rate_refuses_half_and_is_never_exhausted(bucket_clock):
    bucket = limits.TokenBucket(100)
    taken = 0
    for _ in range(20_000):
        bucket_clock.seconds += 1 / 200
        taken += bucket.take()
        assert not bucket.exhausted
    assert taken == pytest.approx(10_000 + BURST, abs=2)
    for _ in range(200):
        bucket.take()
    bucket_clock.seconds += 60
    assert all(bucket.take() for _ in range(BURST))


def test_number_of_rooms_of_a_client_is_limited(admin, raw):
    client = raw(admin)
    for serial in range(LIMITS.rooms):
        assert client.call("join-station", f"s{serial}")["ok"]
    refusal = {"ok": False, "error": f"Too many rooms; at most {LIMITS.rooms}"}
    assert client.call("join-station", "one more") == refusal
    assert client.call("join-station", "s0")["ok"]  # it has joined this one already
    assert client.call("leave_station_room", "s0")["ok"]
    assert client.call("join-station", "one more")["ok"]


@pytest.mark.slow
def test_number_of_connections_of_a_worker_is_limited(server, admin, worker, raw):
    clients = [raw(worker) for _ in range(LIMITS.connections)]
    errors = refused_handshake(server, {"token": worker.token})
    assert errors == [{"message": "Too many connections"}]
    assert raw(admin).call("join_me")["ok"]  # the limit is per worker
    clients[0].ws.close()

    def is_connected_again():
        with suppress(AssertionError):  # refused until the service notices the close
            return raw(worker).call("join_me")["ok"]

    assert wait_until(is_connected_again)


def test_too_large_message_closes_its_connection_with_the_reason(app, admin, raw):
    client, other = raw(admin), raw(admin)
    client.send("42" + json.dumps(["join_me", "x" * app.config["MAX_BODY_BYTES"]]))
    opcode = None
    while opcode != websocket.ABNF.OPCODE_CLOSE:
        opcode, data = client.ws.recv_data(control_frame=True)
    assert int.from_bytes(data[:2], "big") == 1009
    assert other.call("join_me")["ok"]


def test_client_still_writing_a_too_large_message_receives_the_reason(admin, raw):
    client = raw(admin)
    writing = spawn(client.ws.send, "42" + "x" * 20_000_000)
    opcode = None
    while opcode != websocket.ABNF.OPCODE_CLOSE:
        opcode, data = client.ws.recv_data(control_frame=True)
    assert int.from_bytes(data[:2], "big") == 1009
    writing.kill()


def test_too_large_polling_body_is_refused_and_ends_the_session(
    app, server, raw, admin
):
    other = raw(admin)
    url = open_polling_session(server)
    body = "42" + "x" * app.config["MAX_BODY_BYTES"]
    assert requests.post(url, data=body, timeout=REQUEST_TIMEOUT_S).status_code in (
        400,
        413,
    )
    assert requests.get(url, timeout=REQUEST_TIMEOUT_S).status_code == 400
    assert other.call("join_me")["ok"]


@pytest.mark.long
@pytest.mark.slow
def test_client_that_does_not_read_is_disconnected_beyond_its_backlog(
    admin, raw, monkeypatch
):
    monkeypatch.setattr(connection, "BACKLOG_BYTES", 1_000_000)
    reader = raw(admin)
    stalled = raw(admin, sockopt=SMALL)
    for client in (reader, stalled):
        assert client.call("join_station_room", "s")["ok"]
    padding = "x" * 200_000

    @unit_of_work
    def notify(serial):
        send_message("notification", {"serial": serial, "x": padding}, stations=["s"])

    # besides the backlog, the kernel has room for some megabytes
    count = (connection.BACKLOG_BYTES + 8_000_000) // len(padding)
    for serial in range(count):
        notify(serial)
        assert reader.event()[1]["serial"] == serial  # not delayed by the other
    received = 0
    with suppress(OSError, websocket.WebSocketException):
        while stalled.packet().startswith("42"):
            received += 1
    assert received < count
