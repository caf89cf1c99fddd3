"""A start does not walk over all documents to find the largest record id.

SPDX-License-Identifier: GPL-2.0-only
"""

from tempfile import TemporaryDirectory

from secantus import storage
from store_run import calls, end

ROWS = 1000
with TemporaryDirectory() as folder:
    store = storage.Storage(folder, enable_oplog=False)
    store.insert("shop", "rows", [{"_id": n} for n in range(ROWS)])
    cursors = type(store._cursor(storage._IDX_TABLE))
    store.close()
    again: list[storage.Storage] = []
    steps = calls(cursors, "prev", lambda: again.append(storage.Storage(folder)))
    again[0].insert("shop", "rows", [{"_id": ROWS}])
    stored = again[0].count_matching("shop", "rows")
    again[0].close()
is_right = steps < 50 and stored == ROWS + 1
end(is_right, f"{steps} steps of a cursor in a start with {ROWS} documents")
