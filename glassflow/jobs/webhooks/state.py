"""How far the deliveries of one webhook have got, in the store and in this process."""

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

import pymongo
from bson import ObjectId

from glassflow.core.events import event_log, event_numbers, webhook_log
from glassflow.core.events.event_log import Event
from glassflow.core.process import deadlines
from glassflow.domain.webhooks import DeliveryStatus
from glassflow.jobs.webhooks import retries
from glassflow.jobs.webhooks.sender import Outcome
from glassflow.services import webhooks

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


class DeliveryEnded(Exception):
    """This process does not deliver to the webhook any more; another one may."""


class DeliveryState:
    """The stored state of a webhook, read once and then kept.

    `skipped_to` is the number of the last event that needs no further look: it is
    delivered, or not for the webhook. It is stored as the position now and then. A write
    raises `DeliveryEnded` if another process has changed the position.
    """

    def __init__(self, webhook: ObjectId) -> None:
        self._webhook = webhook
        self._row: dict[str, Any] | None = None
        self._stored_at = float("-inf")  # the position, on the monotonic clock
        self.skipped_to = 0

    def load(self) -> dict[str, Any]:
        """Return the state; it is read unless it is kept."""
        if self._row is None:
            end = in_time(event_log.last)
            row = in_time(webhook_log.state, self._webhook)
            if row is None:  # another program has stored the webhook
                row = in_time(webhook_log.begin, self._webhook, end)
            self._row, self.skipped_to = row, row["position"]
            if row["position"] > end:  # the log was created again
                self.change({"position": end})
        return self._row

    def forget(self) -> None:
        """Read the state again when it is needed next."""
        self._row = None

    @property
    def position(self) -> int:
        """The number of the last event that is settled in the store."""
        position: int = self.load()["position"]
        return position

    def end_of_log(self) -> int:
        """Return the number of the newest event."""
        self.load()
        return in_time(event_log.last, self.skipped_to)

    def seconds_since_stored(self) -> float:
        """Return for how long the position has not been stored."""
        return time.monotonic() - self._stored_at

    def store_skipped(self, *, at_least: int) -> None:
        """Store `skipped_to` as the position if it is so many events further."""
        if self.skipped_to - self.position >= at_least:
            self.change({"position": self.skipped_to})

    def settle(
        self, position: int, event: Event, outcome: Outcome, payload: bytes
    ) -> None:
        """Store what came of an attempt that began at a position."""
        status, changes = retries.after_attempt(self.load(), event, outcome)
        is_settled = in_time(
            webhook_log.settle,
            self._webhook,
            position,
            changes,
            event,
            status,
            answered=outcome.answered,
            fault=outcome.fault,
            payload=payload if status is DeliveryStatus.PARKED else None,
        )
        self._keep(changes, is_stored=is_settled)

    def continue_after(self, last: int) -> None:
        """Skip events that are not in the log up to a number.

        The owner is notified, unless it is a restored log, which never had them.
        """
        if in_time(event_numbers.are_skipped, self.skipped_to, last):
            self.change({"position": last})
            return
        log.warning("webhook %s has missed events up to %d", self._webhook, last)
        note = webhooks.note_lost
        if not in_time(note, self._webhook, after=self.position, last=last):
            raise DeliveryEnded
        self.forget()
        self.load()  # the position is behind them now

    def change(self, changes: Mapping[str, Any]) -> None:
        """Store changed members of the state."""
        change = webhook_log.change
        is_stored = in_time(change, self._webhook, self.position, changes)
        self._keep(changes, is_stored=is_stored)

    def _keep(self, changes: Mapping[str, Any], *, is_stored: bool) -> None:
        if not is_stored:
            raise DeliveryEnded
        self._stored_at = time.monotonic()
        self.load().update(changes)
        self.skipped_to = changes.get("position", self.skipped_to)


def in_time(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function that uses the store, with the time limit of deliveries."""
    with pymongo.timeout(deadlines.WEBHOOK_STORE_TIMEOUT_S):
        return function(*args, **kwargs)
