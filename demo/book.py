"""The book of what was caused, and so has to be heard.

Every change is entered once, with the rooms that it goes to. A screen then expects it
once if it shares any of those rooms, however many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from demo.heard import Heard, id_of, record_key
from demo.screens import Screen

Record = dict[str, Any]

PANE_ROOMS = ("dashboard", "pane", "production")
#: The rooms of the events that say what became of a record, besides any stations.
ROOMS = {
    "request:updated": ("dashboard", "request"),
    "order:updated": ("dashboard", "order"),
    "pane:updated": PANE_ROOMS,
    "production-log:updated": ("dashboard", "production"),
    "claim:updated": ("dashboard", "claim"),
    "withdrawal:updated": ("dashboard", "withdrawal"),
    "inventory:updated": ("dashboard", "inventory"),
    "material:updated": ("dashboard", "inventory"),
    "log:updated": ("dashboard", "log"),
}


@dataclass
class Book:
    """Events and their rooms, as they have to be heard."""

    entries: list[tuple[Heard, frozenset[str]]] = field(default_factory=list)

    def enter(self, heard: Heard, rooms: Iterable[str]) -> None:
        """Enter one event and the rooms it goes to."""
        self.entries.append((heard, frozenset(rooms)))

    def for_screen(self, screen: Screen) -> Counter[Heard]:
        """All that one screen has to hear."""
        return Counter(
            heard for heard, rooms in self.entries if not rooms.isdisjoint(screen.rooms)
        )

    def subjects(self) -> frozenset[str]:
        """The records and names that the day is about."""
        return frozenset(heard.subject for heard, _ in self.entries)

    def changed(self, event: str, action: str, record: Record) -> None:
        """A record of any kind was created, updated or deleted."""
        self.enter(record_key(event, action, record), ROOMS[event])

    def pane_changed(self, action: str, pane: Record, was: str = "") -> None:
        """A pane was created, updated or scanned; `was` is the station it was at."""
        key = record_key("pane:updated", action, pane)
        self.enter(key, (*PANE_ROOMS, *stations(was, id_of(pane["currentStation"]))))

    def order_changed(self, action: str, order_id: str) -> None:
        """An order was created or updated."""
        self.enter(Heard("order:updated", action, order_id), ROOMS["order:updated"])

    def notify_worker(self, kind: str, reference: str, recipient: str) -> None:
        """A notification was made for a worker."""
        key = Heard("notification", kind, reference, f"to {recipient}")
        self.enter(key, (f"user:{recipient}",))


def stations(*ids: str) -> tuple[str, ...]:
    """The rooms of stations; an empty id has none."""
    return tuple(f"station:{station}" for station in ids if station)
