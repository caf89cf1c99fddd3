"""Exports of lists as responses: streamed CSV, and XLSX that is written first."""

import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC
from itertools import chain
from typing import IO

from flask import Response, current_app
from gevent.lock import BoundedSemaphore

from glassflow import runtime
from glassflow.core.process import clock, deadlines, time_limit
from glassflow.domain import texts
from glassflow.domain.bilingual import ENGLISH
from glassflow.domain.errors import Busy, Invalid
from glassflow.models.base import Record
from glassflow.schemas.shapes import choice
from glassflow.services.lists import ListQuery
from glassflow.services.tables import columns, csv_format, xlsx_cells
from glassflow.services.tables.columns import columns_of
from glassflow.services.tables.export import Export
from glassflow.web import gate, language
from glassflow.web.auth import current_identity
from glassflow.web.operation import Parameter

AT_ONCE = 2  # are read and written in each process; to be sent takes no turn
CHUNK_BYTES = 65_536
MEDIA_TYPES = {"csv": csv_format.MEDIA_TYPE, "xlsx": xlsx_cells.MEDIA_TYPE}
READABLE = "readable"
FORM = Parameter(
    name="form",
    description="`readable`: heads are the labels of fields in the language of the caller, "
    "references their names or numbers, without ids. Such a file is not imported.",
    shape=choice((READABLE,)),
)
HEADERS = {"X-Accel-Buffering": "no"}

_turns = BoundedSemaphore(AT_ONCE)


def take_form(args: Mapping[str, str]) -> tuple[dict[str, str], bool]:
    """Return the parameters of an export without its form, and whether people read it.

    Raises `Invalid` for an unknown form.
    """
    others = dict(args.items())
    form = others.pop(FORM.name, "").strip()
    if form not in ("", READABLE):
        message = texts.ONE_OF.format(choices=READABLE)
        raise Invalid([{"field": FORM.name, "message": message}])
    return others, form == READABLE


def respond(
    model: type[Record], wanted: ListQuery, format: str, *, name: str, to_read: bool
) -> Response:
    """Build the response with all rows of a list, as `csv` or `xlsx`.

    `name` is the resource, and begins the name of the file. `to_read`: people read it, no
    import. What is wrong is raised before the first byte is
    sent, as far as it is known by then; a later fault cuts the connection. Raises `Busy`
    while others export.
    """
    shown = columns_of(model, current_identity().may, wanted.fields)
    if to_read:
        shown = columns.to_read(shown, model, texts.file_titles(name))
    export = Export(
        model=model,
        query=wanted,
        columns=shown,
        zone=runtime.current().policy.timezone,
        max_rows=current_app.config["EXPORT_MAX_ROWS"],
        language=language.requested() or ENGLISH,
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
