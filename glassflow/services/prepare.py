"""Prepares a store: its collections, indexes and counters; compares its indexes.

Models declare their indexes (`models.indexes`); the modules in `COLLECTIONS` create those
of collections that have no model.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pymongo import IndexModel
from pymongo.collection import Collection
from pymongo.errors import OperationFailure

from glassflow.core.access import (
    browser_sessions,
    device_sessions,
    idempotency_store,
    logins,
    rate_limits,
)
from glassflow.core.events import event_log, history, webhook_log
from glassflow.core.store import (
    counters,
    files,
    index_check,
    locks,
    outbox,
    reference_locks,
)
from glassflow.core.store.connection import is_extended
from glassflow.models import ALL
from glassflow.models.base import Record
from glassflow.models.indexes import Index, declared
from glassflow.services import daily_figures
from glassflow.services.forecasts import kept as kept_forecasts

# A test compares them with the modules of `core` that have a function `ensure`.
COLLECTIONS = (
    outbox,
    event_log,
    history,
    daily_figures,
    kept_forecasts,
    locks,
    reference_locks,
    rate_limits,
    files,
    browser_sessions,
    device_sessions,
    logins,
    idempotency_store,
    webhook_log,
)
# IndexOptionsConflict and IndexKeySpecsConflict of MongoDB.
OTHER_OPTIONS = frozenset({85, 86})
DUPLICATE_VALUES = 11000
# The embedded store changes no index while transactions are open.
LOCK_BUSY = 46


class IndexRefused(Exception):
    """The store cannot create an index, or not as a whole; the text says why."""


@dataclass(frozen=True, slots=True)
class Difference:
    """An index of a collection that the store lacks, or has with other options."""

    collection: str
    index: str
    is_missing: bool


def ensure_indexes() -> int:
    """Create missing indexes and counters, and return the number of indexes.

    It also creates the collections, so that no transaction has to. On the embedded store
    it checks that the new indexes are whole. Raises `IndexRefused`.
    """
    with new_ones_whole():
        create(ALL)
        counters.ensure(model.numbered[1] for model in ALL if model.numbered)
        for module in COLLECTIONS:
            module.ensure()
    found = (model.collection().index_information() for model in ALL)
    return sum(len(names) - 1 for names in found)  # `_id_` is the store's own


def create(models: Sequence[type[Record]]) -> None:
    """Create the missing indexes of the models; several processes may do so at once.

    It creates the collections too. Raises `IndexRefused` for one that the store cannot
    create, because it has one with other options or records with equal values.
    """
    for model in models:
        collection = model.collection()
        for index in declared(model):
            options = {"unique": True} if index.unique else {}
            options |= {"sparse": True} if index.sparse else {}
            try:
                collection.create_indexes([IndexModel(list(index.keys), **options)])
            except OperationFailure as error:
                raise _refused(collection.name, index, error) from error


def _refused(collection: str, index: Index, error: OperationFailure) -> Exception:
    if error.code in OTHER_OPTIONS:
        return IndexRefused(
            f"The index {index.name} of {collection} exists with other options: drop it "
            "and run `flask indexes` again."
        )
    if error.code == DUPLICATE_VALUES:
        return IndexRefused(
            f"The unique index {index.name} of {collection} cannot be created: several "
            f"records have the same values ({error.details or error})."
        )
    return error


def _busy(error: OperationFailure) -> Exception:
    if error.code != LOCK_BUSY:
        return error
    return IndexRefused(
        "No index can be created or dropped while transactions are open: try it again, or "
        "stop the service first."
    )


def drop(collection: Collection[dict[str, Any]], name: str) -> None:
    """Drop an index that models do not declare any more, if the store has it.

    Raises `IndexRefused` where the store does not, because transactions are open.
    """
    if name in collection.index_information():
        try:
            collection.drop_index(name)
        except OperationFailure as error:
            raise _busy(error) from error


@contextmanager
def new_ones_whole() -> Iterator[None]:
    """Check the indexes that the block creates, and repair them, on the embedded store.

    A MongoDB creates whole ones, and the plain embedded store cannot be asked. Raises
    `IndexRefused` for one that is not whole after its repair, and where the store creates
    none because transactions are open.
    """
    if not is_extended():
        yield
        return
    before = index_check.stored()
    try:
        yield
    except OperationFailure as error:
        raise _busy(error) from error
    faults = index_check.repair_new(before)
    if faults:
        raise IndexRefused(
            f"New indexes are not whole ({'; '.join(faults)}): drop them and run "
            "`flask indexes` again."
        )


def differences(models: Sequence[type[Record]]) -> Iterator[Difference]:
    """Yield the declared indexes that the store lacks, or has with other options."""
    for model in models:
        collection = model.collection()
        stored = {_keys(one): one for one in collection.index_information().values()}
        for index in declared(model):
            found = stored.get(index.keys)
            if found is None:
                yield Difference(collection.name, index.name, is_missing=True)
            elif _options(found) != (index.unique, index.sparse):
                yield Difference(collection.name, index.name, is_missing=False)


def _keys(stored: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    return tuple((field, direction) for field, direction in stored["key"])


def _options(stored: Mapping[str, Any]) -> tuple[bool, bool]:
    return bool(stored.get("unique")), bool(stored.get("sparse"))
