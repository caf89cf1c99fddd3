"""What is kept, and for how long; in the office, by a browser."""

from datetime import timedelta
from pathlib import Path

import pytest
from mongoengine.connection import get_db

from browser.pages import follow, see, texts, unexpected
from glassflow.core.process import clock
from glassflow.schemas.answers.kept import KINDS
from glassflow.services import archives
from glassflow.services.archives import ArchiveFile
from glassflow.services.backups import content, records

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(autouse=True)
def _no_backups(app):
    get_db()[content.RECORDS].delete_many({})
    yield
    get_db()[content.RECORDS].delete_many({})


def test_owner_sees_what_is_kept_and_is_warned_of_old_backups_and_missing_files(
    open_office, chromium, admin, setting, monkeypatch, tmp_path
):
    setting(BACKUP_EVERY=0, BACKUP_DIR=str(tmp_path), BACKUP_KEEP=7)
    tab = open_office(admin.worker, "kept")
    see(tab, ".kept-warning", "There is no backup yet")
    see(tab, "section", "none has been moved to a file")
    rows = texts(tab, ".kept-table tbody tr")
    assert len(rows) == len(KINDS)
    assert rows[0].startswith("Customers, materials, stock, people, settings")
    assert rows[-1].startswith("Scheduled backups – none is scheduled BACKUP_EVERY")

    setting(BACKUP_EVERY=3600, ARCHIVE_AFTER=730 * 24 * 3600)
    with clock.at(clock.now() - timedelta(days=8)):
        records.store(Path("/srv/a.tar"), size=12_345_678, documents=1, took_s=1.0)
    at, until = clock.now(), clock.now() - timedelta(days=730)
    here = ArchiveFile("a.sqlite", at, until, 2, 30_000, 4_000, is_there=True)
    gone = here._replace(name="b.sqlite", is_there=False)
    monkeypatch.setattr(archives, "files", lambda: [here, gone])
    follow(tab, "office/kept")
    see(tab, ".kept-warning", "The last backup is older than a week")
    see(tab, ".facts-card", "8 days ago")
    see(tab, ".facts-card", "12.3 MB")
    see(tab, ".facts-card", "every 60 minutes; the newest 7 are kept")
    see(tab, ".kept-warning", "Not on this machine: b.sqlite.")
    see(tab, ".kept-table", "for ever; in files after 2 years ARCHIVE_AFTER")
    assert tab.count(".archives .missing") == 1
    assert "2 30,000 4 kB a.sqlite" in texts(tab, ".archives tbody tr")[0]
    assert unexpected(chromium) == []
