"""Exports of lists as responses: streamed CSV, and XLSX that is written first."""

import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC
from itertools import chain
from typing import IO

from flask import Response, current_app
from gevent.lock import BoundedSemaphore

from glassflow import runtime
from glassflow.core.process import clock, deadlines, time_limit
from glassflow.domain import texts
from glassflow.domain.errors import Busy
from glassflow.models.base import Record
from glassflow.services.lists import ListQuery
from glassflow.services.tables import csv_format, xlsx_cells
from glassflow.services.tables.columns import columns_of
from glassflow.services.tables.export import Export
from glassflow.web import gate
from glassflow.web.auth import current_identity

AT_ONCE = 2  # are read and written in each process; to be sent takes no turn
CHUNK_BYTES = 65_536
MEDIA_TYPES = {"csv": csv_format.MEDIA_TYPE, "xlsx": xlsx_cells.MEDIA_TYPE}
HEADERS = {"X-Accel-Buffering": "no"}

_turns = BoundedSemaphore(AT_ONCE)


def respond(
    model: type[Record], wanted: ListQuery, format: str, *, name: str
) -> Response:
    """Build the response with all rows of a list, as `csv` or `xlsx`.

    `name` begins the name of the file. What is wrong is raised before the first byte is
    sent, as far as it is known by then; a later fault cuts the connection. Raises `Busy`
    while others export.
    """
    export = Export(
        model=model,
        query=wanted,
        columns=columns_of(model, current_identity().may, wanted.fields),
        zone=runtime.current().policy.timezone,
        max_rows=current_app.config["EXPORT_MAX_ROWS"],
    )
    with long():
        if format == "csv":
            return _named(_csv(export), name, format)
        return written(export.write, format, name=name)


@contextmanager
def long() -> Iterator[None]:
    """Let the block take as long as its export: it is no request that is soon over."""
    gate.leave()
    with time_limit.paused():
        yield


def written(
    write: Callable[[IO[bytes], str], None], format: str, *, name: str
) -> Response:
    """Build the response with a file that is written before it is sent.

    `write` writes it in a format. Raises what that raises, and `Busy` while others export.
    """
    with ExitStack() as unless_sent:
        with _turn(deadlines.EXPORT_QUEUE_TIMEOUT_S):
            file = unless_sent.enter_context(tempfile.TemporaryFile())
            write(file, format)
        response = Response(_chunks(file), mimetype=MEDIA_TYPES[format])
        response.content_length = file.seek(0, 2)
        file.seek(0)
        response.call_on_close(unless_sent.pop_all().close)
    return _named(response, name, format)


def _named(response: Response, name: str, format: str) -> Response:
    zone = runtime.current().policy.timezone
    today = clock.now().replace(tzinfo=UTC).astimezone(zone)
    disposition = f'attachment; filename="{name}-{today:%Y-%m-%d}.{format}"'
    response.headers["Content-Disposition"] = disposition
    response.headers.update(HEADERS)
    return response


@contextmanager
def _turn(timeout_s: float | None = None) -> Iterator[None]:
    if not _turns.acquire(timeout=timeout_s):
        raise Busy(texts.EXPORTS_BUSY)
    try:
        yield
    finally:
        _turns.release()


def _csv(export: Export) -> Response:
    parts = export.to_csv()
    with _turn(deadlines.EXPORT_QUEUE_TIMEOUT_S):
        first = next(parts)
    rest = _in_turns(parts)
    response = Response(chain([first], rest), mimetype=csv_format.MEDIA_TYPE)
    response.call_on_close(rest.close)
    return response


def _in_turns(parts: Generator[bytes, None, None]) -> Generator[bytes, None, None]:
    """Yield parts, each made in a turn of its own.

    A client that does not read would keep the turn for hours.
    """
    with closing(parts):
        while True:
            with _turn():
                part = next(parts, None)
            if part is None:
                return
            yield part


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(CHUNK_BYTES):
        yield chunk
