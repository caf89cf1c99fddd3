"""Expired documents are found by their TTL index, and no other document is read.

SPDX-License-Identifier: GPL-2.0-only
"""

from datetime import UTC, datetime, timedelta
from tempfile import TemporaryDirectory

from secantus.storage import Storage
from store_run import documents_read, end

ROWS = 1000
NOW = datetime.now(UTC)
with TemporaryDirectory() as folder:
    store = Storage(folder, ttl_sweep_seconds=0)
    store.create_index("shop", "events", "t_1", {"t": 1}, {"expireAfterSeconds": 60})
    moments = [NOW - timedelta(hours=n < 5) for n in range(ROWS)]
    store.insert("shop", "events", [{"_id": n, "t": t} for n, t in enumerate(moments)])
    read = documents_read(lambda: store.prune_ttl("shop", "events", now=NOW))
    left = store.count_matching("shop", "events")
    store.close()
is_right = left == ROWS - 5 and read < 50
end(is_right, f"{read} of {ROWS} documents are read, {ROWS - left} of 5 deleted")
