"""The modules of clients/ receive each event once and in order on a bad network.

Each runs as a program of its own that prints a JSON line for each event: the JavaScript
module with the real socket.io-client in Node, the Python one with its real threads.
"""

import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import gevent
import glassflow_client
import pytest
from mongoengine.connection import get_db

from factories import save
from glassflow.core.events import event_log
from glassflow.core.store import outbox
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.realtime.resume import Resumption
from greenlets import spawn
from messages import send_message
from optional_tools import NODE_DIRECTORY, require_node
from waiting import STOP_TIMEOUT_S, wait_until

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "clients" / "python" / "glassflow_client.py"
pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


class Program:
    """A client as a process; `received` and `states` are what it has reported."""

    def __init__(self, material, *command):
        self.received, self.states = [], []
        self._material = str(material.pk)  # events of other tests may still arrive
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, text=True, **pipes)
        self._readers = [
            spawn(self._read, self.process.stdout, self._event),
            spawn(self._read, self.process.stderr, self._state),
        ]

    def _read(self, stream, keep):
        for line in stream:
            keep(line)

    def _event(self, line):
        self.received.append(json.loads(line))

    def _state(self, line):
        state, _, detail = line.partition(" ")
        assert detail.startswith("{"), line + self.process.stderr.read()
        self.states.append((state, json.loads(detail)))

    @property
    def state(self):
        return self.states[-1][0] if self.states else None

    def wait_until_live(self, times=1):
        """Wait until it has caught up, so many times since its start."""
        wait_until(lambda: self.times_in("live") >= times, describe=lambda: self.states)
        return self

    def times_in(self, state):
        return [name for name, _ in self.states].count(state)

    def units(self):
        """The units of the changed material, in the order of the events."""
        changed = [
            one
            for one in self.received
            if one.get("event") == "material:updated"
            and one["data"]["data"]["_id"] == self._material
        ]
        numbers = [one["seq"] for one in changed]
        assert numbers == sorted(set(numbers))
        assert len({one["id"] for one in changed}) == len(changed)
        return [one["data"]["data"]["unit"] for one in changed]

    def assert_received(self, units):
        wait_until(
            lambda: self.units()[-1:] == units[-1:], describe=lambda: self.units()[-3:]
        )
        assert self.units() == units

    def wait_for_end(self):
        """Wait for its end and return its exit status."""
        status = self.process.wait(STOP_TIMEOUT_S)
        gevent.joinall(self._readers)
        return status

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.wait_for_end()
        self.process.stdout.close()
        self.process.stderr.close()


# In `make test` each story is of one module, those that differ in both of both.
BOTH = pytest.mark.parametrize("client", ["node", "python"], indirect=True)


@pytest.fixture(params=["node", pytest.param("python", marks=pytest.mark.long)])
def client(request, material):
    """Starts a client: `client(url, token, *rooms, after=...)`."""
    if request.param == "node":
        require_node()
        command = ["node", NODE_DIRECTORY / "resume.mjs"]
    else:
        command = [sys.executable, PYTHON, "--retry", "0.2"]
    opened = []

    def start(url, token, *rooms, after=None):
        where = [] if after is None else ["--after", str(after)]
        opened.append(Program(material, *command, *where, url, token, *rooms))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


@pytest.fixture
def material(workshop):
    made = workshop.material(unit="none")
    wait_until_published()
    return made


def wait_until_published():
    wait_until(lambda: not get_db()[outbox.COLLECTION].find_one())


def change(material, *units):
    for unit in units:
        material.unit = str(unit)
        save(material)


def last_event(app):
    """The number of the last event, after all stored changes are published."""
    wait_until_published()
    return event_log.last()


def end_transports(server):
    for transport in list(server.eio.sockets.values()):
        transport.close(wait=False)


def end_sockets(server):
    for sid in list(server.manager.rooms["/"][None]):
        server.disconnect(sid)


@BOTH
@pytest.mark.parametrize("end", [end_transports, end_sockets])
def test_client_reconnects_after_the_service_closed_its_socket_and_misses_nothing(
    client, app, admin, material, end
):
    program = client(admin.url, admin.token, "inventory", "dashboard").wait_until_live()
    change(material, "before")
    program.assert_received(["before"])
    end(app.extensions["socketio"].server)
    change(material, *range(20))
    program.wait_until_live(2)
    change(material, "live")
    program.assert_received(["before", *map(str, range(20)), "live"])


