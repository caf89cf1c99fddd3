"""Opens the files of a store of any size.

SPDX-License-Identifier: GPL-2.0-only

At each start the plain program walks over all documents to find the largest record id: 50 s
and 1.7 GB of memory for four million. The rows of a collection are in the order of their
ids, so here its last row is enough.
"""

from secantus import storage
from secantus.storage import Storage


def largest_record(self: Storage) -> int:
    """Return the largest record id of all documents; 0 if there are none."""
    largest = 0
    for shard in range(storage._DOC_SHARDS):
        cursor = self._cursor_optional(storage._doc_shard_name(shard))
        if cursor is None:
            continue
        found = cursor.prev()
        while found == 0:
            db, coll, record = cursor.get_key()
            largest = max(largest, record)
            # to the last row of the collection before this one
            cursor.set_key(db, coll, storage._INT64_MIN)
            found = cursor.prev() if cursor.search_near() > 0 else 0
        cursor.reset()
    return largest


def install() -> None:
    """Replace the method."""
    Storage._scan_max_nat_seq = largest_record
