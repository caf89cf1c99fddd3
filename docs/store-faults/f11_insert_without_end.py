"""An insert of many documents ends with its `maxTimeMS`.

SPDX-License-Identifier: GPL-2.0-only
"""

from pymongo.errors import ExecutionTimeout
from store_run import end, running

ROWS = 1000
with running() as db:
    rows = [{"_id": number} for number in range(ROWS)]
    try:
        db.command({"insert": "rows", "documents": rows}, maxTimeMS=1)
        is_ended = False
    except ExecutionTimeout:
        is_ended = True
    stored = db.rows.count_documents({})
end(is_ended, f"{stored} of {ROWS} documents were stored in 1 ms")
