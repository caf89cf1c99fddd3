"""Delete records: what blocks a delete, what is deleted too, what is left behind.

The rules are the tables in `rules.py`; what a kind needs besides is in `hooks.py`.
`docs/deletion.md` is printed from both. A delete is one transaction: all or nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack

from bson import ObjectId

from glassflow import runtime
from glassflow.core.identity import Identity
from glassflow.core.process import time_limit
from glassflow.core.store import expect_version, reference_locks
from glassflow.core.store.unit_of_work import lock_before, unit_of_work
from glassflow.domain import texts
from glassflow.domain.bilingual import THAI, Bilingual, listed
from glassflow.domain.errors import Conflict, NotFound, Refusal
from glassflow.models import BY_NAME
from glassflow.models.base import Record
from glassflow.services import records
from glassflow.services.deletion import rules
from glassflow.services.deletion.hooks import HOOKS, Deletion, Doomed
from glassflow.services.deletion.rules import Dependent, Raw, Table
from glassflow.services.records import references
from glassflow.services.records.lookup import chunked

LOCK_KIND_ABOVE = 50  # records of a kind; above it the whole kind is locked


@unit_of_work
def delete(*, model: type[Record], ids: Sequence[ObjectId], actor: Identity) -> int:
    """Delete records of a model, all or none, and return how many the ids name.

    Records that are deleted with them are not counted. Raises `NotFound` for an unknown
    id, `Stale` if the caller expects another version, what the `check` hooks of the kind raise, and `Conflict` with counts (`Customer
    has 3 orders`) for dependents that block the delete under the policy. Raises `TooMany`
    for more records than can be deleted at once.
    """
    kind = model.__name__
    reference_locks.wait_for_equal_deletions(_names({kind: ids}))
    doomed: Doomed = {kind: _load(model, ids)}
    for one, row in doomed[kind].items():
        expect_version.check(kind, one, row.get("version"))
    _lock(doomed)
    count = len(doomed[kind])
    cascade = runtime.current().policy.delete_policy == "cascade"
    takes = rules.CASCADES_TO if cascade else rules.TAKES_ALONG
    _collect(doomed, takes)
    _lock(doomed)
    deletion = Deletion(actor, cascade, doomed)
    _check(deletion, kind)
    _run_before_hooks(deletion, takes)
    with ExitStack() as around:
        for hooks in [HOOKS[one] for one in _kinds(doomed) if one in HOOKS]:
            if hooks.around:
                around.enter_context(hooks.around(deletion))
        _clear_references(deletion)
        _delete_rows(doomed)
    _store_changed(deletion)
    return count


def _lock(doomed: Doomed) -> None:
    """Keep others from writing references to these records until the delete has ended."""
    names: list[str] = []
    for kind, rows in doomed.items():
        if kind in references.TARGETS:
            whole_kind = len(rows) > LOCK_KIND_ABOVE
            names += [kind] if whole_kind else _names({kind: rows})
    lock_before(names, reference_locks.deleting)


def _names(ids_of: Mapping[str, Iterable[ObjectId]]) -> list[str]:
    return [
        reference_locks.lock_name(kind, one)
        for kind, ids in ids_of.items()
        for one in ids
    ]


def _load(
    model: type[Record], ids: Sequence[ObjectId], *, with_archived: bool = False
) -> dict[ObjectId, Raw]:
    """Read records; `with_archived`: also those that no client can read."""
    collection = model.collection()
    readable = {} if with_archived else model.readable
    found = {
        row["_id"]: row
        for part in chunked(ids)
        for row in collection.find({"_id": {"$in": part}, **readable})
    }
    if not found.keys() >= set(ids):
        raise NotFound(texts.NOT_FOUND.format(label=model.label))
    return {one: found[one] for one in ids}


def _collect(doomed: Doomed, takes: Table) -> None:
    """Add the records that are deleted too, and those that are deleted with them."""
    fresh = {kind: list(rows.values()) for kind, rows in doomed.items()}
    while fresh:
        added: dict[str, list[Raw]] = {}
        for kind, rows in fresh.items():
            for dependent in takes.get(kind, ()):
                known = doomed.setdefault(dependent.model, {})
                for row in dependent.rows(rows):
                    if row["_id"] not in known:
                        known[row["_id"]] = row
                        added.setdefault(dependent.model, []).append(row)
        time_limit.allow_for(sum(map(len, added.values())))
        fresh = added


def _kinds(doomed: Doomed) -> list[str]:
    """List the kinds of which records are deleted, in `DELETE_ORDER`."""
    kinds = [kind for kind, rows in doomed.items() if rows]
    return sorted(kinds, key=rules.DELETE_ORDER.index)


def _check(deletion: Deletion, named: str) -> None:
    """Raise the refusals of the hooks, then those of the rules.

    `named` is the kind of the records that the caller wants to delete.
    """
    for kind in _kinds(deletion.doomed):
        if kind in HOOKS and (check := HOOKS[kind].check):
            check(deletion)
    _refuse_if_blocked(deletion.doomed, rules.BLOCKS_ALWAYS, named)
    if not deletion.cascade:
        _refuse_if_blocked(deletion.doomed, rules.BLOCKS, named)


def _refuse_if_blocked(doomed: Doomed, blocks: Table, named: str) -> None:
    """Raise for the first record that is blocked, the named ones before the others."""
    for kind, rows in doomed.items():
        counts: dict[ObjectId, dict[str, int]] = {}
        for dependent in blocks.get(kind, ()):
            deleted_too = doomed.get(dependent.model, {})
            found = dependent.counts(rows.values(), deleted_too)
            for one, count in found.items():
                counts.setdefault(one, {})[dependent.label] = count
        for one in rows:
            if one in counts:
                raise _blocked(kind, counts[one], named)


def _blocked(kind: str, counts: Mapping[str, int], named: str) -> Refusal:
    dependents = listed(counted(count, label) for label, count in counts.items())
    text = texts.IN_USE if kind == named else texts.PART_IN_USE
    message = text.format(
        label=BY_NAME[named].label, part=_with_article(kind), dependents=dependents
    )
    refusal = Refusal if kind == "Role" else Conflict  # roles: 400, as for system ones
    return refusal(message, code="IN_USE", details={"counts": counts})


def _with_article(kind: str) -> Bilingual:
    label = BY_NAME[kind].label
    name = label.lower()
    article = "an" if name[0] in "aeiou" else "a"
    return Bilingual(f"{article} {name}", th=label.in_language(THAI))


def counted(count: int, label: str) -> Bilingual:
    """Return a number of dependents as text: `1 order`, `2 panes to laminate`."""
    plural = texts.PLURALS[label]
    one = Bilingual(label, th=plural.in_language(THAI))
    return texts.COUNTED.format(count=count, kind=one if count == 1 else plural)


def _run_before_hooks(deletion: Deletion, takes: Table) -> None:
    """Run the `before` hooks; they may change records that are deleted, or add some.

    So the rows are read again: a lot that got stock back, or was made to take it.
    """
    for kind in rules.DELETE_ORDER:
        rows = deletion.doomed.get(kind)
        if rows and kind in HOOKS and (before := HOOKS[kind].before):
            before(deletion)
            rows.update(_load(BY_NAME[kind], list(rows), with_archived=True))
            _collect(deletion.doomed, takes)


def _clear_references(deletion: Deletion) -> None:
    """Empty the references of records that stay to those that are deleted."""
    for kind, rows in deletion.doomed.items():
        for dependent in rules.NULLIFIES.get(kind, ()):
            found = [row["_id"] for row in dependent.rows(rows.values(), "_id")]
            ids = [one for one in found if not deletion.is_doomed(dependent.model, one)]
            for record in deletion.to_change(dependent.model, ids):
                _clear(record, dependent, rows)


def _clear(
    record: Record, dependent: Dependent, deleted: Mapping[ObjectId, Raw]
) -> None:
    name = dependent.attribute
    old = record[name]
    is_list = isinstance(old, list)
    record[name] = [one for one in old if one not in deleted] if is_list else None


def _delete_rows(doomed: Doomed) -> None:
    for kind in _kinds(doomed):
        records.delete(BY_NAME[kind], doomed[kind].values())


def _store_changed(deletion: Deletion) -> None:
    # also orders with the same figures, see `order_figures.store`
    records.store(*deletion.changed.values(), even_unchanged=True)
