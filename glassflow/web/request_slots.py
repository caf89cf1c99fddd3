"""A first-come, first-served semaphore for requests."""

import time
from collections import deque
from collections.abc import Callable

from gevent.event import Event

# The share of the waiting time that the queue should take while it never empties. With all
# of it, the last request would get its slot at the very end of that time, or not at all.
QUEUE_SHARE = 0.5


class FairSemaphore:
    """A number of slots; waiting requests acquire them in the order of their arrival.

    A slot that is released goes to the longest-waiting request, so that no new request
    takes it first. Once the queue has lasted for the whole waiting time, it is kept so
    short that a request in it acquires a slot in `QUEUE_SHARE` of that time, at the current
    rate; further requests are refused at once.
    """

    def __init__(
        self, count: int, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._free = count
        self._clock = clock
        self._waiting: deque[Event] = deque()
        self._waiting_since = 0.0  # since when the queue has never been empty
        self._handed: deque[float] = deque()  # when slots went to waiting requests

    def acquire(self, timeout: float) -> bool:
        """Acquire a slot within `timeout` seconds; return whether it succeeded."""
        if self._free:
            self._free -= 1
            return True
        if self.is_overloaded(timeout):
            return False
        return self._wait(timeout)

    def release(self) -> None:
        """Release a slot to the longest-waiting request."""
        if self._waiting:
            self._waiting.popleft().set()
            self._handed.append(self._clock())
        else:
            self._free += 1

    def is_overloaded(self, timeout: float) -> bool:
        """Return whether a request that arrives now should be refused at once.

        `timeout` is how many seconds a request may wait.
        """
        start = self._clock() - timeout
        while self._handed and self._handed[0] < start:
            self._handed.popleft()
        if not self._waiting or self._waiting_since > start:
            return False
        return len(self._waiting) >= max(QUEUE_SHARE * len(self._handed), 1)

    def _wait(self, timeout: float) -> bool:
        turn = Event()
        if not self._waiting:
            self._waiting_since = self._clock()
            self._handed.clear()
        self._waiting.append(turn)
        try:
            turn.wait(timeout)
        except BaseException:  # the greenlet is killed
            if not self._stop_waiting(turn):
                self.release()
            raise
        return not self._stop_waiting(turn)

    def _stop_waiting(self, turn: Event) -> bool:
        """Leave the queue; return False if a slot was handed over before that."""
        if turn.is_set():
            return False
        self._waiting.remove(turn)
        return True
