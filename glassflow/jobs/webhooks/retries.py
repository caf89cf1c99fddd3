"""Retries of deliveries: when the next attempt is, and when there is none any more."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from glassflow import runtime
from glassflow.core.events import webhook_log
from glassflow.core.events.event_log import Event
from glassflow.core.process import clock, deadlines
from glassflow.domain import webhooks as rules
from glassflow.domain.webhooks import DeliveryStatus
from glassflow.jobs.webhooks import sender
from glassflow.jobs.webhooks.sender import Outcome

State = Mapping[str, Any]  # what `webhook_log.state` returns


def after_attempt(
    state: State, event: Event, outcome: Outcome
) -> tuple[DeliveryStatus, dict[str, Any]]:
    """Return the status of a delivery after an attempt, and what changes in the state."""
    now = clock.now()
    done = {"position": event.seq}
    if outcome.is_delivered:
        changes = {**done, **webhook_log.NO_FAILURES, "deliveredAt": now}
        return DeliveryStatus.DELIVERED, changes
    failures = state["failures"] + 1
    since = state["eventFailingSince"] or now
    delay_s = rules.retry_delay_s(
        failures,
        first_s=deadlines.WEBHOOK_FIRST_RETRY_S,
        longest_s=deadlines.WEBHOOK_LONGEST_RETRY_S,
    )
    changes = {
        "failures": failures,
        "failingSince": state["failingSince"] or now,
        "eventFailingSince": since,
        "nextAt": now + timedelta(seconds=delay_s),
        "lastFault": outcome.fault,
    }
    if (now - since).total_seconds() < _policy().retry_for_s:
        return DeliveryStatus.RETRYING, changes
    return DeliveryStatus.PARKED, {**changes, **done, "eventFailingSince": None}


def is_over(state: State, outcome: Outcome) -> bool:
    """Return whether a webhook has failed for long, or its receiver says it is gone."""
    since = state["failingSince"]
    if since is None:
        return False
    failed_s = (clock.now() - since).total_seconds()
    return outcome.answered == sender.GONE or failed_s >= _policy().disable_after_s


def seconds_until_next(state: State) -> float:
    """Return for how many seconds the next attempt has to wait; not positive: for none."""
    if state["nextAt"] is None:
        return 0.0
    seconds: float = (state["nextAt"] - clock.now()).total_seconds()
    # a time that is further away comes from a wrong clock
    return seconds if seconds <= deadlines.WEBHOOK_LONGEST_RETRY_S else 0.0


def _policy() -> rules.WebhookPolicy:
    return runtime.current().policy.webhooks
