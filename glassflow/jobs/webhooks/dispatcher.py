"""Delivers events to the webhooks, in the process that publishes.

One process holds the publisher lease, and is the first to know of new events; so it
delivers them too. Each webhook has a greenlet of its own: one that is slow delays no
other. The webhooks are read when one of them is changed, which is an event as well.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any

import pymongo
from bson import ObjectId
from gevent.event import Event as Signal

from glassflow.core.events.event_log import Event
from glassflow.core.events.log_pages import LogPages
from glassflow.core.process import deadlines
from glassflow.jobs import background
from glassflow.jobs.background import BackgroundWork
from glassflow.jobs.webhooks.deliverer import Deliverer
from glassflow.services import webhooks

log = logging.getLogger(__name__)

LEASE_POLL_S = 1.0  # whether this process publishes is known without the store
POLL_INTERVAL_S = 60.0  # between two reads of the webhooks, if none is changed


class Dispatcher(BackgroundWork):
    """Has a deliverer for each webhook while this process holds the publisher lease.

    `changes` are the names of the events after which the webhooks are read again.
    """

    def __init__(
        self,
        pages: LogPages,
        *,
        is_holder: Callable[[], bool],
        changes: frozenset[str] = frozenset({"webhook:updated"}),
    ) -> None:
        self._pages = pages
        self._is_holder = is_holder
        self._changes = changes
        self._deliverers: dict[ObjectId, tuple[Deliverer, Any]] = {}
        self._has_changed = Signal()

    def stop(self) -> None:
        """Stop; what was being sent is sent again by the process that takes over."""
        super().stop()
        self._stop_deliverers()

    def on_published(self, events: list[Event]) -> None:
        """Deliver events that this process has published."""
        self.start()
        if any(event.name in self._changes for event in events):
            self._has_changed.set()
        for deliverer, _ in self._deliverers.values():
            deliverer.wake()

    def _run(self) -> None:
        was_holder, waited_s = False, 0.0
        while True:
            is_due = self._has_changed.wait(LEASE_POLL_S) or self._has_ended()
            waited_s += LEASE_POLL_S
            if not self._is_holder():
                was_holder = False
                self._stop_deliverers()
                continue
            if is_due or not was_holder or waited_s >= POLL_INTERVAL_S:
                self._has_changed.clear()
                was_holder = self._look_in_time()
                waited_s = 0.0

    def _has_ended(self) -> bool:
        """Return whether a deliverer has ended, whose webhook may need another one."""
        return any(greenlet.dead for _, greenlet in self._deliverers.values())

    def _look_in_time(self) -> bool:
        """Read the webhooks; return whether that succeeded."""
        try:
            with pymongo.timeout(deadlines.WEBHOOK_STORE_TIMEOUT_S):
                found = {row["_id"]: row for row in webhooks.active()}
        except Exception as error:  # the store is away: the next turn tries again
            log.warning("cannot read the webhooks: %s", error)
            return False
        for key, (deliverer, greenlet) in list(self._deliverers.items()):
            if greenlet.dead:
                del self._deliverers[key]
            elif key not in found:
                deliverer.stop()
        for webhook in found.values():
            self._use(webhook)
        return True

    def _use(self, webhook: Mapping[str, Any]) -> None:
        if webhook["_id"] in self._deliverers:
            self._deliverers[webhook["_id"]][0].refresh(webhook)
            return
        deliverer = Deliverer(webhook, self._pages, self._is_holder)
        self._deliverers[webhook["_id"]] = deliverer, background.start(deliverer.run)

    def _stop_deliverers(self) -> None:
        for deliverer, _ in self._deliverers.values():
            deliverer.stop()
