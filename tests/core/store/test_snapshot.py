"""Reads of one moment: what the store is asked for. That it keeps it, tests of backups show."""

import pytest
from mongoengine.connection import get_db

from glassflow.core.store import snapshot
from store_commands import record_commands

READS = ("find", "aggregate")


@pytest.fixture
def reads(app, monkeypatch):
    """The commands of two reads in a snapshot: `reads(embedded=True)`."""

    def read(*, embedded):
        monkeypatch.setattr(snapshot, "is_embedded", lambda: embedded)
        with monkeypatch.context() as recording:
            commands = record_commands(
                recording, lambda command: next(iter(command)) in READS
            )
            with snapshot.snapshot():
                list(get_db()["customers"].find())
                list(get_db()["workers"].aggregate([{"$match": {}}]))
        return commands.sent

    return read


def test_mongodb_reads_in_one_session_for_snapshots(reads):
    first, second = reads(embedded=False)
    assert first["readConcern"]["level"] == second["readConcern"]["level"] == "snapshot"
    assert first["lsid"] == second["lsid"]
    assert "txnNumber" not in first  # a transaction would end after a minute


@pytest.mark.embedded_store
def test_embedded_store_reads_in_one_transaction(reads):
    first, second = reads(embedded=True)
    assert first["readConcern"]["level"] == "snapshot"
    assert (first["lsid"], first["txnNumber"]) == (second["lsid"], second["txnNumber"])