@BOTH
def test_client_receives_missed_events_and_then_live_ones_after_an_outage(
    client, network, admin, material
):
    program = client(
        network.url, admin.token, "inventory", "dashboard"
    ).wait_until_live()
    change(material, "before")
    program.assert_received(["before"])
    network.cut()
    change(material, *range(20))
    wait_until(lambda: program.state == "offline")
    network.restore()
    program.wait_until_live(2)
    change(material, "live")
    program.assert_received(["before", *map(str, range(20)), "live"])


@pytest.mark.long
@pytest.mark.slow
def test_client_misses_nothing_through_repeated_connection_failures(
    client, network, admin, material
):
    program = client(
        network.url, admin.token, "inventory", "dashboard"
    ).wait_until_live()
    written, stop = [], gevent.event.Event()

    def write():
        while not stop.is_set():
            written.append(str(len(written)))
            change(material, written[-1])
            gevent.sleep(random.uniform(0, 0.005))

    writing = spawn(write)
    for cut in range(9):  # some of them during a join or a resume
        if cut % 3 == 0:
            wait_until(
                lambda: program.state == "live", describe=lambda: program.states[-3:]
            )
        gevent.sleep(random.uniform(0.02, 0.6))
        network.drop()
        gevent.sleep(random.uniform(0.02, 0.4))
        network.cut()
        gevent.sleep(random.uniform(0, 0.2))
        network.restore()
    wait_until(lambda: program.state == "live", describe=lambda: program.states[-3:])
    stop.set()
    writing.get()
    change(material, "the last")
    program.assert_received([*written, "the last"])


def test_client_resumes_after_the_given_event_number(client, app, admin, material):
    after = last_event(app)
    change(material, "a", "b")
    program = client(admin.url, admin.token, "inventory", after=after).wait_until_live()
    change(material, "c")
    program.assert_received(["a", "b", "c"])
    assert program.states[-1][1]["seq"] >= after + 2


def test_client_without_an_event_number_receives_only_new_events(
    client, app, admin, material
):
    change(material, "old")
    seq = last_event(app)
    program = client(admin.url, admin.token, "inventory").wait_until_live()
    assert program.states[-1] == ("live", {"seq": seq, "denied": {}})
    change(material, "new")
    program.assert_received(["new"])


@BOTH
@pytest.mark.parametrize("ahead", [False, True])
def test_client_reports_a_reset_when_the_log_starts_later(
    client, app, admin, material, ahead, expire_events
):
    after = last_event(app)
    change(material, *range(5))
    seq = last_event(app)
    if ahead:  # a number of another store
        after = seq + 1_000_000
    else:
        expire_events({"seq": {"$lte": after + 2}})
    program = client(admin.url, admin.token, "inventory", after=after).wait_until_live()
    (reset,) = [one["reset"] for one in program.received]
    assert reset["after"] == after
    assert ahead or reset["oldest"] == after + 3
    assert program.states[-1][1]["seq"] == seq
    change(material, "new")
    program.assert_received(["new"])


def test_event_for_several_rooms_is_received_once(client, admin, material):
    rooms = ["dashboard", "inventory", "station:s1", "station:s2"]
    program = client(admin.url, admin.token, *rooms).wait_until_live()

    @unit_of_work
    def work():
        send_message("notification", {"title": "arrived"}, stations=["s1", "s2"])

    work()
    change(material, "x")
    program.assert_received(["x"])
    arrived = [one for one in program.received if one["event"] == "notification"]
    assert [one["data"]["title"] for one in arrived] == ["arrived"]


@pytest.mark.usefixtures("no_size_limit")
def test_small_event_does_not_overtake_a_large_one(client, admin, material):
    program = client(
        admin.url, admin.token, "inventory", "station:s1"
    ).wait_until_live()

    @unit_of_work
    def work():
        large = {"title": "large", "numbers": list(range(300_000))}
        send_message("notification", large, stations=["s1"])

    work()
    change(material, "small")
    program.assert_received(["small"])
    assert [one["event"] for one in program.received] == [
        "notification",
        "material:updated",
    ]


