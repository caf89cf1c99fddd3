"""The AsyncAPI document: the rooms, events and client events of the sockets."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from flask import Flask

from glassflow import __version__, blueprints
from glassflow.api_docs.components import BASIC, Components
from glassflow.api_docs.record_schemas import record_shapes
from glassflow.core.store.live_events import LiveEvent
from glassflow.realtime import PATH
from glassflow.realtime.client_events import OTHER_EVENTS
from glassflow.realtime.event_shapes import (
    CLIENT_EVENTS,
    META,
    REFUSED,
    ROOM_EVENT,
    TRUNCATED,
    ClientEvent,
    change_payloads,
    live_event_payload,
)
from glassflow.schemas.shapes import (
    LOCAL,
    MESSAGE,
    Shape,
    any_of,
    members,
    record,
)
from glassflow.services.events.event_builder import AUTH_MODELS
from glassflow.services.events.message_routes import MESSAGE_ROUTES
from glassflow.services.events.room_map import (
    EVERYBODY,
    ROOM_EVENTS,
    STATION_KEY,
    AnnouncedModel,
    MessageRoute,
)
from glassflow.services.events.room_overrides import with_rooms

DESCRIPTION = """\
Socket.IO 4 at the path `/api/socket-entry`, with `auth: {token}` in the handshake. A client
joins rooms with the events of the channel `client` and receives the events of the rooms as
far as its worker holds their keys (`x-permission`). Every event from the event log has a
second argument, described here as the headers of the message; with the last `seq` a client
asks for what it has missed (`resume`). With `Accept-Language` in the handshake, or
`auth: {token, language}`, refusals have a `localMessage` in Thai or English. Requests are described in `/api/openapi.json`.
"""
ROOM_NOTES = {
    "station_id": ("station:{stationId}", "The room of one station."),
    "user": ("user:{workerId}", "The worker's own room, joined by itself."),
    EVERYBODY: (None, "Every connected client."),
}
CLIENT = "client"


class Sent(NamedTuple):
    """An event that clients receive: its payloads, its key, its channels."""

    payloads: Sequence[Shape]
    key: str | None
    channels: Sequence[str]
    summary: str


def build(app: Flask) -> dict[str, Any]:
    """Return the document of an application, whose EVENT_ROOMS adds rooms."""
    schemas = {one.model.__name__: one.schema for one in blueprints.RESOURCES}
    components = Components({**BASIC, **record_shapes(schemas, cut=True)})
    builder = _Builder(components)
    for name, alternatives in _events(app.config["EVENT_ROOMS"]).items():
        builder.add_event(name, alternatives)
    builder.add_error()
    for name, event in client_events().items():
        builder.add_client_event(name, event)
    return _document(builder, components)


def client_events() -> dict[str, ClientEvent]:
    """Return the events that clients send, by name.

    Raises `KeyError` for one without a shape.
    """
    joins = {name: ROOM_EVENT for row in ROOM_EVENTS for name in (row.join, row.leave)}
    named = (name for name in OTHER_EVENTS if name != "*")
    return joins | {name: CLIENT_EVENTS[name] for name in named}


def _events(event_rooms: Mapping[str, Sequence[str]]) -> dict[str, list[Sent]]:
    """Return what is sent under each event's name."""
    found: dict[str, list[Sent]] = defaultdict(list)
    models = [
        AnnouncedModel(one.model.__name__, one.keys.view, one.events)
        for one in blueprints.RESOURCES
        if one.events is not None
    ]
    for model in with_rooms(event_rooms, models):
        found[model.events.event].append(_change(model))
    for cls, route in MESSAGE_ROUTES.items():
        found[cls.event_name].append(_live_event(cls, route))
    return found


def _change(model: AnnouncedModel) -> Sent:
    route, name = model.events, model.kind
    if name == "Notification":
        return Sent([record(name)], None, ["user"], "A worker was notified.")
    channels = [*route.rooms, *(["station_id"] if route.station_field else [])]
    is_personal = name in AUTH_MODELS
    channels += ["user"] if is_personal else []
    changes = change_payloads(name, route.actions, has_id=is_personal)
    payloads = [record(name)] if route.bare else changes
    summary = f"A record changed: {name}."
    return Sent(payloads, model.key, channels, summary)


def _live_event(cls: type[LiveEvent], route: MessageRoute) -> Sent:
    to_all = EVERYBODY in route.rooms
    channels = [*route.rooms, *([] if to_all else ["station_id"])]
    summary = " ".join((cls.__doc__ or "").partition("\n\n")[0].split())
    return Sent([live_event_payload(cls, route)], route.key, channels, summary)


