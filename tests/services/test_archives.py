"""Pane logs of old work move into files; timelines and passports still show them."""

from datetime import timedelta

import pytest
from mongoengine.connection import get_db

from glassflow.core.process import clock
from glassflow.core.store import lease
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import archives
from glassflow.services.backups import making
from scenarios import claim_pane, order_with_panes, order_with_units, pass_station

AFTER = timedelta(days=100)


class Stopped(Exception):
    """Ends a command in the middle."""


@pytest.fixture(autouse=True)
def folder(app, tmp_path, monkeypatch):
    monkeypatch.setattr(
        app.extensions["runtime"], "archive_folder", tmp_path / "archive"
    )
    return tmp_path / "archive"


@pytest.fixture
def later(monkeypatch):
    """Runs a function as if so many days had passed."""

    def run(days, function, *args):
        with monkeypatch.context() as patched:
            now = clock.now() + timedelta(days=days)
            patched.setattr(clock, "now", lambda: now)
            return function(*args)

    return run


@pytest.fixture
def flask(app, setting):
    setting(ARCHIVE_AFTER=AFTER.total_seconds())
    return lambda *words: app.test_cli_runner().invoke(args=words)


def finished(worker, admin, workshop, panes=2, steps=2):
    """Return an order whose panes have passed all stations."""
    job = order_with_panes(admin, workshop, steps=steps, panes=panes)
    for number in job.numbers:
        for station in job.stations:
            assert pass_station(worker, number, station).status == 200
    return job


def stored():
    return {row["_id"]: row for row in PaneLog.collection().find()}


def shown(api, numbers):
    """Return what timelines and passports show of panes."""
    timelines = [
        api.get("/api/pane-logs/timeline", paneNumber=one).body for one in numbers
    ]
    return timelines, [api.get(f"/api/panes/{one}/passport").body for one in numbers]


def stop_at(step, of=1):
    """Return a progress that ends the command at the nth report of a step."""
    seen = []

    def report(name, done, all_of_them):
        seen.append(name)
        if seen.count(step) == of:
            raise Stopped

    return report


def test_timelines_and_passports_are_the_same_before_and_after(
    worker, admin, workshop, later, folder
):
    job = finished(worker, admin, workshop)
    before, logs = shown(admin, job.numbers), stored()
    made = later(101, archives.move, AFTER)
    assert (made.panes, made.is_there) == (2, True)
    assert len(stored()) == 2
    assert made.logs == len(logs) - 2
    assert shown(admin, job.numbers) == before
    [file] = folder.iterdir()
    assert file.stat().st_mode & 0o077 == folder.stat().st_mode & 0o077 == 0
    assert later(101, archives.move, AFTER) is None, "nothing is moved twice"
    # it is taken back, document by document
    assert archives.put_back(made.name) == made.logs
    assert stored() == logs
    assert archives.files() == list(folder.iterdir()) == []
    assert shown(admin, job.numbers) == before


def test_what_the_work_still_needs_stays(worker, admin, workshop, later, monkeypatch):
    job = finished(worker, admin, workshop, panes=3)
    assert claim_pane(admin, job.numbers[0]).status == 201
    unfinished = order_with_panes(admin, workshop, steps=1)
    worker.scan(unfinished.numbers[0], "scan_in")
    logs = PaneLog.collection()
    first = logs.find_one({"pane": Pane.find_one({"paneNumber": job.numbers[1]}).pk})
    logs.update_one({"_id": first["_id"]}, {"$set": {"photos": [{"file": "x"}]}})
    other = workshop.worker().pk  # of whom there is one log, of a moved pane
    pane = Pane.find_one({"paneNumber": job.numbers[2]}).pk
    rows = list(logs.find({"pane": pane}).sort([("createdAt", 1), ("_id", 1)]))
    logs.update_many(
        {"_id": {"$in": [rows[0]["_id"], rows[1]["_id"]]}}, {"$set": {"worker": other}}
    )
    counts = {one: logs.count_documents({"pane": one}) for one in logs.distinct("pane")}
    assert later(50, archives.move, AFTER) is None, "too young"
    later(101, archives.move, AFTER)
    left = {one: logs.count_documents({"pane": one}) for one in counts}
    numbers = {row["_id"]: row["paneNumber"] for row in Pane.collection().find()}
    by_number = {numbers[one]: (counts[one], left[one]) for one in counts}
    assert by_number.pop(job.numbers[0])[1] > 2, "a claim waits for a decision"
    assert by_number.pop(unfinished.numbers[0])[1] == 1
    assert by_number.pop(job.numbers[1])[1] == 2, (
        "the newest, and the one with a picture"
    )
    assert by_number.pop(job.numbers[2])[1] == 2, "the newest, and one of each worker"
    assert not by_number
    refused = admin.delete(f"/api/workers/{other}")
    assert refused.status == 409, refused
    with pytest.raises(archives.Refused, match="90 days"):
        archives.move(timedelta(days=89))


def test_a_pane_that_comes_back_after_years_has_all_its_events(
    worker, admin, workshop, later
):
    job = finished(worker, admin, workshop, panes=1)
    [number] = job.numbers
    later(101, archives.move, AFTER)
    correction = {"currentStatus": "pending", "routeIndex": 0}
    correction["currentStation"] = job.stations[0]
    assert admin.patch(f"/api/panes/{number}", correction).status == 200
    for station in job.stations:
        assert pass_station(worker, number, station).status == 200
    before = shown(admin, [number])
    later(250, archives.move, AFTER)
    assert len(archives.files()) == 2
    assert len(stored()) == 2, "the newest, and the admin's correction"
    assert shown(admin, [number]) == before
    times = [row["createdAt"] for row in before[0][0]["data"]]
    assert times == sorted(times)


