"""What happens to the service itself meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from bench.processes import Service


def restart(service: Service) -> None:
    """Stop it in the ordinary way, and start it again."""
    service.stop()
    service.start()


MISHAPS: Sequence[tuple[str, Callable[[Service], None]]] = (
    ("SIGTERM and start", restart),
    ("SIGHUP", Service.hang_up),
    ("kill -9 of a worker", Service.kill_a_worker),
)


class Mishaps:
    """Does one after the other, spread over the time that there is."""

    def __init__(self, service: Service, seconds: float) -> None:
        self.done: list[str] = []
        self.failed: list[str] = []
        self._service = service
        self._pause = seconds / (len(MISHAPS) + 1)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """No more of them; one that is under way comes to its end."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        for name, happen in MISHAPS:
            if self._over.wait(self._pause):
                return
            begun = time.monotonic()
            try:
                happen(self._service)
            except Exception as error:  # told at the end, as a failure of the soak
                self.failed.append(f"{name}: {error}")
                return
            self.done.append(f"{name} ({time.monotonic() - begun:.1f} s)")
