"""Passwords: hashed with argon2, never kept, returned or logged.

Hashing is slow on purpose, so it runs on gevent's pool of real threads, where it holds
up nobody else's request.
"""

from collections.abc import Callable

import gevent
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

_hasher: list[PasswordHasher] = [PasswordHasher()]
_nobody: list[str] = []


def configure(time_cost: int, memory_kib: int) -> None:
    """Set the price of a hash: passes over the memory, and the memory in KiB."""
    _hasher[:] = [
        PasswordHasher(time_cost=time_cost, memory_cost=memory_kib, parallelism=1)
    ]
    _nobody.clear()


def hashed(password: str) -> str:
    """Give the argon2 hash of a password."""
    return str(_aside(_hasher[0].hash, password))


def fits(password: str, stored: str | None) -> bool:
    """Tell whether a password is the one behind a stored hash.

    Without a stored hash it takes as long and says no, so that the time of a login
    does not tell whether there is such a worker.
    """
    if stored is None:
        if not _nobody:
            _nobody.append(hashed("nobody has this password"))
        _aside(_verify, _nobody[0], password)
        return False
    return bool(_aside(_verify, stored, password))


def _verify(stored: str, password: str) -> bool:
    # caught here, in the pool's thread, which would print what gets past it
    try:
        return _hasher[0].verify(stored, password)
    except (Argon2Error, InvalidHashError):
        return False


def _aside(function: Callable[..., object], *args: str) -> object:
    return gevent.get_hub().threadpool.apply(function, args)
