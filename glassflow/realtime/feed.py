"""The event log over REST: for programs that ask, and as a stream for those that wait.

Each hears what their keys let them hear in the rooms, joined or not.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import orjson
from flask import Blueprint, Response, request

from glassflow.core import event_log
from glassflow.core.event_log import Event
from glassflow.core.json import iso
from glassflow.domain.errors import Forbidden, Invalid, Unauthenticated
from glassflow.realtime.resume import refuse_too_old
from glassflow.realtime.rooms import EVERYBODY, may_hear, may_join, outer, personal_room
from glassflow.realtime.walker import Walker
from glassflow.services.identity import Identity, identify
from glassflow.web.auth import any_worker, bearer_token, who
from glassflow.web.envelope import reply

USUAL, MOST = 100, 1000  # events an answer
PAGES = 40  # pages of the log that one answer looks through
HEARTBEAT = 15.0  # seconds
ASK_AGAIN = 2.0  # seconds for which a stream's token is believed
STREAM = "text/event-stream"
Shown = tuple[Event, list[str]]  # the rooms are those in which the caller hears it


def blueprint(walker: Walker, begin: Callable[[], None]) -> Blueprint:
    """Make the route; a stream goes on as the walker does, once it is begun."""
    made = Blueprint("events", __name__, url_prefix="/api/events")

    @made.get("")
    @any_worker
    def index() -> Response:
        """List events after a number, or stream them as they come."""
        room, name = request.args.get("room", ""), request.args.get("event", "")
        if room and not _may_ask_for(room, who()):
            raise Forbidden()
        choose = partial(_chosen, room=room, name=name)
        if STREAM in request.headers.get("Accept", ""):
            begin()
            return _stream(walker, choose)
        return _page(choose)

    return made


def _may_ask_for(room: str, worker: Identity) -> bool:
    return room in (EVERYBODY, personal_room(worker.worker_id)) or may_join(
        room, worker
    )


def _chosen(event: Event, worker: Identity, *, room: str, name: str) -> list[str]:
    """List the rooms in which a worker hears an event that was asked for."""
    if event.recheck or (name and event.name != name):
        return []
    heard = dict.fromkeys(outer(part) for part in event.rooms if may_hear(part, worker))
    return [one for one in heard if not room or one == room]


def _page(choose: Callable[[Event, Identity], list[str]]) -> Response:
    last = event_log.last()
    after = _number("after", None)
    if after is None:
        after = event_log.oldest(last) - 1
    refuse_too_old(after, last)
    limit = max(1, min(_number("limit", USUAL) or 1, MOST))
    rows: list[dict[str, Any]] = []
    for _ in range(PAGES):
        events = event_log.after(after, last)
        for event in events:
            rooms = choose(event, who())
            if rooms:
                rows.append(_row(event, rooms))
            after = event.seq
            if len(rows) == limit:
                break
        if len(rows) == limit or not events:
            break
    return reply(rows, "Events", seq=after)


def _number(name: str, usual: int | None) -> int | None:
    text = request.args.get(name, "").strip()
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise Invalid([{"field": name, "message": "Must be an integer of 0 or more."}])
    return int(text)


def _row(event: Event, rooms: list[str]) -> dict[str, Any]:
    return {
        "id": event.id,
        "seq": event.seq,
        "at": iso(event.at),
        "event": event.name,
        "rooms": rooms,
        "data": orjson.Fragment(event.payload),
    }


def _stream(walker: Walker, choose: Callable[[Event, Identity], list[str]]) -> Response:
    given = request.headers.get("Last-Event-ID", "").strip()
    after = (
        int(given) if given.isascii() and given.isdigit() else _number("after", None)
    )
    if after is None:
        after = walker.at
    refuse_too_old(after, max(walker.at, event_log.last()))
    lines = _lines(walker, choose, after, bearer_token())
    headers = {"X-Accel-Buffering": "no", "Cache-Control": "no-store"}
    return Response(lines, mimetype=STREAM, headers=headers)


def _lines(
    walker: Walker,
    choose: Callable[[Event, Identity], list[str]],
    after: int,
    token: str,
) -> Iterator[bytes]:
    """Write events as they come, until the token is good no more."""
    said = asked = 0.0
    yield b": listening\n\n"
    while not walker.over:
        try:
            if time.monotonic() - asked > ASK_AGAIN:
                worker, asked = identify(token), time.monotonic()
        except Unauthenticated:
            return
        for event in event_log.after(after, walker.at) if after < walker.at else ():
            rooms = choose(event, worker)
            after = event.seq
            if rooms:
                said = time.monotonic()
                body = orjson.dumps(_row(event, rooms))
                yield b"id: %d\nevent: %s\ndata: %s\n\n" % (
                    event.seq,
                    event.name.encode(),
                    body,
                )
        if time.monotonic() - said > HEARTBEAT:
            said = time.monotonic()
            yield b": still here\n\n"
        if after >= walker.at:
            walker.wait(1.0)
