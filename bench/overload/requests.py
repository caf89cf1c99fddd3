"""The requests of the clients, as bytes that are prepared but for a number."""

from __future__ import annotations

import json

DIGITS = 8  # of a number, so that all requests of a kind are equally long


def name_of(prefix: str, number: int) -> str:
    """Return the name of the customer that the request with a number creates."""
    return f"{prefix}{number:0{DIGITS}d}"


class Requests:
    """Reads of one customer, and creations of further ones named by a number."""

    def __init__(self, token: str, customer: str, prefix: str) -> None:
        self._read = _render("GET", f"/api/customers/{customer}", token, b"")
        body = json.dumps({"name": name_of(prefix, 0)}).encode()
        created = _render("POST", "/api/customers", token, body)
        self._before, _, self._after = created.rpartition(b"0" * DIGITS)

    def of(self, kind: str, number: int) -> bytes:
        """Return a request: a `read`, or the `write` with a number."""
        if kind == "read":
            return self._read
        return b"%s%0*d%s" % (self._before, DIGITS, number, self._after)


def _render(method: str, path: str, token: str, content: bytes) -> bytes:
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content
