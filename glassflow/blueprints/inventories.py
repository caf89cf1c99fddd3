"""Inventories: lots of material in the store room."""

from flask import Response

from glassflow.core.channel import Channel
from glassflow.models.inventory import Inventory
from glassflow.schemas.inventory import InventorySchema, MoveSchema
from glassflow.services import records, stock
from glassflow.web.auth import require, who
from glassflow.web.body import read
from glassflow.web.envelope import reply
from glassflow.web.resource import Keys, Resource, present

MOVE = MoveSchema()

resource = Resource(
    name="inventories",
    model=Inventory,
    schema=InventorySchema(),
    keys=Keys.of("inventory"),
    channel=Channel("inventory:updated", rooms=("dashboard", "inventory")),
    create_with=stock.create,
    update_with=stock.update,
    delete_with=stock.delete,
)
blueprint = resource.blueprint()


@blueprint.post("/<record_id>/move")
@require("inventory:move")
def move(record_id: str) -> Response:
    """Move a part of a lot, or all of it, to another place."""
    lot = records.find_named(Inventory, record_id)
    moved = stock.move(lot_id=lot["_id"], values=read(MOVE), actor=who())
    lots = present(Inventory, [moved["source"], moved["target"]])
    return reply({**moved, "source": lots[0], "target": lots[1]}, "Stock moved")
