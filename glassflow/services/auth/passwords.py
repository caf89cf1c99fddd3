"""Hash and verify passwords with argon2; no password is stored, returned or logged.

Hashing is slow on purpose. It runs on gevent's pool of native threads, where it does not
block other requests, on as many as there are processors; who comes later waits in a
queue. The time does not count against the request's limit on the store.
"""

import os
import random
from collections.abc import Callable

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from gevent.lock import BoundedSemaphore

from glassflow import runtime
from glassflow.core.process import deadlines, native_threads
from glassflow.domain import password_rules, texts
from glassflow.domain.errors import FieldFault, Invalid, TooManyAttempts

HASHES_AT_ONCE = os.cpu_count() or 1  # in each process
QUEUE_RETRY_MAX_S = 10


class Argon2Passwords:
    """Hashes with a time cost (passes over the memory) and a memory cost in KiB.

    `before_hash` is called before each: a request must hold no place that others need
    while it waits for its turn, as all do who log in when a shift starts.
    """

    def __init__(
        self,
        *,
        time_cost: int,
        memory_kib: int,
        before_hash: Callable[[], None] = lambda: None,
    ) -> None:
        self._hasher = PasswordHasher(
            time_cost=time_cost, memory_cost=memory_kib, parallelism=1
        )
        self._dummy_hash: str | None = None
        self._turns = BoundedSemaphore(HASHES_AT_ONCE)
        self._before_hash = before_hash

    def hash(self, password: str) -> str:
        """Return the argon2 hash of a password."""
        return str(self._in_turn(self._hasher.hash, password))

    def matches(self, password: str, stored: str | None) -> bool:
        """Return whether a password belongs to a stored hash.

        Without a stored hash it returns False after the same time, so that the time of
        a login does not reveal whether a username exists.
        """
        if stored is None:
            if self._dummy_hash is None:
                self._dummy_hash = self.hash("no worker has this password")
            self._in_turn(self._verify, self._dummy_hash, password)
            return False
        return bool(self._in_turn(self._verify, stored, password))

    def _in_turn(self, function: Callable[..., object], *args: str) -> object:
        """Run a function on a thread of the pool, when it is the caller's turn.

        Raises `TooManyAttempts` after `HASH_QUEUE_TIMEOUT_S`.
        """
        self._before_hash()
        try:
            return native_threads.run_in_turn(
                self._turns, deadlines.HASH_QUEUE_TIMEOUT_S, function, *args
            )
        except native_threads.NoTurn:
            seconds = random.randint(1, QUEUE_RETRY_MAX_S)
            raise TooManyAttempts(texts.HASH_QUEUE_FULL, retry_after=seconds) from None

    def _verify(self, stored: str, password: str) -> bool:
        try:
            return self._hasher.verify(stored, password)
        except (Argon2Error, InvalidHashError):
            return False


def require_allowed(password: str, username: str) -> None:
    """Raise `Invalid` for a new password that the settings PASSWORD_… do not allow."""
    policy = runtime.current().policy
    message = password_rules.fault(
        password,
        username,
        min_length=policy.password_min_length,
        refuse_common=policy.password_refuse_common,
    )
    if message is not None:
        fault: FieldFault = {"field": "password", "message": message}
        raise Invalid([fault])


def hash_password(password: str) -> str:
    """Return the hash of a password, with the costs of the current runtime."""
    return runtime.current().passwords.hash(password)


def matches(password: str, stored: str | None) -> bool:
    """Return whether a password belongs to a stored hash; None belongs to no password."""
    return runtime.current().passwords.matches(password, stored)
