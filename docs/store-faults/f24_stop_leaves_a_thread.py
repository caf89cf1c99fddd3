"""The end of a server ends its thread that accepts connections.

It closes the socket, which does not wake the thread on Linux, and gives up after two
seconds.

SPDX-License-Identifier: GPL-2.0-only
"""

from tempfile import TemporaryDirectory

from secantus import SecantusDBServer
from store_run import end

with TemporaryDirectory() as folder:
    server = SecantusDBServer(storage_path=folder)
    server.start()
    accepting = server._thread
    server.stop()
is_left = accepting is not None and accepting.is_alive()
end(not is_left, f"the thread {'waits still' if is_left else 'has ended'}")
