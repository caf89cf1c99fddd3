"""The socket that gunicorn listens on, bound by the parent process."""

import errno
import socket
import time

from glassflow.settings_rules import StartError

POLL_INTERVAL_S = 0.2


def bind(host: str, port: int, *, wait_s: float = 0) -> socket.socket:
    """Return a socket bound to the address; port 0 takes a free one.

    It does not listen, so clients are refused until gunicorn listens on it. An address
    that is in use is tried again for `wait_s` seconds. Raises `StartError` if the address
    cannot be used.
    """
    deadline = time.monotonic() + wait_s
    while True:
        try:
            return _bind(host, port)
        except PortInUse:
            if time.monotonic() > deadline:
                raise
        time.sleep(POLL_INTERVAL_S)


class PortInUse(StartError):
    """Another process listens on the address."""


def _bind(host: str, port: int) -> socket.socket:
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM
        )[0]
        bound = socket.socket(family, kind)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
        except OSError:
            bound.close()
            raise
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(
                f"Port {port} on {host} is in use already; stop what listens there, or "
                f"choose another port: PORT={port + 1}"
            ) from error
        raise StartError(
            f"Cannot listen on {host} port {port}: {error.strerror}."
        ) from error
    return bound
