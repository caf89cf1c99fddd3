"""Migrations: named while they are pending, run once and in order, by one process."""

import subprocess
import sys
from pathlib import Path

import pytest
from bson import ObjectId
from mongoengine.connection import get_db

import databases
from glassflow.core.store import migrations
from glassflow.core.store.mongo_check import why_unfit
from waiting import START_TIMEOUT_S, wait_until

ROOT = Path(__file__).resolve().parents[3]
#: A process that runs the steps of a folder: URI, database, folder.
PROGRAM = """
import sys
from pathlib import Path
from glassflow.core.store import connection, migrations

uri, database, folder = sys.argv[1:]
connection.connect(uri, database)
migrations.FOLDER = Path(folder)
waits = Path(folder, "waits")
for name in migrations.run(on_wait=lambda owner: waits.touch()):
    print(name, flush=True)
"""
#: A step that counts how often it was begun, and is repeatable.
STEP = """
def up(db):
    db.migrated.update_one({{"_id": "{name}"}}, {{"$inc": {{"begun": 1}}}}, upsert=True)
    {between}
    order = db.migrated.count_documents({{"place": {{"$exists": True}}}})
    db.migrated.update_one(
        {{"_id": "{name}", "place": None}}, {{"$set": {{"place": order}}}}
    )
"""
WAIT_FOR_FILE = """
    import os, time
    while not os.path.exists({path!r}):
        time.sleep(0.01)
"""


@pytest.fixture
def steps(app, tmp_path, monkeypatch):
    """Makes this release one with other steps: `steps("0101_a")`, code between its writes."""
    folder = tmp_path / "steps"
    folder.mkdir()
    monkeypatch.setattr(migrations, "FOLDER", folder)
    before = list(get_db()[migrations.COLLECTION].find())

    def write(name, between=""):
        (folder / f"{name}.py").write_text(STEP.format(name=name, between=between))
        return folder

    yield write
    get_db().migrated.drop()
    get_db()[migrations.COLLECTION].delete_many({})
    get_db()[migrations.COLLECTION].insert_many(before)


@pytest.fixture
def flask(app):
    """Run a command: `flask("migrate")` gives its result."""
    return lambda *args: app.test_cli_runner().invoke(args=list(args))


def migrated():
    """What the steps have done: name -> (how often begun, in which place)."""
    return {
        row["_id"]: (row["begun"], row["place"]) for row in get_db().migrated.find()
    }


def doctors_row(flask):
    return next(
        row for row in flask("doctor").output.splitlines() if "migrations" in row
    )


def test_pending_steps_are_named_and_run_once_in_their_order(
    store, steps, flask, anonymous
):
    steps("0102_second")
    steps("0101_first")
    (steps("0103_third") / "notes.py").touch()  # is none
    foreign = [{"_id": "notes of another program"}, {"_id": ObjectId()}]
    get_db()[migrations.COLLECTION].insert_many(foreign)
    assert why_unfit(store, databases.DATABASE) is None
    ready = anonymous.get("/api/health/ready")
    assert ready.status == 200
    assert ready.data["migrations"] == "pending: 0101_first, 0102_second, 0103_third"
    assert doctors_row(flask).startswith("WRONG")
    assert "0101_first, 0102_second, 0103_third: run" in doctors_row(flask)
    done = flask("migrate")
    assert done.output.splitlines() == [
        "migrations: 0101_first done",
        "migrations: 0102_second done",
        "migrations: 0103_third done",
    ]
    expected = {"0101_first": (1, 0), "0102_second": (1, 1), "0103_third": (1, 2)}
    assert migrated() == expected
    assert anonymous.get("/api/health/ready").data["migrations"] == "done"
    assert doctors_row(flask).endswith("all done")
    assert flask("migrate").output == "migrations: none pending\n"
    assert migrated() == expected


def test_a_step_that_fails_is_pending_and_those_behind_it_do_not_run(steps, flask):
    steps("0101_first")
    steps("0102_fails", between="raise ValueError('on purpose')")
    steps("0103_third")
    assert isinstance(flask("migrate").exception, ValueError)
    assert migrations.pending(migrations.done()) == ["0102_fails", "0103_third"]
    steps("0102_fails")
    assert flask("migrate").exit_code == 0
    assert migrations.pending(migrations.done()) == []


def test_store_of_a_newer_release_is_refused(store, steps, flask, anonymous):
    steps("0101_first")
    get_db()[migrations.COLLECTION].insert_one({"_id": "0102_of_the_next_release"})
    for command in ("migrate", "prepare"):
        done = flask(command)
        assert (done.exit_code, done.output) == (1, f"Error: {migrations.NEWER}\n")
    assert get_db().migrated.find_one() is None
    assert why_unfit(store, databases.DATABASE) == migrations.NEWER
    assert doctors_row(flask).endswith(migrations.NEWER)
    # one that runs goes on: its successors have migrated the store for both of them
    ready = anonymous.get("/api/health/ready")
    assert (ready.status, ready.data["migrations"]) == (200, "of a newer release")


@pytest.mark.slow
def test_a_killed_migration_is_repeated_by_one_of_those_that_start(
    store, steps, tmp_path
):
    go = tmp_path / "go"
    between = WAIT_FOR_FILE.format(path=str(go)).strip("\n").strip()
    folder = steps("0101_first", between)
    steps("0102_second")
    command = [sys.executable, "-c", PROGRAM, store, databases.DATABASE, folder]

    def start():
        return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)

    killed = start()
    wait_until(lambda: get_db().migrated.find_one(), START_TIMEOUT_S)
    killed.kill()
    killed.communicate()
    both = [start(), start()]
    wait_until(lambda: get_db().migrated.find_one({"begun": 2}), START_TIMEOUT_S)
    wait_until((folder / "waits").exists, START_TIMEOUT_S)
    go.touch()
    outputs = sorted(one.communicate()[0] for one in both)
    assert outputs == ["", "0101_first\n0102_second\n"]
    assert migrated() == {"0101_first": (2, 0), "0102_second": (1, 1)}
