"""Exports of lists as responses: streamed CSV, and XLSX that is written first."""

import tempfile
from collections.abc import Generator, Iterator
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
    zone = runtime.current().policy.timezone
    export = Export(
        model=model,
        query=wanted,
        columns=columns_of(model, current_identity().may, wanted.fields),
        zone=zone,
        max_rows=current_app.config["EXPORT_MAX_ROWS"],
    )
    gate.leave()  # an export is no request that is soon over
    with time_limit.paused():
        response = _begun(export, format)
    today = clock.now().replace(tzinfo=UTC).astimezone(zone)
    disposition = f'attachment; filename="{name}-{today:%Y-%m-%d}.{format}"'
    response.headers["Content-Disposition"] = disposition
    response.headers.update(HEADERS)
    return response


def _begun(export: Export, format: str) -> Response:
    return _csv(export) if format == "csv" else _xlsx(export)


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


def _xlsx(export: Export) -> Response:
    with ExitStack() as unless_sent:
        with _turn(deadlines.EXPORT_QUEUE_TIMEOUT_S):
            file = unless_sent.enter_context(tempfile.TemporaryFile())
            export.to_xlsx(file)
        response = Response(_chunks(file), mimetype=xlsx_cells.MEDIA_TYPE)
        response.content_length = file.seek(0, 2)
        file.seek(0)
        response.call_on_close(unless_sent.pop_all().close)
    return response


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(CHUNK_BYTES):
        yield chunk
