"""When a scan happened, which a device without network says itself."""

from datetime import datetime, timedelta

from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import Refusal

# A device keeps its scans for a long weekend at most; its clock may be a little fast.
OLDEST_SCAN = timedelta(hours=72)
CLOCK_TOLERANCE = timedelta(minutes=2)


class ScanTimeRefused(Refusal):
    """The time of a scan cannot be right: too long ago, or in the future.

    The details have the time of the service, so that a device can compare its clock.
    """

    def __init__(
        self, message: Bilingual, code: str, occurred_at: datetime, now: datetime
    ) -> None:
        details = {"occurredAt": occurred_at, "serverTime": now}
        super().__init__(message, code=code, details=details)


def require_plausible(occurred_at: datetime | None, now: datetime) -> None:
    """Raise `ScanTimeRefused` for a time that is more than 72 h ago or 2 min ahead.

    Both are in UTC; None means that the scan happens now.
    """
    if occurred_at is None:
        return
    if occurred_at < now - OLDEST_SCAN:
        hours = OLDEST_SCAN // timedelta(hours=1)
        message = texts.SCAN_TOO_OLD.format(hours=hours)
        raise ScanTimeRefused(message, "SCAN_TOO_OLD", occurred_at, now)
    if occurred_at > now + CLOCK_TOLERANCE:
        raise ScanTimeRefused(texts.SCAN_IN_FUTURE, "SCAN_IN_FUTURE", occurred_at, now)
