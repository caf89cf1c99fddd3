"""The event log over REST: pages for programs that poll, a stream for those that wait.

A caller receives what its keys allow it to receive in the rooms, joined or not.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from flask import Blueprint, Response, request

from glassflow import runtime
from glassflow.core.events import event_log
from glassflow.core.events.event_log import Event
from glassflow.core.events.log_pages import LogPages, LogStartsLater
from glassflow.core.identity import Identity
from glassflow.core.process.cooperative import yield_to_hub
from glassflow.domain import error_codes, texts
from glassflow.domain.errors import Forbidden, Invalid
from glassflow.realtime.event_streams import EVENT_STREAM, EventStreams, Selection
from glassflow.schemas.answers.reports import EVENTS
from glassflow.schemas.shapes import COUNT
from glassflow.services.events.payloads import event_row
from glassflow.services.events.room_map import (
    EVERYBODY,
    base_room,
    may_join,
    may_receive,
    personal_room,
)
from glassflow.web import gate
from glassflow.web.auth import any_worker, bearer_token, current_identity
from glassflow.web.envelope import reply
from glassflow.web.operation import Parameter, describe
from glassflow.web.query import read_number, read_text

DEFAULT_LIMIT, MAX_LIMIT = 100, 1000  # events in a response
MAX_RESPONSE_BYTES = 4_000_000  # of payloads; the event that exceeds it is the last
PARAMETERS = (
    Parameter(
        name="after",
        description="The number of the last event that the client has; without it, the "
        "log is listed from its begin, and a stream has new events only.",
        shape=COUNT,
    ),
    Parameter(
        name="limit",
        description="Events in an answer; clamped.",
        shape={"type": "integer", "default": DEFAULT_LIMIT},
    ),
    Parameter(name="room", description="Only the events of this room."),
    Parameter(name="event", description="Only the events with this name."),
)
MAX_PAGES = 400  # pages of the log that are searched for one response


def blueprint(
    pages: LogPages, streams: EventStreams, before_stream: Callable[[], None]
) -> Blueprint:
    """Create the blueprint of `/api/events`.

    `before_stream` is called before a stream starts.
    """
    events = Blueprint("events", __name__, url_prefix="/api/events")

    @events.get("")
    @any_worker
    @describe(
        "list_events",
        answer=EVENTS,
        extra={"seq": COUNT},
        query=PARAMETERS,
        media=(EVENT_STREAM,),
        errors=(403,),
        codes=tuple(error_codes.EVENTS),
    )
    def index() -> Response:
        """List events after a number, or stream them as they come."""
        room, name = read_text(request.args, "room"), _event_name()
        if room and not _may_select(room, current_identity()):
            raise Forbidden()
        select = partial(_rooms_of, room=room, name=name)
        if EVENT_STREAM in request.headers.get("Accept", ""):
            # Many are opened at once, after a restart or by a faulty program: other
            # requests are answered between two of them, and wait for none at the gate.
            gate.leave()
            yield_to_hub()
            before_stream()
            return streams.open(bearer_token(), select, _stream_start())
        return _page(pages, select)

    return events


def _event_name() -> str:
    """Read the name in the query string, if any; raises `Invalid` for an unknown one."""
    name = read_text(request.args, "event")
    if name and name not in runtime.current().event_names:
        message = texts.NO_SUCH_EVENT.format(name=name)
        raise Invalid([{"field": "event", "message": message}])
    return name


def _may_select(room: str, worker: Identity) -> bool:
    return room in (EVERYBODY, personal_room(worker.worker_id)) or may_join(
        room, worker
    )


def _rooms_of(event: Event, worker: Identity, *, room: str, name: str) -> list[str]:
    """List the rooms in which a worker receives an event.

    Only `room` and only events called `name`, where these are given.
    """
    if name and event.name != name:
        return []
    rooms = dict.fromkeys(
        base_room(keyed) for keyed in event.rooms if may_receive(keyed, worker)
    )
    return [one for one in rooms if not room or one == room]


def _page(pages: LogPages, select: Selection) -> Response:
    last = event_log.last()
    after = read_number(request.args, "after")
    if after is None:
        after = event_log.oldest(last) - 1
    pages.require_kept(after, last)
    limit = max(
        1, min(read_number(request.args, "limit", DEFAULT_LIMIT) or 1, MAX_LIMIT)
    )
    rows: list[dict[str, Any]] = []
    size = 0
    for event in _events(pages, after, last):
        rooms = select(event, current_identity())
        if rooms:
            rows.append(event_row(event, rooms))
            size += len(event.payload)
        after = event.seq
        if len(rows) == limit or size > MAX_RESPONSE_BYTES:
            break
    return reply(rows, "Events", seq=after)


def _events(pages: LogPages, after: int, last: int) -> Iterator[Event]:
    """Yield the events of at most `MAX_PAGES` pages, up to the first that expired."""
    for _ in range(MAX_PAGES):
        try:
            events = pages.read(after, last)
        except LogStartsLater:  # the client is told when it asks for the next page
            return
        if not events:
            return
        yield from events
        after = events[-1].seq
        yield_to_hub()  # a long search must not keep other requests waiting


def _stream_start() -> int | None:
    """Return the number after which a stream begins; None for new events only."""
    last_id = request.headers.get("Last-Event-ID", "").strip()
    if last_id.isascii() and last_id.isdigit():
        return int(last_id)
    return read_number(request.args, "after")
