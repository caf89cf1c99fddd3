"""The modules of clients/ hear each event once and in order, whatever the network does.

Each runs as a program of its own that prints a JSON line an event: the JavaScript module
with the real socket.io-client in Node, the Python one with its real threads.
"""

import importlib.util
import json
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import gevent
import pytest
from mongoengine.connection import get_db

from glassflow.core import event_log, outbox
from glassflow.core.unit_of_work import unit_of_work
from glassflow.realtime.resume import Resumption
from network import Network
from wider import need

ROOT = Path(__file__).resolve().parents[2]
NODE = ROOT / "tests" / "node"
PYTHON = ROOT / "clients" / "python" / "glassflow_client.py"
pytestmark = pytest.mark.slow
PATIENCE = 15  # seconds


def wait_for(condition, what=lambda: ""):
    try:
        with gevent.Timeout(PATIENCE):
            while not condition():
                gevent.sleep(0.01)
    except gevent.Timeout:
        raise AssertionError(f"it did not come: {what()}") from None


class Program:
    """A client as a process: what it heard, and which states it went through."""

    def __init__(self, material, *command):
        self.heard, self.states = [], []
        self._material = str(material.pk)  # others, of other tests, may still be told
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, text=True, **pipes)
        self._readers = [
            gevent.spawn(self._read, self.process.stdout, self._event),
            gevent.spawn(self._read, self.process.stderr, self._state),
        ]

    def _read(self, stream, keep):
        for line in stream:
            keep(line)

    def _event(self, line):
        self.heard.append(json.loads(line))

    def _state(self, line):
        state, _, detail = line.partition(" ")
        assert detail.startswith("{"), line + self.process.stderr.read()
        self.states.append((state, json.loads(detail)))

    @property
    def state(self):
        return self.states[-1][0] if self.states else None

    def live(self, times=1):
        """Wait until it has caught up, for so many times by now."""
        wait_for(lambda: self.went("live") >= times, lambda: self.states)
        return self

    def went(self, state):
        return [name for name, _ in self.states].count(state)

    def units(self):
        """The units of the changed material, as they were heard."""
        changed = [
            one
            for one in self.heard
            if one.get("event") == "material:updated"
            and one["data"]["data"]["_id"] == self._material
        ]
        numbers = [one["seq"] for one in changed]
        assert numbers == sorted(set(numbers))
        assert len({one["id"] for one in changed}) == len(changed)
        return [one["data"]["data"]["unit"] for one in changed]

    def heard_all(self, units):
        wait_for(lambda: self.units()[-1:] == units[-1:], lambda: self.units()[-3:])
        assert self.units() == units

    def ended(self):
        """Wait for its end, and give its exit status."""
        status = self.process.wait(PATIENCE)
        gevent.joinall(self._readers)
        return status

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.ended()
        self.process.stdout.close()
        self.process.stderr.close()


@pytest.fixture(params=["node", "python"])
def client(request, material):
    """Starts a client: `client(url, token, *rooms, after=...)`."""
    if request.param == "node":
        need(shutil.which("node"), "node is not installed")
        need(
            (NODE / "node_modules").is_dir(), "tests/node has no node_modules (npm ci)"
        )
        command = ["node", NODE / "resume.mjs"]
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
def network(server):
    made = Network(server)
    yield made
    made.cut()


@pytest.fixture
def material(workshop):
    made = workshop.material(unit="0")
    all_published()
    return made


def all_published():
    wait_for(lambda: not get_db()[outbox.COLLECTION].find_one())


def change(material, *units):
    for unit in units:
        material.unit = str(unit)
        material.save()


def last(app):
    """The number of the last event, once all that was stored is published."""
    all_published()
    return event_log.last()


def end_transports(server):
    for transport in list(server.eio.sockets.values()):
        transport.close(wait=False)


def end_sockets(server):
    for sid in list(server.manager.rooms["/"][None]):
        server.disconnect(sid)


