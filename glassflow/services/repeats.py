"""The same scan twice: a double tap, or a phone that sends again what got no answer.

Within a few seconds (setting SCAN_REPEAT_SECONDS) it answers its first result again
and logs nothing, as long as the pane has not changed since.
"""

import hashlib
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from bson import ObjectId

from glassflow.core import clock
from glassflow.core.json import encode
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.services import policy
from glassflow.services.identity import Identity
from glassflow.services.scan_facts import Scan

Result = tuple[dict[str, Any], ObjectId | None]  # the log's stored form, next station


def fingerprint(scan: Scan, actor: Identity) -> str:
    """Name a scan by all that was said and by who said it."""
    said = encode([actor.worker_id, asdict(scan)])
    return hashlib.sha256(said).hexdigest()[:32]


def first_result(pane: Pane, said: str) -> Result | None:
    """Give the result of the pane's last scan if this is that scan once more."""
    last = pane.last_scan
    if not last or last["said"] != said or last["version"] != pane.version:
        return None
    if clock.now() - last["at"] > timedelta(
        seconds=policy.current().scan_repeat_seconds
    ):
        return None
    log = PaneLog._get_collection().find_one({"_id": last["log"]})
    return (log, last.get("nextStation")) if log else None


def remember(
    pane: Pane, said: str, log_id: ObjectId, next_station: ObjectId | None
) -> None:
    """Note on the pane, which is about to be saved, what its last scan was."""
    pane.last_scan = {
        "said": said,
        "at": clock.now(),
        "version": pane.version + 1,
        "log": log_id,
        "nextStation": next_station,
    }
