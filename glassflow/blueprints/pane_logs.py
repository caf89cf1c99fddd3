"""Pane logs: read only."""

from bson import ObjectId
from flask import Response, request

from glassflow.domain import texts
from glassflow.domain.errors import Invalid
from glassflow.models.material import Material
from glassflow.models.pane_log import PaneLog
from glassflow.schemas.answers.scans import TIMELINE
from glassflow.schemas.base import RecordSchema
from glassflow.schemas.shapes import ID
from glassflow.services import pictures, records
from glassflow.services.events.event_route import EventRoute
from glassflow.services.reports import timeline
from glassflow.web import etags
from glassflow.web.auth import public, require
from glassflow.web.envelope import add_warnings, reply
from glassflow.web.operation import Parameter, describe
from glassflow.web.pictures import PICTURE, picture_response
from glassflow.web.query import read_text
from glassflow.web.record_responses import to_response
from glassflow.web.resource import Keys, Resource

VIEW = "pane_logs:view"

resource = Resource(
    name="pane-logs",
    model=PaneLog,
    schema=RecordSchema(),
    keys=Keys(view=VIEW, create=VIEW, manage=VIEW),
    events=EventRoute(
        "log:updated", rooms=("dashboard", "log"), actions=("pane_scanned",)
    ),
    aliases={"orderId": "order", "paneId": "pane", "materialId": "material"},
)
blueprint = resource.blueprint(without=("create", "update", "delete", "delete_many"))


@blueprint.get("/<oid:record_id>/photos/<int:number>")
@public
@describe("get_pane_log_photo", **PICTURE)
def photo(record_id: str, number: int) -> Response:
    """Send a picture to whoever has its signed link, which an `<img>` can load."""
    signature = request.args.get("signature", "")
    found = pictures.open_link(PaneLog, "pane-logs", record_id, number, signature)
    return picture_response(*found)


@blueprint.get("/timeline")
@require(VIEW)
@describe(
    "get_timeline",
    answer=TIMELINE,
    query=(
        Parameter(name="materialId", description="The id of a material.", shape=ID),
        Parameter(name="paneNumber", description="The number of a pane, instead."),
    ),
    populates=PaneLog,
    tagged=True,
    errors=(404,),
    warns=True,
)
def events() -> Response:
    """Return the events of a material or of a pane, oldest first."""
    number = read_text(request.args, "paneNumber")
    if number:
        found = timeline.of_pane(number, show=to_response)
        add_warnings(found.remarks)
        return etags.tag_list(reply(found.rows, "Timeline"))
    material = request.args.get("materialId", "").strip()
    if not material:
        raise Invalid([{"field": "materialId", "message": texts.TIMELINE_OF_WHAT}])
    if not ObjectId.is_valid(material):
        raise Invalid([{"field": "materialId", "message": texts.NOT_AN_ID}])
    key = records.read_by_path(Material, material)["_id"]
    rows = timeline.of_material(key, show=to_response)
    return etags.tag_list(reply(rows, "Timeline"))
