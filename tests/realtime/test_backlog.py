"""A client that stops reading is dropped in time, and nobody else waits for it."""

import json
import socket
import statistics
import time

import gevent
import pytest
import requests
import websocket

from glassflow.realtime.limits import Limits
from glassflow.realtime.rooms import STATION_KEY, inner
from raw_client import polling

pytestmark = pytest.mark.slow

SMALL = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),)
NORMAL, STALLED, EVENTS = 200, 5, 40


@pytest.fixture
def server_side(app):
    return app.extensions["socketio"].server


@pytest.fixture
def emit(server_side):
    def emit(serial, filling="", station="s"):
        data = {"serial": serial, "at": time.monotonic(), "filling": filling}
        server_side.emit(
            "told", data, to=inner(f"station:{station}", STATION_KEY), ignore_queue=True
        )

    return emit


@pytest.fixture
def short(server_side, monkeypatch):
    monkeypatch.setattr(server_side.eio, "limits", Limits(backlog=50))


def connections(server_side):
    return set(server_side.eio.sockets)


class Reader:
    """Reads all the time, and knows how late each event was."""

    def __init__(self, client):
        self.client, self.late, self.serials = client, [], []
        self.reading = gevent.spawn(self._read)

    def _read(self):
        while True:
            _, data = self.client.event()
            self.late.append(time.monotonic() - data["at"])
            self.serials.append(data["serial"])


def joined(client):
    assert client.call("join-station", "s")["ok"]
    return client


def test_five_who_never_read_do_not_slow_two_hundred_who_do(
    server_side, raw, admin, manager, worker, emit, short
):
    accounts = [admin, manager, worker]
    readers = [
        Reader(joined(raw(accounts[n % 3], skip_utf8_validation=True)))
        for n in range(NORMAL)
    ]
    before = connections(server_side)

    def series(start):
        for serial in range(start, start + EVENTS):
            emit(serial, "x" * 2_000)
            gevent.sleep(0.05)
        with gevent.Timeout(20):
            while not all(len(one.serials) == start + EVENTS for one in readers):
                gevent.sleep(0.01)
        late = [one.late[start:] for one in readers]
        return statistics.median(max(each) for each in zip(*late, strict=True))

    alone = series(0)
    stalled = [joined(raw(admin, sockopt=SMALL)) for _ in range(STALLED)]
    for one in stalled:
        assert one.call("join-station", "full")["ok"]
    for _ in range(30):  # the kernel keeps some, then they wait here
        emit(0, "x" * 200_000, station="full")
    there = connections(server_side) - before
    assert len(there) == STALLED
    waiting = [server_side.eio.sockets[sid].queue.qsize() for sid in there]
    assert min(waiting) > 0
    beside = series(EVENTS)
    print(
        f"last of {NORMAL}: {alone * 1000:.1f} ms, beside stalled {beside * 1000:.1f}"
    )
    assert beside < alone * 2 + 0.05
    assert connections(server_side) == before  # they were dropped on the way
    for one in stalled:
        assert one.rest() < 30 * 200_000
    for one in readers:
        one.reading.kill()
        assert one.serials == list(range(2 * EVENTS))


def test_who_is_dropped_is_hung_up_on_at_once(server_side, raw, admin, emit, short):
    others = connections(server_side)
    stalled = joined(raw(admin, sockopt=SMALL))
    for serial in range(100):
        emit(serial, "x" * 200_000)
    gevent.sleep(0.1)
    assert connections(server_side) == others
    begun = time.monotonic()
    assert stalled.rest() < 100 * 200_000
    assert time.monotonic() - begun < 2


def test_a_polling_client_that_never_polls_again_is_dropped(
    server, server_side, raw, admin, emit, short
):
    reader = joined(raw(admin))
    others = connections(server_side)
    url = polling(server)
    requests.post(url, data="40" + json.dumps({"token": admin.token}), timeout=5)
    assert requests.get(url, timeout=5).text.startswith("40{")
    requests.post(url, data='42["join-station","s"]', timeout=5)
    for serial in range(49):
        emit(serial)
        reader.event()
    assert connections(server_side) > others
    for serial in range(49, 53):
        emit(serial)
        assert reader.event()[1]["serial"] == serial
    gevent.sleep(0.05)
    assert connections(server_side) == others
    assert requests.get(url, timeout=5).status_code == 400


def test_one_who_was_slow_and_reads_again_stays(raw, admin, emit, short):
    client = joined(raw(admin, sockopt=SMALL))
    for start in range(0, 200, 40):
        for serial in range(start, start + 40):
            emit(serial, "x" * 20_000)
        gevent.sleep(0.02)
        heard = [client.event()[1]["serial"] for _ in range(40)]
        assert heard == list(range(start, start + 40))
    assert client.call("join_me")["ok"]


def test_it_is_limited_in_bytes_too(server_side, raw, admin, emit):
    others = connections(server_side)
    joined(raw(admin, sockopt=SMALL))
    for serial in range(25):
        emit(serial, "x" * 1_000_000)
    gevent.sleep(0.1)
    assert connections(server_side) == others


def test_who_never_stops_talking_leaves_the_others_their_turn(server, admin, raw):
    talker, other = raw(admin), raw(admin)
    mask = b"\x81\x90\0\0\0\0" + b'42["join_order"]'
    talking = gevent.spawn(_talk, talker, mask * 200)
    worst = 0.0
    for _ in range(20):
        begun = time.monotonic()
        assert other.call("join_me")["ok"]
        worst = max(worst, time.monotonic() - begun)
    talking.join(20)
    assert talking.dead, "it was never hung up on"
    assert worst < 1


def _talk(client, data):
    try:
        while True:
            client.ws.sock.sendall(data)
            gevent.sleep(0)
    except OSError:
        pass


def test_a_stalled_client_ends_at_once_with_the_service(server_side, raw, admin, emit):
    stalled = joined(raw(admin, sockopt=SMALL))
    for serial in range(10):
        emit(serial, "x" * 500_000)
    gevent.sleep(0.1)
    begun = time.monotonic()
    for one in list(server_side.eio.sockets.values()):
        one.close(abort=True)
    stalled.rest()
    assert time.monotonic() - begun < 1


def test_the_websocket_of_a_reader_is_closed_with_a_frame(server_side, raw, admin):
    client = joined(raw(admin))
    for one in list(server_side.eio.sockets.values()):
        one.close(abort=True)
    opcode, _ = client.ws.recv_data(control_frame=True)
    assert opcode == websocket.ABNF.OPCODE_CLOSE
