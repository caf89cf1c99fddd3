"""The store of a test process is started again when it hangs, and the tests hear of it."""

import os
import signal

import pytest
from pymongo import MongoClient

from glassflow.embedded import hang_watch
from waiting import wait_until
from watched_store import WatchedStore

pytestmark = [pytest.mark.long, pytest.mark.embedded_store]


def test_store_that_hangs_is_started_again_with_its_data(tmp_path, monkeypatch):
    monkeypatch.setattr(hang_watch, "INTERVAL_S", 0.01)
    store = WatchedStore(str(tmp_path), hang_s=1.0)
    try:
        first, uri = store.process, store.uri
        with MongoClient(uri) as client:
            client["shop"]["panes"].insert_one({"_id": 1})
            client.admin.command("fsync")  # it keeps the last moments in its memory
            assert store.take_hangs() == []
            os.kill(first.pid, signal.SIGSTOP)
            wait_until(lambda: store.process is not first)
            assert client["shop"]["panes"].count_documents({}) == 1
        assert store.uri == uri
        assert first.poll() == -signal.SIGKILL
        assert len(store.take_hangs()) == 1
        assert store.take_hangs() == []
    finally:
        store.stop()
