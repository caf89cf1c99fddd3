"""A query of an `_id` and another condition reads the document with this `_id`.

SPDX-License-Identifier: GPL-2.0-only
"""

from store_run import documents_read, end, running

ROWS = 1000
with running() as db:
    db.rows.insert_many({"_id": n, "state": "open"} for n in range(ROWS))
    db.rows.create_index("state")
    query = {"state": "open", "_id": 7}
    found = documents_read(lambda: db.rows.find_one(query))
    updated = documents_read(lambda: db.rows.update_one(query, {"$set": {"seen": 1}}))
end(
    found + updated < 10, f"{found} documents are read to find one, {updated} to update"
)
