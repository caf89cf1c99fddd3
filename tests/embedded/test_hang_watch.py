"""A store that hangs is noticed; one that works, or is away, does not count as hanging."""

import os
import signal

import pytest
from pymongo import MongoClient

from full_disk import stop_writing
from glassflow.embedded import hang_watch
from glassflow.embedded import store as embedded_store
from glassflow.embedded.hang_watch import HangWatch, WriteFailed
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.embedded_store]


@pytest.fixture
def running(tmp_path):
    """A store, killed at the end."""
    store = embedded_store.start(str(tmp_path))
    yield store
    store.process.kill()
    store.process.wait()


@pytest.fixture
def watch(running, monkeypatch):
    """Watches the store, impatiently."""
    monkeypatch.setattr(hang_watch, "INTERVAL_S", 0.01)
    watch = HangWatch(running, hang_s=1.0)
    yield watch
    watch.stop()


def times_written(store):
    """How often the watch has written to a store."""
    with MongoClient(store.uri) as client:
        written = client[hang_watch.DATABASE]["store"].find_one()
    return written["times"] if written else 0


def test_store_that_answers_does_not_hang(running, watch):
    wait_until(lambda: times_written(running) > 2)
    assert not watch.hangs


def test_suspended_store_hangs(running, watch):
    os.kill(running.process.pid, signal.SIGSTOP)
    wait_until(lambda: watch.hangs)


def test_store_that_fails_every_write_is_to_be_started_again(
    running, watch, monkeypatch
):
    monkeypatch.setattr(hang_watch, "RETRY_S", 0.01)
    wait_until(lambda: times_written(running) > 2)
    stop_writing(running)
    wait_until(lambda: watch.hangs)


def test_single_failed_write_is_no_reason_to_start_a_store_again(running, monkeypatch):
    asked = []

    def use(store, *, timeout_s):
        if store is not running:
            return  # the watch of another store, such as that of all tests
        asked.append(store)
        if len(asked) % hang_watch.FAILURES:
            raise WriteFailed("busy")

    monkeypatch.setattr(hang_watch, "use", use)
    monkeypatch.setattr(hang_watch, "INTERVAL_S", 0.01)
    monkeypatch.setattr(hang_watch, "RETRY_S", 0.01)
    impatient = HangWatch(running)
    wait_until(lambda: len(asked) > 5 * hang_watch.FAILURES)
    impatient.stop()
    assert not impatient.hangs


def test_store_that_is_away_does_not_hang_and_is_watched_when_it_is_back(
    running, watch, tmp_path
):
    wait_until(lambda: times_written(running))
    running.process.kill()
    running.process.wait()
    for _ in range(3):
        with pytest.raises(ConnectionError):
            hang_watch.use(running, timeout_s=30)
    again = embedded_store.start_again(running)
    try:
        before = times_written(again)
        wait_until(lambda: times_written(again) > before)
        assert not watch.hangs
    finally:
        again.process.kill()
        again.process.wait()


def test_stacks_of_all_threads_are_logged_when_a_store_is_killed_for_hanging(running):
    # at its end it looks for the store that was killed
    with MongoClient(running.uri, serverSelectionTimeoutMS=3_000) as client:
        client.admin.command("ping")
        stacks = running.kill_with_stacks()
    assert not running.alive()
    assert stacks.count("hread 0x") > 1
    assert "secantus" in stacks
    assert stacks in running.log.read_text()
