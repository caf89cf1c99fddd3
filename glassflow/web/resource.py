"""A resource: a collection of records behind six routes, declared on one card.

Variation is a function passed in, of the same form as those of `services.records`. An
option that would serve one resource only is a route of that card's own instead.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bson import ObjectId
from flask import Blueprint, Response, current_app, request
from marshmallow import fields as shapes
from marshmallow.validate import Length

from glassflow.core.channel import Channel
from glassflow.domain import permissions
from glassflow.domain.errors import Forbidden
from glassflow.models.base import Record
from glassflow.schemas.base import RecordSchema, Reference
from glassflow.services import deletion, records
from glassflow.services.expansion import expand
from glassflow.services.identity import Identity
from glassflow.services.representation import shape, stored
from glassflow.web import listing
from glassflow.web.auth import require, who
from glassflow.web.body import read
from glassflow.web.envelope import reply


@dataclass(frozen=True, slots=True)
class Keys:
    """The permission keys of a resource's routes."""

    view: str
    create: str
    manage: str

    @classmethod
    def of(cls, resource: str) -> "Keys":
        """Take a resource's keys from the catalogue; without `:create`, `:manage`."""
        view, create, manage = (f"{resource}:{a}" for a in ("view", "create", "manage"))
        known = create in permissions.CATALOGUE[resource]
        return cls(view=view, create=create if known else manage, manage=manage)


class _Ids(RecordSchema):
    """The body of a bulk delete."""

    ids = shapes.List(Reference(), required=True, validate=Length(min=1))


@dataclass(frozen=True, slots=True)
class Resource:
    """One kind of record on the wire.

    `owners` are stored fields that name a worker who may PATCH with `:view` alone.
    `scope` tells, as a filter of the store, which records a caller may see at all.
    `aliases` are names that screens use for the fields they filter by.
    """

    name: str
    model: type[Record]
    schema: RecordSchema
    keys: Keys
    channel: Channel | None = None
    create_with: Callable[..., Record] = records.create
    update_with: Callable[..., Record] = records.update
    delete_with: Callable[..., int] = deletion.delete
    find_with: Callable[[type[Any], str], dict[str, Any]] = records.find_named
    owners: tuple[str, ...] = ()
    scope: Callable[[Identity], dict[str, Any]] | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)

    def index(self) -> Response:
        """List records."""
        return self.listed({})

    def listed(self, narrow: dict[str, Any]) -> Response:
        """Answer with a page of the records that fit a further filter."""
        wanted = listing.read(
            self.model, request.args, resource=self.name, aliases=self.aliases
        )
        if self.scope:
            wanted.narrow(self.scope(who()))
        wanted.narrow(narrow)
        rows, total = wanted.run(self.model)
        return reply(
            present(self.model, rows, wanted.fields),
            f"{self.model.label} list",
            pagination=wanted.pagination(total),
        )

    def show(self, record_id: str) -> Response:
        """Show one record."""
        raw = self.visible(record_id)
        return self.answer(raw, f"{self.model.label} found")

    def create(self) -> Response:
        """Create a record."""
        values = read(self.schema)
        made = self.create_with(model=self.model, values=values, actor=who())
        return self.answer(stored(made), f"{self.model.label} created", status=201)

    def update(self, record_id: str) -> Response:
        """Change the fields that are named in the body."""
        raw = self.visible(record_id)
        self.demand_ownership(raw)
        values = read(self.schema, partial=True)
        changed = self.update_with(
            model=self.model, record_id=raw["_id"], values=values, actor=who()
        )
        return self.answer(stored(changed), f"{self.model.label} updated")

    def delete(self, record_id: str) -> Response:
        """Delete one record."""
        raw = self.visible(record_id)
        self.delete_with(model=self.model, ids=[raw["_id"]], actor=who())
        return self.answer(raw, f"{self.model.label} deleted")

    def delete_many(self) -> Response:
        """Delete all the records whose ids are in the body, or none."""
        ids: list[ObjectId] = list(dict.fromkeys(read(_Ids())["ids"]))
        count = self.delete_with(model=self.model, ids=ids, actor=who())
        return reply({"deletedCount": count}, f"{count} deleted")

    def visible(self, record_id: str) -> dict[str, Any]:
        """Read a record; raises `NotFound`, and `Forbidden` for one out of scope."""
        raw = self.find_with(self.model, record_id)
        scope = self.scope(who()) if self.scope else {}
        if any(raw.get(name) != value for name, value in scope.items()):
            raise Forbidden()
        return raw

    def demand_ownership(self, raw: Mapping[str, Any]) -> None:
        """Raise `Forbidden` for a caller who neither manages nor owns the record."""
        owned = any(raw.get(owner) == who().worker_id for owner in self.owners)
        if not owned and not who().may(self.keys.manage):
            raise Forbidden()

    def answer(
        self, raw: dict[str, Any], message: str, *, status: int = 200
    ) -> Response:
        """Answer with one record."""
        fields = listing.selected(request.args)
        return reply(present(self.model, [raw], fields)[0], message, status=status)

    def blueprint(self, *, without: tuple[str, ...] = ()) -> Blueprint:
        """Make the routes, each behind its key, but those that the card writes."""
        blueprint = Blueprint(self.name, __name__, url_prefix=f"/api/{self.name}")
        change = self.keys.view if self.owners else self.keys.manage
        routes = (
            ("GET", "", self.index, self.keys.view),
            ("POST", "", self.create, self.keys.create),
            ("DELETE", "", self.delete_many, self.keys.manage),
            ("GET", "/<record_id>", self.show, self.keys.view),
            ("PATCH", "/<record_id>", self.update, change),
            ("DELETE", "/<record_id>", self.delete, self.keys.manage),
        )
        for method, path, view, key in routes:
            name = view.__name__
            if name not in without:
                guarded = require(key)(view)
                blueprint.add_url_rule(path, name, guarded, methods=[method])
        return blueprint


def populate() -> str:
    """Tell what the request wants expanded; the setting EXPAND_REFERENCES rules else."""
    usual = "true" if current_app.config["EXPAND_REFERENCES"] else "false"
    return request.args.get("populate", "").strip() or usual


def present(
    model: type[Record], rows: list[dict[str, Any]], fields: tuple[str, ...] = ()
) -> list[dict[str, Any]]:
    """Give stored documents their wire form: shaped, expanded, and cut to `fields`."""
    shown = [shape(model, raw) for raw in rows]
    expand(model, shown, populate())
    if fields:
        shown = [
            {k: v for k, v in row.items() if k in fields or k == "_id"} for row in shown
        ]
    return shown
