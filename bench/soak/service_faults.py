"""The faults of the service during a soak: a restart, a reload, a killed worker."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from bench.processes import Service


def restart(service: Service) -> None:
    """Stop the service with SIGTERM and start it again."""
    service.stop()
    service.start()


FAULTS: Sequence[tuple[str, Callable[[Service], None]]] = (
    ("SIGTERM and start", restart),
    ("SIGHUP", Service.reload),
    ("kill -9 of a worker", Service.kill_worker),
)


class ServiceFaults:
    """Applies each fault once, in a thread, spread evenly over the given time."""

    def __init__(self, service: Service, duration_s: float) -> None:
        self.applied: list[str] = []
        self.failed: list[str] = []
        self._service = service
        self._interval_s = duration_s / (len(FAULTS) + 1)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Apply no more faults; one that is in progress is completed first."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        for name, apply in FAULTS:
            if self._stopped.wait(self._interval_s):
                return
            started = time.monotonic()
            try:
                apply(self._service)
            except Exception as error:  # reported as a failure of the soak
                self.failed.append(f"{name}: {error}")
                return
            self.applied.append(f"{name} ({time.monotonic() - started:.1f} s)")
