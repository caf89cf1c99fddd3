"""Changesets: which fields of each record a unit of work has changed, before and after.

The history consists of them (`core.events.history`); the outbox stores them with the
events. A changeset has the stored form of the changed fields only. Of hidden fields it
has the names; their values are in that of a deletion only, and secret ones in none.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

CREATED, UPDATED, DELETED = GENERIC = ("created", "updated", "deleted")
RESTORED = "restored"  # created again after its deletion, under the same id


@dataclass(frozen=True, slots=True)
class Changeset:
    """The changed fields of one record, `before` and `after`; a missing one is unset.

    `kind` is its model's name, `version` the one that it has after the change, or had
    when it was deleted. `action` is `created` or `restored` (all in `after`), `deleted` (all in
    `before`), `updated` or a named one. `hidden` are the names of the fields without values.
    """

    kind: str
    id: Any
    action: str
    version: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    hidden: tuple[str, ...] = ()

    def stored_form(self) -> dict[str, Any]:
        """Return the members in the order in which the history has them."""
        return {
            "kind": self.kind,
            "record": self.id,
            "action": self.action,
            "version": self.version,
            "was": dict(self.before),
            "now": dict(self.after),
            "hidden": list(self.hidden),
        }


def between(
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    fields: Iterable[str],
    *,
    hidden: Collection[str],
) -> tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]:
    """Return what differs in these fields: the values of both, of `hidden` ones the names.

    None counts as unset.
    """
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    names = []
    for name in fields:
        one, other = old.get(name), new.get(name)
        if _same(one, other):
            continue
        if name in hidden:
            names.append(name)
            continue
        if one is not None:
            before[name] = one
        if other is not None:
            after[name] = other
    return before, after, tuple(sorted(names))


def _same(one: Any, other: Any) -> bool:
    """Return whether values are equal, and are so in JSON: true is not 1, but 3 is 3.0."""
    if isinstance(one, bool) != isinstance(other, bool):
        return False
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(
            _same(one[name], other[name]) for name in one
        )
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


class Changesets:
    """The changesets of one unit of work: one for each record that it has written."""

    def __init__(self) -> None:
        self._by_record: dict[tuple[str, Any], Changeset] = {}

    def add(self, later: Changeset) -> None:
        """Add a changeset, merged with the earlier one of the same record.

        A record that the same unit has created and deleted has none.
        """
        key = later.kind, later.id
        earlier = self._by_record.pop(key, None)
        if earlier is None:
            self._by_record[key] = later
        elif (merged := _merged(earlier, later)) is not None:
            self._by_record[key] = merged

    def named(self, actions: Mapping[tuple[str, Any], str]) -> list[Changeset]:
        """Return all, in their order; changes with a named action under its name."""
        return [
            replace(one, action=actions.get(key, one.action))
            if one.action == UPDATED
            else one
            for key, one in self._by_record.items()
        ]


def _merged(earlier: Changeset, later: Changeset) -> Changeset | None:
    if earlier.action == CREATED and later.action == DELETED:
        return None
    changed = dict.fromkeys(
        [*earlier.before, *earlier.after, *later.before, *later.after]
    )
    old = {**_old(later), **_old(earlier)}
    new = {**_new(earlier), **_new(later)}
    before, after, _ = between(old, new, changed, hidden=())
    hidden = tuple(sorted({*earlier.hidden, *later.hidden}))
    action = earlier.action if later.action == UPDATED else later.action
    return replace(later, action=action, before=before, after=after, hidden=hidden)


def _old(one: Changeset) -> dict[str, Any]:
    """Return the values before, None for fields that were unset."""
    return {**dict.fromkeys(one.after), **one.before}


def _new(one: Changeset) -> dict[str, Any]:
    return {**dict.fromkeys(one.before), **one.after}
