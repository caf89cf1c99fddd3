"""What a unit of work has changed of each record, field by field.

The history is made of these (`core.events.history`); the outbox stores them with the events. A
difference has the stored form of the changed fields only, before and after. Of hidden
fields it has the names, never a value.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

CREATED, UPDATED, DELETED = GENERIC = ("created", "updated", "deleted")


@dataclass(frozen=True, slots=True)
class Difference:
    """The changed fields of one record: `was` before, `now` after, a missing one unset.

    `kind` is its model's name, `version` the one that it has after the change, or had
    when it was deleted. `action` is `created` (all in `now`), `deleted` (all in `was`),
    `updated` or a named one. `hidden` are the names of hidden fields.
    """

    kind: str
    id: Any
    action: str
    version: int
    was: Mapping[str, Any]
    now: Mapping[str, Any]
    hidden: tuple[str, ...] = ()

    def stored_form(self) -> dict[str, Any]:
        """Return the members in the order in which the history has them."""
        return {
            "kind": self.kind,
            "record": self.id,
            "action": self.action,
            "version": self.version,
            "was": dict(self.was),
            "now": dict(self.now),
            "hidden": list(self.hidden),
        }


def between(
    was: Mapping[str, Any],
    now: Mapping[str, Any],
    fields: Iterable[str],
    *,
    hidden: Collection[str],
) -> tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]:
    """Return what differs in these fields: visible values of both, and hidden names.

    None counts as unset.
    """
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    names = []
    for name in fields:
        old, new = was.get(name), now.get(name)
        if _same(old, new):
            continue
        if name in hidden:
            names.append(name)
            continue
        if old is not None:
            before[name] = old
        if new is not None:
            after[name] = new
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


class Differences:
    """The differences of one unit of work: one for each record that it has written."""

    def __init__(self) -> None:
        self._by_record: dict[tuple[str, Any], Difference] = {}

    def add(self, later: Difference) -> None:
        """Add a difference, joined with the earlier one of the same record.

        A record that the same unit has created and deleted has none.
        """
        key = later.kind, later.id
        earlier = self._by_record.pop(key, None)
        if earlier is None:
            self._by_record[key] = later
        elif (joined := _joined(earlier, later)) is not None:
            self._by_record[key] = joined

    def named(self, actions: Mapping[tuple[str, Any], str]) -> list[Difference]:
        """Return all, in their order; changes with a named action under its name."""
        return [
            replace(one, action=actions.get(key, one.action))
            if one.action == UPDATED
            else one
            for key, one in self._by_record.items()
        ]


def _joined(earlier: Difference, later: Difference) -> Difference | None:
    if earlier.action == CREATED and later.action == DELETED:
        return None
    changed = dict.fromkeys([*earlier.was, *earlier.now, *later.was, *later.now])
    before = {**_old(later), **_old(earlier)}
    after = {**_new(earlier), **_new(later)}
    was, now, _ = between(before, after, changed, hidden=())
    hidden = tuple(sorted({*earlier.hidden, *later.hidden}))
    action = earlier.action if later.action == UPDATED else later.action
    return replace(later, action=action, was=was, now=now, hidden=hidden)


def _old(one: Difference) -> dict[str, Any]:
    """Return the values before, None for fields that were unset."""
    return {**dict.fromkeys(one.now), **one.was}


def _new(one: Difference) -> dict[str, Any]:
    return {**dict.fromkeys(one.was), **one.now}
