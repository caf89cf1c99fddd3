"""Which records may have a text: looked up in search blocks (`models.search_blocks`).

Blocks are built by the searches of large collections, in the background, at most once a
minute in each process. What is newer than the blocks is read from the records.
"""

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from bson import ObjectId

from glassflow.core import clock, kept
from glassflow.core.long_reads import LongRead
from glassflow.core.unit_of_work import unit_of_work
from glassflow.models import search_blocks
from glassflow.models.base import Record
from glassflow.models.search_blocks import MAX_CHANGES, SETTLED, STATE
from glassflow.services.records import undated, windows
from glassflow.services.records.list_memory import PageQuery

log = logging.getLogger(__name__)

LARGE = 2000  # records; fewer are searched as quickly without blocks
# Records that are looked up one by one; of more, windows soon show a page. The embedded
# store takes the square of their number.
MAX_FOUND = 250
BLOCK = 500  # records
MAX_BLOCK_LETTERS = 1_000_000  # a document has 16 MB at most
MIN_BLOCK = 100  # fewer new records are read as they are
BLOCKS_READ_AT_ONCE = 4  # a common word is in each of them
BUILD_INTERVAL_S = 60.0
MOMENT = timedelta(milliseconds=1)  # the least difference between two dates

_one_at_a_time = threading.BoundedSemaphore(1)
_next_build: dict[str, float] = {}  # on the monotonic clock, by collection


def find(model: type[Record], form: str, pattern: str) -> list[ObjectId] | None:
    """Return the ids of the records that may have a text, `MAX_FOUND` at most.

    `form` is the text in the form of a search, `pattern` the same as a regular expression.
    None where that is not known, or there are more: then the records have to be read.
    """
    if not (model.has_search_blocks and is_large(model)):
        return None
    if undated.exist(model, "createdAt"):  # these are in no block
        return None
    _build_in_background(model)
    found: set[ObjectId] = set()
    state: Mapping[str, Any] = {}
    # The state and the blocks in one query: blocks that are built meanwhile belong to a
    # later state.
    query = {"$or": [{"_id": STATE}, {"text": {"$regex": pattern}}]}
    blocks = search_blocks.collection_of(model).find(query)
    with blocks.batch_size(BLOCKS_READ_AT_ONCE) as cursor:
        for block in cursor:
            if block["_id"] == STATE:
                state = block
                continue
            found.update(search_blocks.find(block["text"], form))
            if len(found) > MAX_FOUND:
                return None
    if not state.get("complete"):
        return None
    search_blocks.learn_built_until(model, state["until"])
    newer = {"createdAt": {"$gte": state["until"]}, "searchText": {"$regex": pattern}}
    rows = model._get_collection().find(newer, {"_id": 1}).limit(MAX_FOUND + 1)
    found.update(row["_id"] for row in rows)
    return sorted(found, key=str) if len(found) <= MAX_FOUND else None


def build(model: type[Record]) -> None:
    """Build the blocks of the records that are in none, or all if many have changed."""
    changes = {"until": {"$exists": False}}  # neither blocks nor the state
    if search_blocks.collection_of(model).count_documents(changes) > MAX_CHANGES:
        search_blocks.clear(model)
    while _build_next(model):
        pass


def _build_next(model: type[Record]) -> bool:
    """Build the next block; return whether there may be more to build."""
    blocks = search_blocks.collection_of(model)
    state = blocks.find_one({"_id": STATE}) or {"until": datetime.min}
    since, settled = state["until"], clock.now() - SETTLED
    rows = _rows(model, since, settled)
    is_last = len(rows) < BLOCK
    if is_last and state.get("complete") and len(rows) < MIN_BLOCK:
        return False
    if not all(isinstance(row["_id"], ObjectId) for row in rows):
        log.warning("a record of %s has an id of another type", model.__name__)
        return False
    until = settled if is_last else rows[-1]["createdAt"]
    if not is_last:
        # those of the last moment may not all be here
        rows = [row for row in rows if row["createdAt"] < until]
    if not rows and not is_last:
        rows = list(model._get_collection().find({"createdAt": until}, _SHOWN))
        until += MOMENT
    _store(model, since, until, _texts(rows), is_last)
    return not is_last


_SHOWN = {"createdAt": 1, "searchText": 1}


def _rows(
    model: type[Record], since: datetime, before: datetime
) -> list[dict[str, Any]]:
    """Read the first records from a date on, `BLOCK` at most."""
    dates = {"$lt": before} if since == datetime.min else {"$gte": since, "$lt": before}
    oldest = PageQuery(
        model=model,
        query={"createdAt": dates},
        sort=(("createdAt", 1), ("_id", 1)),
        skip=0,
        limit=BLOCK,
        projection=_SHOWN,
    )
    return windows.read(oldest)


def _texts(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the texts of the blocks of records: one, if it is not too long."""
    texts, text = [], ""
    for row in rows:
        one = search_blocks.entry(row["_id"], row.get("searchText"))
        if text and len(text) + len(one) > MAX_BLOCK_LETTERS:
            texts.append(text)
            text = ""
        text += one
    return [*texts, text] if text else texts


@unit_of_work
def _store(
    model: type[Record],
    since: datetime,
    until: datetime,
    texts: Sequence[str],
    is_last: bool,
) -> None:
    """Store blocks and up to which date they are; nothing if another process has."""
    blocks = search_blocks.collection_of(model)
    state = blocks.find_one({"_id": STATE}) or {"until": datetime.min}
    if state["until"] != since:
        return
    complete = is_last or bool(state.get("complete"))
    values = {"until": until, "complete": complete}
    blocks.update_one({"_id": STATE}, {"$set": values}, upsert=True)
    if texts:
        blocks.insert_many([{"text": text, "until": until} for text in texts])


def is_large(model: type[Record]) -> bool:
    """Return whether a collection has many records; asks the store twice a minute."""
    collection = model._get_collection()
    count: int = kept.value(
        ("estimate", collection.name), collection.estimated_document_count
    )
    return count >= LARGE


def _build_in_background(model: type[Record]) -> None:
    name, now = model._get_collection_name(), time.monotonic()
    if now < _next_build.get(name, 0.0):
        return
    _next_build[name] = now + BUILD_INTERVAL_S

    def run() -> None:
        try:
            build(model)
        except Exception:
            log.exception("The search blocks of %s could not be built", name)

    LongRead("search blocks", run, turn=_one_at_a_time).start()
