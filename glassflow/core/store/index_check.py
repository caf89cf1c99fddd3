"""The entries of indexes, compared with the documents by the store's command `validate`.

A document that has no entry in an index is missing from what is read by that index. Of the
embedded store only the extended program compares (`connection.is_extended`); the plain one
answers that all indexes are whole.
"""

import logging
from collections.abc import Mapping
from typing import Any

from mongoengine.connection import get_db

log = logging.getLogger(__name__)

# Of each collection the descriptions of its indexes, by name.
Indexes = Mapping[str, Mapping[str, Any]]


def collections() -> list[str]:
    """Return the names of the database's collections, without views and system ones."""
    names: list[str] = get_db().list_collection_names(filter={"type": "collection"})
    return sorted(name for name in names if not name.startswith("system."))


def faults(collection: str, **options: Any) -> list[str]:
    """Return what is wrong with the indexes of a collection, in sentences.

    `indexes`, the names of those that are compared, is an option of the extended store.
    """
    return _sentences(get_db().command("validate", collection, **options))


def repair(collection: str, **options: Any) -> list[str]:
    """Repair the indexes of a collection on the extended store; return what was wrong."""
    answer = get_db().command("validate", collection, repair=True, **options)
    return list(answer["warnings"])


def _sentences(answer: Mapping[str, Any]) -> list[str]:
    # a sharded cluster answers without both
    found = list(answer.get("errors", ()))
    # MongoDB says here what is wrong with one index
    for name, details in answer.get("indexDetails", {}).items():
        found += [f"index {name}: {error}" for error in details.get("errors", ())]
    return found if found or answer["valid"] else ["not valid"]


def stored() -> Indexes:
    """Return the indexes that the collections have."""
    return {name: get_db()[name].index_information() for name in collections()}


def repair_new(before: Indexes) -> list[str]:
    """Repair the indexes that have been created since `before`, on the extended store.

    Returns, in sentences, what is wrong with them after that.
    """
    wrong = []
    for collection, indexes in stored().items():
        known = before.get(collection, {})
        # also one that was replaced under its name
        new = [name for name in indexes if known.get(name) != indexes[name]]
        if new and faults(collection, indexes=new):
            for fault in repair(collection, indexes=new):
                log.warning("repaired a new index of %s: %s", collection, fault)
            left = faults(collection, indexes=new)
            wrong += [f"{collection}: {fault}" for fault in left]
    return wrong