@pytest.mark.parametrize("end", [end_transports, end_sockets])
def test_whoever_the_service_let_go_comes_back_and_missed_nothing(
    client, app, admin, material, end
):
    mine = client(admin.url, admin.token, "inventory", "dashboard").live()
    change(material, "before")
    mine.heard_all(["before"])
    end(app.extensions["socketio"].server)
    change(material, *range(20))
    mine.live(2)
    change(material, "live")
    mine.heard_all(["before", *map(str, range(20)), "live"])


def test_whoever_was_cut_off_hears_what_was_missed_and_then_live(
    client, network, admin, material
):
    mine = client(network.url, admin.token, "inventory", "dashboard").live()
    change(material, "before")
    mine.heard_all(["before"])
    network.cut()
    change(material, *range(20))
    wait_for(lambda: mine.state == "offline")
    network.mend()
    mine.live(2)
    change(material, "live")
    mine.heard_all(["before", *map(str, range(20)), "live"])


@pytest.mark.slow
def test_a_bad_network_on_a_busy_day_costs_nothing(client, network, admin, material):
    mine = client(network.url, admin.token, "inventory", "dashboard").live()
    made, stop = [], gevent.event.Event()

    def be_busy():
        while not stop.is_set():
            made.append(str(len(made)))
            change(material, made[-1])
            gevent.sleep(random.uniform(0, 0.005))

    busy = gevent.spawn(be_busy)
    for cut in range(9):  # some of them while it joins or resumes
        if cut % 3 == 0:
            wait_for(lambda: mine.state == "live", lambda: mine.states[-3:])
        gevent.sleep(random.uniform(0.02, 0.6))
        network.drop()
        gevent.sleep(random.uniform(0.02, 0.4))
        network.cut()
        gevent.sleep(random.uniform(0, 0.2))
        network.mend()
    wait_for(lambda: mine.state == "live", lambda: mine.states[-3:])
    stop.set()
    busy.get()
    change(material, "the last")
    mine.heard_all([*made, "the last"])


def test_a_later_visit_goes_on_where_the_last_one_ended(client, app, admin, material):
    after = last(app)
    change(material, "a", "b")
    mine = client(admin.url, admin.token, "inventory", after=after).live()
    change(material, "c")
    mine.heard_all(["a", "b", "c"])
    assert mine.states[-1][1]["seq"] >= after + 2


def test_a_first_visit_hears_nothing_old(client, app, admin, material):
    change(material, "old")
    seq = last(app)
    mine = client(admin.url, admin.token, "inventory").live()
    assert mine.states[-1] == ("live", {"seq": seq, "denied": {}})
    change(material, "new")
    mine.heard_all(["new"])


@pytest.mark.parametrize("ahead", [False, True])
def test_a_log_that_starts_later_makes_it_fetch_again_and_go_on(
    client, app, admin, material, ahead
):
    after = last(app)
    change(material, *range(5))
    seq = last(app)
    if ahead:  # a number of another store
        after = seq + 1_000_000
    else:
        get_db()[event_log.COLLECTION].delete_many({"seq": {"$lte": after + 2}})
    mine = client(admin.url, admin.token, "inventory", after=after).live()
    (reset,) = [one["reset"] for one in mine.heard]
    assert reset["after"] == after
    assert ahead or reset["oldest"] == after + 3
    assert mine.states[-1][1]["seq"] == seq
    change(material, "new")
    mine.heard_all(["new"])


def test_what_concerns_several_of_its_rooms_comes_once(client, admin, material):
    rooms = ["dashboard", "inventory", "station:s1", "station:s2"]
    mine = client(admin.url, admin.token, *rooms).live()

    @unit_of_work
    def work():
        outbox.tell("notification", {"title": "arrived"}, stations=["s1", "s2"])

    work()
    change(material, "x")
    mine.heard_all(["x"])
    arrived = [one for one in mine.heard if one["event"] == "notification"]
    assert [one["data"]["title"] for one in arrived] == ["arrived"]


