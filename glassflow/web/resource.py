"""Resources: a collection of records with six routes, declared in one place.

A resource with rules of its own passes functions with the signature of those in
`services.records`. What only one resource needs is a route of its blueprint, not an
option here.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from bson import ObjectId
from flask import Blueprint, Response, request

from glassflow.core.identity import Identity
from glassflow.domain import permissions
from glassflow.domain.errors import Forbidden
from glassflow.models.base import Record
from glassflow.schemas.base import RecordSchema
from glassflow.schemas.embedded import items_of
from glassflow.schemas.ids import IdsSchema
from glassflow.services import lists, records
from glassflow.services.deletion import delete as deletion
from glassflow.services.events.event_route import EventRoute
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
from glassflow.web.envelope import add_warnings, reply
from glassflow.web.import_rows import ImportRows
from glassflow.web.operation import Parameter, attach
from glassflow.web.record_responses import populate_mode, tag, to_response, to_selected
from glassflow.web.resource_operations import ResourceOperations


@dataclass(frozen=True, slots=True)
class Keys:
    """The permission keys of a resource's routes."""

    view: str
    create: str
    manage: str

    @classmethod
    def of(cls, resource: str) -> "Keys":
        """Return a resource's keys; without a `:create` key, creating needs `:manage`."""
        view, create, manage = (f"{resource}:{a}" for a in ("view", "create", "manage"))
        known = create in permissions.CATALOGUE[resource]
        return cls(view=view, create=create if known else manage, manage=manage)


_IDS = IdsSchema()


@dataclass(frozen=True, slots=True)
class Resource:
    """The routes of one model.

    `events` names the event and the rooms of its changes. `owners` are stored fields
    that name a worker who may PATCH with `:view` alone. `scope` returns, as a filter of
    the store, the records that a caller may see. `aliases` are further names of fields
    in filters, `list_parameters` those of its list besides the usual ones, `narrow`
    returns the condition that these are for a caller, and
    `shows_unlisted` tells by the parameters whether the list has the records too that
    `Record.unlisted` names. `codes` are the error codes that its writes may answer with.
    `create_schema` is the body of a POST where it is another than that of a PATCH. With
    `create_all_with` a POST of `{items: [...]}` creates many records. One with
    `importing` has a route that imports files.
    """

    name: str
    model: type[Record]
    schema: RecordSchema
    keys: Keys
    events: EventRoute | None = None
    create_with: Callable[..., Record] = records.create
    update_with: Callable[..., Any] = records.update
    find_with: Callable[[type[Any], str], dict[str, Any]] = records.read_by_path
    owners: tuple[str, ...] = ()
    scope: Callable[[Identity], dict[str, Any]] | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    create_schema: RecordSchema | None = None
    create_all_with: Callable[..., Sequence[Any]] | None = None
    importing: ImportRows | None = None
    shows_unlisted: Callable[[Mapping[str, str]], bool] = lambda _: True
    list_parameters: tuple[Parameter, ...] = ()
    narrow: Callable[[Mapping[str, str]], dict[str, Any]] = lambda _: {}
    codes: tuple[str, ...] = ()
    items: RecordSchema | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Derive the body of a bulk create from that of a single one."""
        if self.create_all_with is not None:
            object.__setattr__(self, "items", items_of(self.new))

    @property
    def new(self) -> RecordSchema:
        """The body of a POST."""
        return self.create_schema or self.schema

    @property
    def manage_key(self) -> str:
        """The key of who may change its records."""
        return self.keys.manage

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
        wanted = self.list_query(args)
        return exports.respond(self.model, wanted, format, name=self.name)

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

    def delete(self, record_id: str) -> Response:
        """Delete one record and the records that the deletion rules take along."""
        raw = self.read_visible(record_id)
        actor = current_identity()
        with self.expecting(raw["_id"]):
            deletion.delete(model=self.model, ids=[raw["_id"]], actor=actor)
        shown = to_selected(self.model, raw)
        return reply(shown, f"{self.model.label} deleted")

    def delete_many(self) -> Response:
        """Delete all the records whose ids are in the body, or none."""
        ids: list[ObjectId] = list(dict.fromkeys(read_body(_IDS)["ids"]))
        count = deletion.delete(model=self.model, ids=ids, actor=current_identity())
        return reply({"deletedCount": count}, f"{count} deleted")

    def read_visible(self, record_id: str) -> dict[str, Any]:
        """Read a record; raises `NotFound`, and `Forbidden` outside the caller's scope."""
        raw = self.find_with(self.model, record_id)
        self.require_in_scope(raw)
        return raw

    def require_in_scope(self, raw: Mapping[str, Any]) -> None:
        """Raise `Forbidden` for a record outside the caller's scope."""
        scope = self.scope(current_identity()) if self.scope else {}
        if any(raw.get(name) != value for name, value in scope.items()):
            raise Forbidden()

    def require_ownership(self, raw: Mapping[str, Any]) -> None:
        """Raise `Forbidden` unless the caller manages or owns the record."""
        owned = any(
            raw.get(owner) == current_identity().worker_id for owner in self.owners
        )
        if not owned and not current_identity().may(self.keys.manage):
            raise Forbidden()

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
        )
        if not self.model.has_history:
            without = (*without, "history")
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
