"""Panes, and the scans that move them through the workshop."""

from typing import Any

from flask import Response, request

from glassflow.core.channel import Channel
from glassflow.domain.errors import Invalid
from glassflow.models.pane import Pane
from glassflow.models.pane_log import PaneLog
from glassflow.models.station import Station
from glassflow.schemas.pane import PaneSchema
from glassflow.schemas.scan import BatchScanSchema, ScanSchema
from glassflow.services import batch_scanning, panes, queues, records, scanning
from glassflow.services.representation import stored
from glassflow.services.scan_facts import Scan
from glassflow.services.scan_outcomes import Scanned
from glassflow.web.auth import require, who
from glassflow.web.body import read
from glassflow.web.envelope import reply
from glassflow.web.resource import Keys, Resource, present

SCAN, BATCH = ScanSchema(), BatchScanSchema()
ASKS_FOR_MERGED = frozenset(
    {"status", "status_ne", "currentStatus", "currentStatus_ne"}
)

resource = Resource(
    name="panes",
    model=Pane,
    schema=PaneSchema(),
    keys=Keys.of("panes"),
    channel=Channel(
        "pane:updated",
        rooms=("dashboard", "pane", "production"),
        station_field="currentStation",
    ),
    update_with=panes.update,
    delete_with=panes.delete,
    find_with=panes.find,
    aliases={"station": "currentStation", "status": "currentStatus"},
)
blueprint = resource.blueprint(without=("index", "create"))


@blueprint.get("")
@require("panes:view")
def index() -> Response:
    """List panes; merged ones are left out unless they are asked for."""
    asked = request.args.get("includeMerged", "").lower() == "true"
    if asked or not ASKS_FOR_MERGED.isdisjoint(request.args):
        return resource.listed({})
    return resource.listed({"currentStatus": {"$ne": "merged_into"}})


@blueprint.post("")
@require("panes:create")
def create() -> Response:
    """Create a pane, or a laminated unit as its parent and sheets."""
    made = panes.create(values=read(resource.schema), actor=who())
    shown = present(Pane, [stored(pane) for pane in made])
    unit = {"parent": shown[0], "sheets": shown[1:]}
    return reply(unit if len(shown) > 1 else shown[0], "Pane created", status=201)


@blueprint.get("/pending-counts")
@require("panes:view")
def pending_counts() -> Response:
    """Count the panes that wait at a station, by order and request."""
    text = request.args.get("station", "").strip()
    station = records.object_id(text, Station.label) if text else None
    return reply(queues.pending_counts(station=station), "Pending counts")


@blueprint.post("/<number>/scan")
@require("panes:scan")
def scan(number: str) -> Response:
    """Scan one pane."""
    try:
        said = Scan.said(read(SCAN))
    except Invalid:
        panes.find(Pane, number)  # a pane that is not there comes before a bad body
        raise
    result = scanning.scan(number=number, scan=said, actor=who())
    return reply(_shown(result), f"{said.action} recorded")


@blueprint.post("/batch-scan")
@require("panes:scan")
def batch_scan() -> Response:
    """Scan many panes alike, all or none."""
    body = read(BATCH)
    numbers = body.pop("pane_numbers")
    said = Scan.said(body)
    results = batch_scanning.batch_scan(numbers=numbers, scan=said, actor=who())
    shown = [_shown(result) for result in results]
    data = {"count": len(shown), "panes": [one["pane"] for one in shown]}
    return reply(
        {**data, "logs": [one["log"] for one in shown]}, f"{said.action} recorded"
    )


def _shown(result: Scanned) -> dict[str, Any]:
    data = {
        "pane": present(Pane, [result.pane])[0],
        "log": present(PaneLog, [result.log])[0],
    }
    if result.next_station:
        data["nextStation"] = result.next_station
    if result.remade:
        data["remadePane"] = present(Pane, [result.remade])[0]
    if result.merged:
        data |= {
            "mergedSheets": result.merged.sheets,
            "survivorPaneNumber": result.merged.survivor,
            "retiredPaneNumbers": result.merged.retired,
            "parentRetired": True,
        }
    return data
