"""Kinds with one record, such as the workshop itself: it is read, created once and changed."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.store import expect_version
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.models.base import Record
from glassflow.services.records import crud
from glassflow.services.records.writing import store

# Fixed, so that of two concurrent creations one finds the other's record.
ID = ObjectId("000000000000000000000001")

R = TypeVar("R", bound=Record)
First = Callable[[], Mapping[str, Any]]


def find(model: type[R]) -> R | None:
    """Return the record; None before its creation."""
    return model.find_one({"_id": ID})


def read(model: type[R], *, first: First = dict) -> R:
    """Return the record. A transaction is opened only to create it.

    `first` returns the values that it is created with, besides the defaults of the model.
    """
    return find(model) or _create(model, first)


@unit_of_work
def _create(model: type[R], first: First) -> R:
    stored = find(model)
    if stored is not None:
        return stored
    created = model(id=ID)
    crud.apply_changes(created, first())
    store(created)
    return created


@unit_of_work
def update(
    model: type[R],
    values: Mapping[str, Any],
    actor: Identity,
    *,
    first: First = dict,
    apply: Callable[[R, Mapping[str, Any]], None] = crud.apply_changes,
) -> R:
    """Change the record with `apply`, and store the actor as its `updated_by`.

    The same values again are no change. Raises `Stale` if the caller expects another
    version.
    """
    changed = read(model, first=first)
    expect_version.check(model.__name__, ID, changed.version)
    apply(changed, values)
    if changed.is_changed:
        changed["updated_by"] = actor.worker_id
        store(changed)
    return changed
