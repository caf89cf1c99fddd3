"""The metrics that are read from the store at each scrape, the same in every process."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pymongo
from mongoengine.connection import get_db
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from pymongo.errors import PyMongoError

from glassflow.core.events import dead_letters
from glassflow.core.process import clock, deadlines, disk
from glassflow.core.store import outbox
from glassflow.domain.panes.status import Status
from glassflow.host.tls_files import TlsFiles
from glassflow.models.pane import Pane
from glassflow.services import webhooks
from glassflow.services.backups import records as backup_records
from glassflow.services.reports import dashboard


@dataclass(frozen=True, slots=True)
class StoreState:
    """Panes by status, the oldest outbox batch, dead letters, webhooks, the last backup.

    `panes` is None where counting them takes too long. `backup_late` is whether the
    scheduled backup is late, or its last attempt failed.
    """

    panes: dict[str, int] | None = None
    outbox_oldest_s: float = 0.0
    dead_letters: int = 0
    backup_age_s: float | None = None
    backup_late: bool = False
    webhooks_failing: int = 0


def _read_state(backup_every_s: int) -> StoreState | None:
    """Return the state; None if the store does not answer in time.

    A backup is due every so many seconds; 0: never.
    """
    try:
        with pymongo.timeout(deadlines.METRICS_TIMEOUT_S):
            backup = backup_records.last()
            return StoreState(
                outbox_oldest_s=_outbox_oldest_s(),
                dead_letters=dead_letters.count(),
                backup_age_s=backup.age_s if backup else None,
                backup_late=_is_backup_late(backup, backup_every_s),
                webhooks_failing=_webhooks_failing(),
                panes=_panes(),  # last: a large store may have no time left for it
            )
    except PyMongoError:
        return None


def _panes() -> dict[str, int] | None:
    try:
        found: dict[str, int] = dashboard.by_status(Pane, "currentStatus")["byStatus"]
    except PyMongoError as error:
        if not error.timeout:
            raise
        return None  # the other reads have shown that the store answers
    return found


def _outbox_oldest_s() -> float:
    oldest = get_db()[outbox.COLLECTION].find_one({}, {"at": 1}, sort=[("_id", 1)])
    age = clock.now() - oldest["at"] if oldest else timedelta()
    return max(0.0, age.total_seconds())


def _webhooks_failing() -> int:
    found = webhooks.with_states()
    return sum(bool(webhooks.problems(row, state)) for row, state in found)


def _is_backup_late(found: backup_records.Last | None, every_s: int) -> bool:
    if not every_s:
        return False
    return backup_records.is_late(found, every_s) or bool(backup_records.failure())


def metrics(config: Mapping[str, Any]) -> Iterator[Metric]:
    """Yield the state as metrics; without the store that it is away, and free space."""
    yield _free_space(config)
    yield GaugeMetricFamily(  # without a value where https is not served
        "glassflow_certificate_seconds",
        "Time until the certificate of https ends",
        _certificate_s(config),
    )
    found = _read_state(config["BACKUP_EVERY"])
    yield GaugeMetricFamily(
        "glassflow_store_up", "Whether the store answers", int(found is not None)
    )
    if found is None:
        return
    if found.panes is not None:
        yield _by_status(found.panes)
    yield GaugeMetricFamily(
        "glassflow_outbox_oldest_seconds",
        "Age of the oldest change whose events are not published; 0 without any",
        found.outbox_oldest_s,
    )
    yield GaugeMetricFamily(
        "glassflow_dead_letters", "Changes that cannot be published", found.dead_letters
    )
    yield GaugeMetricFamily(
        "glassflow_webhooks_failing",
        "Webhooks that do not deliver everything",
        found.webhooks_failing,
    )
    yield GaugeMetricFamily(  # without a value while there is none
        "glassflow_backup_age_seconds", "Age of the last backup", found.backup_age_s
    )
    yield GaugeMetricFamily(  # has a value also while there is no backup
        "glassflow_backup_late",
        "Whether the scheduled backup is late or its last attempt failed",
        int(found.backup_late),
    )


def _certificate_s(config: Mapping[str, Any]) -> float | None:
    path = TlsFiles(config["DATA_DIR"]).certificate
    if not config["HTTPS_PORT"] or not path.is_file():
        return None
    # imported here: without https nobody needs it
    from glassflow.core.process import certificates

    end = certificates.expires_at(path.read_bytes()).replace(tzinfo=None)
    return (end - clock.now()).total_seconds()


def _free_space(config: Mapping[str, Any]) -> Metric:
    free = GaugeMetricFamily(
        "glassflow_disk_free_bytes",
        "Free space of the disks of DATA_DIR and BACKUP_DIR",
        labels=["directory"],
    )
    for name, folder in disk.directories(config).items():
        left = disk.free_bytes(folder)
        if left is not None:
            free.add_metric([name], left)
    return free


def _by_status(counts: Mapping[str, int]) -> Metric:
    panes = GaugeMetricFamily("glassflow_panes", "Panes by status", labels=["status"])
    for status in Status:
        panes.add_metric([str(status)], counts.get(str(status), 0))
    return panes
