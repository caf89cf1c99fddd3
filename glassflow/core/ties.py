"""Ties: nobody comes to point at a record while that record is being deleted.

Who writes a reference reads the record that it points at and does not write it; who
deletes reads that nothing points there. Two such transactions write no common document,
so the store would let both pass and leave an orphan. Writing the record in both would
do, but then everybody who makes panes for one station would wait for everybody else.

So there are `SLOTS` small documents. A transaction that writes references writes one of
them, each the next in turn, so that those do not meet, and reads there what is going. A
deletion writes the names of what it deletes into every slot, outside of its transaction
and before it. Such a write waits for the transaction that holds the slot, and makes
fail the one that began before it and comes to the slot later. After that each reference
is either stored, and the deletion sees it, or its transaction sees the name, begins
again, and meets what the deletion has left. Later the names are taken out.

Names are texts: `Customer:<id>`, or `Pane` for all of a kind.
"""

import logging
import time
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import Context
from itertools import count
from typing import Any

from mongoengine.connection import get_db
from pymongo import ReturnDocument, UpdateOne
from pymongo.errors import BulkWriteError, PyMongoError

from glassflow.core.unit_of_work import StartAgain

log = logging.getLogger(__name__)

COLLECTION = "ties"
SLOTS = 16
# Names left by a process that died are believed for so long, in s. A request gives its
# deletion up long before, and the clocks of machines may differ a little.
BELIEVED = 10.0

_past: list[str] = []  # what this process may take out when it writes the slots anyway
_turns = count(uuid.uuid4().int % SLOTS)  # processes begin at different slots


def name(kind: str, record_id: object) -> str:
    """Name a record, as `tie` and `going` know it."""
    return f"{kind}:{record_id}"


def tie(names: Iterable[str]) -> None:
    """Say inside a unit of work that it comes to point at these records.

    One round trip. Raises `StartAgain` while one of them is being deleted.
    """
    slot: Mapping[str, Any] | None = get_db()[COLLECTION].find_one_and_update(
        {"_id": next(_turns) % SLOTS},
        {"$inc": {"turn": 1}},
        return_document=ReturnDocument.AFTER,
    )
    if slot is None:  # a new store that nobody has prepared
        Context().run(ensure)
        raise StartAgain
    wanted = set(names)
    kinds = {one.partition(":")[0] for one in wanted}
    if not (wanted | kinds).isdisjoint(_believed(slot)):
        raise StartAgain


def _believed(slot: Mapping[str, Any]) -> Iterator[str]:
    now = time.time()
    for said in slot["going"].values():
        if abs(now - said["at"]) < BELIEVED:
            yield from said["names"]


@contextmanager
def going(names: Collection[str]) -> Iterator[None]:
    """Let nobody tie anything to these records inside the block.

    Enter it before the transaction that deletes them and leave it after that; it waits
    for those who are about to point at any record, which takes as long as a request.
    """
    field = f"going.{uuid.uuid4().hex}"
    said = {"at": time.time(), "names": list(names)}
    try:
        Context().run(_tell_all, {"$set": {field: said}})
        yield
    except BaseException:
        _take_back(field)
        raise
    if all(":" in one for one in names):
        _past.append(field)  # they are gone: nobody finds them any more to tie to
    else:
        _take_back(field)


def _take_back(field: str) -> None:
    try:
        Context().run(_tell_all, {"$unset": {field: ""}})
    except PyMongoError:
        log.exception("could not take back what was to be deleted; it will lapse")


def _tell_all(change: Mapping[str, Mapping[str, Any]]) -> None:
    """Write every slot; the context is a new one, so outside any transaction.

    One by one: an `update_many` that waits for a transaction keeps what it has written
    from the others, and the embedded store does not get out of that.
    """
    past = list(_past)
    unset = {**change.get("$unset", {}), **dict.fromkeys(past, "")}
    whole = {**change, "$unset": unset} if unset else change
    slots = get_db()[COLLECTION]
    writes = [UpdateOne({"_id": slot}, whole) for slot in range(SLOTS)]
    if slots.bulk_write(writes, ordered=False).matched_count < SLOTS:
        ensure()
        slots.bulk_write(writes, ordered=False)
    for field in past:
        if field in _past:
            _past.remove(field)


def forget() -> None:
    """Take out all names: for a process that has the store to itself as it starts."""
    get_db()[COLLECTION].update_many({}, {"$set": {"going": {}}})


def ensure() -> None:
    """Make the slots that do not exist yet."""
    rows = [{"_id": slot, "turn": 0, "going": {}} for slot in range(SLOTS)]
    try:
        get_db()[COLLECTION].insert_many(rows, ordered=False)
    except BulkWriteError:
        pass  # some exist
