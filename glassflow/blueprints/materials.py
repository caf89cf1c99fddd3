"""Materials: kinds of stock, their units and reorder points; what there is of them."""

from flask import Response, request

from glassflow.domain.errors import Forbidden
from glassflow.models.material import Material
from glassflow.models.material_log import MaterialLog
from glassflow.schemas.material import MaterialSchema
from glassflow.schemas.shapes import BOOLEAN, array, record
from glassflow.services import lists, records
from glassflow.services.events.event_route import EventRoute
from glassflow.services.stock import book, holdings, low_stock, materials
from glassflow.web import etags, query
from glassflow.web.auth import current_identity, require
from glassflow.web.envelope import reply
from glassflow.web.import_rows import ImportRows
from glassflow.web.operation import ListOf, Parameter, describe
from glassflow.web.record_responses import to_response
from glassflow.web.resource import Keys, Resource

resource = Resource(
    name="materials",
    model=Material,
    schema=MaterialSchema(),
    keys=Keys.of("materials"),
    events=EventRoute(
        "material:updated",
        rooms=("dashboard", "inventory"),
        actions=("low_stock",),
    ),
    update_with=materials.update,
    create_all_with=records.create_all,
    importing=ImportRows(),
)
blueprint = resource.blueprint()
LOW = Parameter(name="low", description="Only materials that are low.", shape=BOOLEAN)


@blueprint.get("/stock")
@require("materials:view")
@resource.operations.describe(
    "index",
    id="list_stock",
    answer=array(record("MaterialStock")),
    rows=ListOf(model=Material, resource=resource.name, has_cursors=False),
    query=(LOW,),
)
def stock() -> Response:
    """List materials with their lots and sums; `low=true`: those that are low."""
    _require_lots()
    wanted = query.read_query(
        Material, request.args, resource=resource.name, further=[LOW.name]
    )
    if query.flag(request.args, "low"):
        low = [one.material["_id"] for one in low_stock.shortages()]
        wanted = wanted.restricted({"_id": {"$in": low}})
    page = lists.read_page(Material, wanted)
    shown = holdings.of_materials(page.rows)
    return etags.tag_list(reply(shown, "Stock", pagination=page.pagination))


@blueprint.get("/<oid:record_id>/stock")
@require("materials:view")
@describe(
    "get_material_stock", answer=record("MaterialStock"), tagged=True, errors=(404,)
)
def stock_of(record_id: str) -> Response:
    """Show a material with its lots and their sum."""
    _require_lots()
    material = records.read_by_path(Material, record_id)
    return etags.tag_list(reply(holdings.of_materials([material])[0], "Stock"))


def _require_lots() -> None:
    """Raise `Forbidden` without the key of the lots, which the answer has too."""
    if not current_identity().may("inventory:view"):
        raise Forbidden()


@blueprint.get("/<oid:record_id>/book")
@require("material_logs:view")
@describe(
    "list_book",
    answer=array(record("BookEntry")),
    rows=ListOf(model=MaterialLog, resource="material-logs", has_cursors=False),
    populates=MaterialLog,
    tagged=True,
)
def show_book(record_id: str) -> Response:
    """List the log of a material with the balance after each row, or that of a lot."""
    material = {"material": records.object_id(record_id, Material.label)}
    wanted = query.read_query(MaterialLog, request.args, resource="material-logs")
    wanted = wanted.restricted(material, listed_only=True)
    page = lists.read_page(MaterialLog, wanted)
    added = book.added_fields(page.rows, book.account(wanted.conditions))
    shown = to_response(MaterialLog, page.rows, wanted.fields)
    rows = [row | more for row, more in zip(shown, added, strict=True)]
    return etags.tag_list(reply(rows, "Book", pagination=page.pagination))
