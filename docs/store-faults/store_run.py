"""Runs SecantusDB in this process, for the programs beside this file.

SPDX-License-Identifier: GPL-2.0-only
"""

import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

from pymongo import MongoClient
from pymongo.database import Database
from secantus import SecantusDBServer, storage


@contextmanager
def running() -> Iterator[Database[dict[str, Any]]]:
    """Yield a database of a new server, whose files are removed at the end."""
    with (
        TemporaryDirectory() as folder,
        SecantusDBServer(storage_path=folder) as server,
        MongoClient(server.uri, socketTimeoutMS=20_000) as client,
    ):
        yield client["shop"]
        # or the end of the server waits two seconds for its thread in `accept`
        server._socket.shutdown(socket.SHUT_RDWR)


def calls(owner: Any, name: str, action: Callable[[], Any]) -> int:
    """Return how often a function of a module or class is called by `action`."""
    plain, number = getattr(owner, name), 0

    def counting(*args: Any, **options: Any) -> Any:
        nonlocal number
        number += 1
        return plain(*args, **options)

    setattr(owner, name, counting)
    try:
        action()
    finally:
        setattr(owner, name, plain)
    return number


def documents_read(action: Callable[[], Any]) -> int:
    """Return how many documents the storage takes from its tables in `action`."""
    return calls(storage, "_unframe_doc_value", action)


def end(is_right: bool, sentence: str) -> None:
    """Print what was found; exit with 0 if it is right, with 1 if the fault is there."""
    print(f"{'right' if is_right else 'FAULT'}: {sentence}")
    sys.exit(0 if is_right else 1)
