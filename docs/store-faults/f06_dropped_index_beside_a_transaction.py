"""An index may be dropped while a transaction has changed an entry of it.

SPDX-License-Identifier: GPL-2.0-only
"""

import os
import threading

from store_run import end, running

WAIT_S = 5


def go_on() -> None:
    db.panes.find_one({"_id": 1}, session=session)
    session.commit_transaction()


with running() as db:
    db.panes.create_index("order")
    db.panes.insert_one({"_id": 1, "order": 1})
    session = db.client.start_session()
    session.start_transaction()
    db.panes.update_one({"_id": 1}, {"$set": {"order": 2}}, session=session)
    dropping = threading.Thread(target=db.panes.drop_index, args=["order_1"])
    going_on = threading.Thread(target=go_on)
    for thread in (dropping, going_on):
        thread.daemon = True
        thread.start()
        thread.join(0.5)
    going_on.join(WAIT_S)
    if going_on.is_alive():
        print("FAULT: both wait for each other", flush=True)
        os._exit(1)  # nothing else ends these threads
    dropping.join()
    left = list(db.panes.index_information())
end(left == ["_id_"], f"the indexes are {left}")
