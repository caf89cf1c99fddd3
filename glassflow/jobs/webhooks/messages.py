"""What a webhook is sent: an event of the log as a signed HTTP request."""

import time
from collections.abc import Mapping
from typing import Any

import orjson

from glassflow import __version__, runtime
from glassflow.core.events.event_log import Event
from glassflow.core.identity import Identity
from glassflow.domain import texts
from glassflow.domain import webhooks as rules
from glassflow.jobs.webhooks import sender
from glassflow.jobs.webhooks.sender import Outcome
from glassflow.services import webhooks
from glassflow.services.events.payloads import event_row
from glassflow.services.events.room_map import base_room, may_receive, personal_room


def rooms_of(event: Event, owner: Identity) -> list[str]:
    """List the rooms in which a holder of `*` receives an event.

    Not their own room: a webhook belongs to the workshop, and messages to one worker are
    theirs.
    """
    own = personal_room(owner.worker_id)
    rooms = (one for one in event.rooms if one != own and may_receive(one, owner))
    return list(dict.fromkeys(base_room(one) for one in rooms))


def body_of(event: Event, owner: Identity) -> bytes:
    """Return the body of a delivery: the event as `/api/events` shows it."""
    return orjson.dumps(event_row(event, rooms_of(event, owner)))


def send(webhook: Mapping[str, Any], event_id: str, body: bytes) -> Outcome:
    """Send a body to a webhook in stored form; return what came of it."""
    policy, url = runtime.current().policy.webhooks, webhook["url"]
    if url.lower().startswith("http:") and not policy.allow_http:
        return Outcome(None, texts.DELIVERY_NOT_HTTPS)
    secrets = webhooks.secrets_of(webhook)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"glassflow/{__version__}",
        **rules.signed_headers(secrets, event_id, int(time.time()), body),
    }
    return sender.send(
        url, body, headers, lambda one: rules.is_allowed(one, policy.networks)
    )
