"""Resources: a collection of records with six routes, declared in one place.

A resource with rules of its own passes functions with the signature of those in
`services.records`. What only one resource needs is a route of its blueprint, not an
option here.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from bson import ObjectId
from flask import Blueprint, Response, request

from glassflow.schemas.ids import IdsSchema
from glassflow.services import lists, records
from glassflow.services.deletion import delete as deletion
from glassflow.services.deletion import restore as restoring
from glassflow.web import (
    bulk_creates,
    etags,
    exports,
    imports,
    query,
    record_changes,
    record_history,
)
from glassflow.web.auth import current_identity, require
from glassflow.web.body import read_body
from glassflow.web.declaration import Keys, ResourceDeclaration
from glassflow.web.envelope import add_warnings, reply
from glassflow.web.operation import attach
from glassflow.web.record_responses import populate_mode, tag, to_response, to_selected
from glassflow.web.resource_operations import ResourceOperations

__all__ = ["Keys", "Resource"]

_IDS = IdsSchema()


@dataclass(frozen=True, slots=True)
class Resource(ResourceDeclaration):
    """The routes of one model; its fields are those of `ResourceDeclaration`."""

    @property
    def operations(self) -> ResourceOperations:
        """The descriptions of the routes."""
        return ResourceOperations(self, _IDS)

    def index(self) -> Response:
        """List records."""
        wanted = self.list_query(request.args)
        page = lists.read_page(self.model, wanted)
        return etags.tag_list(
            reply(
                to_response(self.model, page.rows, wanted.fields),
                f"{self.model.label} list",
                pagination=page.pagination,
            )
        )

    def list_query(self, args: Mapping[str, str]) -> lists.ListQuery:
        """Return the query of a list with these parameters, in the caller's scope."""
        wanted = query.read_query(
            self.model,
            args,
            resource=self.name,
            aliases=self.aliases,
            further=[one.name for one in self.list_parameters],
        )
        scope = self.scope(current_identity()) if self.scope else {}
        listed_only = bool(self.model.readable) or not self.shows_unlisted(args)
        narrowed = wanted.restricted(self.narrow(args))
        return narrowed.restricted(scope, listed_only=listed_only)

    def export_csv(self) -> Response:
        """Send a list as a CSV file."""
        return self.export(request.args, "csv")

    def export_xlsx(self) -> Response:
        """Send a list as an XLSX file."""
        return self.export(request.args, "xlsx")

    def export(self, args: Mapping[str, str], format: str) -> Response:
        """Build the response with all rows of a list, as `csv` or `xlsx`."""
        wanted, to_read = self.export_query(args)
        return exports.respond(
            self.model, wanted, format, name=self.name, to_read=to_read
        )

    def export_query(self, args: Mapping[str, str]) -> tuple[lists.ListQuery, bool]:
        """Return the query of an export with these parameters, and whether people read it."""
        of_list, to_read = exports.take_form(args)
        return self.list_query(of_list), to_read

    def import_table(self) -> Response:
        """Import the rows of a file, or show what that would do with `dryRun`."""
        return imports.respond(self)

    def show(self, record_id: str) -> Response:
        """Show one record."""
        raw = self.read_visible(record_id)
        return self.answer(raw, f"{self.model.label} found")

    def history(self, record_id: str) -> Response:
        """Return the changes of one record, the newest first."""
        return record_history.respond(self, record_id, mode=populate_mode())

    def create(self) -> Response:
        """Create a record, or all of `items`."""
        if self.create_all_with is not None and bulk_creates.is_asked(self.items):
            made = bulk_creates.create(self.items, self.model, self.create_all_with)
            rows = [one.stored_form() for one in made]
            shown = to_response(self.model, rows, query.selected(request.args))
            return reply(shown, f"{len(rows)} created", status=201)
        values = read_body(self.new)
        created = self.create_with(
            model=self.model, values=values, actor=current_identity()
        )
        add_warnings(created.remarks)
        return self.answer(
            created.stored_form(), f"{self.model.label} created", status=201
        )

    def update(self, record_id: str) -> Response:
        """Change the fields named in the body."""
        changed = self.change(record_id)
        add_warnings(changed.remarks)
        return self.answer(changed.stored_form(), f"{self.model.label} updated")

    def change(self, record_id: str) -> Any:
        """Change the record as the body says; return what `update_with` returns."""
        key, values = record_changes.read_changes(self, record_id)
        with self.expecting(key):
            return self.update_with(
                model=self.model, record_id=key, values=values, actor=current_identity()
            )

    def act(
        self, record_id: str, use_case: Callable[..., Any], message: str, **given: Any
    ) -> Response:
        """Let a use case change one record, in the version of the If-Match if any.

        It gets `record_id`, the caller as `actor`, and what is `given`, and returns the
        record.
        """
        raw = self.read_visible(record_id)
        with self.expecting(raw["_id"], may_demand=False):
            changed = use_case(record_id=raw["_id"], actor=current_identity(), **given)
        return self.answer(changed.stored_form(), message)

    def delete(self, record_id: str) -> Response:
        """Delete one record and the records that the deletion rules take along."""
        raw = self.read_visible(record_id)
        actor = current_identity()
        with self.expecting(raw["_id"]):
            deletion.delete(model=self.model, ids=[raw["_id"]], actor=actor)
        shown = to_selected(self.model, raw)
        return reply(shown, f"{self.model.label} deleted")

    def restore(self, record_id: str) -> Response:
        """Restore a deleted record from the history, with what was deleted because of it."""
        key = records.object_id(record_id, self.model.label)
        restored = restoring.restore(
            model=self.model, record_id=key, actor=current_identity()
        )
        add_warnings(restored.remarks)
        message = f"{self.model.label} restored"
        return self.answer(restored.stored_form(), message, status=201)

    def delete_many(self) -> Response:
        """Delete all the records whose ids are in the body, or none."""
        ids: list[ObjectId] = list(dict.fromkeys(read_body(_IDS)["ids"]))
        count = deletion.delete(model=self.model, ids=ids, actor=current_identity())
        return reply({"deletedCount": count}, f"{count} deleted")

    def answer(
        self, raw: dict[str, Any], message: str, *, status: int = 200, **further: Any
    ) -> Response:
        """Build the response that carries one record, and `further` members of it."""
        shown = {**to_selected(self.model, raw), **further}
        response = reply(shown, message, status=status)
        return self.tagged(response, raw, is_plain=not further)

    def tagged(
        self, response: Response, raw: Mapping[str, Any], *, is_plain: bool = True
    ) -> Response:
        """Add the entity tag of a record, and to a creation where the record is.

        `is_plain`: the body has no more than the record.
        """
        if response.status_code == 201:
            response.headers["Location"] = f"/api/{self.name}/{raw['_id']}"
        return tag(response, self.model, raw, is_plain=is_plain)

    def expecting(
        self, record_id: ObjectId, *, may_demand: bool = True
    ) -> AbstractContextManager[None]:
        """Let the block change the record only in the version of the If-Match, if any.

        `may_demand`: the setting REQUIRE_IF_MATCH may demand one.
        """
        return record_changes.expecting(self, record_id, may_demand=may_demand)

    def blueprint(self, *, without: tuple[str, ...] = ()) -> Blueprint:
        """Create the routes, each guarded by its key.

        `without` names routes that the resource's file does not have or writes itself.
        """
        blueprint = Blueprint(self.name, __name__, url_prefix=f"/api/{self.name}")
        change = self.keys.view if self.owners else self.keys.manage
        routes = (
            ("GET", "", self.index, self.keys.view),
            ("POST", "", self.create, self.keys.create),
            ("DELETE", "", self.delete_many, self.keys.manage),
            ("GET", "/export.csv", self.export_csv, self.keys.view),
            ("GET", "/export.xlsx", self.export_xlsx, self.keys.view),
            ("GET", "/<oid:record_id>", self.show, self.keys.view),
            ("GET", "/<oid:record_id>/history", self.history, self.keys.view),
            ("PATCH", "/<oid:record_id>", self.update, change),
            ("DELETE", "/<oid:record_id>", self.delete, self.keys.manage),
            ("POST", "/<oid:record_id>/restore", self.restore, self.keys.manage),
        )
        if not self.model.has_history:
            without = (*without, "history")
        if self.model.__name__ not in restoring.KINDS:
            without = (*without, "restore")
        for method, path, view, key in routes:
            if view.__name__ not in without:
                self._add_route(blueprint, method, path, require(key)(view))
        if self.importing is not None:
            # the rows decide which of the keys they need
            keys = dict.fromkeys((self.keys.create, self.keys.manage))
            view = imports.long_request(require(*keys)(self.import_table))
            self._add_route(blueprint, "POST", "/import", view)
        return blueprint

    def _add_route(
        self, blueprint: Blueprint, method: str, path: str, view: Callable[..., Any]
    ) -> None:
        name = view.__name__
        described = attach(self.operations.of(name))(view)
        blueprint.add_url_rule(path, name, described, methods=[method])
