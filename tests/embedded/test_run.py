"""The parent process of `make run`, without a service."""

import os
import signal
import socket
import subprocess
import sys
from threading import Timer

import pytest
from pymongo import MongoClient
from pymongo.errors import PyMongoError

from full_disk import stop_writing
from glassflow.embedded import hang_watch
from glassflow.embedded.listener import PortInUse, bind
from glassflow.embedded.ping import responds
from glassflow.embedded.run import ParentProcess
from waiting import WAIT_TIMEOUT_S, wait_until

# Ends by the second signal, as Python does while it exits: its handlers are gone then.
# Not with `print`: the signal can come while it still writes "ready", and then it raises.
EXITING = """
import os, signal, time
def on_stop(signum, frame):
    signal.signal(signum, signal.SIG_DFL)
    os.write(1, b"handled\\n")
signal.signal(signal.SIGINT, on_stop)
os.write(1, b"ready\\n")
while True:
    time.sleep(1)
"""


def test_second_interrupt_during_the_exit_of_gunicorn_is_no_failure():
    parent = ParentProcess({})
    with subprocess.Popen(
        [sys.executable, "-c", EXITING], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout.readline() == "ready\n"
        parent._gunicorn, parent._answered = child, True
        child.send_signal(signal.SIGINT)  # by the terminal
        assert child.stdout.readline() == "handled\n"
        assert parent._stop_gunicorn(signal.SIGINT) == 0


def test_port_of_a_predecessor_is_taken_once_it_is_free():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = taken.getsockname()
        with pytest.raises(PortInUse):
            bind(*address)
        Timer(0.3, taken.close).start()
        with bind(*address, wait_s=WAIT_TIMEOUT_S) as bound:
            assert bound.getsockname() == address


@pytest.mark.slow
@pytest.mark.embedded_store
def test_store_that_hangs_is_started_again_at_the_same_address(
    tmp_path, monkeypatch, caplog
):
    monkeypatch.setattr(hang_watch, "HANG_S", 1.0)
    monkeypatch.setattr(hang_watch, "INTERVAL_S", 0.01)
    parent = ParentProcess({"DATA_DIR": str(tmp_path), "MONGODB_URI": ""})
    uri = parent._open_store()
    try:
        parent._watch_store()
        with MongoClient(uri) as client:
            client["shop"]["panes"].insert_one({"_id": 1})
        hung = parent._store
        parent._keep_store()
        assert parent._store is hung
        os.kill(hung.process.pid, signal.SIGSTOP)

        def is_new():
            parent._keep_store()
            return parent._store is not hung

        wait_until(is_new, describe=lambda: caplog.text)
        assert hung.process.returncode == -signal.SIGKILL
        assert parent._store.uri == uri
        with MongoClient(uri) as client:
            assert client["shop"]["panes"].count_documents({}) == 1
        wait_until(lambda: responds(parent._store.port))
        parent._keep_store()
        assert not parent._hang_watch.hangs
    finally:
        parent._stop_watch()
        parent._store.stop()
    assert (
        "the embedded store hung, or failed every write, and was killed" in caplog.text
    )


@pytest.mark.long
@pytest.mark.embedded_store
def test_store_that_cannot_write_is_started_again_with_what_was_acknowledged(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(hang_watch, "INTERVAL_S", 0.01)
    monkeypatch.setattr(hang_watch, "RETRY_S", 0.01)
    parent = ParentProcess({"DATA_DIR": str(tmp_path), "MONGODB_URI": ""})
    uri = parent._open_store()
    failed = parent._store
    with MongoClient(uri, serverSelectionTimeoutMS=60_000) as client:
        panes = client["shop"]["panes"]
        panes.insert_one({"_id": 1})
        try:
            stop_writing(failed)
            acknowledged = insert_until_it_fails(panes)
            parent._watch_store()

            def is_new():
                parent._keep_store()
                return parent._store is not failed

            wait_until(is_new)
            found = {one["_id"] for one in panes.find()}
            assert acknowledged <= found
            panes.insert_one({"_id": -1})
        finally:
            parent._stop_watch()
            parent._store.stop()


def insert_until_it_fails(collection):
    """Insert documents; return the ids of those that were acknowledged."""
    acknowledged = {1}
    for number in range(2, 100_000):
        try:
            collection.insert_one({"_id": number})
        except PyMongoError:
            return acknowledged
        acknowledged.add(number)
    raise AssertionError("the store still writes")
