"""A compiled pattern on an indexed field matches texts, as it does without the index.

SPDX-License-Identifier: GPL-2.0-only
"""

import re

from store_run import end, running

PATTERN = re.compile("float", re.IGNORECASE)
with running() as db:
    db.names.insert_many([{"name": "Float glass"}, {"name": "Mirror"}])
    queries = [{"name": PATTERN}, {"name": {"$in": [PATTERN]}}]
    before = [len(db.names.find(query).to_list()) for query in queries]
    db.names.create_index("name")
    found = [len(db.names.find(query).to_list()) for query in queries]
end(found == before, f"{before} documents without an index, {found} with it")
