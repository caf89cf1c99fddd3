"""A cursor reads what its client asks for, and keeps nothing else.

SPDX-License-Identifier: GPL-2.0-only
"""

from store_run import documents_read, end, running

ROWS = 5000
with running() as db:
    db.rows.insert_many({"_id": n} for n in range(ROWS))
    cursors = [db.rows.find(batch_size=10), db.rows.find(batch_size=10).sort("_id", 1)]
    read = [documents_read(lambda cursor=cursor: next(cursor)) for cursor in cursors]
    for cursor in cursors:
        cursor.close()
end(max(read) < 1000, f"{read} of {ROWS} documents are read for the first batch of 10")
