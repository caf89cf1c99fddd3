"""A store starts again that was killed while it created the table of a collection.

The engine creates a table in several steps. A kill between them leaves a table without a
column group, here made by hand.

SPDX-License-Identifier: GPL-2.0-only
"""

from tempfile import TemporaryDirectory

from secantus import storage
from store_run import end

failure, found = "", 0
with TemporaryDirectory() as folder:
    store = storage.Storage(folder)
    store.insert("shop", "rows", [{"_id": 1}])
    used = storage._doc_table_for("shop", "rows")
    session = store._conn.open_session()
    for shard in range(storage._DOC_SHARDS):
        if (table := storage._doc_shard_name(shard)) != used:
            columns = "key_format=SSq,value_format=u,columns=(a,b,c,d)"
            session.create(table, f"{columns},colgroups=(e)")
    store.close()
    try:
        store = storage.Storage(folder)
        found = len(store.find_matching("shop", "rows"))
        for number in range(40):  # all tables are used again
            store.insert("shop", f"c{number}", [{"_id": 1}])
        store.close()
    except storage.wt.WiredTigerError as error:
        failure = str(error)
end(found == 1 and not failure, f"{found} of 1 document after a start: {failure}")
