"""How far each webhook has got in the event log, and what has become of its deliveries.

The state of a webhook is one document, written by the process that delivers: the number
of the last event that is delivered, parked or not for this webhook (`position`), and its
failures. It is changed only from the position that the writer knows, so that a process
that has lost the publisher lease changes nothing.

A delivery is one document for each event that was sent. Its id follows from webhook and
event: to store it twice, after a crash, is to store it once. A delivered one is removed
some time after it; a parked one stays, with its payload, until it is delivered or its
webhook is deleted.
"""

import hashlib
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from bson import ObjectId
from mongoengine.connection import get_db
from pymongo.errors import CollectionInvalid

from glassflow import runtime
from glassflow.core.events.event_log import Event
from glassflow.core.process import clock
from glassflow.core.store import ttl_indexes
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain.webhooks import DeliveryStatus

STATES = "webhook_states"
DELIVERIES = "webhook_deliveries"
WITHOUT_PAYLOAD = {"payload": 0}
# What a state has after a success.
NO_FAILURES: Mapping[str, Any] = {
    "failures": 0,
    "failingSince": None,
    "eventFailingSince": None,
    "nextAt": None,
    "lastFault": None,
}

Row = dict[str, Any]


def ensure() -> None:
    """Create the indexes, with the retention of the current runtime."""
    deliveries = get_db()[DELIVERIES]
    deliveries.create_index([("webhook", 1), ("seq", -1)])
    deliveries.create_index("status")
    retention_s = int(runtime.current().event_retention.total_seconds())
    ttl_indexes.ensure(DELIVERIES, "deliveredAt", retention_s)
    with suppress(CollectionInvalid):  # it exists
        get_db().create_collection(STATES)


def begin(webhook: ObjectId, position: int) -> Row:
    """Let a new webhook begin after the event of this number; return its state."""
    row = {"_id": webhook, "position": position, "deliveredAt": None, **NO_FAILURES}
    get_db()[STATES].insert_one(row)
    return row


def forget_failures(webhook: ObjectId) -> None:
    """Let a webhook try again at once, and measure its failures from now on."""
    get_db()[STATES].update_one({"_id": webhook}, {"$set": dict(NO_FAILURES)})


def state(webhook: ObjectId) -> Row | None:
    """Return the state of a webhook, None if it has none."""
    return get_db()[STATES].find_one({"_id": webhook})


def states(webhooks: Collection[ObjectId]) -> dict[ObjectId, Row]:
    """Return the states of webhooks by their ids, in one round trip."""
    rows = get_db()[STATES].find({"_id": {"$in": list(webhooks)}})
    return {row["_id"]: row for row in rows}


def change(webhook: ObjectId, known_position: int, values: Mapping[str, Any]) -> bool:
    """Change a state that still has the position; return whether it has."""
    query = {"_id": webhook, "position": known_position}
    written = get_db()[STATES].update_one(query, {"$set": dict(values)})
    return bool(written.matched_count)


def remove(webhooks: Collection[ObjectId]) -> None:
    """Remove the states and deliveries of webhooks that are deleted."""
    ids = list(webhooks)
    get_db()[STATES].delete_many({"_id": {"$in": ids}})
    get_db()[DELIVERIES].delete_many({"webhook": {"$in": ids}})


def delivery_id(webhook: ObjectId, event_id: str) -> ObjectId:
    """Return the id of the delivery of an event to a webhook."""
    digest = hashlib.sha256(webhook.binary + event_id.encode()).digest()
    return ObjectId(digest[:12])


