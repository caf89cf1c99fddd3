"""Removes tables that the embedded store was creating when it was killed.

The store creates a table for documents when a collection first needs one, and the storage
engine does that in several steps. After a kill between them the store does not start any
more: its engine knows a table without a column group. Such a table has never held anything,
because a document is written after its creation has ended. The store creates it again.

    python -m glassflow.embedded.incomplete_tables DATA_DIR/db
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: What the engine says of such a table.
MESSAGE = "until all column groups are created"
# As the store opens its files.
CONFIG = "log=(enabled=true,file_max=10MB,prealloc=false)"
TIMEOUT_S = 60.0


def remove(files: Path) -> bool:
    """Remove incomplete tables from the files of a stopped store, in a process of its own.

    Returns whether it could open the files.
    """
    command = [sys.executable, "-m", __name__, str(files)]
    try:
        return subprocess.run(command, timeout=TIMEOUT_S, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def _remove_all(files: str) -> None:
    import wiredtiger

    connection = wiredtiger.wiredtiger_open(files, CONFIG)
    session = connection.open_session()
    for table in list(_incomplete(session)):
        session.drop(f"table:{table}", "force=true")
        print(f"removed the table {table}, whose creation was interrupted", flush=True)
    connection.close()


def _incomplete(session: Any) -> Iterator[str]:
    """Yield the names of the tables without a column group."""
    cursor = session.open_cursor("metadata:")
    known = set()
    while cursor.next() == 0:
        known.add(cursor.get_key())
    cursor.close()
    for uri in known:
        kind, _, name = uri.partition(":")
        if kind == "table" and f"colgroup:{name}" not in known:
            yield name


if __name__ == "__main__":
    _remove_all(sys.argv[1])
