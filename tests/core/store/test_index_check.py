"""Indexes that are not whole: named, repaired, and not left so by a start.

Each test has an embedded store of its own, whose files are changed while it is stopped.
"""

import re

import pytest
import wiredtiger
from mongoengine.connection import get_db
from pymongo import MongoClient
from pymongo.errors import OperationFailure

from demo_workshop import DATABASE
from glassflow.cli import store as store_of_command
from glassflow.core.store import connection, index_check
from glassflow.embedded import incomplete_tables
from glassflow.embedded import store as embedded_store
from glassflow.services import prepare
from glassflow.services.prepare import LOCK_BUSY, IndexRefused, ensure_indexes
from plain_store import plain_store
from service import Service
from store_commands import record_commands

pytestmark = [pytest.mark.slow, pytest.mark.embedded_store]
ENTRIES = "table:secantus_index_entries"
CUSTOMERS = "createdAt_1__id_1"  # an index of the 15 customers of the demo workshop
USERNAMES = "username_1"  # a unique one, of workers: other builds remove what is left
CREATE_WORKER = ("create-worker", "--username=u", "--password=secret1", "--name=n")
CREATE_WORKER += ("--role=admin",)


@pytest.fixture
def service(tmp_path, demo_workshop):
    """The settings of a service with the demo workshop, which does not run."""
    stopped = Service(tmp_path)
    demo_workshop.copy_files(stopped.data_dir)
    return stopped


@pytest.fixture
def start(service):
    """Starts the store of the service; gives its URI. `start.stop()` kills it."""
    started = []

    def start_one():
        started.append(embedded_store.start(str(service.data_dir)).process)
        return embedded_store.find(str(service.data_dir))

    start_one.stop = lambda: kill_all(started)
    yield start_one
    kill_all(started)


def kill_all(processes):
    while processes:
        process = processes.pop()
        process.kill()
        process.wait()


@pytest.fixture
def plain(service):
    """The address of the program without the extension on the service's files."""
    with plain_store(service.data_dir) as uri:
        yield uri


@pytest.fixture
def connect(app, store_settings):
    """Connects the application to another store: `connect(uri)`; afterwards as before."""
    yield lambda uri: connection.connect(uri, DATABASE)
    connection.connect(store_settings["MONGODB_URI"], store_settings["MONGODB_DB"])


@pytest.fixture
def flask(app):
    """Runs a command in this process: its exit code and output."""

    def run(*arguments):
        done = app.test_cli_runner().invoke(args=list(arguments))
        return done.exit_code, done.output

    return run


def change_entries(service, collection, index, change):
    """Let `change(cursor, keys)` change the entries of an index in the stopped store."""
    files = str(service.data_dir / "db")
    engine = wiredtiger.wiredtiger_open(files, incomplete_tables.CONFIG)
    cursor = engine.open_session().open_cursor(ENTRIES)
    keys = []
    while cursor.next() == 0:
        if cursor.get_key()[:3] == [DATABASE, collection, index]:
            keys.append(cursor.get_key())
    change(cursor, keys)
    engine.close()


def remove_three(cursor, keys):
    for key in keys[:3]:
        cursor.set_key(*key)
        cursor.remove()


def add_one(collection, index):
    """Return what adds the entry of a document that does not exist."""

    def add(cursor, keys):
        cursor[DATABASE, collection, index, bytes(18)] = b""

    return add


def leave_entry_of_dropped_index(service, start):
    """Drop an index and leave an entry of it, which its successor then has too many."""
    with MongoClient(start()) as client:
        client[DATABASE]["workers"].drop_index(USERNAMES)
    start.stop()
    change_entries(service, "workers", USERNAMES, add_one("workers", USERNAMES))


def test_index_without_three_entries_is_named_beside_the_store_and_repaired_without_it(
    service, start, connect, flask
):
    change_entries(service, "customers", CUSTOMERS, remove_three)
    change_entries(service, "stations", CUSTOMERS, add_one("stations", CUSTOMERS))
    uri = start()
    with MongoClient(uri) as client:
        number = len(client[DATABASE].list_collection_names())
    summary = f"indexes of {number} collections checked"
    faults = (
        f"customers: index {CUSTOMERS}: 3 entries are missing\n"
        f"stations: index {CUSTOMERS}: 1 entries are of no document\n"
        f"{summary}: those of 2 are not whole\n"
    )
    connect(uri)
    assert flask("indexes", "--check") == (
        1,
        f"{faults}Error: To repair them, stop the service and run `flask indexes --check` "
        "again.\n",
    )
    assert listed(uri) == 12

    start.stop()
    repaired = service.flask("indexes", "--check")  # with a store of its own
    assert (
        repaired.stdout == f"{faults}repaired, and checked again:\n{summary}: whole\n"
    )
    assert repaired.returncode == 0

    uri = start()
    assert listed(uri) == 15
    connect(uri)
    assert flask("indexes", "--check") == (0, f"{summary}: whole\n")


