"""Files that are received: a table creates and changes records, or only shows what it would do.

The route and the command `flask import` do the same; the command takes larger files.
`answer_cells` only tells what a file says.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial, wraps
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from flask import Response, current_app, request
from gevent.lock import BoundedSemaphore

from glassflow import runtime
from glassflow.core.identity import Identity
from glassflow.core.process import deadlines, native_threads, time_limit
from glassflow.core.process.cooperative import yielding
from glassflow.core.store import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import Busy, Unsupported
from glassflow.services.tables import csv_format, importing, xlsx_cells
from glassflow.services.tables.cells import Cell, Row, as_text
from glassflow.services.tables.change import Change, Result
from glassflow.services.tables.changes import Format
from glassflow.services.tables.limits import Limits, require_known_format
from glassflow.services.tables.row_writer import Target
from glassflow.web import body, gate, query
from glassflow.web.auth import current_identity
from glassflow.web.declaration import ResourceDeclaration
from glassflow.web.envelope import reply
from glassflow.web.language import localized_part

View = TypeVar("View", bound=Callable[..., Any])
FORMATS = {csv_format.MEDIA_TYPE: "csv", xlsx_cells.MEDIA_TYPE: "xlsx"}
READ_BACK = {"csv": csv_format.read_back, "xlsx": xlsx_cells.read_back}

_turns = BoundedSemaphore()  # one import at a time in each process
_reading = BoundedSemaphore()


def long_request(view: View) -> View:
    """Give a view the time and the body size of an import.

    Put it above the decorator of the permission, which may read the body.
    """

    @wraps(view)
    def accept(*args: Any, **kwargs: Any) -> Any:
        request.max_content_length = current_app.config["MAX_IMPORT_BYTES"]
        seconds = deadlines.LONG_WORK_TIMEOUT_S
        with time_limit.extended(seconds), unit_of_work.retrying_for(seconds):
            return view(*args, **kwargs)

    return accept  # type: ignore[return-value]


def respond(resource: ResourceDeclaration) -> Response:
    """Import the file in the body, or try it with `dryRun`; build the response.

    Raises `ImportRefused` for faulty rows, `Unsupported` for another media type, the
    faults of the file, and `Busy` while another import runs.
    """
    content, format, limits = _received()
    is_trial = query.flag(request.args, "dryRun")
    shows_table = query.flag(request.args, "table")
    gate.leave()  # for good: what is imported must not be answered as refused
    result = _in_turn(
        lambda: run(
            resource,
            content,
            format,
            limits,
            current_identity(),
            trial_s=deadlines.LONG_WORK_TIMEOUT_S if is_trial else None,
            charset=_charset(),
        )
    )
    shown = to_wire(result, is_trial=is_trial)
    if shows_table and is_trial:
        shown["table"] = table_to_wire(result)
    return reply(shown, summary(result))


def answer_cells() -> Response:
    """Build the response with the cells of the file in the body, as texts.

    Raises `Unsupported` for another media type, and the faults of the file.
    """
    content, format, limits = _received()
    rows, sheet = _read(content, format, limits, _charset())
    zone = runtime.current().policy.timezone
    shown = [[_text_of(cell, zone) for cell in row] for row in yielding(rows)]
    return reply({"rows": shown, **_named(sheet)}, "Cells of a file")


def _received() -> tuple[bytes, str, Limits]:
    """Return the file in the body, its format, and the limits of reading it."""
    format = FORMATS.get(request.mimetype)
    if format is None:
        raise Unsupported(texts.TABLE_TYPE_UNKNOWN)
    config = current_app.config
    limits = Limits(
        rows=config["MAX_IMPORT_ROWS"],
        bytes=config["MAX_IMPORT_BYTES"],
        seconds=deadlines.LONG_WORK_TIMEOUT_S,
    )
    return body.received(), format, limits


def _charset() -> str:
    return request.mimetype_params.get("charset", "")


def _named(sheet: str) -> dict[str, str]:
    return {"sheet": sheet} if sheet else {}


def run(
    resource: ResourceDeclaration,
    content: bytes,
    format: str,
    limits: Limits,
    actor: Identity,
    *,
    trial_s: float | None,
    charset: str = "",
) -> Result:
    """Import a file in this format; or only try it for at most `trial_s` seconds.

    `charset` is that of a CSV file, where it is not UTF-8. Raises `ImportRefused` for faulty rows unless it is a trial, and the faults of the file.
    """
    zone = runtime.current().policy.timezone
    execute: Callable[..., Result] = importing.run
    if trial_s is not None:
        execute = partial(importing.try_out, seconds=trial_s)
    rows, sheet = _read(content, format, limits, charset)
    return execute(
        target=_target(resource, actor),
        rows=rows,
        format=Format(READ_BACK[format], zone, is_typed=format == "xlsx"),
        actor=actor,
        sheet=sheet,
    )


def _in_turn(act: Callable[[], Result]) -> Result:
    with time_limit.paused():
        has_turn = _turns.acquire(timeout=deadlines.IMPORT_QUEUE_TIMEOUT_S)
    if not has_turn:
        raise Busy(texts.IMPORTS_BUSY)
    try:
        return act()
    finally:
        _turns.release()


def _read(
    content: bytes, format: str, limits: Limits, charset: str
) -> tuple[Sequence[Row], str]:
    """Return the rows of a file, and the name of their sheet where it has several."""
    limits.check_bytes(len(content))
    require_known_format(content)
    if format == "csv":
        return list(csv_format.decode(content, limits, charset)), ""
    timeout_s = deadlines.IMPORT_QUEUE_TIMEOUT_S
    return native_threads.run_in_turn(
        _reading, timeout_s, _decode_xlsx, content, limits
    )


def _decode_xlsx(content: bytes, limits: Limits) -> tuple[Sequence[Row], str]:
    # imported here: a service that reads no XLSX does not load what reads it
    from glassflow.services.tables import xlsx_reader

    return xlsx_reader.decode(content, limits)


def _target(resource: ResourceDeclaration, actor: Identity) -> Target:
    rows = resource.importing
    assert rows is not None
    kinds, new_only = rows.fields_of(resource.schema, resource.model)
    return Target(
        model=resource.model,
        kinds=kinds,
        new_only=new_only,
        parts=rows.read_parts(),
        read_new=_within_limits((rows.new or resource.new).read),
        read_change=_within_limits((rows.change or resource.schema).read),
        create=rows.create_with or resource.create_with,
        create_all=None if rows.create_with else resource.create_all_with,
        update=rows.update_with or resource.update_with,
        may_create=actor.may(resource.keys.create),
        may_change=actor.may(resource.keys.manage),
        titles=texts.column_titles(resource.name),
    )


def _within_limits(
    read: Callable[..., dict[str, Any]],
) -> Callable[..., dict[str, Any]]:
    """Let a row have what the body of a request could have: its cells may be JSON."""
    max_length = current_app.config["MAX_ARRAY_LENGTH"]

    def read_limited(values: Mapping[str, Any], **options: Any) -> dict[str, Any]:
        body.require_within_limits(values, max_length)
        return read(values, **options)

    return read_limited


def summary(result: Result) -> str:
    """Return in one sentence what was or would be done."""
    return ", ".join(f"{count} {action}" for action, count in result.counts().items())


def to_wire(result: Result, *, is_trial: bool) -> dict[str, Any]:
    """Return a result as the `data` of the response."""
    faulty = result.faulty_rows
    rows = [
        _row(part, action, is_trial=is_trial)
        for action, changes in result.by_action.items()
        for change in changes
        for part in (change, *_rows_of_parts(change))
        if part.row not in faulty
    ]
    rows += [{"row": row, "action": "fault"} for row in faulty]
    return {
        "dryRun": is_trial,
        **result.counts(),
        **_named(result.sheet),
        "faults": len(faulty),
        "rows": sorted(rows, key=lambda row: row["row"]),
        "errors": [localized_part(fault.as_dict()) for fault in result.faults],
    }


def table_to_wire(result: Result) -> dict[str, Any]:
    """Return the cells of a file as texts, which a CSV file may hold instead."""
    zone = runtime.current().policy.timezone
    return {
        "header": result.table.header,
        "columns": result.table.names,
        "known": result.known,
        "taken": result.taken,
        "rows": [
            {
                "row": line.number,
                "cells": [_text_of(cell, zone) for cell in line.row],
            }
            for line in yielding(result.table.lines)
        ],
    }


def _text_of(cell: Cell, zone: ZoneInfo) -> str:
    """Return a cell as text; a time of XLSX has the workshop's offset then."""
    if isinstance(cell, datetime) and cell.tzinfo is None:
        cell = cell.replace(tzinfo=zone)
    return as_text(cell)


def _row(change: Change, action: str, *, is_trial: bool) -> dict[str, Any]:
    changes = {
        name: {"from": was, "to": now} for name, (was, now) in change.cells.items()
    }
    row: dict[str, Any] = {"row": change.row, "action": action, "changes": changes}
    if change.record_id is not None and not (is_trial and action == "created"):
        row["_id"] = change.record_id
    return row


def _rows_of_parts(change: Change) -> Iterator[Change]:
    """Yield the parts of a record that are below its row."""
    return (part for part in change.parts if part.row != change.row)
