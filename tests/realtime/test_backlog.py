"""A client that stops reading is disconnected in time and delays no other client."""

import json
import socket
import statistics
import time
from itertools import pairwise

import gevent
import pytest
import requests
import websocket

from glassflow.realtime.limits import Limits
from glassflow.realtime.wire.connection import Connection
from glassflow.realtime.wire.websocket import READ_BYTES
from glassflow.services.events.room_map import STATION_KEY, keyed_room
from greenlets import spawn
from raw_client import open_polling_session
from waiting import REQUEST_TIMEOUT_S, wait_until

pytestmark = pytest.mark.slow

SMALL = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),)
READERS, STALLED, EVENTS = 200, 5, 40


@pytest.fixture
def socketio_server(app):
    return app.extensions["socketio"].server


@pytest.fixture
def emit(socketio_server):
    def emit(serial, padding="", station="s"):
        data = {"serial": serial, "at": time.monotonic(), "padding": padding}
        socketio_server.emit(
            "sample",
            data,
            to=keyed_room(f"station:{station}", STATION_KEY),
            ignore_queue=True,
        )

    return emit


@pytest.fixture
def small_backlog(socketio_server, monkeypatch):
    monkeypatch.setattr(socketio_server.eio, "limits", Limits(backlog=50))


def connections(socketio_server):
    """The open connections; those of the tests before may end at any time."""
    return set(socketio_server.eio.sockets)


class Reader:
    """Reads continuously and records the delay of each event in seconds."""

    def __init__(self, client):
        self.client, self.delays, self.serials = client, [], []
        client.ws.settimeout(300)  # the machine may be slow
        self.reading = spawn(self._read)

    def _read(self):
        while True:
            _, data = self.client.event()
            self.delays.append(time.monotonic() - data["at"])
            self.serials.append(data["serial"])


def join_station(client):
    assert client.call("join-station", "s")["ok"]
    return client


@pytest.mark.long
def test_five_clients_that_never_read_do_not_delay_two_hundred_readers(
    socketio_server, raw, admin, manager, worker, emit, small_backlog
):
    accounts = [admin, manager, worker]
    readers = [
        Reader(join_station(raw(accounts[n % 3], skip_utf8_validation=True)))
        for n in range(READERS)
    ]
    reader_sids = connections(socketio_server)

    def send_series(start):
        for serial in range(start, start + EVENTS):
            emit(serial, "x" * 2_000)
            gevent.sleep(0.05)
        with gevent.Timeout(100):
            while not all(len(one.serials) == start + EVENTS for one in readers):
                gevent.sleep(0.01)
        delays = [one.delays[start:] for one in readers]
        return statistics.median(max(each) for each in zip(*delays, strict=True))

    without_stalled = send_series(0)
    stalled = [join_station(raw(admin, sockopt=SMALL)) for _ in range(STALLED)]
    for one in stalled:
        assert one.call("join-station", "full")["ok"]
    for _ in range(30):  # the kernel buffers some, the rest is queued here
        emit(0, "x" * 200_000, station="full")
    stalled_sids = connections(socketio_server) - reader_sids
    assert len(stalled_sids) == STALLED
    sockets = socketio_server.eio.sockets
    assert min(sockets[sid].queue.qsize() for sid in stalled_sids) > 0
    with_stalled = send_series(EVENTS)
    print(
        f"last of {READERS} readers: {without_stalled * 1000:.1f} ms,"
        f" with stalled clients {with_stalled * 1000:.1f} ms"
    )
    # a client that delays others does so until its send times out, after many seconds
    assert with_stalled < without_stalled * 5 + 1
    assert connections(socketio_server) == reader_sids
    for one in stalled:
        assert one.rest() < 30 * 200_000
    for one in readers:
        one.reading.kill()
        assert one.serials == list(range(2 * EVENTS))


@pytest.mark.usefixtures("hour_long_timeouts")
def test_client_beyond_the_backlog_is_disconnected_at_once(
    socketio_server, raw, admin, emit, small_backlog, hung_up
):
    others = connections(socketio_server)
    stalled = join_station(raw(admin, sockopt=SMALL))
    for serial in range(100):
        emit(serial, "x" * 200_000)
    wait_until(lambda: connections(socketio_server) <= others)
    assert stalled.rest() < 100 * 200_000
    assert hung_up("backlog") == 1


