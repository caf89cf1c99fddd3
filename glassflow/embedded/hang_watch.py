"""Notices that the embedded store hangs, or fails every write, while it runs.

In two runs of the tests the store stopped for ever, once with a transaction that nobody
could end. After a write to a full disk its engine refuses all calls, also when there is
space again. A workshop would stop as silently. So its parent process writes a small
document every few seconds; a store that does not answer for `HANG_S`, or that fails so
many writes in a row, is killed and started again, which loses no acknowledged write.
"""

import socket
import struct
import threading
from typing import Any

import bson

from glassflow.embedded.process import USER, StoreProcess

#: Longer than the longest time for which a working store lets others wait: the build of
#: an index, or a statement of a large transaction.
HANG_S = 120.0
INTERVAL_S = 15.0
FAILURES = 3  # writes in a row
RETRY_S = 2.0  # after a failed write
DATABASE = "glassflow_watch"
MECHANISM = "SCRAM-SHA-256"

_OP_MSG = 2013
_HEADER = struct.Struct("<iiii")
_FLAGS = (
    5  # bytes before the document of a message: its flags and the kind of its section
)


class WriteFailed(Exception):
    """The store has answered that it cannot write."""


class HangWatch:
    """Writes to a store, in a thread, until it hangs or fails.

    A store that is away does not hang.
    """

    def __init__(self, store: StoreProcess, *, hang_s: float | None = None) -> None:
        self._store = store
        self._hang_s = hang_s or HANG_S
        self._hangs = False
        self._stopped = threading.Event()
        threading.Thread(target=self._run, name="hang watch", daemon=True).start()

    @property
    def hangs(self) -> bool:
        """Whether the store has to be started again."""
        return self._hangs

    def stop(self) -> None:
        """Write no more, after the present write."""
        self._stopped.set()

    def _run(self) -> None:
        failures = 0
        while not self._stopped.wait(RETRY_S if failures else INTERVAL_S):
            try:
                use(self._store, timeout_s=self._hang_s)
                failures = 0
            except TimeoutError:
                self._hangs = True
                return
            except WriteFailed:
                failures += 1
                if failures == FAILURES:
                    self._hangs = True
                    return
            except OSError:
                continue  # it starts, or has ended, which its parent sees


def use(store: StoreProcess, *, timeout_s: float) -> None:
    """Write a document to the store, and end a transaction that it does not have.

    The first one needs the locks of all writes, the second one those of all transactions.
    Raises `TimeoutError` if the answer to one of them takes longer, another `OSError` if
    the store is away, and `WriteFailed` if it cannot write or refuses the password.
    """
    update = {"q": {"_id": 1}, "u": {"$inc": {"times": 1}}, "upsert": True}
    abort = {"abortTransaction": 1, "txnNumber": bson.Int64(1), "autocommit": False}
    session = {"id": bson.Binary(bytes(16), bson.UUID_SUBTYPE)}
    address = ("127.0.0.1", store.port)
    with socket.create_connection(address, timeout=timeout_s) as peer:
        _log_in(peer, store.password)
        written = _call(peer, {"update": "store", "updates": [update], "$db": DATABASE})
        if not written.get("ok") or written.get("writeErrors"):
            raise WriteFailed(str(written)[:200])
        _call(peer, {**abort, "lsid": session, "$db": "admin"})


def _log_in(peer: socket.socket, password: str) -> None:
    # imported here: it is not installed where MONGODB_URI is set
    from scramp import ScramClient

    client = ScramClient([MECHANISM], USER, password)
    first = {"saslStart": 1, "mechanism": MECHANISM, "$db": "admin"}
    answer = _call(peer, {**first, "payload": client.get_client_first().encode()})
    if answer.get("ok"):
        client.set_server_first(answer["payload"].decode())
        last = {"saslContinue": 1, "conversationId": answer["conversationId"]}
        last |= {"payload": client.get_client_final().encode(), "$db": "admin"}
        answer = _call(peer, last)
    if not answer.get("ok"):
        raise WriteFailed(str(answer)[:200])


def _call(peer: socket.socket, command: dict[str, Any]) -> dict[str, Any]:
    body = bytes(_FLAGS) + bson.encode(command)  # no flags, one document
    peer.sendall(_HEADER.pack(_HEADER.size + len(body), 1, 0, _OP_MSG) + body)
    left = _HEADER.unpack(_receive(peer, _HEADER.size))[0] - _HEADER.size
    answer: dict[str, Any] = bson.decode(_receive(peer, left)[_FLAGS:])
    return answer


def _receive(peer: socket.socket, size: int) -> bytes:
    received = b""
    while len(received) < size:
        piece = peer.recv(size - len(received))
        if not piece:
            raise ConnectionResetError("the store closed the connection")
        received += piece
    return received
