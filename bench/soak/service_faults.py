"""The faults of the service during a soak: a restart, a reload, a killed worker."""

from __future__ import annotations

import threading
import time

from bench.processes import Service


class ServiceFaults:
    """Applies each fault once, in a thread, spread evenly over the given time."""

    def __init__(self, service: Service, duration_s: float) -> None:
        def restart() -> None:
            service.stop()
            service.start()

        self.applied: list[str] = []
        self.failed: list[str] = []
        self._faults = {
            "SIGTERM and start": restart,
            "SIGHUP": service.reload,
            "kill -9 of a worker": service.kill_worker,
        }
        self._interval_s = duration_s / (len(self._faults) + 1)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until all are applied."""
        self._thread.join()

    def _run(self) -> None:
        for name, apply in self._faults.items():
            time.sleep(self._interval_s)
            started = time.monotonic()
            try:
                apply()
            except Exception as error:  # reported as a failure of the soak
                self.failed.append(f"{name}: {error}")
                return
            self.applied.append(f"{name} ({time.monotonic() - started:.1f} s)")
