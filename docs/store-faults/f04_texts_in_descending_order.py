"""A descending index has the texts that begin with another text before that one.

SPDX-License-Identifier: GPL-2.0-only
"""

from store_run import end, running

with running() as db:
    db.names.create_index([("name", -1)])
    db.names.insert_many({"name": name} for name in ("w", "x", "xy", "xz"))
    order = [one["name"] for one in db.names.find().sort("name", -1)]
    above = sorted(one["name"] for one in db.names.find({"name": {"$gt": "x"}}))
is_right = order == ["xz", "xy", "x", "w"] and above == ["xy", "xz"]
end(is_right, f"descending order {order}; above 'x' are {above}")
