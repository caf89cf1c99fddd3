"""What clients receive of an event: its number, and its payload, truncated if large."""

from collections.abc import Mapping
from typing import Any

import orjson

from glassflow.core.events.event_log import Event
from glassflow.core.process.json import encode, iso

MAX_EVENT_BYTES = 1 << 18
MAX_MEMBER_BYTES = 10_000  # a longer member of a truncated payload is left out
# What is left of a record, besides its number (`paneNumber`, `orderNumber`).
KEPT_FIELDS = ("_id", "version", "name", "title", "type")


def encode_payload(payload: Mapping[str, Any]) -> bytes:
    """Encode a payload; one larger than `MAX_EVENT_BYTES` is truncated.

    A truncated payload has `truncated: true`: only the id, version and name or number of
    each record, and of other members those that are short. The client reads the record.
    """
    encoded = encode(payload)
    if len(encoded) <= MAX_EVENT_BYTES:
        return encoded
    return encode({**_truncated(payload), "truncated": True})


def _truncated(members: Mapping[str, Any]) -> dict[str, Any]:
    # the change of a worker or a role has the record's id beside its `data`
    is_record = "_id" in members and "data" not in members
    cut = {}
    for name, value in members.items():
        if is_record and name not in KEPT_FIELDS and not name.endswith("Number"):
            continue
        if isinstance(value, Mapping):
            cut[name] = _truncated(value)
        elif len(encode(value)) <= MAX_MEMBER_BYTES:
            cut[name] = value
    return cut


def event_metadata(event: Event) -> dict[str, Any]:
    """Return what clients receive beside an event's payload: `{id, seq, at}`."""
    return {"id": event.id, "seq": event.seq, "at": iso(event.at)}


def event_row(event: Event, rooms: list[str]) -> dict[str, Any]:
    """Return an event as clients read it over HTTP, in these rooms."""
    return {
        **event_metadata(event),
        "event": event.name,
        "rooms": rooms,
        "data": orjson.Fragment(event.payload),
    }
