"""A store whose file of documents is missing is not taken for an empty one.

SPDX-License-Identifier: GPL-2.0-only
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from secantus.storage import Storage
from store_run import end

with TemporaryDirectory() as folder:
    store = Storage(folder, enable_oplog=False)
    store.insert("shop", "rows", [{"_id": 1}])
    store.close()
    [documents] = Path(folder).glob("secantus_documents_sh*.wt")
    documents.unlink()
    try:
        again = Storage(folder, enable_oplog=False)
    except Exception as error:
        end(True, f"the start is refused: {error}")
    found = again.count_matching("shop", "rows")
    again.close()
end(False, f"the store starts, and finds {found} of 1 document")
