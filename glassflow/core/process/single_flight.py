"""A read that many callers ask for at once, and that is made once for all of them."""

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Reads for one caller at a time; the others get what was read for that one."""

    def __init__(self, read: Callable[[], T]) -> None:
        self._read = read
        self._found: list[T] = []
        self._ended = 0.0  # when the last read ended, on the monotonic clock
        self._reading = threading.Lock()

    def get(self, kept_s: float) -> T:
        """Return what a read has found that ended at most `kept_s` before this call.

        One that is under way is waited for. Raises what the read raises; then the next
        caller reads again.
        """
        asked = time.monotonic()
        with self._reading:
            if not self._found or self._ended <= asked - kept_s:
                self._found = [self._read()]
                self._ended = time.monotonic()
            return self._found[0]
