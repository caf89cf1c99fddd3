"""Event streams over HTTP (server-sent events), for programs that wait for events.

A stream is a connection of its account, like a socket: it counts towards the same limit,
and ends when its token does.
"""

import time
from collections.abc import Callable, Iterator

import orjson
from flask import Response
from pymongo.errors import PyMongoError

from glassflow.core.events import event_log
from glassflow.core.events.event_log import Event
from glassflow.core.events.log_pages import LogPages, LogStartsLater
from glassflow.core.identity import Identity
from glassflow.core.process import metrics
from glassflow.core.process.cooperative import yield_to_hub
from glassflow.realtime.log_tail import LogTail
from glassflow.realtime.token_watch import TokenWatch
from glassflow.services.events.payloads import event_row

HEARTBEAT_INTERVAL_S = 5.0  # also shows, after two of them, that a client has left
WAIT_S = 1.0  # between two looks at whether the stream has been refused
EVENT_STREAM = "text/event-stream"
HEADERS = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
# Returns the rooms in which a worker receives an event; none if it is not selected.
Selection = Callable[[Event, Identity], list[str]]


class Stream:
    """One open stream: its worker, and whether its token is still accepted."""

    def __init__(self) -> None:
        self.worker: Identity
        self.refused = False

    def renew(self, worker: Identity) -> None:
        """Select events by the new rights of the worker from now on."""
        self.worker = worker

    def refuse(self) -> None:
        """End the stream; its client requests it again, and the refusal says why."""
        self.refused = True


class EventStreams:
    """Opens streams that follow the log tail."""

    def __init__(self, log_tail: LogTail, pages: LogPages, tokens: TokenWatch) -> None:
        self._log_tail = log_tail
        self._pages = pages
        self._tokens = tokens

    def open(self, token: str, select: Selection, after: int | None) -> Response:
        """Return a stream of the events after a number, or else of new ones.

        Raises `LogStartsLater`, `Unauthenticated`, and `TooManyConnections` for more
        connections than a worker may have.
        """
        last = self._log_tail.position
        if after is None:
            after = last
        elif after > last:  # another process may have delivered more than this one
            last = event_log.last()
        self._pages.require_kept(after, last)
        stream = Stream()
        stream.worker = self._tokens.open(token, stream)
        chunks = self._chunks(stream, select, after)
        response = Response(chunks, mimetype=EVENT_STREAM, headers=HEADERS)
        metrics.streams.inc()
        # not in the generator: it may never be started
        response.call_on_close(lambda: self._close(token, stream))
        return response

    def _close(self, token: str, stream: Stream) -> None:
        metrics.streams.dec()
        self._tokens.close(token, stream)

    def _chunks(self, stream: Stream, select: Selection, after: int) -> Iterator[bytes]:
        """Yield events as they come, until token, store or process end."""
        sent = 0.0
        yield b": listening\n\n"
        while not (self._log_tail.stopping or stream.refused):
            end = max(after, self._log_tail.position)
            try:
                events = self._pages.read(after, end)
            except (LogStartsLater, PyMongoError):
                return  # the client requests it again, and the refusal says why
            for event in events:
                rooms = select(event, stream.worker)
                after = event.seq
                if rooms:
                    sent = time.monotonic()
                    yield _chunk(event, rooms)
            if not events:
                after = end
            if time.monotonic() - sent > HEARTBEAT_INTERVAL_S:
                sent = time.monotonic()
                yield b": still here\n\n"
            if after >= self._log_tail.position:
                self._log_tail.wait(WAIT_S)
            yield_to_hub()  # all streams that waited go on, one after the other


def _chunk(event: Event, rooms: list[str]) -> bytes:
    """Format an event of a stream."""
    data = orjson.dumps(event_row(event, rooms))
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event.seq, event.name.encode(), data)
