"""Free ports for the programs that tests start, and for the network that tests cut.

What is started again has to get the same port as before, so it cannot choose one
itself (port 0). These ports lie below those that the system gives to outgoing connections,
and each is reserved by a lock on a file: neither a connection nor another test process can
take it between here and the start of the program.
"""

import fcntl
import os
import random
import socket
import tempfile
from pathlib import Path

PORTS = range(20_000, 30_000)  # outgoing connections get 32,768 and more on Linux
FOLDER = Path(tempfile.gettempdir()) / f"glassflow-test-ports-{os.getuid()}"

_reserved = []  # descriptors of files, whose locks last as long as this process


def free_port():
    """Return a free loopback port, which is reserved until this process ends."""
    FOLDER.mkdir(exist_ok=True)
    candidates = list(PORTS)
    random.SystemRandom().shuffle(candidates)  # not the generator that tests seed
    for port in candidates:
        lock = os.open(FOLDER / str(port), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as probe:
                # as servers do: ports of connections that were just closed are free
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(("127.0.0.1", port))
        except OSError:
            os.close(lock)
            continue
        _reserved.append(lock)
        return port
    raise RuntimeError("no port is free")
