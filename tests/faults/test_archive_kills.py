"""`flask archive` dies at some moment; its files go through a backup to another machine."""

from datetime import datetime, timedelta

import pytest
from bson import ObjectId
from dying_commands import run_until_killed
from pymongo import MongoClient

from databases import new_database
from glassflow.core.store import archive_file
from service import Service, shared_settings

pytestmark = [pytest.mark.long, pytest.mark.slow, pytest.mark.timeout(600)]

PANES, LOGS = 40, 9
OLD = datetime(2024, 3, 1, 8)


def old_work(database):
    """Store panes that were finished years ago, with their logs; return the logs by id."""
    worker, logs = ObjectId(), []
    for n in range(PANES):
        pane = {"_id": ObjectId(), "paneNumber": f"PNE-{n:04}", "updatedAt": OLD}
        database.panes.insert_one(pane | {"currentStatus": "completed"})
        logs += [
            {
                "_id": ObjectId(),
                "pane": pane["_id"],
                "worker": worker,
                "createdAt": OLD + timedelta(minutes=minute),
            }
            for minute in range(LOGS)
        ]
    database.pane_logs.insert_many(logs)
    return {log["_id"]: log for log in logs}


def kept(database, folder):
    """Return the logs in the store and in the files that it names, by id."""
    found = {log["_id"]: log for log in database.pane_logs.find()}
    for row in database.archives.find():
        for _, logs in archive_file.all_documents(folder / row["_id"]):
            found |= {log["_id"]: log for log in logs}
    return found


def test_no_log_is_lost_whenever_the_command_dies(store, demo_workshop, tmp_path):
    settings = shared_settings(store, demo_workshop, ARCHIVE_AFTER="365d")
    name = settings["MONGODB_DB"]
    service = Service(tmp_path, **settings)
    folder = service.data_dir / "archive"
    with MongoClient(store) as client:
        database = client[name]
        before = old_work(database)
        for moment in (
            ("insert", "archives"),
            ("delete", "pane_logs"),
            ("update", "archives"),
        ):
            run_until_killed(service, (name, *moment), "archive")
            assert kept(database, folder) == before, moment
        done = service.flask("archive")
        assert done.returncode == 0, done.stderr
        assert "no logs are that old" in done.stdout, "the next one only finishes"
        assert database.pane_logs.count_documents({}) == PANES
        assert kept(database, folder) == before
        [row] = database.archives.find()
        run_until_killed(
            service, (name, "delete", "archives"), "archive", "--put-back", row["_id"]
        )
        assert kept(database, folder) == before
        assert service.flask("archive", "--check").returncode == 0
        backup = tmp_path / "backups/one.tar"
        backup.parent.mkdir()
        assert service.flask("backup", str(backup)).returncode == 0
        other = Service(tmp_path / "other", **settings | {"MONGODB_DB": new_database()})
        restored = other.flask("restore", str(backup))
        assert restored.returncode == 0, restored.stderr
        assert other.flask("archive", "--check").returncode == 0
        moved_to = other.data_dir / "archive"
        assert kept(client[other.environment["MONGODB_DB"]], moved_to) == before
        back = other.flask("archive", "--put-back", row["_id"])
        assert back.returncode == 0, back.stderr
        database = client[other.environment["MONGODB_DB"]]
        assert {log["_id"]: log for log in database.pane_logs.find()} == before
