"""The program of the embedded store without the extension."""

import subprocess
import sys
import time
from contextlib import contextmanager

from glassflow.embedded import store as embedded_store
from glassflow.embedded.ping import responds

START_TIMEOUT_S = 60


@contextmanager
def plain_store(folder, *, port=None):
    """Run SecantusDB on the files of a data directory; yield its process and its URI."""
    port = port or embedded_store.free_port()
    command = [sys.executable, "-P", "-m", "secantus", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--storage-path", str(folder / "db")]
    process = subprocess.Popen([*command, "--sync-on-commit", "--log-level", "ERROR"])
    try:
        deadline = time.monotonic() + START_TIMEOUT_S
        while not responds(port):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield process, f"mongodb://127.0.0.1:{port}/?directConnection=true"
    finally:
        process.kill()
        process.wait()
