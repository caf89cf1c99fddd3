"""Search blocks: the words of many records in one document, so that a search reads few.

A search for a word that hardly any record has would read all of them, and the embedded
store takes as long for a record as for a text of a hundred thousand letters. So
`services.records.block_search` gathers the words of records that were created one after
the other in a block. Here is what a block consists of, and what keeps it right when a
record changes: its new words are stored as a block of their own, in the same transaction.

A block names records that may have a text, never one too few. Whether a record has it,
the record itself decides: it may have been changed or deleted since.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from bson import ObjectId
from mongoengine.connection import get_db
from pymongo.collection import Collection
from pymongo.errors import CollectionInvalid

from glassflow.core import clock
from glassflow.core.unit_of_work import unit_of_work
from glassflow.models.derived import NUMBER_MARK, SEPARATOR

STATE = "state"  # the id of the document that says up to which date blocks are built
# Blocks are built of records that are older. A record has the time at which its unit of
# work began, an import takes up to 60 s, and the clocks of machines differ.
SETTLED = timedelta(seconds=90)
# A new record that is dated back by more was given its date, and may be in no block.
DATED_BACK = timedelta(seconds=30)
MAX_CHANGES = 1000  # blocks of changes; with more, all blocks are built again
ENTRY_END = "\x1d"  # no text has a control character
_ID_START = 0xE100  # the bytes of an id, as characters that no search looks for
_NUMBERS = re.compile(f"{SEPARATOR}?{NUMBER_MARK}[^{NUMBER_MARK}]*{NUMBER_MARK}")

# Up to which date this process knows blocks to be built, by collection.
_built_until: dict[str, datetime] = {}
# How many blocks of changes this process has stored since it has cleared them.
_changes: Counter[str] = Counter()


def collection_of(model: type[Any]) -> Collection[dict[str, Any]]:
    """Return the collection of the blocks of a model, a subclass of `Record`."""
    return get_db()[f"{model._get_collection_name()}_search"]


def ensure(models: Iterable[type[Any]]) -> None:
    """Create the collections of the blocks, so that no transaction has to."""
    for model in models:
        if model.has_search_blocks:
            try:
                get_db().create_collection(collection_of(model).name)
            except CollectionInvalid:
                pass  # it exists


def words(search_text: str | None) -> str:
    """Return what a search for words compares: `searchText` without its numbers."""
    return _NUMBERS.sub("", search_text or "")


def entry(id: ObjectId, search_text: str | None) -> str:
    """Return what a block has of a record."""
    encoded = "".join(chr(_ID_START + byte) for byte in id.binary)
    return f"{encoded}{words(search_text)}{ENTRY_END}"


def find(text: str, form: str) -> Iterator[ObjectId]:
    """Yield the ids of the records of a block that have a text, in the form of a search."""
    at = text.find(form)
    while at >= 0:
        start, end = text.rfind(ENTRY_END, 0, at) + 1, text.index(ENTRY_END, at)
        yield ObjectId(bytes(ord(c) - _ID_START for c in text[start : start + 12]))
        at = text.find(form, end)


def note_changes(model: type[Any], written: Iterable[tuple[ObjectId, Any]]) -> None:
    """Store the words of records that are being written, with their ids, if needed.

    Those are changed words, and the words of new records that are dated back to a time
    of which blocks are built. In the transaction of the records, one round trip if any.
    """
    if not model.has_search_blocks:
        return
    needed = [
        entry(id, one.search_text) for id, one in written if _is_entry_needed(one)
    ]
    if not needed:
        return
    _changes[model._get_collection_name()] += 1
    if _changes[model._get_collection_name()] > MAX_CHANGES:
        clear(model)  # where nobody searches, they would only grow
    collection_of(model).insert_one({"text": "".join(needed)})


def _is_entry_needed(record: Any) -> bool:
    stored = record._stored
    if stored is not None:
        return words(stored.get("searchText")) != words(record.search_text)
    created: datetime = record.created_at
    known = _built_until.get(record._get_collection_name(), datetime.min)
    return created < max(known, clock.now() - DATED_BACK)


@unit_of_work
def clear(model: type[Any]) -> None:
    """Delete all blocks; they are built again when somebody searches."""
    collection_of(model).delete_many({})
    _changes[model._get_collection_name()] = 0


def learn_built_until(model: type[Any], date: datetime) -> None:
    """Remember up to which date blocks are built: a clock may be set back."""
    name = model._get_collection_name()
    _built_until[name] = max(date, _built_until.get(name, date))


def forget() -> None:
    """Forget what is built, as after the store was emptied."""
    _built_until.clear()
    _changes.clear()
