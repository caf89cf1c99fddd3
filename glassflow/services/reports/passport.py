"""What belongs to a pane besides its own record; all of it also as it was at a moment."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from bson import ObjectId

from glassflow.domain import texts
from glassflow.domain.aliases import May
from glassflow.domain.errors import FieldFault, NotFound
from glassflow.domain.panes.status import LaminateRole
from glassflow.domain.permissions import view_key
from glassflow.models.base import Record
from glassflow.models.claim import Claim
from glassflow.models.inventory import Inventory
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import history
from glassflow.services.history import State
from glassflow.services.panes import mapping
from glassflow.services.records.populate_table import VIEW_KEYS
from glassflow.services.reports import timeline

MAX_RELATED = 100  # records of one kind

Row = dict[str, Any]


class Related(NamedTuple):
    """Stored documents, oldest first."""

    remakes: list[Row]
    unit: list[Row]
    claims: list[Row]


def related(number: str, *, may: May) -> Related:
    """Return the remakes of a pane, the sheets of its laminated unit and its claims.

    `number` is a pane's number, QR payload or id. The sheets are those of the parent
    that the pane is or has, replaced ones included. Without the view key of claims
    these are left out. Raises `NotFound`.
    """
    pane = mapping.read_by_path(Pane, number)
    is_parent = pane.get("laminateRole") == LaminateRole.PARENT
    parent = pane["_id"] if is_parent else pane.get("parentPane")
    may_see_claims = may(VIEW_KEYS[Claim.__name__])
    return Related(
        remakes=_oldest(Pane, remakeOf=pane["_id"]),
        unit=_oldest(Pane, parentPane=parent) if parent else [],
        claims=_oldest(Claim, pane=pane["_id"]) if may_see_claims else [],
    )


def _oldest(model: type[Record], **query: Any) -> list[Row]:
    found = model.collection().find(query).sort([("createdAt", 1), ("_id", 1)])
    return list(found.limit(MAX_RELATED))


@dataclass(slots=True)
class Passport:
    """A pane and all that belongs to it, stored documents in visible form.

    `chain` are the panes that it replaces and those that replace it, `unit` the panes of
    its laminated unit, `lots` those that its glass was taken from. What the caller may
    not view is None or empty. `unknown_before` is set where the history of the pane does
    not reach back to the moment; the pane is then as it was at this later time. `remarks`
    name archive files that may have more of the timeline.
    """

    pane: Row
    request: Row | None = None
    order: Row | None = None
    lots: list[Row] = field(default_factory=list)
    chain: list[Row] = field(default_factory=list)
    unit: list[Row] = field(default_factory=list)
    claims: list[Row] = field(default_factory=list)
    timeline: list[Row] = field(default_factory=list)
    unknown_before: datetime | None = None
    remarks: list[FieldFault] = field(default_factory=list)


def read_passport(
    number: str, *, at: datetime | None, may: May, show: timeline.Show
) -> Passport:
    """Return the passport of a pane, as it is or was `at` a moment (UTC).

    `number` is as in `related`, `show` as in `timeline.of_pane`. A pane that has been
    deleted since is found by its id. Raises `NotFound`, also for a moment at which there
    was no such pane.
    """
    if at is not None:
        history.update()
    now = _read_or_deleted(number) if at else mapping.read_by_path(Pane, number)
    reader = _Reader(at, may)
    pane = reader.state(Pane, now["_id"])
    if pane.row is None:
        raise NotFound(texts.PANE_NOT_THERE_YET)
    row = pane.row
    events, remarks = (
        timeline.of_pane_id(now["_id"], show=show)
        if reader.sees_timeline()
        else ([], [])
    )
    events = [one for one in events if at is None or one["createdAt"] <= at]
    return Passport(
        pane=row,
        request=reader.one(Request, row.get("request")),
        order=reader.one(Order, row.get("order")),
        lots=reader.all(Inventory, _lots(events)),
        chain=reader.all(Pane, _chain(now)),
        unit=reader.all(Pane, _unit(now)),
        claims=reader.all(Claim, _ids(Claim, pane=now["_id"])),
        timeline=events,
        unknown_before=pane.unknown_before,
        remarks=remarks,
    )


def _read_or_deleted(number: str) -> Row:
    """Read a pane; as it was deleted if it is not there any more; raises `NotFound`."""
    try:
        return mapping.read_by_path(Pane, number)
    except NotFound:
        is_id = ObjectId.is_valid(number)
        found = history.deleted_form(Pane, ObjectId(number)) if is_id else None
        if found is None:
            raise
        return found


class _Reader:
    """Reads what a caller may view, as it is or was at a moment."""

    def __init__(self, at: datetime | None, may: May) -> None:
        self._at, self._may = at, may

    def sees(self, model: type[Record]) -> bool:
        return self._may(VIEW_KEYS[model.__name__])

    def sees_timeline(self) -> bool:
        return self._may(view_key("pane_logs"))

    def state(self, model: type[Record], record_id: ObjectId) -> State:
        return self._states(model, [record_id])[record_id]

    def one(self, model: type[Record], record_id: ObjectId | None) -> Row | None:
        found = self.all(model, [record_id] if record_id else [])
        return found[0] if found else None

    def all(self, model: type[Record], ids: Iterable[ObjectId]) -> list[Row]:
        wanted = list(dict.fromkeys(ids))
        if not wanted or not self.sees(model):
            return []
        states = self._states(model, wanted)
        rows = (states[one].row for one in wanted)
        return [row for row in rows if row is not None]

    def _states(
        self, model: type[Record], ids: list[ObjectId]
    ) -> dict[ObjectId, State]:
        if self._at is not None:
            return history.states_at(model, ids, self._at)
        query = {"_id": {"$in": ids}, **model.readable}
        found = {row["_id"]: row for row in model.collection().find(query)}
        return {one: State(found.get(one)) for one in ids}


def _lots(events: list[Row]) -> Iterator[ObjectId]:
    for event in events:
        lot = event.get("inventory")
        if isinstance(lot, dict):
            lot = lot["_id"]
        if isinstance(lot, ObjectId):
            yield lot


def _chain(pane: Row) -> list[ObjectId]:
    """Return the panes that a pane replaces, the oldest first, and its replacements."""
    before: list[ObjectId] = []
    known = {pane["_id"]}
    earlier = pane.get("remakeOf")
    while earlier and earlier not in known and len(before) < MAX_RELATED:
        known.add(earlier)
        before.insert(0, earlier)
        row = Pane.collection().find_one({"_id": earlier}, {"remakeOf": 1}) or {}
        earlier = row.get("remakeOf")
    after: list[ObjectId] = []
    fresh = [pane["_id"]]
    while fresh and len(after) < MAX_RELATED:
        found = _ids(Pane, remakeOf={"$in": fresh})
        fresh = [one for one in found if one not in known]
        known.update(fresh)
        after += fresh
    return [*before, *after]


def _unit(pane: Row) -> list[ObjectId]:
    is_parent = pane.get("laminateRole") == LaminateRole.PARENT
    parent = pane["_id"] if is_parent else pane.get("parentPane")
    return _ids(Pane, parentPane=parent) if parent else []


def _ids(model: type[Record], **query: Any) -> list[ObjectId]:
    return [row["_id"] for row in _oldest(model, **query)]
