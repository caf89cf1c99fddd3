"""Of two `findAndModify` with an upsert at once, both return the new document.

SPDX-License-Identifier: GPL-2.0-only
"""

import threading

from pymongo import ReturnDocument
from secantus.storage import Storage
from store_run import end, running

plain, both_looked = Storage.find_matching, threading.Barrier(2)


def find_together(self, db, coll, *args, **options):
    """Let both commands see that there is no document before one of them writes."""
    found = plain(self, db, coll, *args, **options)
    if coll == "counters" and not found:
        both_looked.wait(10)
    return found


answers = []


def increment() -> None:
    answers.append(
        db.counters.find_one_and_update(
            {"_id": "one"},
            {"$inc": {"n": 1}},
            upsert=True,
            return_document=ReturnDocument.AFTER,
        )
    )


with running() as db:
    Storage.find_matching = find_together
    threads = [threading.Thread(target=increment) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    Storage.find_matching = plain
numbers = sorted(one["n"] if one else 0 for one in answers)
end(numbers == [1, 2], f"the answers are {answers}")
