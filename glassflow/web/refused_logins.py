"""One line of the log for each refused login, for filters such as fail2ban."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from flask import request

from glassflow.domain.errors import Refusal, TooManyAttempts, Unauthenticated

log = logging.getLogger("glassflow.logins")
CODES = frozenset(
    {"BADGE_REFUSED", "PIN_REFUSED", "PIN_LOCKED", "PIN_LOCKED_FOR_THE_DAY"}
)


@contextmanager
def logged(kind: str, name: str) -> Iterator[None]:
    """Log the refusal of a `password`, `PIN` or `badge`; the block checks it.

    `name` is the username, or the id of the worker or of the shared device. The address
    stands before it: what a client writes as its name cannot pass for an address.
    """
    try:
        yield
    except Refusal as refusal:
        guessed = isinstance(refusal, (Unauthenticated, TooManyAttempts))
        if guessed or refusal.code in CODES:
            address = request.remote_addr or "unknown"
            shown = json.dumps(name[:64], ensure_ascii=False)
            log.warning("login refused from %s: %s of %s", address, kind, shown)
        raise
