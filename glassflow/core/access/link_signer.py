"""Signed links: paths that can be opened without a token until they expire."""

import hashlib
import hmac
import re
from datetime import UTC

from glassflow.core.process import clock

_SIGNATURE = re.compile(r"(\d{1,12})\.([0-9a-f]{64})", re.ASCII)


class LinkSigner:
    """Signs paths with a key that is derived from a secret.

    A signature lasts at least `lifetime_s` seconds and at most twice as long: the expiry
    is a multiple of the lifetime. So a record that is read again has the same links, and
    a browser finds what it has already loaded in its cache.
    """

    def __init__(self, *, secret: str, lifetime_s: int) -> None:
        # another key than that of the tokens, so that neither signs for the other
        self._key = hmac.digest(secret.encode(), b"glassflow signed links", "sha256")
        self._lifetime_s = lifetime_s

    def sign(self, path: str) -> str:
        """Return a signature of a path: the expiry in epoch seconds, and an HMAC."""
        expires = (_now_s() // self._lifetime_s + 2) * self._lifetime_s
        return f"{expires}.{self._mac(path, expires)}"

    def remaining_s(self, path: str, signature: str) -> int:
        """Return for how many seconds a signature lasts; 0 if expired or not valid."""
        found = _SIGNATURE.fullmatch(signature)
        if not found:
            return 0
        expires = int(found[1])
        valid = hmac.compare_digest(self._mac(path, expires), found[2])
        return max(0, expires - _now_s()) if valid else 0

    def _mac(self, path: str, expires: int) -> str:
        message = f"{expires} {path}".encode()
        return hmac.new(self._key, message, hashlib.sha256).hexdigest()


def _now_s() -> int:
    return int(clock.now().replace(tzinfo=UTC).timestamp())