def listed(uri):
    """Return how many customers are found by the index."""
    with MongoClient(uri) as client:
        found = client[DATABASE]["customers"].find().hint(CUSTOMERS)
        return len(list(found))


def test_repair_that_does_not_help_fails(service, start, connect, flask, monkeypatch):
    change_entries(service, "customers", CUSTOMERS, remove_three)
    connect(start())
    monkeypatch.setattr(store_of_command, "_own", object())
    monkeypatch.setattr(index_check, "repair", lambda collection: [])
    code, output = flask("indexes", "--check")
    assert code == 1
    assert output.count(f"customers: index {CUSTOMERS}: 3 entries are missing") == 2
    assert output.endswith(
        "Error: The repair did not help: drop these indexes and run `flask indexes`.\n"
    )


def test_new_index_that_is_not_whole_is_repaired_at_the_start(
    service, start, connect, flask, monkeypatch, caplog
):
    leave_entry_of_dropped_index(service, start)
    connect(start())
    commands = record_commands(monkeypatch)
    code, output = flask("indexes")
    assert (code, output.partition(",")[0]) == (0, "indexes: 1 added")
    sent = {tuple(one["indexes"]) for one in commands.named("validate")}
    assert sent == {(USERNAMES,)}  # the others are not read
    fault = f"workers: index {USERNAMES}: 1 entries are of no document"
    assert f"repaired a new index of {fault}" in caplog.text
    assert index_check.faults("workers") == []


@pytest.mark.parametrize("command", [("prepare",), ("seed", "roles"), CREATE_WORKER])
def test_start_whose_new_index_stays_not_whole_fails(
    service, start, connect, flask, monkeypatch, command
):
    leave_entry_of_dropped_index(service, start)
    connect(start())
    monkeypatch.setattr(index_check, "repair", lambda collection, indexes: [])
    sentence = (
        f"Error: New indexes are not whole (workers: index {USERNAMES}: 1 entries are "
        "of no document): drop them and run `flask indexes` again.\n"
    )
    assert flask(*command) == (1, sentence)


def test_index_that_was_replaced_under_its_name_is_a_new_one(service, start, connect):
    change_entries(service, "customers", CUSTOMERS, remove_three)
    connect(start())
    before = index_check.stored()
    assert index_check.repair_new(before) == []
    assert len(index_check.faults("customers")) == 1
    before["customers"][CUSTOMERS]["expireAfterSeconds"] = 1
    assert index_check.repair_new(before) == []
    assert index_check.faults("customers") == []


def test_plain_program_is_not_asked_and_reported_as_the_wrong_version(
    plain, connect, flask, monkeypatch
):
    connect(plain)
    commands = record_commands(monkeypatch)
    get_db()["customers"].drop_index(CUSTOMERS)
    ensure_indexes()
    assert flask("indexes", "--check") == (
        1,
        "Error: This version of SecantusDB cannot compare indexes with the documents: "
        "install the version that setup.cfg pins.\n",
    )
    assert commands.named("createIndexes")
    assert commands.named("validate") == []
    code, output = flask("doctor")
    assert code == 1
    wrong, no_password = (row for row in output.splitlines() if row.startswith("WRONG"))
    assert re.fullmatch(
        r"WRONG  store  +SecantusDB [\w.]+, embedded: the extension of the store is for "
        "another version, so the store answers wrongly in known cases, and slowly: "
        "install the version that setup.cfg pins",
        wrong,
    )
    assert "store password" in no_password
    assert "every account of this machine can read and change the data" in no_password


def test_doctor_says_that_the_store_is_extended_and_asks_for_a_password(app, flask):
    output = flask("doctor")[1]
    row = r"^ok +store +SecantusDB [\w.]+, embedded, extended$"
    assert re.search(row, output, re.MULTILINE)
    assert re.search(r"^ok +store password +asked for$", output, re.MULTILINE)


def test_index_that_the_store_refuses_beside_transactions_is_refused_in_a_sentence(app):
    refused = pytest.raises(IndexRefused, match="while transactions are open")
    with refused, prepare.new_ones_whole():
        raise OperationFailure("the catalogue cannot change", LOCK_BUSY)