class _Builder:
    """Collects channels, messages and operations."""

    def __init__(self, components: Components) -> None:
        self._components = components
        self.channels: dict[str, Any] = dict(_channels())
        self.messages: dict[str, Any] = {}
        self.operations: dict[str, Any] = {}

    def add_event(self, name: str, alternatives: Sequence[Sent]) -> None:
        """Add an event of the log, which the service sends to its rooms."""
        message = _identifier(name)
        shapes = [shape for sent in alternatives for shape in sent.payloads]
        payload = any_of(*map(self._components.refer, [*shapes, TRUNCATED]))
        keys = list(dict.fromkeys(sent.key for sent in alternatives if sent.key))
        self.messages[message] = {
            "name": name,
            "title": name,
            "summary": " ".join(dict.fromkeys(sent.summary for sent in alternatives)),
            "headers": self._components.refer(META),
            "payload": payload,
            **({"x-permission": " or ".join(keys)} if keys else {}),
        }
        rooms = dict.fromkeys(one for sent in alternatives for one in sent.channels)
        for room in rooms:
            self._operate("send", f"send_{message}_to_{room}", room, message)

    def add_error(self) -> None:
        """Add the event that tells a client why an event of its own was refused."""
        shape = members(MESSAGE, optional=LOCAL, title="RefusedEvent")
        self.messages["error"] = {
            "name": "error",
            "title": "error",
            "summary": "An event of this client that asked for no acknowledgment, or a "
            "`system_alert`, was refused. It has no second argument.",
            "payload": self._components.refer(shape),
        }
        self._operate("send", "send_error", CLIENT, "error")

    def add_client_event(self, name: str, event: ClientEvent) -> None:
        """Add an event that clients send, with its ack as the reply."""
        # `join-station` is another event than `join_station`
        asked = "client_" + name.replace("-", "__")
        acked = f"{asked}_ack"
        acks = any_of(event.ack, REFUSED)
        for message, shape in ((asked, event.argument), (acked, acks)):
            self.messages[message] = {
                "name": name,
                "title": name if message == asked else f"Ack of {name}",
                "payload": self._components.refer(shape),
            }
            self._mention(CLIENT, message)
        self._operate("receive", f"receive_{asked}", CLIENT, asked)
        self.operations[f"receive_{asked}"]["reply"] = {
            "channel": {"$ref": f"#/channels/{CLIENT}"},
            "messages": [{"$ref": f"#/channels/{CLIENT}/messages/{acked}"}],
        }

    def _operate(self, action: str, name: str, channel: str, message: str) -> None:
        self._mention(channel, message)
        self.operations[name] = {
            "action": action,
            "channel": {"$ref": f"#/channels/{channel}"},
            "messages": [{"$ref": f"#/channels/{channel}/messages/{message}"}],
        }

    def _mention(self, channel: str, message: str) -> None:
        reference = {"$ref": f"#/components/messages/{message}"}
        self.channels[channel]["messages"][message] = reference


def _channels() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the channels, without messages: the connection itself, and every room."""
    yield (
        CLIENT,
        {
            "address": PATH,
            "title": "The connection",
            "description": "What a client sends, and what concerns only itself.",
            "messages": {},
        },
    )
    for row in ROOM_EVENTS:
        needs = f"needs `{row.key}`" if row.key else "any worker may join"
        text = f"Joined with `{row.join}`, left with `{row.leave}`; {needs}."
        yield row.room, {"address": row.room, "description": text, "messages": {}}
    for name, (address, text) in ROOM_NOTES.items():
        channel: dict[str, Any] = {"address": address, "description": text}
        if name == "station_id":
            channel["description"] += f" Needs `{STATION_KEY}`."
        parameters = re.findall(r"{(\w+)}", address or "")
        if parameters:
            channel["parameters"] = {
                one: {"description": "The id of the record."} for one in parameters
            }
        yield name, {**channel, "messages": {}}


def _document(builder: _Builder, components: Components) -> dict[str, Any]:
    schemes = {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}}
    document = {
        "asyncapi": "3.0.0",
        "info": {
            "title": "glassflow: live events",
            "version": __version__,
            "description": DESCRIPTION,
        },
        "defaultContentType": "application/json",
        "servers": {
            "service": {
                "host": "{host}",
                "pathname": PATH,
                "protocol": "wss",
                "description": "Socket.IO 4 (Engine.IO 4)",
                "variables": {"host": {"default": "localhost:8000"}},
                "security": [{"$ref": "#/components/securitySchemes/token"}],
            }
        },
        "channels": builder.channels,
        "operations": builder.operations,
        "components": {"messages": builder.messages, "securitySchemes": schemes},
    }
    document["components"]["schemas"] = components.used_by(document)  # type: ignore[index]
    return document


def _identifier(event: str) -> str:
    return re.sub(r"\W", "_", event)