@pytest.mark.usefixtures("hour_long_timeouts")
def test_polling_client_that_never_polls_again_is_disconnected(
    server, socketio_server, raw, admin, emit, small_backlog
):
    reader = join_station(raw(admin))
    others = connections(socketio_server)
    url = open_polling_session(server)
    requests.post(
        url, data="40" + json.dumps({"token": admin.token}), timeout=REQUEST_TIMEOUT_S
    )
    assert requests.get(url, timeout=REQUEST_TIMEOUT_S).text.startswith("40{")
    requests.post(url, data='42["join-station","s"]', timeout=REQUEST_TIMEOUT_S)
    for serial in range(49):
        emit(serial)
        reader.event()
    assert connections(socketio_server) > others
    for serial in range(49, 53):
        emit(serial)
        assert reader.event()[1]["serial"] == serial
    wait_until(lambda: connections(socketio_server) <= others)
    assert requests.get(url, timeout=REQUEST_TIMEOUT_S).status_code == 400


def test_slow_client_that_reads_again_stays_connected(raw, admin, emit, small_backlog):
    client = join_station(raw(admin, sockopt=SMALL))
    for start in range(0, 200, 40):
        for serial in range(start, start + 40):
            emit(serial, "x" * 20_000)
        gevent.sleep(0.02)
        serials = [client.event()[1]["serial"] for _ in range(40)]
        assert serials == list(range(start, start + 40))
    assert client.call("join_me")["ok"]


@pytest.mark.usefixtures("hour_long_timeouts")
def test_backlog_is_limited_in_bytes_too(socketio_server, raw, admin, emit):
    others = connections(socketio_server)
    join_station(raw(admin, sockopt=SMALL))
    for serial in range(25):
        emit(serial, "x" * 1_000_000)
    wait_until(lambda: connections(socketio_server) <= others)


@pytest.fixture
def flood(monkeypatch):
    """Collects the messages of a flooding client that the service has taken."""
    taken, receive = [], Connection.receive

    def count(connection, pkt):
        if "join_order" in str(pkt.data):
            taken.append(pkt)
        receive(connection, pkt)

    monkeypatch.setattr(Connection, "receive", count)
    return taken


@pytest.mark.usefixtures("bucket_clock")
def test_client_that_sends_without_a_pause_does_not_block_others(
    server, admin, raw, flood
):
    """Others have a turn after each read from it, however much it has sent.

    It sends faster than it is read, so what it has sent never ends.
    """
    flooding, other = raw(admin), raw(admin)
    masked_frame = b"\x81\x90\0\0\0\0" + b'42["join_order"]'
    counts = []  # of its messages that were taken, at each turn of another greenlet
    watching = spawn(_count_at_each_turn, flood, counts)
    flooding.ws.sock.sendall(masked_frame * 4_000)
    sending = spawn(_send_repeatedly, flooding, masked_frame * 2_000)
    assert other.call("join_me")["ok"]
    sending.join(60)
    assert sending.dead, f"not disconnected after {len(flood)} messages"
    watching.kill()
    in_a_read = READ_BYTES // len(masked_frame) + 1
    assert counts[-1] > 4 * in_a_read
    assert max(after - before for before, after in pairwise(counts)) <= in_a_read


def _count_at_each_turn(taken, counts):
    while True:
        counts.append(len(taken))
        gevent.sleep(0)


def _send_repeatedly(client, data):
    try:
        while True:
            client.ws.sock.sendall(data)
            gevent.sleep(0)
    except OSError:
        pass


@pytest.mark.usefixtures("hour_long_timeouts")
def test_stalled_client_is_disconnected_at_once_when_its_socket_is_aborted(
    socketio_server, raw, admin, emit
):
    stalled = join_station(raw(admin, sockopt=SMALL))
    for serial in range(10):
        emit(serial, "x" * 500_000)
    gevent.sleep(0.1)
    for one in list(socketio_server.eio.sockets.values()):
        one.close(abort=True)
    stalled.rest()  # ends, where the send would wait for an hour


def test_websocket_of_a_reading_client_is_closed_with_a_close_frame(
    socketio_server, raw, admin
):
    client = join_station(raw(admin))
    for one in list(socketio_server.eio.sockets.values()):
        one.close(abort=True)
    opcode, _ = client.ws.recv_data(control_frame=True)
    assert opcode == websocket.ABNF.OPCODE_CLOSE
