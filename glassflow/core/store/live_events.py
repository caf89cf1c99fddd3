"""Live events: what is sent to connected clients besides record changes."""

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar

from glassflow.core.process.naming import camel

RECIPIENTS = frozenset({"stations", "workers"})


@dataclass(frozen=True, kw_only=True)
class LiveEvent:
    """Base class of the live events; `outbox.send` takes an instance.

    A subclass is a frozen dataclass. `event_name` is its name on the wire, its fields
    are the members of the payload. A field that has a default is left out of the
    payload while it holds the default. Every subclass needs a row in the routing table
    `glassflow.services.events.message_routes.MESSAGE_ROUTES`, which names the rooms of the
    event; `stations` and `workers` are ids of stations and workers that receive it too.

    A change of a record is not a live event: see `outbox.record`.
    """

    event_name: ClassVar[str]

    stations: tuple[str, ...] = ()
    workers: tuple[str, ...] = ()

    def payload(self) -> dict[str, Any]:
        """Return the payload, with the names that its members have on the wire."""
        members = {}
        for field in fields(self):
            value = getattr(self, field.name)
            omitted = field.default is not MISSING and value == field.default
            if field.name not in RECIPIENTS and not omitted:
                members[camel(field.name)] = value
        return members


def event_classes(base: type[LiveEvent] = LiveEvent) -> Iterator[type[LiveEvent]]:
    """Yield every imported subclass of `LiveEvent`, direct or not, that has an event name."""
    for cls in base.__subclasses__():
        if hasattr(cls, "event_name"):
            yield cls
        yield from event_classes(cls)
