"""Saved exports: an export by name, for oneself or for all who may read its list."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from flask import Blueprint, Response, current_app
from werkzeug.datastructures import MultiDict

from glassflow.core.identity import Identity
from glassflow.domain import texts
from glassflow.domain.errors import Forbidden, Invalid
from glassflow.models.saved_export import SavedExport
from glassflow.schemas.saved_export import SavedExportSchema
from glassflow.services import records, saved_exports
from glassflow.services.deletion import delete as deletion
from glassflow.services.tables import csv_format, xlsx_cells
from glassflow.web.auth import any_worker, current_identity
from glassflow.web.body import read_body
from glassflow.web.operation import describe
from glassflow.web.resource import Keys, Resource


def _lists() -> Mapping[str, Resource]:
    """Return the lists that can be exported, by name."""
    return {
        one.name: one
        for one in current_app.extensions["resources"]
        if f"{one.name}.{Resource.export_csv.__name__}" in current_app.view_functions
    }


def _readable(actor: Identity) -> set[str]:
    return {name for name, one in _lists().items() if actor.may(one.keys.view)}


def _visible(actor: Identity) -> dict[str, Any]:
    return saved_exports.visible_to(actor, _readable(actor))


def _require_exportable(values: Mapping[str, Any]) -> Resource:
    """Return the list that is exported.

    Raises `Invalid` for an unknown one or a query that it refuses, and `Forbidden`.
    """
    target = _lists().get(values["resource"])
    if target is None:
        raise Invalid([{"field": "resource", "message": texts.LIST_UNKNOWN}])
    current_identity().require(target.keys.view)
    target.export_query(_parameters(values))
    return target


def _parameters(values: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the parameters as those of a request: of several of a name, the first."""
    pairs = parse_qsl(values.get("query") or "", keep_blank_values=True)
    return MultiDict(pairs)


def _create(*, values: Mapping[str, Any], **rest: Any) -> SavedExport:
    _require_exportable(values)
    return saved_exports.create(values=values, **rest)


resource = Resource(
    name="saved-exports",
    model=SavedExport,
    schema=SavedExportSchema(),
    keys=Keys(view="", create="", manage=""),  # see `services.saved_exports`
    create_with=_create,
    scope=_visible,
)
blueprint = Blueprint(resource.name, __name__, url_prefix=f"/api/{resource.name}")


@blueprint.get("")
@any_worker
@resource.operations.describe("index")
def index() -> Response:
    """List one's own saved exports, and the shared ones of lists that one may read."""
    return resource.index()


@blueprint.post("")
@any_worker
@resource.operations.describe("create", errors=(403,))
def create() -> Response:
    """Save an export of a list that one may read."""
    return resource.create()


@blueprint.get("/<oid:record_id>")
@any_worker
@resource.operations.describe("show")
def show(record_id: str) -> Response:
    """Show one saved export."""
    return resource.answer(_read(record_id), "Saved export found")


@blueprint.patch("/<oid:record_id>")
@any_worker
@resource.operations.describe("update", errors=(403,))
def update(record_id: str) -> Response:
    """Change a saved export of one's own."""
    raw = _read_own(record_id)
    values = read_body(resource.schema, partial=True)
    _require_exportable({**raw, **{k: v for k, v in values.items() if v is not None}})
    with resource.expecting(raw["_id"]):
        changed = records.update(
            model=SavedExport,
            record_id=raw["_id"],
            values=values,
            actor=current_identity(),
        )
    return resource.answer(changed.stored_form(), "Saved export updated")


@blueprint.delete("/<oid:record_id>")
@any_worker
@resource.operations.describe("delete", errors=(403,), codes=())
def delete(record_id: str) -> Response:
    """Delete a saved export of one's own."""
    raw = _read_own(record_id)
    with resource.expecting(raw["_id"]):
        deletion.delete(model=SavedExport, ids=[raw["_id"]], actor=current_identity())
    return resource.answer(raw, "Saved export deleted")


@blueprint.get("/<oid:record_id>/file")
@any_worker
@describe(
    "get_saved_export_file",
    answer=None,
    media=(csv_format.MEDIA_TYPE, xlsx_cells.MEDIA_TYPE),
    errors=(400, 403, 404, 503),
)
def file(record_id: str) -> Response:
    """Make the file of a saved export, with the rights of the caller."""
    raw = _read(record_id)
    target = _lists().get(raw["resource"])
    if target is None:
        raise Forbidden()
    current_identity().require(target.keys.view)
    return target.export(_parameters(raw), raw["format"])


def _read(record_id: str) -> dict[str, Any]:
    actor = current_identity()
    return saved_exports.read_export(record_id, actor, _readable(actor))


def _read_own(record_id: str) -> dict[str, Any]:
    raw = _read(record_id)
    saved_exports.require_change(raw, current_identity())
    return raw
