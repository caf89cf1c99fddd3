"""What happened to panes, as it was scanned: read only."""

from flask import Response, request

from glassflow.core.channel import Channel
from glassflow.domain.errors import Invalid
from glassflow.models.material import Material
from glassflow.models.pane_log import PaneLog
from glassflow.schemas.base import RecordSchema
from glassflow.services import records, timeline
from glassflow.web.auth import require
from glassflow.web.envelope import reply
from glassflow.web.resource import Keys, Resource

VIEW = "pane_logs:view"

resource = Resource(
    name="pane-logs",
    model=PaneLog,
    schema=RecordSchema(),
    keys=Keys(view=VIEW, create=VIEW, manage=VIEW),
    channel=Channel("log:updated", rooms=("dashboard", "log")),
    aliases={"orderId": "order", "paneId": "pane", "materialId": "material"},
)
blueprint = resource.blueprint(without=("create", "update", "delete", "delete_many"))


@blueprint.get("/timeline")
@require(VIEW)
def events() -> Response:
    """Show what happened to a material, or to a pane, oldest first."""
    material = request.args.get("materialId", "").strip()
    number = request.args.get("paneNumber", "").strip()
    if number:
        return reply(timeline.of_pane(number), "Timeline")
    if not material:
        fault = "materialId or paneNumber is required"
        raise Invalid([{"field": "materialId", "message": fault}])
    found = records.find_named(Material, material)
    return reply(timeline.of_material(found["_id"]), "Timeline")
