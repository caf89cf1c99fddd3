"""Between its statements a transaction has no cursor on a row.

The engine evicts no page on which a cursor stands. On a page of more than 5 MB each search
tries to, and sleeps: a few open transactions made all others take 55 ms a statement.

SPDX-License-Identifier: GPL-2.0-only
"""

from tempfile import TemporaryDirectory

from secantus import storage
from store_run import end


def is_on_a_row(cursor) -> bool:
    try:
        return bool(cursor.get_key())
    except storage.wt.WiredTigerError:
        return False


with TemporaryDirectory() as folder:
    store = storage.Storage(folder)
    store.create_index("shop", "rows", "n_1", {"n": 1})
    store.insert("shop", "rows", [{"_id": one, "n": one} for one in range(50)])
    transaction = store.begin_user_transaction()
    with store.use_user_transaction(transaction):
        store.find_matching("shop", "rows", {"n": 9})
        store.update_matching("shop", "rows", {"_id": 7}, {"$set": {"n": 70}})
    standing = sorted(
        table
        for (table, _), cursor in transaction.cursors.items()
        if is_on_a_row(cursor)
    )
    store.abort_user_transaction(transaction)
    store.close()
end(not standing, f"cursors stand on a row of {standing}")
