"""Sends one message to a receiver over HTTP, within limits.

A receiver's name is resolved once, all its addresses have to be allowed, and the
connection goes to one of them: a name that leads elsewhere a moment later changes
nothing. Redirects are not followed, because they could lead anywhere. Of the answer only
the status is read.
"""

import socket
import ssl
from collections.abc import Callable, Mapping
from functools import cache
from http.client import HTTPConnection, HTTPException
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

import gevent
from gevent import monkey

from glassflow.core.process import deadlines, native_threads
from glassflow.domain import texts

GONE = 410  # "do not send me anything any more"
HTTPS_PORT = 443
MAX_ADDRESSES = 3  # that are tried
Allowed = Callable[[str], bool]

# As it was before gevent replaced it by one that uses the common threads.
_getaddrinfo = monkey.get_original("socket", "getaddrinfo")


class Outcome(NamedTuple):
    """What came of an attempt: the status of the answer, or else a fault."""

    answered: int | None
    fault: str | None

    @property
    def is_delivered(self) -> bool:
        """Whether the receiver has taken the message."""
        return self.fault is None


class _NotAllowed(Exception):
    """The name of a receiver leads to an address that may not be called."""


def send(
    url: str, body: bytes, headers: Mapping[str, str], allowed: Allowed
) -> Outcome:
    """POST a body; takes at most `WEBHOOK_TIMEOUT_S`, and raises nothing.

    `allowed` tells whether an address may be called.
    """
    limit = gevent.Timeout(deadlines.WEBHOOK_TIMEOUT_S)
    try:
        with limit:
            status = _post(urlsplit(url), body, headers, allowed)
    except gevent.Timeout as timeout:
        if timeout is not limit:
            raise
        seconds = f"{deadlines.WEBHOOK_TIMEOUT_S:g}"
        return Outcome(None, texts.DELIVERY_UNANSWERED.format(seconds=seconds))
    except _NotAllowed as refused:
        return Outcome(None, texts.DELIVERY_ADDRESS_REFUSED.format(address=refused))
    except (OSError, HTTPException, ValueError) as error:
        return Outcome(None, _clause(error))
    is_success = 200 <= status < 300
    return Outcome(
        status, None if is_success else texts.DELIVERY_ANSWERED.format(status=status)
    )


def _post(
    url: SplitResult, body: bytes, headers: Mapping[str, str], allowed: Allowed
) -> int:
    tls = url.scheme == "https"
    host, port = url.hostname or "", url.port or (HTTPS_PORT if tls else 80)
    connected = _connect(host, port, allowed)
    connection = HTTPConnection(host, port)
    try:
        connection.sock = connected
        if tls:
            connection.default_port = HTTPS_PORT  # which the header Host leaves out
            connection.sock = _tls().wrap_socket(connected, server_hostname=host)
        path = (url.path or "/") + (f"?{url.query}" if url.query else "")
        connection.request("POST", path, body, dict(headers))
        with connection.getresponse() as answer:
            return answer.status
    finally:
        connection.close()
        connected.close()


def _connect(host: str, port: int, allowed: Allowed) -> socket.socket:
    """Connect to an address of the host; raises `_NotAllowed` and `OSError`."""
    addresses = look_up(host, port)
    for address in addresses:
        if not allowed(address):
            raise _NotAllowed(address)
    failed = OSError("the name has no address")
    for address in addresses[:MAX_ADDRESSES]:
        try:
            return _open(address, port)
        except OSError as error:
            failed = error
    raise failed


def look_up(host: str, port: int) -> list[str]:
    """Return the addresses of a host; raises `OSError`.

    Without a network a look-up hangs for long, and passwords must be hashed nevertheless.
    """
    found = native_threads.run_apart(_getaddrinfo, host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in found))


def _open(address: str, port: int) -> socket.socket:
    timeout_s = deadlines.WEBHOOK_CONNECT_TIMEOUT_S
    connected = socket.create_connection((address, port), timeout_s)
    connected.settimeout(deadlines.WEBHOOK_TIMEOUT_S)
    return connected


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _clause(error: Exception) -> str:
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(text)[:200]
