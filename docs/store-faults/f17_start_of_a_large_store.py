"""A start does not walk over all documents to find the largest record id."""

from tempfile import TemporaryDirectory

from secantus.storage import Storage, wt
from store_run import calls, end

ROWS = 1000
with TemporaryDirectory() as folder:
    store = Storage(folder, enable_oplog=False)
    store.insert("shop", "rows", [{"_id": n} for n in range(ROWS)])
    store.close()
    again: list[Storage] = []
    steps = calls(wt.Cursor, "prev", lambda: again.append(Storage(folder)))
    again[0].insert("shop", "rows", [{"_id": ROWS}])
    stored = again[0].count_matching("shop", "rows")
    again[0].close()
is_right = steps < 50 and stored == ROWS + 1
end(is_right, f"{steps} steps of a cursor in a start with {ROWS} documents")
