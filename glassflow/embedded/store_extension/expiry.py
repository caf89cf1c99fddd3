"""Expired documents are found by their TTL index.

SPDX-License-Identifier: GPL-2.0-only

Once a minute the plain program reads and decodes all documents of a collection that has
such an index, and others wait meanwhile: with 30,000 events, a second.
"""

from datetime import UTC, datetime, timedelta

from secantus.storage import Storage

_prune_ttl = Storage.prune_ttl


def prune_ttl(self: Storage, db: str, coll: str, *, now: datetime | None = None) -> int:
    """Delete the expired documents of a collection; return how many.

    A collection with a partial TTL index is left to the plain program.
    """
    moment = (now or datetime.now(UTC)).replace(tzinfo=None)
    removed = 0
    for _, keys, options in self._iter_indexes(db, coll):
        seconds = options.get("expireAfterSeconds")
        if seconds is None:
            continue
        if options.get("partialFilterExpression"):
            return removed + int(_prune_ttl(self, db, coll, now=now))
        [field] = keys
        end = moment - timedelta(seconds=seconds)
        removed += self.delete_matching(db, coll, {field: {"$lt": end}})
    self.release_thread_snapshot()  # its thread sleeps for a minute now
    return removed


def install() -> None:
    """Replace the method."""
    Storage.prune_ttl = prune_ttl
