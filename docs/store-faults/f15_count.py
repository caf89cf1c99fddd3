"""A count reads the documents that an index names, as a find does.

SPDX-License-Identifier: GPL-2.0-only
"""

from store_run import documents_read, end, running

ROWS = 1000
with running() as db:
    db.rows.create_index("a")
    db.rows.insert_many({"_id": n, "a": n % 100} for n in range(ROWS))
    read = documents_read(lambda: db.command("count", "rows", query={"a": 7}))
end(read <= 10, f"{read} of {ROWS} documents are read to count 10")
