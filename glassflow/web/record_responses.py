"""Records as clients receive them: populated, reduced to some fields, with entity tags."""

from collections.abc import Mapping
from typing import Any

from flask import Response, current_app, request

from glassflow.core.process.cooperative import yielding
from glassflow.models.base import Record
from glassflow.services.records import restricted_fields, singleton
from glassflow.services.records.populate import populate
from glassflow.services.records.serialization import to_wire
from glassflow.web import etags, query
from glassflow.web.auth import current_identity


def populate_mode() -> str:
    """Return the request's `populate`, else the default of EXPAND_REFERENCES."""
    default = "true" if current_app.config["EXPAND_REFERENCES"] else "false"
    return request.args.get("populate", "").strip() or default


def to_response(
    model: type[Record], rows: list[dict[str, Any]], fields: tuple[str, ...] = ()
) -> list[dict[str, Any]]:
    """Return stored documents in wire form: populated, and reduced to `fields`.

    Restricted fields that the caller is not shown are left out.
    """
    may = current_identity().may
    shown = [to_wire(model, raw) for raw in yielding(rows)]
    restricted_fields.hide(model, shown, may)
    populate(model, shown, populate_mode(), may=may)
    if fields:
        shown = [
            {k: v for k, v in row.items() if k in fields or k == "_id"} for row in shown
        ]
    return shown


def to_selected(model: type[Record], raw: dict[str, Any]) -> dict[str, Any]:
    """Return a stored document as `to_response` does, with the fields of the request."""
    return to_response(model, [raw], query.selected(request.args))[0]


def tag(
    response: Response, model: type[Record], raw: Mapping[str, Any], *, is_plain: bool
) -> Response:
    """Add the entity tag of a record; `is_plain`: the body has no more than the record."""
    selected = query.selected(request.args) or populate_mode() != "false"
    # all stores have it at one path: a browser may have that of another, at this version
    is_singleton = raw.get("_id") == singleton.ID
    return etags.tag_record(
        response,
        raw.get("version") or 0,
        is_plain=is_plain and not (selected or is_singleton or model.shown_as),
    )
