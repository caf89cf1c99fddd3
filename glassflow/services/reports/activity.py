"""The activity of the workshop: who has created, changed, deleted or restored which records.

It is read from the history, the newest first. What one request has done to several records
of a kind is one entry: the 12 panes of a request, not 12 entries.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from bson import ObjectId

from glassflow.core.events import history as chain
from glassflow.core.store.changesets import DELETED
from glassflow.domain.aliases import May
from glassflow.models.base import Record
from glassflow.services import history
from glassflow.services.records.populate_table import brief_fields

Row = dict[str, Any]

MAX_RECORDS = 20  # that an entry names
PORTION = 200  # rows that are read at once
# Rows that are read for one answer: the scans of a day of a large workshop. The answer says
# where the next one goes on.
MAX_ROWS = 5_000
MOMENT = timedelta(seconds=10)  # between two changes of an entry
# What an order counts of its panes; the changes of these are listed themselves.
FIGURES = {
    "Order": {
        "paneCount",
        "panesCompleted",
        "panesDelivered",
        "completedAt",
        "progressPercent",
        "stationBreakdown",
    }
}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of record that a reader may see: its name in the API, and the reader's rights.

    `names_hidden` is whether the names of changed hidden fields are shown, `may_restore`
    whether the reader may restore records of the kind.
    """

    model: type[Record]
    name: str
    names_hidden: bool
    may_restore: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which changes are asked for; `first` and `before` are numbers of the history."""

    kinds: Sequence[Kind]
    actions: Collection[str]
    by: ObjectId | None
    first: int
    before: int
    limit: int


def read(wanted: Wanted, mode: str, may: May) -> Row:
    """Return `{entries, next}`: up to `limit` entries, and the `before` of the next answer.

    `next` is null where there is no more. `mode` is what is populated in the change of a
    single record, for a reader who `may` use keys.
    """
    kinds = {kind.model.__name__: kind for kind in wanted.kinds}
    changes = _Changes(wanted, kinds, may)
    entries: list[Row] = []
    for group in _groups(changes):
        if len(entries) == wanted.limit:
            changes.following = group[0]["seq"] + 1
            break
        entries.append(_entry(group, kinds[group[0]["kind"]]))
    _complete(entries, kinds, mode, may)
    return {"entries": entries, "next": changes.following}


@dataclass(slots=True)
class _Changes:
    """The changes that are asked for, as clients read them, but `MAX_ROWS` at most.

    `following` is the `before` of the next answer if there may be more.
    """

    wanted: Wanted
    kinds: Mapping[str, Kind]
    may: May
    following: int | None = None

    def __iter__(self) -> Iterator[Row]:
        before = self.wanted.before
        for _ in range(MAX_ROWS // PORTION):
            portion = chain.of_kinds(
                self.kinds.keys(),
                self.wanted.actions,
                by=self.wanted.by,
                first=self.wanted.first,
                before=before,
                limit=PORTION,
            )
            for row in portion:
                kind = self.kinds[row["kind"]]
                entry = history.entry_of(
                    kind.model, row, self.may, names_hidden=kind.names_hidden
                )
                if entry is not None and not _is_figures(row["kind"], entry):
                    yield {**entry, "kind": row["kind"], "row": row}
            if len(portion) < PORTION:
                return
            before = portion[-1]["_id"]
        self.following = before


def _is_figures(kind: str, entry: Row) -> bool:
    figures = FIGURES.get(kind)
    changed = {change["field"] for change in entry["changes"]}
    return figures is not None and changed <= figures and not entry["hidden"]


# What the changes of an entry have in common.
_SAME = ("kind", "action", "request", "by", "via", "viaName")


def _groups(changes: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield the changes that one request has made to records of one kind, next to each other.

    What a command or the service itself did has no request: then those of a moment.
    """
    group: list[Row] = []
    for change in changes:
        if group and not _belongs(change, group[-1]):
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _belongs(change: Row, later: Row) -> bool:
    same = all(change[name] == later[name] for name in _SAME)
    return same and later["at"] - change["at"] < MOMENT


def _entry(group: Sequence[Row], kind: Kind) -> Row:
    newest = group[0]
    records: dict[ObjectId, Row] = {}
    for change in group:
        records.setdefault(change["row"]["record"], change["row"])
    is_single = len(group) == 1
    return {
        **{name: newest[name] for name in ("seq", "at", *_SAME)},
        "kind": kind.name,
        "model": kind.model.__name__,
        "count": len(records),
        "records": dict(list(records.items())[:MAX_RECORDS]),
        "changes": newest["changes"] if is_single else [],
        "hidden": newest["hidden"] if is_single else [],
    }


def _complete(
    entries: Sequence[Row], kinds: Mapping[str, Kind], mode: str, may: May
) -> None:
    """Name the records of entries, and populate what they refer to, for each kind at once."""
    of_kind: dict[str, list[Row]] = defaultdict(list)
    for entry in entries:
        of_kind[entry.pop("model")].append(entry)
    for name, found in of_kind.items():
        kind = kinds[name]
        rows = {one: row for entry in found for one, row in entry["records"].items()}
        present = _present(kind.model, rows)
        for entry in found:
            entry["records"] = [
                _record(kind, row, present) for row in entry["records"].values()
            ]
        if mode != "false":
            history.populate_entries(kind.model, found, mode, may)


def _present(model: type[Record], ids: Collection[ObjectId]) -> dict[ObjectId, Row]:
    """Read the number or name of the records that exist, by their ids."""
    shown = dict.fromkeys(brief_fields(model), 1)
    found = model.collection().find({"_id": {"$in": list(ids)}}, shown)
    return {row["_id"]: row for row in found}


def _record(kind: Kind, row: Row, present: Mapping[ObjectId, Row]) -> Row:
    """Return a record of an entry; `row` is its change."""
    one, field = row["record"], brief_fields(kind.model)[-1]
    exists = one in present
    known = present[one] if exists else {**row["was"], **row["now"]}
    name = known.get(field) if field != "_id" else None
    is_deletion = row["action"] == DELETED and not row["now"].get(kind.model.successor)
    return {
        "_id": one,
        "name": name if exists or name else history.name_of(kind.model, one),
        "exists": exists,
        "isRestorable": is_deletion and kind.may_restore and not exists,
    }