def note_attempt(
    webhook: ObjectId,
    event: Event,
    status: DeliveryStatus,
    *,
    answered: int | None,
    fault: str | None,
    payload: bytes | None = None,
    is_repeated: bool = False,
) -> None:
    """Store that an event was sent, and what came of it.

    `answered` is the HTTP status of the receiver. The payload is kept of what can be sent
    again only. With `is_repeated` nothing is stored unless the delivery still is: its
    webhook may have been deleted while it was sent.
    """
    now = clock.now()
    is_delivered = status is DeliveryStatus.DELIVERED
    changes: Row = {
        "status": str(status),
        "triedAt": now,
        "answered": answered,
        "fault": fault,
        "deliveredAt": now if is_delivered else None,
        "payload": payload,
    }
    always = {"webhook": webhook, "event": event.name, "eventId": event.id}
    always |= {"seq": event.seq, "at": event.at, "upto": event.seq}
    update = {"$set": changes, "$inc": {"attempts": 1}, "$setOnInsert": always}
    query = {"_id": delivery_id(webhook, event.id)}
    get_db()[DELIVERIES].update_one(query, update, upsert=not is_repeated)


@unit_of_work
def settle(
    webhook: ObjectId,
    known_position: int,
    values: Mapping[str, Any],
    event: Event,
    status: DeliveryStatus,
    **outcome: Any,
) -> bool:
    """Do `change`, and `note_attempt` if the state still had the position.

    Both or neither: otherwise a process that has lost the lease while it sent would
    overwrite what the other one has noted, or note a delivery of a deleted webhook.
    """
    is_current = change(webhook, known_position, values)
    if is_current:
        note_attempt(webhook, event, status, **outcome)
    return is_current


def note_lost(webhook: ObjectId, first: int, last: int) -> None:
    """Store that the events of these numbers had expired before they were delivered."""
    row = {
        "webhook": webhook,
        "seq": first,
        "upto": last,
        "status": str(DeliveryStatus.LOST),
        "triedAt": clock.now(),
        **dict.fromkeys(("event", "eventId", "at", "answered", "fault")),
        **dict.fromkeys(("deliveredAt", "payload")),
        "attempts": 0,
    }
    tried = {"webhook": webhook, "status": str(DeliveryStatus.RETRYING)}
    lost = {"$set": {"status": str(DeliveryStatus.LOST)}}
    get_db()[DELIVERIES].update_many({**tried, "seq": {"$lte": last}}, lost)
    query = {"_id": delivery_id(webhook, f"lost {first}")}
    get_db()[DELIVERIES].update_one(query, {"$setOnInsert": row}, upsert=True)


def page(
    webhook: ObjectId, *, status: str | None, before: int | None, limit: int
) -> list[Row]:
    """Return deliveries of a webhook, the newest first, without their payloads.

    Only those of a status, and of events before a number, where these are given.
    """
    query: Row = {"webhook": webhook}
    query |= {"status": status} if status else {}
    query |= {"seq": {"$lt": before}} if before is not None else {}
    rows = get_db()[DELIVERIES].find(query, WITHOUT_PAYLOAD)
    return list(rows.sort("seq", -1).limit(limit))


def count(webhook: ObjectId, status: DeliveryStatus) -> int:
    """Return how many deliveries of a webhook have a status."""
    query = {"webhook": webhook, "status": str(status)}
    return get_db()[DELIVERIES].count_documents(query)


def find(webhook: ObjectId, delivery: ObjectId) -> Row | None:
    """Return a delivery of a webhook, None if there is none."""
    query = {"_id": delivery, "webhook": webhook}
    return get_db()[DELIVERIES].find_one(query)


def with_status(status: DeliveryStatus, webhook: ObjectId | None = None) -> list[Row]:
    """Return the deliveries of a status, without their payloads, the oldest first."""
    query: Row = {"status": str(status)} | ({"webhook": webhook} if webhook else {})
    return list(get_db()[DELIVERIES].find(query, WITHOUT_PAYLOAD).sort("seq", 1))


def queue(delivery: ObjectId) -> None:
    """Ask for a delivery to be sent again, in the open unit of work."""
    changes = {"status": str(DeliveryStatus.QUEUED), "deliveredAt": None}
    get_db()[DELIVERIES].update_one({"_id": delivery}, {"$set": changes})


def queued(webhook: ObjectId) -> Row | None:
    """Return the oldest delivery of a webhook that is to be sent again."""
    query = {"webhook": webhook, "status": str(DeliveryStatus.QUEUED)}
    return get_db()[DELIVERIES].find_one(query, sort=[("seq", 1)])
