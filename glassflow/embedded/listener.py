"""The socket that gunicorn listens on, bound by the parent process."""

import errno
import socket

from glassflow.settings_rules import StartError


def bind(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address; port 0 takes a free one.

    It does not listen, so clients are refused until gunicorn listens on it. Raises
    `StartError` if the address cannot be used.
    """
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
            raise StartError(
                f"Port {port} on {host} is in use already; stop what listens there, or "
                f"choose another port: PORT={port + 1}"
            ) from error
        raise StartError(
            f"Cannot listen on {host} port {port}: {error.strerror}."
        ) from error
    return bound
