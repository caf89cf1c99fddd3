"""A kill while an index is built leaves the whole index, or none.

SPDX-License-Identifier: GPL-2.0-only
"""

import multiprocessing
import os
from tempfile import TemporaryDirectory

from secantus import storage
from store_run import end

ROWS = 100


def build_and_die(folder: str) -> None:
    """Insert documents, and die when half of the entries of an index are written."""
    store = storage.Storage(folder, sync_on_commit=True)
    store.insert("shop", "rows", [{"_id": n, "n": 1} for n in range(ROWS)])
    pack, left = storage._pack_entry, ROWS // 2

    def dying(*args: object) -> bytes:
        nonlocal left
        left -= 1
        if not left:
            os._exit(1)
        return pack(*args)

    storage._pack_entry = dying
    store.create_index("shop", "rows", "n_1", {"n": 1})


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        process = multiprocessing.get_context("spawn").Process(
            target=build_and_die, args=[folder]
        )
        process.start()
        process.join()
        store = storage.Storage(folder)
        found = len(store.find_matching("shop", "rows", {"n": 1}))
        names = [one["name"] for one in store.list_indexes("shop", "rows")]
        store.close()
    end(found == ROWS, f"indexes {names}: n = 1 finds {found} of {ROWS} documents")
