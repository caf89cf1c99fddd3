"""Calls for help and stops of machines."""

from flask import Response, request

from glassflow.domain import error_codes
from glassflow.models.call import Call
from glassflow.schemas.answers.reports import STOPS
from glassflow.schemas.call import CallChangeSchema, CallEndSchema, CallSchema
from glassflow.schemas.period import PeriodQuery
from glassflow.services import calls
from glassflow.services.events.event_route import EventRoute
from glassflow.services.reports import stops
from glassflow.web.auth import require
from glassflow.web.body import read_body
from glassflow.web.envelope import reply
from glassflow.web.operation import describe
from glassflow.web.resource import Keys, Resource

END, PERIOD_QUERY = CallEndSchema(), PeriodQuery()

resource = Resource(
    name="calls",
    model=Call,
    schema=CallChangeSchema(),
    create_schema=CallSchema(),
    keys=Keys(view="panes:view", create="panes:scan", manage="stations:manage"),
    events=EventRoute(
        "call:updated",
        rooms=("dashboard", "production"),
        station_field="station",
        actions=("taken", "released", "ended"),
    ),
    create_with=calls.create,
    update_with=calls.update,
    codes=tuple(error_codes.CALLS),
)
blueprint = resource.blueprint()


@blueprint.get("/pareto")
@require("panes:view")
@describe("get_stops", query=PERIOD_QUERY, answer=STOPS)
def pareto() -> Response:
    """Add up the stops and calls of the last days, by station and kind."""
    asked = PERIOD_QUERY.read(request.args)
    return reply(stops.read(int(asked["days"])), "Stops")


@blueprint.post("/<oid:record_id>/take")
@require("panes:scan")
@resource.operations.describe("update", id="take_call", body=None)
def take(record_id: str) -> Response:
    """Say that one goes to a call."""
    return resource.act(record_id, calls.take, "You go")


@blueprint.post("/<oid:record_id>/release")
@require("panes:scan")
@resource.operations.describe("update", id="release_call", body=None)
def release(record_id: str) -> Response:
    """Say that one cannot go to a call after all."""
    return resource.act(record_id, calls.release, "Waits for somebody else")


@blueprint.post("/<oid:record_id>/end")
@require("panes:scan")
@resource.operations.describe(
    "update",
    id="end_call",
    body=END,
    partial=False,
    codes=(*error_codes.CALLS, "SCAN_TOO_OLD", "SCAN_IN_FUTURE"),
)
def end(record_id: str) -> Response:
    """End a call; maintenance with `stations:manage`."""
    return resource.act(record_id, calls.end, "Ended", **read_body(END))
