"""Fingerprints of requests: whether two requests with one Idempotency-Key are the same.

They are stored, and a body may have a password. So the digest is keyed: from a copy of the
store nobody can find out what was sent by trying what it may have been.
"""

import hmac

from flask import current_app, request

from glassflow.core.process.json import canonical
from glassflow.web import body

# other keys than that of the tokens, so that none stands for another
LABEL, NAME_LABEL = b"glassflow fingerprints", b"glassflow name of fingerprints"
NAME_LENGTH = 8  # hexadecimal digits


def of_request() -> str:
    """Return the fingerprint of the request's method, path, query and body.

    It begins with the name of the key that it was made with. Receives the body.
    """
    received = body.received()
    parts = (
        request.method.encode(),
        request.path.encode(),
        request.query_string,
        canonical(received) if request.is_json else received,
    )
    secret: bytes = current_app.config["JWT_SECRET"].encode()
    name = hmac.digest(secret, NAME_LABEL, "sha256").hex()[:NAME_LENGTH]
    key = hmac.digest(secret, LABEL, "sha256")
    return f"{name}:{hmac.digest(key, bytes(1).join(parts), 'sha256').hex()}"


def differ(stored: str, current: str) -> bool:
    """Return whether a stored fingerprint is that of another request.

    One that was made with another key (before JWT_SECRET was changed, or by a release
    whose fingerprints had none) cannot be compared. Then the client's key decides alone:
    to refuse a repetition would be worse than to answer it.
    """
    is_comparable = stored.partition(":")[0] == current.partition(":")[0]
    return is_comparable and not hmac.compare_digest(stored, current)
