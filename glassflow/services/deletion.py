"""Deleting: what a record takes along, what keeps it from going, what is left behind.

The rules are the tables in `services.dependents`. One deletion is one transaction: all
goes that has to, or nothing.
"""

from collections.abc import Callable, Mapping, Sequence

from bson import ObjectId

from glassflow.core import outbox, ties
from glassflow.core.unit_of_work import hold_around, unit_of_work
from glassflow.domain.errors import Conflict, NotFound, Refusal
from glassflow.models import BY_NAME
from glassflow.models.base import Record
from glassflow.models.order import Order
from glassflow.services import (
    closing,
    dependents,
    order_progress,
    policy,
    records,
    references,
)
from glassflow.services.dependents import Raw, Table
from glassflow.services.identity import Identity
from glassflow.services.representation import stored

Going = dict[str, dict[ObjectId, Raw]]  # by kind and id
Farewell = Callable[[Sequence[Record], Identity], None]

# What a kind needs before it goes; see `configure`.
_farewells: dict[str, Farewell] = {}
# Their own use case says farewell to those that a caller names.
SELF_SERVING = ("Inventory",)
MANY = 50  # of a kind: beyond, the whole kind is held while they go


def configure(farewells: Mapping[str, Farewell]) -> None:
    """Say what has to be done before records of a kind go; by the composition root.

    The services that do it delete records themselves, so this one cannot know them.
    """
    _farewells.clear()
    _farewells.update(farewells)


@unit_of_work
def delete(*, model: type[Record], ids: Sequence[ObjectId], actor: Identity) -> int:
    """Delete records, all or none, and tell how many; what they take along apart.

    Raises `NotFound` if one is unknown. Under the policy `restrict` raises `Conflict`
    with a count of what blocks it (`Customer has 3 orders`) if the going of one would
    orphan others; `cascade` takes those along, and empties what still points there.
    """
    kind = model.__name__
    _hold({kind: {one: {} for one in ids}})
    going: Going = {kind: _load(model, ids)}
    count = len(going[kind])
    cascade = policy.current().delete_policy == "cascade"
    takes = dependents.DEPENDENTS if cascade else dependents.COMPANIONS
    _gather(going, takes)
    _hold(going)
    _refuse_if_blocked(going, dependents.ALWAYS)
    if not cascade:
        _refuse_if_kept(going)
        _refuse_if_blocked(going, dependents.BLOCKERS)
    _say_farewell(going, takes, kind, actor)
    orders = _orders_left(going)
    closing.close(list(going.get("Station", ())), actor=actor)
    _clear_references(going)
    _take_away(going)
    order_progress.recount_orders(orders)
    return count


def _hold(going: Going) -> None:
    """Keep others from pointing at these until they are gone, or stay after all."""
    names = [
        name
        for kind, rows in going.items()
        if kind in references.TARGETS
        for name in ([kind] if len(rows) > MANY else (ties.name(kind, i) for i in rows))
    ]
    hold_around(names, ties.going)


def _load(model: type[Record], ids: Sequence[ObjectId]) -> dict[ObjectId, Raw]:
    collection = model._get_collection()
    found = {
        row["_id"]: row
        for some in dependents.portions(ids)
        for row in collection.find({"_id": {"$in": some}})
    }
    if not found.keys() >= set(ids):
        raise NotFound(f"{model.label} not found")
    return {one: found[one] for one in ids}


def _gather(going: Going, takes: Table) -> None:
    """Add to those that go all that they take along, and what these do."""
    fresh = {kind: list(rows.values()) for kind, rows in going.items()}
    while fresh:
        added: dict[str, list[Raw]] = {}
        for kind, rows in fresh.items():
            for taken in takes.get(kind, ()):
                there = going.setdefault(taken.model, {})
                for row in taken.rows(rows):
                    if row["_id"] not in there:
                        there[row["_id"]] = row
                        added.setdefault(taken.model, []).append(row)
        fresh = added


def _refuse_if_kept(going: Going) -> None:
    for row in going.get("Claim", {}).values():
        if row["status"] == "approved":
            raise Conflict(
                "An approved claim stays, with the loss that it records",
                code="CLAIM_APPROVED",
            )


def _refuse_if_blocked(going: Going, blockers: Table) -> None:
    """Raise for the first that is blocked, the named ones before what they take."""
    for kind, rows in going.items():
        counts: dict[ObjectId, dict[str, int]] = {}
        for found in blockers.get(kind, ()):
            held = found.holders(rows.values(), going.get(found.model, {}))
            for one, count in held.items():
                counts.setdefault(one, {})[found.word] = count
        for one in rows:
            if one in counts:
                raise _blocked(kind, counts[one])


def _blocked(kind: str, counts: Mapping[str, int]) -> Refusal:
    listed = ", ".join(_counted(count, word) for word, count in counts.items())
    refusal = Refusal if kind == "Role" else Conflict  # roles: 400, as for system ones
    return refusal(
        f"{BY_NAME[kind].label} has {listed}", code="IN_USE", facts={"counts": counts}
    )


def _counted(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _say_farewell(going: Going, takes: Table, asked: str, actor: Identity) -> None:
    """Have done what a kind needs before it goes; read anew, as one may change others.

    A claim whose pane goes too has nothing to give back.
    """
    for kind in dependents.LEAVES_FIRST:
        ids = [
            one
            for one, row in going.get(kind, {}).items()
            if kind != "Claim" or row.get("pane") not in going.get("Pane", {})
        ]
        if ids and kind in _farewells and not (kind == asked and kind in SELF_SERVING):
            _farewells[kind](list(BY_NAME[kind].objects(pk__in=ids)), actor)
            going[kind].update(_load(BY_NAME[kind], ids))
            _gather(going, takes)  # what came back may have got a lot of its own


def _orders_left(going: Going) -> list[ObjectId]:
    """List the orders that stay and lose panes."""
    lost = {row.get("order") for row in going.get("Pane", {}).values()} - {None}
    lost -= going.get("Order", {}).keys()
    return [
        row["_id"] for row in Order._get_collection().find({"_id": {"$in": [*lost]}})
    ]


def _clear_references(going: Going) -> None:
    """Empty the references of what stays to what goes."""
    for kind, rows in going.items():
        for held in dependents.CLEARED.get(kind, ()):
            there = going.get(held.model, {})
            ids = [r["_id"] for r in held.rows(rows.values(), "_id")]
            ids = [one for one in ids if one not in there]
            if ids:
                _clear(BY_NAME[held.model], ids, held.name, rows)


def _clear(
    model: type[Record], ids: list[ObjectId], name: str, gone: Mapping[ObjectId, Raw]
) -> None:
    changed = list(model.objects(pk__in=ids))
    field = next(key for key, f in model._fields.items() if f.db_field == name)
    for record in changed:
        old = record[field]
        listed = isinstance(old, list)
        record[field] = [one for one in old if one not in gone] if listed else None
        record.stamp()
        outbox.record(model.__name__, stored(record), "updated")
    records.replace_all(changed)


def _take_away(going: Going) -> None:
    for kind in sorted(going, key=dependents.LEAVES_FIRST.index):
        rows = going[kind]
        for some in dependents.portions(list(rows)):
            BY_NAME[kind]._get_collection().delete_many({"_id": {"$in": some}})
        for row in rows.values():  # a bulk delete fires no signals
            outbox.record(kind, row, "deleted")
