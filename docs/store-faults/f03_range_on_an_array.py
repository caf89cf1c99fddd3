"""A range of two bounds on an indexed array may be met by two of its elements.

SPDX-License-Identifier: GPL-2.0-only
"""

from store_run import end, running

with running() as db:
    db.lots.create_index("mm")
    db.lots.insert_one({"_id": 1, "mm": [1, 9]})
    found = db.lots.find({"mm": {"$gte": 4, "$lte": 6}}).to_list()
end(len(found) == 1, f"4 <= mm <= 6 finds {len(found)} of 1 document with [1, 9]")
