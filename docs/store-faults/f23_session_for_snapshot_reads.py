"""All reads of a session for snapshot reads show the moment of the first one.

SPDX-License-Identifier: GPL-2.0-only
"""

from store_run import end, running

with running() as db:
    db.lots.insert_one({"_id": 1})
    with db.client.start_session(snapshot=True) as session:
        first = len(db.lots.find({}, session=session).to_list())
        db.lots.insert_one({"_id": 2})
        second = len(db.lots.find({}, session=session).to_list())
end(first == second, f"{first} document, then {second}, of one snapshot")
