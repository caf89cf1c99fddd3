"""`validate` finds an entry of an index that is missing.

SPDX-License-Identifier: GPL-2.0-only
"""

from secantus import SecantusDBServer, storage
from store_run import end, running

servers: list[SecantusDBServer] = []
plain = SecantusDBServer.start
SecantusDBServer.start = lambda self: (servers.append(self), plain(self))[1]
with running() as db:
    db.rows.create_index("a")
    db.rows.insert_one({"_id": 1, "a": 1})
    cursor = servers[0].storage._cursor(storage._IDX_ENTRIES_TABLE)
    cursor.next()
    cursor.remove()
    found = len(db.rows.find({"a": 1}).to_list())
    answer = db.command("validate", "rows", check=False)
end(not answer["valid"], f"valid: {answer['valid']}, but a = 1 finds {found} of 1")
