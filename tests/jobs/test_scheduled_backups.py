"""Scheduled backups: made by the process that publishes, and only so many are kept."""

import sys

import pytest
from mongoengine.connection import get_connection, get_db

from glassflow.cli import progress
from glassflow.core.events import history
from glassflow.core.process import deadlines
from glassflow.core.store import migrations
from glassflow.core.store.backup_file import BackupFile
from glassflow.core.store.migrations import RESTORE_UNFINISHED
from glassflow.jobs.scheduled_backups import ScheduledBackups
from glassflow.services import history as service
from glassflow.services.backups import content, making, records, restoring, schedule
from glassflow.services.backups.restoring import Refused
from glassflow.services.reports import store_metrics
from metrics_samples import Metrics
from scenarios import order_with_panes
from store_commands import record_commands
from waiting import wait_until


@pytest.fixture
def schedule_of(app, tmp_path):
    """Starts a schedule of a second: `schedule_of("folder", is_holder)`."""
    started = []

    def start(folder, is_holder, keep=2):
        one = ScheduledBackups(1, tmp_path / folder, keep, is_holder=is_holder)
        one.start()
        started.append(one)
        return tmp_path / folder

    get_db()[content.RECORDS].delete_many({})
    yield start
    for one in started:
        one.stop()
    get_db()[content.RECORDS].delete_many({})


def late_in_metrics(anonymous):
    return Metrics(anonymous.get("/metrics").text).sum("backup_late")


def doctors_row(app):
    rows = app.test_cli_runner().invoke(args=["doctor"]).output.splitlines()
    return next(row for row in rows if " backup " in row)


def test_holder_makes_backups_in_time_and_keeps_the_newest(
    app, schedule_of, admin, workshop, anonymous, setting, tmp_path
):
    order_with_panes(admin, workshop)
    setting(BACKUP_EVERY=3600)
    assert anonymous.get("/api/health/ready").data["backup"] == "late"
    assert late_in_metrics(anonymous) == 1
    assert doctors_row(app).startswith("WRONG")
    mine = tmp_path / "mine"
    mine.mkdir()
    for name in ("theirs.tar", ".glassflow-20260101T000000Z.tar.part"):
        (mine / name).touch()
    (mine / "glassflow-20260101T000000Z.tar").touch()
    (mine / "glassflow-20260102T000000Z.tar").touch()
    others = schedule_of("others", lambda: False)
    schedule_of("mine", lambda: True)
    wait_until(lambda: records.last() and len(list(mine.iterdir())) == 3)
    wait_until(lambda: not (mine / "glassflow-20260102T000000Z.tar").exists())
    assert not others.exists()
    names = sorted(path.name for path in mine.iterdir() if path.suffix == ".tar")
    assert "theirs.tar" in names
    newest = mine / names[-2]
    BackupFile(newest).verify()
    assert newest.stat().st_mode & 0o077 == 0
    assert anonymous.get("/api/health/ready").data["backup"] == "in time"
    assert late_in_metrics(anonymous) == 0
    assert doctors_row(app).startswith("ok")
    assert str(mine) in doctors_row(app)
    ages = [
        one.samples[0].value
        for one in store_metrics.metrics(app.config | {"BACKUP_EVERY": 3600})
        if one.name == "glassflow_backup_age_seconds"
    ]
    assert len(ages) == 1
    assert 0 <= ages[0] < 3600


def test_backup_that_cannot_be_made_is_shown_until_one_is(
    app, schedule_of, admin, anonymous, setting, tmp_path
):
    setting(BACKUP_EVERY=3600)
    records.store(tmp_path / "earlier", size=1, documents=1, took_s=1)
    assert late_in_metrics(anonymous) == 0
    (tmp_path / "mine").write_text("a file")
    schedule_of("mine", lambda: True)
    wait_until(records.failure)
    assert "FileExistsError" in doctors_row(app)
    assert late_in_metrics(anonymous) == 1
    setting(BACKUP_EVERY=0)
    assert late_in_metrics(anonymous) == 0, "none is scheduled"
    setting(BACKUP_EVERY=3600)
    (tmp_path / "mine").unlink()
    wait_until(lambda: records.failure() is None)
    assert late_in_metrics(anonymous) == 0
    assert records.last()
    assert doctors_row(app).startswith("ok")


