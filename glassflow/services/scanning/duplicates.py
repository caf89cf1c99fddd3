"""Detection of duplicate scans: a double tap, or a client that repeats a request.

Within a few seconds (setting SCAN_REPEAT_SECONDS) a repeated scan returns the result of
the first one and logs nothing, as long as the pane has not changed since.
"""

import hashlib
from dataclasses import asdict, replace
from datetime import timedelta

from bson import ObjectId

from glassflow import runtime
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.process.json import encode
from glassflow.domain.panes.status import Action, Effect
from glassflow.domain.panes.table import effects_of
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services.scanning import laminate
from glassflow.services.scanning.apply import ScanResult
from glassflow.services.scanning.context import Scan


def fingerprint(scan: Scan, actor: Identity) -> str:
    """Return a hash of the content of a scan and the worker who sent it.

    When it happened is left out: the two taps of a double tap differ in that.
    """
    content = encode([actor.worker_id, asdict(replace(scan, occurred_at=None))])
    return hashlib.sha256(content).hexdigest()[:32]


def previous_result(pane: Pane, scan: Scan, actor: Identity) -> ScanResult | None:
    """Return the result of the pane's last scan if this scan is a duplicate of it."""
    last = pane.last_scan
    if not last or last.get("fingerprint") != fingerprint(scan, actor):
        return None
    repeat_s = runtime.current().policy.scan_repeat_seconds
    expires_at = last["at"] + timedelta(seconds=repeat_s)
    if last["version"] != pane.version or clock.now() > expires_at:
        return None
    log = PaneLog.find_one({"_id": last["log"]})
    if log is None:
        return None
    result = _replay(pane, scan, log, last.get("nextStation"))
    result.is_duplicate = True
    return result


def _replay(
    pane: Pane, scan: Scan, log: PaneLog, next_station: ObjectId | None
) -> ScanResult:
    if scan.action == Action.LAMINATE:
        return laminate.replay_result(pane, log)
    is_remade = Effect.REMAKE in effects_of(scan.action)
    remade = Pane.objects(remake_of=pane.pk).first() if is_remade else None
    return ScanResult(pane, log, next_station, remade)


def store_fingerprint(
    pane: Pane, scan: Scan, actor: Identity, result: ScanResult
) -> None:
    """Set the pane's last scan, before the pane is stored with its next version."""
    pane.last_scan = {
        "fingerprint": fingerprint(scan, actor),
        "at": clock.now(),
        "version": pane.version + 1,
        "log": result.log.pk,
        "nextStation": result.next_station,
    }
