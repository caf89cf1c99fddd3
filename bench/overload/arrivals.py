"""The process of the clients: requests that arrive whether others are answered or not.

Reads one line of JSON, `{port, token, customer, prefix, rate, seconds, closed}`, and
prints one line for it: `answers`, a list of `[kind, number, sent, status, time]`, times
in seconds since the start, and `processor_s`, the processor time that sending and
receiving took. With `closed` so many clients wait for each answer instead.
"""

from gevent import monkey

monkey.patch_all()  # before anything else is imported

import json  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402
from typing import Any  # noqa: E402

import gevent  # noqa: E402

from bench.overload.exchange import KeptConnection, render  # noqa: E402

NO_ANSWER = 0  # in place of a status
ANSWER_TIMEOUT_S = 30


class Clients:
    """Many clients of one account, with as many connections as they need at once."""

    def __init__(self, order: dict[str, Any]) -> None:
        self._order = order
        self._idle: list[KeptConnection] = []
        self._started = time.monotonic()
        self.results: list[tuple[str, int, float, int, float]] = []

    def arrive(self) -> None:
        """Send requests at the rate, for the seconds; wait for the last answer."""
        interval = 1 / self._order["rate"]
        count = round(self._order["seconds"] / interval)
        running = []
        for number in range(count):
            delay = self._started + number * interval - time.monotonic()
            gevent.sleep(max(delay, 0))
            running.append(gevent.spawn(self._send, number))
        gevent.joinall(running, timeout=ANSWER_TIMEOUT_S)

    def repeat(self) -> None:
        """Let some clients send for the seconds, each as soon as it is answered."""
        numbers = iter(range(10**9))

        def work() -> None:
            while time.monotonic() < self._started + self._order["seconds"]:
                self._send(next(numbers))

        gevent.joinall([gevent.spawn(work) for _ in range(self._order["closed"])])

    def _send(self, number: int) -> None:
        """Create a customer or read one, in turns, and keep the result."""
        kind = "write" if number % 2 else "read"
        sent = time.monotonic()
        try:
            connection = self._connection()
            status, _ = connection.exchange(self._request(kind, number))
            self._idle.append(connection)
        except OSError:
            status = NO_ANSWER
        took = time.monotonic() - sent
        self.results.append((kind, number, sent - self._started, status, took))

    def _connection(self) -> KeptConnection:
        return self._idle.pop() if self._idle else KeptConnection(self._order["port"])

    def _request(self, kind: str, number: int) -> bytes:
        token = self._order["token"]
        if kind == "read":
            return render("GET", f"/api/customers/{self._order['customer']}", token)
        body = {"name": f"{self._order['prefix']}{number}"}
        return render("POST", "/api/customers", token, body)


def main() -> None:
    """Do what the line of the input says."""
    order = json.loads(sys.stdin.readline())
    clients, used = Clients(order), time.process_time()
    if order.get("closed"):
        clients.repeat()
    else:
        clients.arrive()
    used = time.process_time() - used
    print(json.dumps({"answers": clients.results, "processor_s": used}), flush=True)


if __name__ == "__main__":
    main()
