"""The program of the embedded store without the extension."""

import subprocess
import sys
from contextlib import contextmanager

from glassflow.embedded import store as embedded_store
from glassflow.embedded.ping import responds
from waiting import wait_until

START_TIMEOUT_S = 60


@contextmanager
def plain_store(folder, *options):
    """Run SecantusDB on the files of a data directory; yield its URI."""
    port = embedded_store.free_port()
    command = [sys.executable, "-P", "-m", "secantus", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--storage-path", str(folder / "db")]
    command += ["--sync-on-commit", "--log-level", "ERROR", *options]
    process = subprocess.Popen(command, cwd=folder)
    try:
        wait_until(lambda: responds(port), START_TIMEOUT_S)
        yield f"mongodb://127.0.0.1:{port}/?directConnection=true"
    finally:
        process.kill()
        process.wait()
