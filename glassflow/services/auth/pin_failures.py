"""Wrong PINs: how many are accepted in a row and in a day, and the notification of a lock.

A right PIN ends the row, but not the day, so that guesses between the worker's own logins
are limited too.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.access import rate_limits
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import pins, texts
from glassflow.domain.errors import Refusal
from glassflow.services.notices import announcements

DAY = timedelta(days=1)  # from the first wrong PIN on


def count(worker_id: ObjectId) -> int:
    """Count an attempt before its PIN is compared; return those of the day."""
    return rate_limits.count(_key(worker_id), DAY).attempts


def take_back(worker_id: ObjectId) -> None:
    """Take back an attempt whose PIN was right."""
    rate_limits.take_back(_key(worker_id))


def forget(worker_id: ObjectId) -> None:
    """Reset the count of the day, for a worker whose PIN was set or removed."""
    rate_limits.forget(_key(worker_id))


def require_unlocked(worker: Mapping[str, Any], today: int) -> None:
    """Raise `Refusal` for a PIN that is locked, for good or for the day."""
    if worker["pinFailures"] > pins.MAX_FAILURES:
        raise Refusal(texts.PIN_LOCKED, code="PIN_LOCKED")
    if today > runtime.current().policy.pin_failures_per_day:
        raise Refusal(texts.PIN_LOCKED_FOR_THE_DAY, code="PIN_LOCKED_FOR_THE_DAY")


def notify_if_locked(worker: Mapping[str, Any], today: int) -> None:
    """Notify a worker if this wrong PIN has locked theirs."""
    limits = (pins.MAX_FAILURES, runtime.current().policy.pin_failures_per_day)
    if worker["pinFailures"] == limits[0] or today == limits[1]:
        _notify(worker["_id"], worker["pinFailures"] == limits[0])


@unit_of_work
def _notify(worker_id: ObjectId, until_set: bool) -> None:
    announcements.pin_locked(worker_id, until_set=until_set)


def _key(worker_id: ObjectId) -> str:
    return f"wrong pins/{worker_id}"
