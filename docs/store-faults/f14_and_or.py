"""Conditions in `$and` and `$or` are looked up in indexes.

SPDX-License-Identifier: GPL-2.0-only
"""

from store_run import documents_read, end, running

ROWS = 1000
with running() as db:
    db.rows.create_index("a")
    db.rows.create_index("b")
    db.rows.insert_many({"_id": n, "a": n, "b": n % 500} for n in range(ROWS))
    parts = [{"a": 7}, {"b": 7}]
    read = [
        documents_read(lambda query=query: db.rows.find(query).to_list())
        for query in ({"$and": parts}, {"$or": parts}, {"b": 7, "$and": [{"a": 7}]})
    ]
end(max(read) < 10, f"{read} of {ROWS} documents are read")
