"""Processes of the service tell the store that they run, whether anybody uses them."""

import os
import socket
import subprocess
import sys

import pytest
from mongoengine.connection import get_db

from glassflow.core.store import lease, migrations, service_processes

DONE = {"_id": migrations.RESTORING}


@pytest.fixture(autouse=True)
def _no_processes(app):
    yield
    get_db()[lease.COLLECTION].delete_many({})
    get_db()[migrations.COLLECTION].delete_one(DONE)


def test_process_is_known_from_its_begin_to_its_end(app):
    app.extensions["begin"]()
    (owner,) = service_processes.running()
    assert owner.startswith(f"{socket.gethostname()}/{os.getpid()}/")
    app.extensions["end"]()
    assert service_processes.running() == []


def test_process_that_was_killed_counts_no_more_or_until_its_time(clock_at):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    here, elsewhere = f"{socket.gethostname()}/{ended.pid}/1", "another/1/2"
    clock_at(0)
    for owner in (here, elsewhere):
        service_processes.register(owner)
    assert service_processes.running() == [elsewhere]
    clock_at(lease.DURATION.total_seconds() - 1)
    service_processes.register(elsewhere)
    clock_at(lease.DURATION.total_seconds() + 1)
    assert service_processes.running() == [elsewhere]
    clock_at(2 * lease.DURATION.total_seconds())
    assert service_processes.running() == []
    assert get_db()[lease.COLLECTION].count_documents({}) == 0


def test_process_does_not_begin_while_a_backup_is_restored(app, capsys):
    get_db()[migrations.COLLECTION].insert_one(DONE)
    with pytest.raises(SystemExit) as stopped:
        app.extensions["begin"]()
    assert stopped.value.code == 3  # with which gunicorn starts no worker any more
    assert migrations.RESTORE_UNFINISHED in capsys.readouterr().err
    assert service_processes.running() == []
