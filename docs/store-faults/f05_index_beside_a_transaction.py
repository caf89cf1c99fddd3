"""An index that is created while a transaction is open has what the transaction wrote.

SPDX-License-Identifier: GPL-2.0-only
"""

import threading

from store_run import end, running

with running() as db:
    db.panes.insert_one({"_id": 0, "order": 1})
    creating = threading.Thread(target=db.panes.create_index, args=["order"])
    with db.client.start_session() as session:
        session.start_transaction()
        db.panes.insert_one({"_id": 1, "order": 1}, session=session)
        creating.start()
        creating.join(0.5)
        session.commit_transaction()
    creating.join()
    found = db.panes.find({"order": 1}).to_list()
end(len(found) == 2, f"order 1 has {len(found)} of 2 documents by the new index")
