"""The newest events of the log in memory, so that most readers need not ask the store."""

from collections.abc import Iterable

from glassflow.core.events.event_log import Event

MAX_EVENTS = 4_000
MAX_BYTES = 8_000_000  # of their payloads


class RecentEvents:
    """Events that this process has published or read, by number.

    A reader who asks for what follows a number gets either the events with the very next
    numbers or none; then it has to read the store. Rights are the reader's concern. The
    events that were added first are dropped first.
    """

    def __init__(
        self, *, max_events: int = MAX_EVENTS, max_bytes: int = MAX_BYTES
    ) -> None:
        self._max_events = max_events
        self._max_bytes = max_bytes
        self._bytes = 0
        self._events: dict[int, Event] = {}

    def add(self, events: Iterable[Event]) -> None:
        """Keep events that a majority of the store has; known ones are skipped."""
        for event in events:
            if event.seq not in self._events:
                self._events[event.seq] = event
                self._bytes += len(event.payload)
        while len(self._events) > self._max_events or self._bytes > self._max_bytes:
            dropped = self._events.pop(next(iter(self._events)))
            self._bytes -= len(dropped.payload)

    def after(self, seq: int, upto: int) -> list[Event]:
        """Return the events after a number up to another one, without a gap.

        Ends before the first event that is not kept: possibly with none.
        """
        found: list[Event] = []
        while seq < upto and (event := self._events.get(seq + 1)) is not None:
            found.append(event)
            seq += 1
        return found

    def clear(self) -> None:
        """Forget all events."""
        self._events.clear()
        self._bytes = 0
