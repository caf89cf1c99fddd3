"""gunicorn's worker ends what its requests have open in the store before it exits."""

import gc
import sys
from types import SimpleNamespace

import gevent
import pytest
from gunicorn.workers.ggevent import GeventWorker

from config import worker as config_worker
from config.worker import Worker


@pytest.fixture
def calls():
    """What a worker calls when it ends, in order."""
    return []


@pytest.fixture
def worker(calls):
    """A worker that serves an application, without gunicorn's master."""
    made = Worker.__new__(Worker)
    realtime = SimpleNamespace(
        stop=lambda: calls.append("publish"),
        end_streams=lambda: None,
        close_sockets=lambda: None,
    )
    extensions = {
        "realtime": realtime,
        "end_transactions": lambda: calls.append("end transactions"),
    }
    made.wsgi = SimpleNamespace(extensions=extensions)
    made.cfg = SimpleNamespace(worker_int=lambda _: None)
    made.idle, made.serving, made.alive = set(), True, True
    return made


@pytest.fixture(autouse=True)
def shorten_pauses(monkeypatch):
    """Set up this process for its worker; left out, since it searches all objects."""
    shorten = config_worker._shorten_pauses
    monkeypatch.setattr(config_worker, "_shorten_pauses", lambda: None)
    switch_s, thresholds = sys.getswitchinterval(), gc.get_threshold()
    yield shorten
    sys.setswitchinterval(switch_s)
    gc.set_threshold(*thresholds)


def test_application_tells_the_worker_how(app):
    assert callable(app.extensions["end_transactions"])


def test_worker_that_stops_publishes_first(worker, calls, monkeypatch):
    monkeypatch.setattr(GeventWorker, "run", lambda self: None)
    monkeypatch.setattr(Worker, "_close_when_stopped", lambda self: None)
    worker.run()
    assert calls == ["publish", "end transactions"]


def test_worker_that_starts_warms_its_application_up_once(worker, calls, monkeypatch):
    worker.wsgi.extensions["warm_up"] = lambda: calls.append("warm up")
    monkeypatch.setattr(GeventWorker, "run", lambda self: gevent.sleep())
    monkeypatch.setattr(Worker, "_close_when_stopped", lambda self: None)
    worker.run()
    assert calls == ["warm up", "publish", "end transactions"]


def test_worker_asks_whether_it_may_serve_and_says_when_it_has_published_the_rest(
    worker, calls, monkeypatch
):
    monkeypatch.setattr(GeventWorker, "run", lambda self: calls.append("serve"))
    monkeypatch.setattr(Worker, "_close_when_stopped", lambda self: None)
    worker.wsgi.extensions["begin"] = lambda: calls.append("begin")
    worker.wsgi.extensions["end"] = lambda: calls.append("end")
    worker.run()
    assert calls == ["begin", "serve", "publish", "end", "end transactions"]


def test_event_loop_waits_neither_for_threads_nor_for_the_garbage_of_what_is_loaded(
    worker, shorten_pauses, monkeypatch
):
    found = []

    def serve(_):
        counts = gc.get_freeze_count(), gc.get_threshold()[0]
        found.extend([sys.getswitchinterval(), *counts])

    monkeypatch.setattr(config_worker, "_shorten_pauses", shorten_pauses)
    monkeypatch.setattr(GeventWorker, "run", serve)
    monkeypatch.setattr(Worker, "_close_when_stopped", lambda self: None)
    before, looked_at = gc.get_freeze_count(), len(gc.get_objects())
    worker.run()
    switch_s, left_out, threshold = found
    assert switch_s == pytest.approx(config_worker.THREAD_SWITCH_S)
    assert left_out - before > looked_at / 2  # the rest was garbage
    assert threshold == config_worker.GC_THRESHOLD


def test_worker_that_quits_ends_the_transactions_of_its_requests(
    worker, calls, monkeypatch
):
    monkeypatch.setattr(config_worker, "QUIT_GRACE_S", 0)
    with pytest.raises(SystemExit):
        worker._quit()
    assert calls == ["end transactions"]


def test_worker_whose_exit_has_begun_may_still_publish(worker, calls, monkeypatch):
    monkeypatch.setattr(config_worker, "QUIT_GRACE_S", 0)
    worker.serving = False
    worker._quit()
    assert calls == []
