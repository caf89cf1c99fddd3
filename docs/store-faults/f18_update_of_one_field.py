"""An update writes the entries of those indexes whose fields it changes.

SPDX-License-Identifier: GPL-2.0-only
"""

from secantus import storage
from store_run import calls, end, running

INDEXES = 10
with running() as db:
    for n in range(INDEXES):
        db.rows.create_index(f"f{n}")
    db.rows.insert_one({"_id": 1, **{f"f{n}": n for n in range(INDEXES)}})
    update = {"$set": {"f0": 99}}
    packed = calls(
        storage, "_pack_entry", lambda: db.rows.update_one({"_id": 1}, update)
    )
    found = len(db.rows.find({"f0": 99}).to_list())
is_right = packed == 2 and found == 1
end(is_right, f"{packed} entries are removed or written by an update of one field")