def test_message_to_one_client_has_no_event_number(client, app, admin):
    program = client(admin.url, admin.token, "dashboard").wait_until_live()
    app.extensions["socketio"].emit("error", {"message": "only you"})
    wait_until(lambda: program.received)
    assert program.received == [{"event": "error", "data": {"message": "only you"}}]


def test_denied_room_is_reported_and_other_rooms_work(
    client, admin, client_with_keys, material
):
    one = client_with_keys("customers:view")
    program = client(one.url, one.token, "inventory", "dashboard").wait_until_live()
    error = "Not authorized for this action"
    assert program.states[-1][1]["denied"] == {"inventory": error}
    note = {"recipient": one.id, "type": "x", "title": "personal"}
    assert admin.post("/api/notifications", note).status == 201
    wait_until(lambda: program.received)
    assert program.received[0]["data"]["title"] == "personal"


@BOTH
@pytest.mark.parametrize(
    ("token", "reason"),
    [("", "Not authenticated"), ("senseless", "Invalid or expired token")],
)
def test_refused_token_is_reported_and_not_retried(client, server, token, reason):
    refused = client(server, token, "dashboard")
    assert refused.wait_for_end() == 1
    assert refused.states == [("refused", {"reason": reason})]


def test_deactivated_worker_is_refused(client, admin, worker):
    program = client(worker.url, worker.token, "dashboard").wait_until_live()
    changed = admin.patch(f"/api/workers/{worker.id}", {"isActive": False})
    assert changed.status == 200, changed
    assert program.wait_for_end() == 1
    assert program.states[-1] == ("refused", {"reason": "Invalid or expired token"})


def test_client_retries_a_resume_that_failed(client, app, admin, material, monkeypatch):
    after = last_event(app)
    change(material, *"abc")
    failures = iter(range(2))
    replay = Resumption._replay

    def fails_twice(self, sid, position):
        if next(failures, None) is not None:
            raise RuntimeError("the store is away")
        return replay(self, sid, position)

    monkeypatch.setattr(Resumption, "_replay", fails_twice)
    program = client(admin.url, admin.token, "inventory", after=after).wait_until_live()
    change(material, "d")
    program.assert_received([*"abcd"])
    assert program.times_in("joining") == 1


@BOTH
def test_client_continues_a_replay_where_its_connection_was_lost(
    client, app, admin, material, monkeypatch
):
    after = last_event(app)
    change(material, *"abcdef")
    wait_until_published()
    resume, send = Resumption.resume, Resumption._send
    requested, sent = [], []

    def resume_and_record(self, sid, payload):
        requested.append(payload["after"])
        return resume(self, sid, payload)

    def send_and_close_after_three(self, event, sid):
        send(self, event, sid)
        sent.append(event.seq)
        if len(sent) == 3:
            end_transports(app.extensions["socketio"].server)

    monkeypatch.setattr(Resumption, "resume", resume_and_record)
    monkeypatch.setattr(Resumption, "_send", send_and_close_after_three)
    program = client(admin.url, admin.token, "inventory", after=after)
    program.assert_received([*"abcdef"])
    assert requested == [after, sent[2]]


def test_client_closes_its_socket_on_sigint(client, admin, app):
    eio = app.extensions["socketio"].server.eio
    others = set(eio.sockets)
    program = client(admin.url, admin.token, "dashboard").wait_until_live()
    program.process.send_signal(signal.SIGINT)
    assert program.wait_for_end() == 0
    assert "offline" not in [state for state, _ in program.states]
    wait_until(
        lambda: all(s.closed for sid, s in eio.sockets.items() if sid not in others)
    )


def test_python_module_works_as_a_library(network, admin, material):
    events, states = [], []
    live = glassflow_client.Live(
        network.url,
        lambda: admin.token,
        rooms=["inventory"],
        stations=["s1"],
        retry=0.1,
        on_event=lambda event, data, meta: events.append((data["data"]["unit"], meta)),
        on_state=lambda state, detail: states.append(state),
    )
    running = spawn(live.run)
    wait_until(lambda: "live" in states)
    network.cut()
    change(material, *"ab")
    wait_until(lambda: "offline" in states)
    network.restore()
    wait_until(lambda: len(events) == 2)
    assert [unit for unit, _ in events] == ["a", "b"]
    assert live.last_seq == events[-1][1]["seq"]
    live.close()
    running.get(timeout=STOP_TIMEOUT_S)
    assert states[-1] == "closed"
