"""The embedded store of a test process, which is started again when it hangs.

It has hung in runs of the tests, once in some tens, and it was never possible to provoke
it. Without this, each further test of the process would then wait for its own time limit.
"""

import gevent
import pytest

from glassflow.embedded import hang_watch
from glassflow.embedded import store as embedded_store

HANG_S = 90.0  # the slowest deletion of a busy machine takes a few seconds


class WatchedStore:
    """A store on these files; `hangs` has the stacks of its threads for each hang."""

    def __init__(self, folder, *, hang_s=HANG_S):
        self._hang_s = hang_s
        self._running = self._started(embedded_store.start, folder)
        self.hangs = []
        self._watching = gevent.spawn(self._watch)

    @property
    def uri(self):
        """The address for the driver, which stays."""
        return self._running.uri

    @property
    def process(self):
        """The present process."""
        return self._running.process

    def take_hangs(self):
        """Return the stacks of each hang since the last call."""
        hangs, self.hangs = self.hangs, []
        return hangs

    def stop(self):
        """Stop the store, and what watches it."""
        self._watching.kill()
        self._running.stop()

    def _watch(self):
        while True:
            watch = hang_watch.HangWatch(self._running, hang_s=self._hang_s)
            try:
                while not watch.hangs:
                    gevent.sleep(1)
            finally:
                watch.stop()
            self.hangs.append(self._running.kill_with_stacks())
            self._running = self._started(embedded_store.start_again, self._running)

    def _started(self, start, *arguments):
        """Start it with a larger cache: tests write many MB of events in a row.

        It keeps no checkpoints and waits for no disk: only a test that hung reads its files.
        """
        with pytest.MonkeyPatch.context() as changed:
            changed.setattr(embedded_store, "CACHE_SIZE", "8G")
            changed.setenv("SECANTUS_TEST_FAST_STORAGE", "1")
            return start(*arguments)