def test_doctor_says_how_long_a_backup_took_and_warns_where_mongodb_ends_it(
    app, schedule_of, tmp_path, monkeypatch
):
    records.store(tmp_path / "made", size=1, documents=1, took_s=200)
    assert "made in 200 s" in doctors_row(app)
    assert "minSnapshotHistoryWindowInSeconds" not in doctors_row(app)
    module = sys.modules["glassflow.cli.doctor"]  # its command has the same name
    monkeypatch.setattr(module, "is_embedded", lambda: False)
    assert "raise minSnapshotHistoryWindowInSeconds" in doctors_row(app)
    records.store(tmp_path / "made", size=1, documents=1, took_s=100)
    assert "minSnapshotHistoryWindowInSeconds" not in doctors_row(app)


def test_backup_ends_when_the_store_does_not_answer_a_single_read(
    app, tmp_path, monkeypatch
):
    monkeypatch.setattr(deadlines, "EXPORT_PART_TIMEOUT_S", 1e-9)
    done = app.test_cli_runner().invoke(args=["backup", str(tmp_path / "b.tar")])
    assert done.output.startswith("Error: The store cannot be read: ")
    assert not list(tmp_path.iterdir())


def test_progress_of_a_backup_and_a_check_names_collections_and_documents(
    app, admin, tmp_path
):
    seen = []
    made = making.make(tmp_path / "b.tar", lambda *values: seen.append(values))
    workers = get_db()["workers"].count_documents({})
    assert ("workers", workers, workers) in seen
    seen.clear()
    restoring.checked(made.path, lambda *values: seen.append(values))
    assert ("reading workers", workers, workers) in seen


def test_progress_is_a_line_each_few_seconds_where_there_is_no_terminal(
    capsys, monkeypatch
):
    monkeypatch.setattr(progress, "INTERVAL_OF_LINES_S", 0)
    line = progress.ProgressLine()
    line("history", 400_000, 1_700_000)
    line.end()
    assert capsys.readouterr().err == "history: 400,000 of 1,700,000 documents\n"


def test_nothing_is_stored_where_the_disk_has_no_room_for_it(app):
    class Files:
        databases = frozenset(get_connection().list_database_names())

        def free_bytes(self):
            return 169

    with pytest.raises(Refused, match="and this needs 0 MB beside the present data"):
        restoring.replace_all(lambda: None, Files(), size=100, name="a backup")


def test_commands_refuse_with_one_sentence_and_change_nothing(app, admin, tmp_path):
    def flask(*arguments):
        done = app.test_cli_runner().invoke(args=[str(one) for one in arguments])
        assert (done.exit_code == 0) != done.output.startswith("Error: "), done.output
        return done.output

    whole, damaged = tmp_path / "whole.tar", tmp_path / "damaged.tar"
    (tmp_path / ".whole.tar.part").touch(
        mode=0o666
    )  # of a killed attempt, or of others
    assert "stock: as its books say" in flask("backup", whole)
    assert whole.stat().st_mode & 0o077 == 0
    assert "exists already" in flask("backup", whole)
    content_of_it = bytearray(whole.read_bytes())
    content_of_it[content_of_it.rindex(admin.worker.username.encode())] ^= 1
    damaged.write_bytes(content_of_it)
    assert "is whole, made 20" in flask("restore", "--check", whole)
    for options in ((), ("--check",), ("--replace",)):
        sentence = f"{damaged} is not a whole backup: workers has other documents"
        assert sentence in flask("restore", *options, damaged)
    app.extensions["realtime"].publisher.flush()  # it holds the lease from here on
    assert "uses this store: stop it first" in flask("restore", "--replace", whole)
    assert admin.get("/api/auth/me").status == 200


def test_no_backup_is_made_of_half_a_restored_store(app, tmp_path):
    rows = get_db()[migrations.COLLECTION]
    rows.insert_one({"_id": migrations.RESTORING})
    try:
        done = app.test_cli_runner().invoke(args=["backup", str(tmp_path / "b.tar")])
        assert done.output == f"Error: {RESTORE_UNFINISHED}\n"
    finally:
        rows.delete_one({"_id": migrations.RESTORING})
    assert not list(tmp_path.iterdir())
    made = schedule.make(tmp_path, keep=1)
    assert made.findings == {"stock": [], "history": []}


def test_chain_of_the_history_is_verified_before_the_snapshot(
    app, admin, tmp_path, monkeypatch
):
    """It takes longer with each year, and a snapshot lasts a minute or five."""
    admin.post("/api/customers", {"name": "with a history"})
    service.update()
    recorder = record_commands(monkeypatch, is_verification, of_all=True)
    made = schedule.make(tmp_path, keep=1)
    assert made.findings["history"] == []
    assert recorder.sent
    assert not any(
        {"autocommit", "readConcern"} & command.keys() for command in recorder.sent
    )


def is_verification(command):
    """Whether a command reads the rows of the chain from one number on."""
    is_read = command.get("find") == history.COLLECTION
    return is_read and "$gt" in command["filter"].get("_id", ())
