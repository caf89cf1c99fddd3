"""Racks, and what is done with the panes on one: put on, taken off, scanned."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from flask import Response

from glassflow.domain import error_codes
from glassflow.domain.errors import Invalid
from glassflow.models.base import Record
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.models.rack import Rack
from glassflow.schemas.answers.racks import RACK_PANES, RACK_SCANNED
from glassflow.schemas.rack import RackPanesSchema, RackScanSchema, RackSchema
from glassflow.services import records
from glassflow.services.events.event_route import EventRoute
from glassflow.services.scanning import racks
from glassflow.services.scanning import undo as undoing
from glassflow.services.scanning.context import Scan
from glassflow.services.scanning.racks import Handling
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.envelope import reply
from glassflow.web.operation import describe
from glassflow.web.record_responses import to_response
from glassflow.web.resource import Keys, Resource

PANES, SCAN = RackPanesSchema(), RackScanSchema()
TIMES = ("SCAN_TOO_OLD", "SCAN_IN_FUTURE")

resource = Resource(
    name="racks",
    model=Rack,
    schema=RackSchema(),
    keys=Keys(view="panes:view", create="stations:manage", manage="stations:manage"),
    events=EventRoute(
        "rack:updated", rooms=("dashboard", "production"), station_field="station"
    ),
    find_with=racks.read_by_path,
    create_all_with=records.create_all,
)
blueprint = resource.blueprint()


@blueprint.post("/<oid:record_id>/put")
@require("panes:scan")
@describe(
    "put_on_rack",
    body=PANES,
    answer=RACK_PANES,
    populates=Pane,
    errors=(404,),
    codes=("NOT_ON_FLOOR", "UNKNOWN_PANES", *TIMES),
)
def put(record_id: str) -> Response:
    """Let panes stand on a rack, wherever they stood before; all or none."""
    return _handle(record_id, racks.put, "On the rack")


@blueprint.post("/<oid:record_id>/take-off")
@require("panes:scan")
@describe(
    "take_off_rack",
    body=PANES,
    answer=RACK_PANES,
    populates=Pane,
    errors=(404,),
    codes=("UNKNOWN_PANES", *TIMES),
)
def take_off(record_id: str) -> Response:
    """Let panes stand on no rack; those that are not on this one stay as they are."""
    return _handle(record_id, racks.take_off, "Taken off the rack")


def _handle(name: str, act: Callable[..., Any], message: str) -> Response:
    body = _body(name, PANES)
    numbers = body.pop("pane_numbers")
    handling = Handling(current_identity(), **body)
    rack, panes = act(name=name, numbers=numbers, handling=handling)
    data = {"rack": _shown(Rack, [rack])[0], "panes": _shown(Pane, panes)}
    return reply(data, message)


@blueprint.post("/<oid:record_id>/scan")
@require("panes:scan")
@describe(
    "scan_rack",
    body=SCAN,
    answer=RACK_SCANNED,
    populates=Pane,
    errors=(404,),
    codes=("RACK_CHANGED", *error_codes.SCANS),
)
def scan(record_id: str) -> Response:
    """Scan panes that stand on a rack with one action, all or none; they stay on it."""
    body = _body(record_id, SCAN)
    numbers = body.pop("pane_numbers")
    requested = replace(Scan.from_body(body), of_rack=True)
    rack, results = racks.scan(
        name=record_id, numbers=numbers, scan=requested, actor=current_identity()
    )
    data = {
        "rack": _shown(Rack, [rack])[0],
        "count": len(results),
        "updatedCount": len(results),
        "panes": _shown(Pane, [result.pane for result in results]),
        "logs": _shown(PaneLog, [result.log for result in results]),
        "undoableUntil": undoing.undoable_until(results[0].log),
    }
    return reply(data, f"{requested.action} recorded")


def _body(name: str, schema: RackPanesSchema) -> dict[str, Any]:
    """Read the body; an unknown rack is reported before invalid values."""
    try:
        return read_body(schema)
    except Invalid:
        racks.read_by_path(Rack, name)
        raise


def _shown(model: type[Record], found: Sequence[Record]) -> list[dict[str, Any]]:
    return to_response(model, [one.stored_form() for one in found])
