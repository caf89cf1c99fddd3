"""Long loops let other greenlets run between two items, but not between every two."""

import socket

import gevent

from glassflow.core.process import cooperative as module
from glassflow.core.process.cooperative import yield_to_hub, yielding
from glassflow.models.pane import Pane
from greenlets import spawn


def test_other_greenlets_run_between_items_once_the_time_is_over(turns, monkeypatch):
    monkeypatch.setattr(module, "SLICE_S", 0.0)
    seen = [(item, turns[0]) for item in yielding("abc")]
    assert [item for item, _ in seen] == ["a", "b", "c"]
    assert len({turn for _, turn in seen}) == 3


def test_short_loops_are_not_interrupted(turns, monkeypatch):
    monkeypatch.setattr(module, "SLICE_S", 3600.0)
    assert [turns[0] for _ in yielding(range(100))] == [0] * 100


def recorded(method, turns, seen):
    def record(*args, **kwargs):
        seen.append(turns[0])
        return method(*args, **kwargs)

    return record


def test_request_with_many_panes_lets_others_run_between_its_panes(
    admin, workshop, turns, monkeypatch
):
    monkeypatch.setattr(module, "SLICE_S", 0.0)
    panes = 20
    body = {
        "customer": str(workshop.customer().pk),
        "details": {"type": "window", "quantity": panes},
        "panes": [{"routing": [str(workshop.station().pk)]}] * panes,
    }
    seen = []
    for name in ("validate", "stored_form"):
        monkeypatch.setattr(Pane, name, recorded(getattr(Pane, name), turns, seen))
    assert admin.post("/api/requests", body).status == 201
    assert len(set(seen)) >= 2 * panes  # stored and shown


def test_socket_that_becomes_ready_is_served_in_between():
    """Not after many turns, as with `gevent.sleep(0)`."""
    here, there = socket.socketpair()
    served = []

    def serve():
        while data := there.recv(1):
            served.append(data)

    serving = spawn(serve)
    gevent.sleep(0)  # it waits for data now
    for turn in range(20):
        here.sendall(b"x")
        yield_to_hub()
        assert len(served) >= turn  # at the latest in the turn after
    here.close()
    serving.join()
    there.close()


def test_of_many_greenlets_that_yield_one_goes_on_in_each_turn_of_the_loop():
    here, there = socket.socketpair()
    steps = []

    def answer():
        while data := there.recv(1):
            there.sendall(data)

    def work():
        while True:
            steps.append(1)
            yield_to_hub()

    running = [spawn(work) for _ in range(20)]
    answering = spawn(answer)
    gevent.sleep(0.01)  # all have begun
    for _ in range(20):
        before = len(steps)
        here.sendall(b"x")
        assert here.recv(1) == b"x"
        assert len(steps) - before < len(running) / 2
    gevent.killall(running)
    here.close()
    answering.join()
    there.close()
