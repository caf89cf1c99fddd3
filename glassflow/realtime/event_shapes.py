"""The shapes of what travels over sockets: payloads of events, arguments and acks."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from glassflow.core.process.naming import camel
from glassflow.core.store.live_events import RECIPIENTS, LiveEvent
from glassflow.realtime.client_events import MAX_STATION_LENGTH
from glassflow.schemas.shapes import (
    BOOLEAN,
    COUNT,
    FREE_OBJECT,
    ID,
    INTEGER,
    LOCAL,
    MESSAGE,
    NULL,
    NUMBER,
    TEXT,
    TIME,
    Shape,
    any_of,
    array,
    choice,
    described,
    members,
    nullable,
    record,
)
from glassflow.services.events.room_map import MessageRoute

META = members(
    {
        "id": TEXT,
        "seq": described(COUNT, "Rises from event to event of the whole service."),
        "at": TIME,
    },
    title="EventMeta",
    description="The second argument of every event from the event log.",
)
TRUNCATED = members(
    {"truncated": {"const": True}},
    is_open=True,
    title="Truncated",
    description="A payload of more than 256 KB: of each record only id, version, name "
    "and number are left. The client reads the record.",
)
# The `data` of named actions that send something else than the record.
DETAILS: Mapping[str, Shape] = {
    "moved": members(
        {
            "source": record("Inventory"),
            "target": record("Inventory"),
            "quantity": NUMBER,
        },
        title="StockMove",
    ),
    "pane_scanned": members(
        {"paneLog": record("PaneLog"), "material": nullable(ID)}, title="LoggedScan"
    ),
}
ACTIONS = ("created", "updated", "deleted")


def change_payloads(
    model: str, actions: tuple[str, ...], *, has_id: bool
) -> list[Shape]:
    """Return the payloads of a record's changes; `actions` are those with names.

    `has_id`: the record's id stands beside the action too.
    """
    plain = (*ACTIONS, *(one for one in actions if one not in DETAILS))
    detailed = [one for one in actions if one in DETAILS]
    whole = {"action": choice(plain), "data": record(model)}
    return [
        members(({"_id": ID} if has_id else {}) | whole, title=f"{model}Changed"),
        *(
            members(
                {"action": {"const": one}, "data": DETAILS[one]},
                title=f"{DETAILS[one]['title']}Event",
            )
            for one in detailed
        ),
    ]


def live_event_payload(cls: type[LiveEvent], route: MessageRoute) -> Shape:
    """Return the payload of a live event, from the fields of its class."""
    hints = get_type_hints(cls)
    own = [field for field in fields(cls) if field.name not in RECIPIENTS]
    return members(
        {
            camel(field.name): record("Pane")
            if field.name in route.panes
            else _shape(hints[field.name])
            for field in own
        },
        optional=[camel(f.name) for f in own if f.default is not MISSING],
        title=cls.__name__,
    )


_TYPES: Mapping[Any, Shape] = {
    str: TEXT,
    int: INTEGER,
    bool: BOOLEAN,
    NoneType: NULL,
}


def _shape(hint: Any) -> Shape:
    """Return the shape of a field's type; raises `KeyError` for one that has none."""
    if isinstance(hint, UnionType):
        return any_of(*map(_shape, get_args(hint)))
    if get_origin(hint) is list:
        return array(_shape(get_args(hint)[0]))
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return choice(hint)
    return _TYPES[hint]


class ClientEvent(NamedTuple):
    """An event that clients send: its argument, and its ack where it succeeds."""

    argument: Shape
    ack: Shape


REFUSED = members(
    {"ok": {"const": False}, "error": TEXT, "localMessage": MESSAGE["localMessage"]},
    optional=LOCAL,
    is_open=True,  # `oldest`, see `resume`
    title="RefusedAck",
)
JOINED = members(
    {
        "ok": {"const": True},
        "room": TEXT,
        "seq": described(COUNT, "Events above this number are received live."),
    },
    optional=("seq",),
    title="RoomAck",
)
RESUMED = members({"ok": {"const": True}, "seq": COUNT}, title="ResumeAck")
DONE = members({"ok": {"const": True}}, title="Ack")
ROOM_EVENT = ClientEvent(nullable(FREE_OBJECT), JOINED)
_STATION = {"type": "string", "minLength": 1, "maxLength": MAX_STATION_LENGTH}
_STATION_ARGUMENT = members({"stationId": _STATION}, title="StationArgument")
_STATION_EVENT = ClientEvent(any_of(_STATION_ARGUMENT, _STATION), JOINED)
# Of each event of `client_events.OTHER_EVENTS`.
CLIENT_EVENTS: Mapping[str, ClientEvent] = {
    "join_me": ROOM_EVENT,
    "join_station_room": _STATION_EVENT,
    "leave_station_room": _STATION_EVENT,
    "join-station": _STATION_EVENT,
    "mobile-scan": ClientEvent(
        members(
            {"stationId": _STATION, "worker": TEXT},
            optional=("worker",),
            title="CheckInArgument",
        ),
        JOINED,
    ),
    "resume": ClientEvent(members({"after": COUNT}, title="ResumeArgument"), RESUMED),
    "system_alert": ClientEvent(
        members({"message": TEXT}, title="AlertArgument"), DONE
    ),
}
