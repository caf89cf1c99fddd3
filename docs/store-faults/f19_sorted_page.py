"""A page in the order of an index ends with its limit.

SPDX-License-Identifier: GPL-2.0-only
"""

from store_run import documents_read, end, running

ROWS = 1000
with running() as db:
    db.rows.create_index([("state", 1), ("day", 1)])
    db.rows.insert_many({"_id": n, "state": "open", "day": n} for n in range(ROWS))
    page = db.rows.find({"state": "open"}).sort("day", -1).limit(10)
    read = documents_read(page.to_list)
end(read <= 20, f"{read} of {ROWS} documents are read for a page of 10")
