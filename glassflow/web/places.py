"""The places of the gate, and who waits for one."""

import time
from collections import deque
from collections.abc import Callable

from gevent.event import Event

# How much of the time that one may wait the queue should take, once it never empties. With
# all of it whoever is last would get a place at the very end of the time, or just not.
QUEUE_SHARE = 0.5


class Places:
    """A number of places; those who wait for one get it in the order of their arrival.

    A place that becomes free is handed to who has waited longest, so that nobody who has
    just arrived takes it first. While there has been a queue for longer than anybody may
    wait, it is kept so short that who is in it gets a place in `QUEUE_SHARE` of that time,
    at the rate of that time; another one is refused at once.
    """

    def __init__(
        self, count: int, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._free = count
        self._clock = clock
        self._waiting: deque[Event] = deque()
        self._waiting_since = 0.0  # since when there has always been somebody
        self._handed: deque[float] = deque()  # when places were handed to the waiting

    def acquire(self, timeout: float) -> bool:
        """Take a place, and wait for it for up to so many seconds; return whether we did."""
        if self._free:
            self._free -= 1
            return True
        if self.is_overloaded(timeout):
            return False
        return self._wait(timeout)

    def release(self) -> None:
        """Give a place to who has waited longest, if anybody waits."""
        if self._waiting:
            self._waiting.popleft().set()
            self._handed.append(self._clock())
        else:
            self._free += 1

    def is_overloaded(self, timeout: float) -> bool:
        """Return whether who arrives now should be refused at once.

        `timeout` is how many seconds one may wait.
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
        """Leave the queue; return False for one who was handed a place before that."""
        if turn.is_set():
            return False
        self._waiting.remove(turn)
        return True
