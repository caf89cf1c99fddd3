"""An update writes the entries of those indexes whose fields it changes."""

from secantus.storage import wt
from store_run import calls, end, running

INDEXES = 10
with running() as db:
    for n in range(INDEXES):
        db.rows.create_index(f"f{n}")
    db.rows.insert_one({"_id": 1, **{f"f{n}": n for n in range(INDEXES)}})
    removed = calls(
        wt.Cursor,
        "remove",
        lambda: db.rows.update_one({"_id": 1}, {"$set": {"f0": 99}}),
    )
    found = len(db.rows.find({"f0": 99}).to_list())
is_right = removed == 1 and found == 1
end(is_right, f"{removed} entries are removed by an update of one indexed field")
