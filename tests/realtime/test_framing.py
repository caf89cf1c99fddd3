"""A packet is encoded and framed once; frames arrive whole and in order."""

import itertools
import json
import socket
from types import SimpleNamespace

import gevent
import pytest
from gevent.event import AsyncResult, Event
from gevent.socket import socketpair
from websocket import ABNF
from wsproto.connection import Connection, ConnectionType

from glassflow.realtime.wire import connection
from glassflow.realtime.wire.websocket import WebSocket, frame
from glassflow.services.events.room_map import STATION_KEY, keyed_room
from greenlets import spawn

SMALL = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),)
EVENTS = 600


def parsed(data):
    """Parse the bytes as a client does, with wsproto."""
    client = Connection(ConnectionType.CLIENT)
    client.receive_data(data)
    return list(client.events())


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 1_000_000])
@pytest.mark.parametrize("character", ["x", b"\xff"])
def test_frame_is_parsed_as_one_message(size, character):
    (message,) = parsed(frame(character * size))
    assert message.data == character * size
    assert message.message_finished


def test_length_of_a_frame_is_counted_in_bytes():
    (message,) = parsed(frame("กระจก" * 25))
    assert message.data == "กระจก" * 25


@pytest.fixture
def emit(app):
    server = app.extensions["socketio"].server
    serial = itertools.count()

    def emit(count, **extra):
        for _ in range(count):
            data = {"serial": next(serial), **extra}
            server.emit(
                "sample",
                data,
                to=keyed_room("station:s", STATION_KEY),
                ignore_queue=True,
            )

    return emit


def serials(client, count):
    return [client.event()[1]["serial"] for _ in range(count)]


def test_event_is_framed_once_for_all_receivers(raw, admin, emit, monkeypatch):
    clients = [raw(admin) for _ in range(20)]
    for client in clients:
        assert client.call("join-station", "s")["ok"]
    framed = []
    monkeypatch.setattr(
        connection, "frame", lambda text: framed.append(text) or frame(text)
    )
    emit(3)
    assert [serials(client, 3) for client in clients] == [[0, 1, 2]] * 20
    assert len([text for text in framed if "sample" in text]) == 3


@pytest.mark.slow
def test_client_that_pauses_reading_receives_all_events_in_order_and_its_pongs(
    raw, admin, emit
):
    client = raw(admin, sockopt=SMALL)
    assert client.call("join-station", "s")["ok"]
    for part in range(3):
        emit(EVENTS // 3, padding="กระจก" * 400)
        client.ws.ping(f"ping {part}")  # answered between two frames, not inside one
        client.send(f'42{part}["join_me"]')
        gevent.sleep(0.05)
    received, pongs, acks = [], [], []
    while len(received) < EVENTS or len(acks) < 3:
        opcode, data = client.ws.recv_data(control_frame=True)
        if opcode == ABNF.OPCODE_PONG:
            pongs.append(data)
        elif data.startswith(b"43"):
            acks.append(data[2:3])
        elif data.startswith(b"42"):
            received.append(json.loads(data[2:])[1]["serial"])
    assert received == list(range(EVENTS))
    assert pongs == [b"ping 0", b"ping 1", b"ping 2"]
    assert sorted(acks) == [b"0", b"1", b"2"]


@pytest.mark.slow
def test_queued_packets_are_written_with_few_calls(raw, admin, emit, monkeypatch):
    client = raw(admin, sockopt=SMALL)
    assert client.call("join-station", "s")["ok"]
    emit(20, padding="x" * 200_000)  # more than the kernel buffers
    written = []
    send = WebSocket.send
    monkeypatch.setattr(
        WebSocket,
        "send",
        lambda self, data: written.append(len(data)) or send(self, data),
    )
    gevent.sleep(0)
    emit(500)
    assert serials(client, 520) == list(range(520))
    small = [size for size in written if size < 100_000]
    assert len(small) < 30, len(small)


@pytest.fixture
def websocket_pair():
    """The server's websocket, and the client's end of it, which reads nothing by itself."""
    server_end, client_end = socketpair()
    server_end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    opened, finished = AsyncResult(), Event()
    environ = {"werkzeug.socket": server_end, "HTTP_SEC_WEBSOCKET_KEY": "x"}

    def handle(ws):
        opened.set(ws)
        finished.wait()

    def serve():
        with pytest.raises(ConnectionError):  # no response follows
            WebSocket(handle, SimpleNamespace(max_http_buffer_size=1))(environ, None)

    serving = spawn(serve)
    ws = opened.get()
    assert client_end.recv(1000).startswith(b"HTTP/1.1 101 ")
    yield ws, client_end
    finished.set()
    serving.get()
    client_end.close()


def test_partly_written_frame_is_completed_before_the_next_one(websocket_pair):
    ws, client_end = websocket_pair
    first, second = frame("1" * 500_000), frame("2" * 10)
    assert ws.try_send(first)
    assert ws.busy
    assert not ws.try_send(second)
    sending = spawn(ws.send, second)
    read = b""
    while len(read) < len(first) + len(second):
        read += client_end.recv(65536)
    sending.get()
    assert not ws.busy
    assert read == first + second
    assert ws.try_send(second)
    assert client_end.recv(100) == second


def test_polling_and_websocket_clients_receive_the_same_events(screen, admin, emit):
    screens = [
        screen(admin, transports=[transport]) for transport in ("websocket", "polling")
    ]
    for one in screens:
        one.join_station("s")
    emit(40)
    for one in screens:
        one.wait_for(lambda one=one: len(one.received) == 40)
        assert [data["serial"] for _, data in one.received] == list(range(40))


def test_fragmented_message_is_read_and_unmasked_frame_is_refused(raw, admin):
    client = raw(admin)
    text = '427["join_me"]'
    client.ws.send_frame(wsframe(text[:5], final=False, opcode=1))
    client.ws.ping("between")
    client.ws.send_frame(wsframe(text[5:], final=True, opcode=0))
    assert client.ws.recv_data(control_frame=True) == (ABNF.OPCODE_PONG, b"between")
    assert client.packet().startswith("437")
    client.ws.sock.sendall(b"\x81\x02hi")  # not masked
    opcode, data = client.ws.recv_data(control_frame=True)
    assert opcode == ABNF.OPCODE_CLOSE
    assert int.from_bytes(data[:2], "big") == 1002


def wsframe(text, *, final, opcode):
    return ABNF.create_frame(text, opcode, int(final))