def test_a_laminated_unit_is_moved_with_its_sheets(worker, admin, workshop, later):
    job = order_with_units(admin, workshop)
    [parent], [sheets] = job.parents, job.sheets
    for sheet in sheets:
        pass_station(worker, sheet, job.stations[0])
        worker.scan(sheet, "scan_in", station=job.lamination_station)
        worker.scan(sheet, "complete", station=job.lamination_station)
    merged = worker.scan(
        sheets[0],
        "laminate",
        station=job.lamination_station,
        laminateSurvivorPaneNumber=sheets[0],
    )
    assert merged.status == 200, merged
    worker.scan(sheets[0], "scan_out", station=job.lamination_station)
    pass_station(worker, sheets[0], job.stations[-1])
    numbers = [parent, *sheets]
    before = shown(admin, numbers)
    assert later(101, archives.move, AFTER).panes == 2, "the survivor and the merged"
    assert shown(admin, numbers) == before


@pytest.mark.parametrize("moment", ["writing", "row", "deleting", "done"])
def test_a_command_that_dies_leaves_every_log_and_the_next_finishes(
    worker, admin, workshop, later, folder, monkeypatch, moment
):
    monkeypatch.setattr(archives, "LOGS_PER_WRITE", 5)
    job = finished(worker, admin, workshop, panes=3)
    before, logs = shown(admin, job.numbers), stored()

    def die(*args):
        raise Stopped

    progress = {
        "writing": stop_at("reading logs of panes"),
        "deleting": stop_at("deleting logs"),
        "done": stop_at("deleting logs", of=3),
    }.get(moment, archives.silent)
    with monkeypatch.context() as patched:
        if moment == "row":
            patched.setattr(archives, "_delete_logs", die)
        with pytest.raises(Stopped):
            later(101, archives.move, AFTER, progress)
    assert shown(admin, job.numbers) == before
    if moment == "writing":
        assert not list(folder.iterdir())
        assert stored() == logs
    (folder / "pane-logs-20240101T000000Z.sqlite").touch()  # killed before it had a row
    assert archives.unnamed() == ["pane-logs-20240101T000000Z.sqlite"]
    later(102, archives.move, AFTER)
    [made] = archives.files()
    assert len(stored()) == 3
    assert made.logs == len(logs) - 3
    assert shown(admin, job.numbers) == before
    with pytest.raises(Stopped):
        archives.put_back(made.name, stop_at("storing logs", of=2))
    assert shown(admin, job.numbers) == before
    archives.put_back(made.name)
    assert stored() == logs


def test_a_file_that_is_away_or_damaged_is_said(
    worker, admin, workshop, later, folder, flask
):
    job = finished(worker, admin, workshop)
    before = shown(admin, job.numbers)
    made = later(101, archives.move, AFTER)
    assert "as it was written" in flask("archive", "--check").output
    assert "1 files" in flask("doctor").output
    path = folder / made.name
    content = path.read_bytes()
    halved = content[: len(content) // 2]
    for damage in (lambda: path.write_bytes(halved), path.unlink):
        damage()
        for body in (one for kind in shown(admin, job.numbers) for one in kind):
            [warning] = body["warnings"]
            assert warning["field"] == "timeline"
            assert made.name in warning["message"]
        checked = flask("archive", "--check")
        assert checked.exit_code == 1
        row = next(
            one for one in flask("doctor").output.splitlines() if "archives of" in one
        )
        assert row.startswith("WRONG")
        assert made.name in row
        assert flask("archive", "--put-back", made.name).exit_code == 1
        assert not archives.files()[0].is_there
    path.write_bytes(content)
    assert shown(admin, job.numbers) == before


def test_two_commands_at_once_do_not_meet(flask, later):
    held = []

    def wait(owner):
        held.append(owner)

    with lease.held("archive", on_wait=wait):
        refused = flask("archive")
    assert refused.exit_code == 1
    assert "Another process" in refused.output


def test_command_says_what_it_did(worker, admin, workshop, later, flask, setting):
    job = finished(worker, admin, workshop)
    assert flask("archive").output == "archive: no logs are that old\n"
    done = later(101, flask, "archive")
    [made] = archives.files()
    assert f"{made.logs} logs of {len(job.numbers)} panes" in done.output
    assert made.name in done.output
    back = flask("archive", "--put-back", made.name)
    assert f"{made.logs} logs" in back.output
    again = flask("archive", "--put-back", made.name)
    assert (again.exit_code, "names no archive" in again.output) == (1, True)
    setting(ARCHIVE_AFTER=0)
    unset = flask("archive")
    assert (unset.exit_code, "ARCHIVE_AFTER is unset" in unset.output) == (1, True)


def test_a_backup_takes_the_files_along_and_a_restore_brings_them_back(
    worker, admin, workshop, later, folder, tmp_path
):
    finished(worker, admin, workshop)
    made = later(101, archives.move, AFTER)
    beside = tmp_path / "backups"
    beside.mkdir()
    making.make(beside / "one.tar")
    copy = beside / made.name
    assert copy.read_bytes() == (folder / made.name).read_bytes()
    assert copy.stat().st_mode & 0o077 == 0
    written = copy.stat().st_ino
    making.make(beside / "two.tar")
    assert copy.stat().st_ino == written, "it is copied once"
    (folder / made.name).unlink()
    making.make(beside / "three.tar")
    assert archives.copy_missing(beside, folder) == [made.name]
    assert archives.damages() == {}
    assert get_db()["archives"].count_documents({}) == 1
