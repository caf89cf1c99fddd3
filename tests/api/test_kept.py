"""What is kept, and for how long: the live form of the table in docs/operations.md."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from mongoengine.connection import get_db

from glassflow import runtime
from glassflow.core.events import dead_letters
from glassflow.core.events.dead_letters import DeadLetter
from glassflow.core.process import clock
from glassflow.core.process.json import iso
from glassflow.core.store.outbox_entries import Unreadable
from glassflow.models import ALL
from glassflow.models.pane_log import PaneLog
from glassflow.schemas.answers.kept import KINDS
from glassflow.services import archives, history
from glassflow.services.archives import ArchiveFile
from glassflow.services.backups import content, records
from glassflow.services.reports import kept
from scenarios import order_with_panes

OPERATIONS = Path(__file__).resolve().parents[2] / "docs/operations.md"
DAY_S = 24 * 3600


@pytest.fixture(autouse=True)
def _no_backups(app):
    get_db()[content.RECORDS].delete_many({})
    yield
    get_db()[content.RECORDS].delete_many({})


def kinds_of(api):
    return {one["name"]: one for one in api.get("/api/kept").data["kinds"]}


def test_each_kind_has_its_oldest_and_what_decides_how_long_it_is_kept(
    app, admin, worker, workshop, setting, tmp_path
):
    folder = tmp_path / "backups"
    setting(BACKUP_DIR=str(folder), BACKUP_KEEP=3, BACKUP_EVERY=0)
    before = kinds_of(admin)
    assert list(before) == list(KINDS)
    empty = ("paneLogs", "deadLetters", "backups", "logins", "mails")
    assert [before[name]["oldest"] for name in empty] == [None] * len(empty)
    with clock.at(clock.now() - timedelta(days=400)):
        earlier = workshop.customer().created_at
    job = order_with_panes(admin, workshop)
    for action in ("scan_in", "start"):
        assert worker.scan(job.numbers[0], action).status == 200
    dead_letters.store([DeadLetter(None, Unreadable(b""), "ValueError")])
    folder.mkdir()
    for name in (
        "20260307T010203Z.tar",
        "20260401T000000Z.tar",
        "20250101T000000Z.tar.part",
    ):
        (folder / f"glassflow-{name}").touch()
    history.update()
    found = kinds_of(admin)
    assert found["master"]["oldest"] == iso(earlier)
    assert found["work"]["oldest"] == job.request["createdAt"]
    first = PaneLog.objects.order_by("id").first()
    assert found["paneLogs"]["oldest"] == iso(first.created_at)
    assert found["backups"]["oldest"] == "2026-03-07T01:02:03.000Z"
    for name in ("master", "history", "eventLog", "deadLetters"):
        assert found[name]["oldest"], name

    decided = {
        name: (one["keptForS"], one["keptCount"], one["setting"])
        for name, one in found.items()
        if any((one["keptForS"], one["keptCount"], one["setting"]))
    }
    now = runtime.current()
    history_s = now.history_retention.total_seconds()
    assert decided == {
        "paneLogs": (None, None, "ARCHIVE_AFTER"),
        "history": (history_s, None, "HISTORY_RETENTION"),
        "eventLog": (now.event_retention.total_seconds(), None, "EVENT_RETENTION"),
        "deadLetters": (90 * DAY_S, None, None),
        "answers": (DAY_S, None, None),
        "mails": (history_s, None, "HISTORY_RETENTION"),
        "backups": (None, 3, "BACKUP_KEEP"),
    }


def test_settings_that_decide_are_those_of_the_table_in_operations(admin):
    [table] = re.findall(
        r"^### What is kept, and how long\n\n(\|.+?)\n\n",
        OPERATIONS.read_text("utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    documented = re.findall(r"\| `([A-Z_]+)`(?:, .+?)? \|", table)
    assert [
        one["setting"] for one in kinds_of(admin).values() if one["setting"]
    ] == documented


def test_every_model_is_of_one_kind():
    listed = [model for models in kept.RECORDS.values() for model in models]
    assert sorted(one.__name__ for one in listed) == sorted(one.__name__ for one in ALL)


def test_last_backup_and_whether_further_ones_are_scheduled(admin, setting, tmp_path):
    setting(BACKUP_EVERY=0, BACKUP_DIR=str(tmp_path / "nowhere"))
    found = admin.get("/api/kept").data
    assert (found["backup"], found["backupEveryS"], found["archives"]) == (
        None,
        None,
        [],
    )
    path = tmp_path / "mine.tar"
    with clock.frozen() as now:
        records.store(path, size=12_345, documents=6, took_s=0.5)
    setting(BACKUP_EVERY=DAY_S)
    found = admin.get("/api/kept").data
    assert found["backupEveryS"] == DAY_S
    assert found["backup"].pop("host")
    assert found["backup"] == {"at": iso(now), "file": str(path), "bytes": 12_345}


def test_archives_are_listed_with_whether_their_file_is_here(
    admin, setting, monkeypatch
):
    at, until = clock.now(), clock.now() - timedelta(days=730)
    one = ArchiveFile("pane-logs-a.sqlite", at, until, 2, 30, 4_000, is_there=False)
    monkeypatch.setattr(archives, "files", lambda: [one])
    setting(ARCHIVE_AFTER=730 * DAY_S)
    found = admin.get("/api/kept").data
    assert found["archiveAfterS"] == 730 * DAY_S
    assert found["archives"] == [
        {
            "name": "pane-logs-a.sqlite",
            "at": iso(at),
            "until": iso(until),
            "panes": 2,
            "logs": 30,
            "bytes": 4_000,
            "isThere": False,
        }
    ]


def test_only_who_may_do_everything_reads_it(manager):
    assert manager.get("/api/kept").status == 403
