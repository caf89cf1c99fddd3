"""Inventories: lots of material in the store room."""

from flask import Response

from glassflow.domain import error_codes
from glassflow.models.inventory import Inventory
from glassflow.schemas.answers.stock import MOVE_PREVIEW, MOVED
from glassflow.schemas.inventory import InventorySchema, MoveSchema
from glassflow.services import records
from glassflow.services.events.event_route import EventRoute
from glassflow.services.stock import inventory, moves
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.envelope import reply
from glassflow.web.import_rows import ImportRows
from glassflow.web.operation import describe
from glassflow.web.record_responses import to_response
from glassflow.web.resource import Keys, Resource

MOVE = MoveSchema()

resource = Resource(
    name="inventories",
    model=Inventory,
    schema=InventorySchema(),
    keys=Keys.of("inventory"),
    events=EventRoute(
        "inventory:updated",
        rooms=("dashboard", "inventory"),
        actions=("adjusted", "moved"),
    ),
    create_with=inventory.create,
    create_all_with=inventory.create_all,
    importing=ImportRows(),
    update_with=inventory.update,
    codes=(*error_codes.STOCK, *error_codes.DELETION),
)
blueprint = resource.blueprint()


@blueprint.post("/<record_id>/move")
@require("inventory:move")
@describe(
    "move_inventory",
    body=MOVE,
    answer=MOVED,
    populates=Inventory,
    compares=True,
    codes=tuple(error_codes.STOCK),
)
def move(record_id: str) -> Response:
    """Move a quantity of a lot to another location."""
    lot = records.read_by_path(Inventory, record_id)["_id"]
    values, actor = read_body(MOVE), current_identity()
    with resource.expecting(lot, may_demand=False):
        moved = moves.move(lot_id=lot, values=values, actor=actor)
    shown = to_response(Inventory, [moved["source"], moved["target"]])
    data = {
        "source": shown[0],
        "target": shown[1],
        "quantity": moved["quantity"],
        "movedQuantity": moved["quantity"],
    }
    return reply(data, "Stock moved")


@blueprint.post("/<record_id>/move/preview")
@require("inventory:move")
@describe(
    "preview_inventory_move",
    body=MOVE,
    answer=MOVE_PREVIEW,
    populates=Inventory,
    codes=tuple(error_codes.STOCK),
)
def preview_move(record_id: str) -> Response:
    """Show what a move would do: the lots as they are, and the target lot or null."""
    lot = records.read_by_path(Inventory, record_id)
    found = moves.preview(lot_id=lot["_id"], values=read_body(MOVE))
    shown_lots = {name: found[name] for name in ("source", "target") if found[name]}
    shown = to_response(Inventory, list(shown_lots.values()))
    return reply({**found, **dict(zip(shown_lots, shown, strict=True))}, "Preview")