def test_a_large_event_is_not_overtaken_by_a_small_one(client, admin, material):
    mine = client(admin.url, admin.token, "inventory", "station:s1").live()

    @unit_of_work
    def work():
        large = {"title": "large", "numbers": list(range(300_000))}
        outbox.tell("notification", large, stations=["s1"])

    work()
    change(material, "small")
    mine.heard_all(["small"])
    assert [one["event"] for one in mine.heard] == ["notification", "material:updated"]


def test_what_is_sent_to_it_alone_comes_without_a_number(client, app, admin):
    mine = client(admin.url, admin.token, "dashboard").live()
    app.extensions["socketio"].emit("error", {"message": "only you"})
    wait_for(lambda: mine.heard)
    assert mine.heard == [{"event": "error", "data": {"message": "only you"}}]


def test_a_room_that_one_may_not_hear_is_told_and_the_others_go_on(
    client, admin, holder, material
):
    one = holder("customers:view")
    mine = client(one.url, one.token, "inventory", "dashboard").live()
    error = "Not authorized for this action"
    assert mine.states[-1][1]["denied"] == {"inventory": error}
    note = {"recipient": one.id, "type": "x", "title": "personal"}
    assert admin.post("/api/notifications", note).status == 201
    wait_for(lambda: mine.heard)
    assert mine.heard[0]["data"]["title"] == "personal"


@pytest.mark.parametrize(
    ("token", "reason"),
    [("", "Not authenticated"), ("senseless", "Invalid or expired token")],
)
def test_a_refused_token_is_told_and_not_tried_again(client, server, token, reason):
    refused = client(server, token, "dashboard")
    assert refused.ended() == 1
    assert refused.states == [("refused", {"reason": reason})]


def test_a_worker_who_is_deactivated_is_told_so(client, admin, worker):
    mine = client(worker.url, worker.token, "dashboard").live()
    changed = admin.patch(f"/api/workers/{worker.id}", {"isActive": False})
    assert changed.status == 200, changed
    assert mine.ended() == 1
    assert mine.states[-1] == ("refused", {"reason": "Invalid or expired token"})


def test_a_failure_of_the_service_while_resuming_passes(
    client, app, admin, material, monkeypatch
):
    after = last(app)
    change(material, *"abc")
    failures = iter(range(2))
    replay = Resumption._replay

    def fails_twice(self, sid, position):
        if next(failures, None) is not None:
            raise RuntimeError("the store is away")
        return replay(self, sid, position)

    monkeypatch.setattr(Resumption, "_replay", fails_twice)
    mine = client(admin.url, admin.token, "inventory", after=after).live()
    change(material, "d")
    mine.heard_all([*"abcd"])
    assert mine.went("joining") == 1


def test_it_is_closed_at_once(client, admin, app):
    eio = app.extensions["socketio"].server.eio
    others = set(eio.sockets)
    mine = client(admin.url, admin.token, "dashboard").live()
    mine.process.send_signal(signal.SIGINT)
    assert mine.ended() == 0
    assert "offline" not in [state for state, _ in mine.states]
    wait_for(
        lambda: all(s.closed for sid, s in eio.sockets.items() if sid not in others)
    )


def test_the_python_module_works_inside_another_program(network, admin, material):
    found = importlib.util.spec_from_file_location("glassflow_client", PYTHON)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    heard, states = [], []
    live = module.Live(
        network.url,
        lambda: admin.token,
        rooms=["inventory"],
        stations=["s1"],
        retry=0.1,
        on_event=lambda event, data, meta: heard.append((data["data"]["unit"], meta)),
        on_state=lambda state, detail: states.append(state),
    )
    running = gevent.spawn(live.run)
    wait_for(lambda: "live" in states)
    network.cut()
    change(material, *"ab")
    wait_for(lambda: "offline" in states)
    network.mend()
    wait_for(lambda: len(heard) == 2)
    assert [unit for unit, _ in heard] == ["a", "b"]
    assert live.last_seq == heard[-1][1]["seq"]
    live.close()
    running.get(timeout=5)
    assert states[-1] == "closed"
