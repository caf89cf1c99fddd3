"""A packet is encoded and framed once, and its frames stay whole and in order."""

import itertools
import json
import socket

import gevent
import pytest
from gevent.socket import socketpair
from websocket import ABNF
from wsproto.connection import Connection, ConnectionType

from glassflow.realtime import framing, outgoing
from glassflow.realtime.rooms import STATION_KEY, inner

SMALL = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),)
EVENTS = 600


def parsed(data):
    """What a client makes of the bytes, by a library that is not ours."""
    client = Connection(ConnectionType.CLIENT)
    client.receive_data(data)
    return list(client.events())


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 1_000_000])
@pytest.mark.parametrize("letter", ["x", b"\xff"])
def test_a_frame_is_one_to_any_client(size, letter):
    (message,) = parsed(framing.frame(letter * size))
    assert message.data == letter * size
    assert message.message_finished


def test_a_letter_of_several_bytes_counts_as_those():
    (message,) = parsed(framing.frame("กระจก" * 25))
    assert message.data == "กระจก" * 25


@pytest.fixture
def emit(app):
    server = app.extensions["socketio"].server
    serial = itertools.count()

    def emit(times, **more):
        for _ in range(times):
            data = {"serial": next(serial), **more}
            server.emit(
                "told", data, to=inner("station:s", STATION_KEY), ignore_queue=True
            )

    return emit


def serials(client, count):
    return [client.event()[1]["serial"] for _ in range(count)]


def test_it_is_framed_once_for_all_who_get_it(raw, admin, emit, monkeypatch):
    clients = [raw(admin) for _ in range(20)]
    for client in clients:
        assert client.call("join-station", "s")["ok"]
    made = []
    monkeypatch.setattr(
        outgoing, "frame", lambda text: made.append(text) or framing.frame(text)
    )
    emit(3)
    assert [serials(client, 3) for client in clients] == [[0, 1, 2]] * 20
    assert len([text for text in made if "told" in text]) == 3


@pytest.mark.slow
def test_who_stops_reading_for_a_while_gets_all_in_order_and_its_pongs(
    raw, admin, emit
):
    client = raw(admin, sockopt=SMALL)
    assert client.call("join-station", "s")["ok"]
    for part in range(3):
        emit(EVENTS // 3, filling="กระจก" * 400)
        client.ws.ping(f"ping {part}")  # answered between two frames, not in one
        client.send(f'42{part}["join_me"]')
        gevent.sleep(0.05)
    heard, pongs, acks = [], [], []
    while len(heard) < EVENTS or len(acks) < 3:
        opcode, data = client.ws.recv_data(control_frame=True)
        if opcode == framing.PONG:
            pongs.append(data)
        elif data.startswith(b"43"):
            acks.append(data[2:3])
        elif data.startswith(b"42"):
            heard.append(json.loads(data[2:])[1]["serial"])
    assert heard == list(range(EVENTS))
    assert pongs == [b"ping 0", b"ping 1", b"ping 2"]
    assert sorted(acks) == [b"0", b"1", b"2"]


@pytest.mark.slow
def test_what_waits_is_written_with_few_calls(raw, admin, emit, monkeypatch):
    client = raw(admin, sockopt=SMALL)
    assert client.call("join-station", "s")["ok"]
    emit(20, filling="x" * 200_000)  # more than the kernel takes
    written = []
    send = framing.WholeSocket.send
    monkeypatch.setattr(
        framing.WholeSocket,
        "send",
        lambda self, data: written.append(len(data)) or send(self, data),
    )
    gevent.sleep(0)
    emit(500)
    assert serials(client, 520) == list(range(520))
    small = [size for size in written if size < 100_000]
    assert len(small) < 30, len(small)


def test_what_was_written_in_part_goes_on_before_anything_else():
    near, far = socketpair()
    near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    line = framing.WholeSocket(near)
    first, second = framing.frame("1" * 500_000), framing.frame("2" * 10)
    assert line.offer(first)
    assert line.unfinished
    assert not line.offer(second)
    sending = gevent.spawn(line.send, second)
    read = b""
    while len(read) < len(first) + len(second):
        read += far.recv(65536)
    sending.get()
    assert not line.unfinished
    assert read == first + second
    assert line.offer(second)
    assert far.recv(100) == second
    near.close()
    far.close()


def test_polling_and_websocket_clients_hear_the_same(screen, admin, emit):
    screens = [screen(admin, transports=[way]) for way in ("websocket", "polling")]
    for one in screens:
        one.join_station("s")
    emit(40)
    for one in screens:
        one.wait_for(lambda one=one: len(one.heard) == 40)
        assert [data["serial"] for _, data in one.heard] == list(range(40))


def test_our_reading_heeds_the_protocol(raw, admin):
    client = raw(admin)
    text = '427["join_me"]'
    client.ws.send_frame(wsframe(text[:5], final=False, opcode=1))
    client.ws.ping("between")
    client.ws.send_frame(wsframe(text[5:], final=True, opcode=0))
    assert client.ws.recv_data(control_frame=True) == (framing.PONG, b"between")
    assert client.packet().startswith("437")
    client.ws.sock.sendall(b"\x81\x02hi")  # not masked
    opcode, data = client.ws.recv_data(control_frame=True)
    assert opcode == framing.CLOSE
    assert int.from_bytes(data[:2], "big") == 1002


def wsframe(text, *, final, opcode):
    return ABNF.create_frame(text, opcode, int(final))
