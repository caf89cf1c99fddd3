"""The end of a server ends its thread that accepts connections.

It closes the socket, which does not wake the thread on Linux, and gives up after two
seconds.

SPDX-License-Identifier: GPL-2.0-only
"""

import time
from tempfile import TemporaryDirectory

from pymongo import MongoClient
from secantus import SecantusDBServer
from store_run import end

with TemporaryDirectory() as folder:
    server = SecantusDBServer(storage_path=folder)
    server.start()
    accepting = server._thread
    with MongoClient(server.uri) as client:
        client.admin.command("ping")
    time.sleep(1)  # it accepted that, and waits in `accept` again
    server.stop()
is_left = accepting is not None and accepting.is_alive()
end(not is_left, f"the thread {'waits still' if is_left else 'has ended'}")
