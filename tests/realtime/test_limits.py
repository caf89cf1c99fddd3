"""What one client may ask of the service, and what it is told beyond."""

import json
import socket
from contextlib import suppress

import gevent
import pytest
import requests
import websocket

from glassflow.core import outbox
from glassflow.core.unit_of_work import unit_of_work
from glassflow.realtime import limits
from raw_client import polling
from screens import turned_away

LIMITS = limits.Limits()
BURST = LIMITS.events_per_second * limits.BURST
HUNG_UP = (ConnectionError, websocket.WebSocketConnectionClosedException)
SMALL = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),)


def test_more_events_than_a_burst_are_refused_and_the_socket_stays(admin, raw, screen):
    client = raw(admin)
    for _ in range(BURST + 50):
        client.send('427["join_me"]')
    acks = [json.loads(client.packet()[3:])[0] for _ in range(BURST + 50)]
    refused = [ack for ack in acks if not ack["ok"]]
    assert 0 < len(refused) <= 50
    assert refused[0] == {
        "ok": False,
        "error": f"Too many events; at most {LIMITS.events_per_second} a second",
    }
    gevent.sleep(0.2)  # time enough for some more
    assert client.call("join_dashboard")["ok"]


def test_who_goes_on_and_on_is_hung_up_on(admin, raw, screen):
    mine = screen(admin, "join_dashboard")
    client = raw(admin)
    with pytest.raises(HUNG_UP):  # noqa: PT012
        for _ in range(BURST * (limits.BEYOND + 4)):
            client.send('42["join_me"]')
        while True:
            client.packet()
    assert mine.call("join_me")["ok"]  # nobody else's


def test_who_says_twice_as_much_as_it_may_stays(monkeypatch):
    at = 0.0
    monkeypatch.setattr(limits.time, "monotonic", lambda: at)
    allowance = limits.Allowance(100)
    taken = 0
    for _ in range(20_000):
        at += 1 / 200
        taken += allowance.take()
        assert not allowance.beyond
    assert taken == pytest.approx(10_000 + BURST, abs=2)
    for _ in range(200):
        allowance.take()
    at += 60
    assert all(allowance.take() for _ in range(BURST))


def test_a_client_holds_so_many_rooms(admin, raw):
    client = raw(admin)
    for serial in range(LIMITS.rooms):
        assert client.call("join-station", f"s{serial}")["ok"]
    refusal = {"ok": False, "error": f"Too many rooms; at most {LIMITS.rooms}"}
    assert client.call("join-station", "one more") == refusal
    assert client.call("join-station", "s0")["ok"]  # it is in that one
    assert client.call("leave_station_room", "s0")["ok"]
    assert client.call("join-station", "one more")["ok"]


@pytest.mark.slow
def test_a_worker_has_so_many_connections(server, admin, worker, raw):
    clients = [raw(worker) for _ in range(LIMITS.sockets)]
    told = turned_away(server, {"token": worker.token})
    assert told == [{"message": "Too many connections"}]
    assert raw(admin).call("join_me")["ok"]  # it is a limit of one worker
    clients[0].ws.close()
    gevent.sleep(0.3)
    assert raw(worker).call("join_me")["ok"]


def test_a_message_that_is_too_large_ends_its_connection_with_the_reason(
    app, admin, raw
):
    client, other = raw(admin), raw(admin)
    client.send("42" + json.dumps(["join_me", "x" * app.config["MAX_BODY_BYTES"]]))
    opcode = None
    while opcode != websocket.ABNF.OPCODE_CLOSE:
        opcode, data = client.ws.recv_data(control_frame=True)
    assert int.from_bytes(data[:2], "big") == 1009
    assert other.call("join_me")["ok"]


def test_who_goes_on_writing_what_is_too_large_still_hears_why(admin, raw):
    client = raw(admin)
    writing = gevent.spawn(client.ws.send, "42" + "x" * 20_000_000)
    opcode = None
    while opcode != websocket.ABNF.OPCODE_CLOSE:
        opcode, data = client.ws.recv_data(control_frame=True)
    assert int.from_bytes(data[:2], "big") == 1009
    writing.kill()


def test_a_body_that_is_too_large_is_refused_and_ends_the_polling(
    app, server, raw, admin
):
    other = raw(admin)
    url = polling(server)
    body = "42" + "x" * app.config["MAX_BODY_BYTES"]
    assert requests.post(url, data=body, timeout=5).status_code in (400, 413)
    assert requests.get(url, timeout=5).status_code == 400
    assert other.call("join_me")["ok"]


@pytest.mark.slow
def test_who_does_not_read_is_hung_up_on_beyond_a_backlog(admin, raw):
    reader = raw(admin)
    stalled = raw(admin, sockopt=SMALL)
    for client in (reader, stalled):
        assert client.call("join_station_room", "s")["ok"]
    filling = "x" * 1_000_000

    @unit_of_work
    def tell(serial):
        outbox.tell("notification", {"serial": serial, "x": filling}, stations=["s"])

    count = limits.BACKLOG_BYTES // len(filling) + 10
    for serial in range(count):
        tell(serial)
        assert reader.event()[1]["serial"] == serial  # nobody waits for the other
    got = 0
    with suppress(OSError, websocket.WebSocketException):
        while stalled.packet().startswith("42"):
            got += 1
    assert got < count
