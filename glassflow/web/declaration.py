"""The declaration of a resource: its model, its bodies, and who may do what with it.

The modules that do the work of its routes take it; `web.resource` makes the routes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from glassflow.core.identity import Identity
from glassflow.domain import permissions
from glassflow.domain.errors import Forbidden
from glassflow.models.base import Record
from glassflow.schemas.base import RecordSchema
from glassflow.schemas.embedded import items_of
from glassflow.services import records
from glassflow.services.events.event_route import EventRoute
from glassflow.web.auth import current_identity
from glassflow.web.import_rows import ImportRows
from glassflow.web.operation import Parameter


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


@dataclass(frozen=True, slots=True)
class ResourceDeclaration:
    """What a blueprint declares of the routes of one model.

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
