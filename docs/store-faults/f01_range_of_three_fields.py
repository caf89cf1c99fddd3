"""`$lte` on the second of three fields of an index finds the bound itself.

SPDX-License-Identifier: GPL-2.0-only
"""

from store_run import end, running

with running() as db:
    db.panes.create_index([("status", 1), ("day", 1), ("place", 1)])
    db.panes.insert_one({"_id": 1, "status": "pending", "day": 5, "place": 2})
    found = db.panes.find({"status": "pending", "day": {"$lte": 5}}).to_list()
end(len(found) == 1, f"day <= 5 finds {len(found)} of 1 document with day 5")
