"""Delivers the event log to one webhook, one event after the other.

An event is sent until the receiver takes it. The position is stored after that: a process
that dies in between sends the event again, with the same id. An event that the receiver
does not take for `retry_for_s` is parked, and the next one is sent.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from bson import ObjectId
from gevent.event import Event as Signal

from glassflow.core.events import webhook_log
from glassflow.core.events.event_log import Event
from glassflow.core.events.log_pages import LogPages, LogStartsLater
from glassflow.core.identity import Identity
from glassflow.core.process.cooperative import yield_to_hub
from glassflow.domain.webhooks import ALL_EVENTS
from glassflow.jobs.webhooks import messages, redelivery, retries
from glassflow.jobs.webhooks.sender import Outcome
from glassflow.jobs.webhooks.state import DeliveryEnded, DeliveryState, in_time
from glassflow.services import webhooks

log = logging.getLogger(__name__)

STORE_RETRY_S = 1.0
POLL_INTERVAL_S = 60.0  # between two polls of the log, without notifications
# Events that are not for the webhook, after which its position is stored nevertheless.
MAX_SKIPPED = 100
Row = Mapping[str, Any]


class Deliverer:
    """Delivers to one webhook, in a greenlet of its own.

    `may_deliver` returns whether this process still is the one that delivers.
    """

    def __init__(
        self, webhook: Row, pages: LogPages, may_deliver: Callable[[], bool]
    ) -> None:
        self._webhook = webhook
        self._pages = pages
        self._may_deliver = may_deliver
        self._state = DeliveryState(webhook["_id"])
        self._has_queued = True
        self._is_stopped = False
        self._wake_up = Signal()

    @property
    def _id(self) -> ObjectId:
        found: ObjectId = self._webhook["_id"]
        return found

    def refresh(self, webhook: Row) -> None:
        """Use the webhook as it is stored now, and look for what is to be sent again."""
        self._webhook, self._has_queued = webhook, True
        self._state.forget()
        self._is_stopped = False
        self._wake_up.set()

    def stop(self) -> None:
        """End after what is being sent; it is not cut off, because it may be stored."""
        self._is_stopped = True
        self._wake_up.set()

    def wake(self) -> None:
        """Report that the log has grown."""
        self._wake_up.set()

    def run(self) -> None:
        """Deliver until another process does, or it is stopped."""
        failing = False
        wait_s = 0.0
        while True:
            self._wake_up.wait(wait_s)
            self._wake_up.clear()
            try:
                wait_s = self._deliver_all()
                failing = False
            except DeliveryEnded:
                return
            except Exception as error:  # the store is away: the next turn tries again
                if not failing:
                    log.warning("cannot deliver to webhook %s: %r", self._id, error)
                failing, wait_s = True, STORE_RETRY_S
                self._has_queued = True  # what is queued may not have been read
                self._state.forget()

    def _deliver_all(self) -> float:
        """Deliver what can be delivered now; return for how many seconds to wait."""
        end = self._state.end_of_log()
        while owner := self._owner():
            if self._has_queued:  # between two events: their backlog may take hours
                self._send_queued()
                continue
            wait_s = retries.seconds_until_next(self._state.load())
            if wait_s > 0:
                return min(wait_s, POLL_INTERVAL_S)
            event = self._next(owner, end)
            if event is None:
                before, end = end, self._state.end_of_log()
                if end == before:
                    break
            else:
                self._deliver(event, owner)
        if self._state.seconds_since_stored() > POLL_INTERVAL_S:
            self._state.store_skipped(at_least=1)
        return POLL_INTERVAL_S

    def _send_queued(self) -> None:
        """Send once what somebody has asked for, beside the order of the others."""
        self._has_queued = False
        while queued := in_time(webhook_log.queued, self._id):
            owner = self._owner()
            if owner is None:
                return
            redelivery.send(self._webhook, queued, owner)

    def _owner(self) -> Identity | None:
        """Return the owner while they may do everything and this process delivers."""
        if self._is_stopped or not self._may_deliver():
            raise DeliveryEnded
        return in_time(webhooks.owner_of, self._webhook)

    def _next(self, owner: Identity, end: int) -> Event | None:
        """Return the next event for the webhook up to a number, None if there is none."""
        while self._state.skipped_to < end:
            try:
                events = in_time(self._pages.read, self._state.skipped_to, end)
            except LogStartsLater as error:
                self._state.continue_after(int(error.details["oldest"]) - 1)
                continue
            before = events[0].seq - 1 if events else end
            if before > self._state.skipped_to:  # its owner is told of every gap
                self._state.continue_after(before)
            for event in events:
                if self._is_wanted(event, owner):
                    return event
                self._state.skipped_to = event.seq
            self._state.store_skipped(at_least=MAX_SKIPPED)
            yield_to_hub()
        return None

    def _is_wanted(self, event: Event, owner: Identity) -> bool:
        wanted = self._webhook["events"]
        is_named = ALL_EVENTS in wanted or event.name in wanted
        return is_named and bool(messages.rooms_of(event, owner))

    def _deliver(self, event: Event, owner: Identity) -> None:
        """Try to deliver one event, and store what came of it."""
        position = self._state.position
        payload = messages.body_of(event, owner)
        outcome = messages.send(self._webhook, event.id, payload)
        self._state.settle(position, event, outcome, payload)
        self._disable_if_due(outcome)

    def _disable_if_due(self, outcome: Outcome) -> None:
        """Disable a webhook that has failed for long, or whose receiver is gone."""
        if retries.is_over(self._state.load(), outcome):
            in_time(webhooks.disable, self._id, outcome.fault or "")
            raise DeliveryEnded
