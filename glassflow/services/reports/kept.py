"""What is kept: for how long each kind of data, and since when there is some of it.

The kinds are those of the table "What is kept, and how long" in docs/operations.md, in its
order. Each time is that of the setting or the constant by which data are removed.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from mongoengine.connection import get_db

from glassflow import runtime
from glassflow.core.access import idempotency_store
from glassflow.core.events import dead_letters, event_log, history
from glassflow.core.process.naming import camel
from glassflow.core.store import files
from glassflow.domain import calendar
from glassflow.models.base import Record
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.call import Call
from glassflow.models.claim import Claim
from glassflow.models.customer import Customer
from glassflow.models.cutting_plan import CuttingPlan
from glassflow.models.cutting_settings import CuttingSettings
from glassflow.models.delivery import Delivery
from glassflow.models.inventory import Inventory
from glassflow.models.job_type import JobType
from glassflow.models.makeability_limits import MakeabilityLimits
from glassflow.models.material import Material
from glassflow.models.material_log import MaterialLog
from glassflow.models.notification import Notification
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.models.payment import Payment
from glassflow.models.price_list import PriceList
from glassflow.models.pricing_settings import PricingSettings
from glassflow.models.production_log import ProductionLog
from glassflow.models.quote import Quote
from glassflow.models.rack import Rack
from glassflow.models.request import Request
from glassflow.models.role import Role
from glassflow.models.saved_export import SavedExport
from glassflow.models.station import Station
from glassflow.models.station_template import StationTemplate
from glassflow.models.sticker_template import StickerTemplate
from glassflow.models.webhook import Webhook
from glassflow.models.withdrawal import Withdrawal
from glassflow.models.worker import Worker
from glassflow.models.working_hours import WorkingHours
from glassflow.models.workshop import Workshop
from glassflow.services import archives, daily_figures
from glassflow.services.backups import records as backup_records
from glassflow.services.backups import schedule
from glassflow.services.forecasts import kept as forecasts

#: The records of each kind that consists of records.
RECORDS: dict[str, tuple[type[Record], ...]] = {
    "master": (
        Customer, Material, Inventory, Worker, Role, Station, Rack, StationTemplate,
        StickerTemplate, JobType, PriceList, PricingSettings, MakeabilityLimits, CuttingSettings,
        Workshop, WorkingHours, SavedExport, Webhook,
    ),
    "work": (
        Request, Order, Pane, Quote, Delivery, BillingEntry, Payment, Claim, Withdrawal,
        ProductionLog, Call, CuttingPlan,
    ),
    "materialLogs": (MaterialLog,),
    "paneLogs": (PaneLog,),
    "notices": (Notification,),
}  # fmt: skip


class Kind(NamedTuple):
    """A kind of data: when the oldest was stored (UTC), and for how long it is kept.

    `oldest` is None where there is none, or where no index has it. `kept_for` is None for
    what no time removes, `kept_count` how many are kept where that counts. `setting` is the
    name of the setting that decides, if one does.
    """

    name: str
    oldest: datetime | None = None
    kept_for: timedelta | None = None
    kept_count: int | None = None
    setting: str | None = None


class Chosen(NamedTuple):
    """The settings BACKUP_… and ARCHIVE_AFTER: spans in seconds, 0 for never."""

    backup_every_s: int
    backup_folder: Path
    backup_keep: int
    archive_after_s: int


def read(chosen: Chosen) -> dict[str, Any]:
    """Return the kinds of data, the last backup and the archives, by their names on the wire.

    One read of an index for each kind of record, however many there are.
    """
    return {
        "kinds": [_shown(one) for one in kinds(chosen)],
        "backupEveryS": chosen.backup_every_s or None,
        "backup": _backup(),
        "archiveAfterS": chosen.archive_after_s or None,
        "archives": [_archive(one) for one in archives.files()],
    }


def kinds(chosen: Chosen) -> Iterator[Kind]:
    """Yield the kinds of data in the order of the table."""
    now = runtime.current()
    for name in ("master", "work"):
        yield Kind(name, _oldest_record(name))
    yield Kind("materialLogs", _oldest_record("materialLogs"))
    # moved into files, and kept there
    yield Kind("paneLogs", _oldest_record("paneLogs"), setting="ARCHIVE_AFTER")
    pictures = files.documents().name
    yield Kind("pictures", _oldest(pictures, "_id", "uploadDate"))
    yield Kind("dailyFigures", _oldest_day())
    yield Kind("forecasts", _oldest(forecasts.COLLECTION, "_id", "at"))
    yield Kind("notices", _oldest_record("notices"))
    yield Kind(
        "history",
        _oldest(history.COLLECTION, "_id", "at"),
        now.history_retention,
        setting="HISTORY_RETENTION",
    )
    yield Kind(
        "eventLog",
        _oldest(event_log.COLLECTION, "seq", "at"),
        now.event_retention,
        setting="EVENT_RETENTION",
    )
    dead = dead_letters.COLLECTION
    yield Kind("deadLetters", _oldest(dead, "_id", "at"), dead_letters.RETENTION)
    answers = idempotency_store.COLLECTION
    yield Kind("answers", _oldest(answers, "at", "at"), idempotency_store.RETENTION)
    # their collections have no index by when they began
    yield Kind("logins")
    # a quote has its last one; the history has those before
    yield Kind("mails", None, now.history_retention, setting="HISTORY_RETENTION")
    yield Kind(
        "backups",
        schedule.oldest(chosen.backup_folder),
        kept_count=chosen.backup_keep,
        setting="BACKUP_KEEP",
    )


def _oldest_record(kind: str) -> datetime | None:
    """Return when the oldest record of a kind was created; ids grow with the time."""
    found = (
        _oldest(one.collection_name(), "_id", "createdAt") for one in RECORDS[kind]
    )
    return min((one for one in found if one), default=None)


def _oldest(collection: str, order: str, time: str) -> datetime | None:
    """Return a time of the first document in the order of an index."""
    row = get_db()[collection].find_one({}, {time: 1}, sort=[(order, 1)])
    at = row and row.get(time)
    return at if isinstance(at, datetime) else None  # others may have stored anything


def _oldest_day() -> datetime | None:
    """Return when the first day began that has figures."""
    row = get_db()[daily_figures.COLLECTION].find_one({}, {"_id": 1}, sort=[("_id", 1)])
    if row is None:
        return None
    zone = runtime.current().policy.timezone
    return calendar.read_span(row["_id"], zone).start


def _shown(kind: Kind) -> dict[str, Any]:
    kept_for = kind.kept_for
    return {
        "name": kind.name,
        "oldest": kind.oldest,
        "keptForS": int(kept_for.total_seconds()) if kept_for is not None else None,
        "keptCount": kind.kept_count,
        "setting": kind.setting,
    }


def _backup() -> dict[str, Any] | None:
    found = backup_records.last()
    if found is None:
        return None
    return {
        "at": found.at,
        "file": found.file,
        "host": found.host,
        "bytes": found.size,
    }


def _archive(found: archives.ArchiveFile) -> dict[str, Any]:
    return {camel(name): value for name, value in found._asdict().items()}
