"""The process of the clients: requests that arrive whether others are answered or not.

Reads one line of JSON, `{port, token, customer, prefix, rate, seconds, closed}`, and
prints one line for it: `answers`, a list of `[kind, number, sent, status, time]`, times
in seconds since the start, and `processor_s`, the processor time that sending and
receiving took. With `closed` so many clients wait for each answer instead.

One loop without greenlets, on bytes that are prepared: what the clients take from the
processor is missing to the service, more in an overload than at the peak. So what arrives
within `TICK_S` is sent at once, and answers are read as often: on a machine with few cores
each time that the clients wake up interrupts the service, as clients elsewhere do not.
"""

import json
import selectors
import socket
import sys
import time
from dataclasses import dataclass
from typing import Any

from bench.overload.requests import Requests

NO_ANSWER = 0  # in place of a status
ANSWER_TIMEOUT_S = 30
READ_SIZE = 1 << 16
TICK_S = 0.005
HEAD_END = b"\r\n\r\n"


@dataclass(slots=True, eq=False)
class Exchange:
    """A connection and the request that it has sent last."""

    socket: socket.socket
    kind: str = ""
    number: int = 0
    sent: float = 0.0
    request: bytes = b""
    received: bytes = b""
    is_idle: bool = True


class Clients:
    """Many clients of one account, with as many connections as they need at once."""

    def __init__(self, order: dict[str, Any]) -> None:
        self._order = order
        self._requests = Requests(order["token"], order["customer"], order["prefix"])
        self._selector = selectors.DefaultSelector()
        self._idle: list[Exchange] = []
        self._number = 0
        self._open = 0  # requests without an answer
        self._started = time.monotonic()
        self.results: list[tuple[str, int, float, int, float]] = []

    def arrive(self) -> None:
        """Send requests at the rate, for the seconds; wait for the last answer."""
        interval = 1 / self._order["rate"]
        count = round(self._order["seconds"] / interval)
        while self._number < count:
            due = min((time.monotonic() - self._started) / interval, count)
            while self._number < due:
                self._send()
            time.sleep(TICK_S)
            self._receive(0)
        self._receive_the_rest()

    def repeat(self) -> None:
        """Let some clients send for the seconds, each as soon as it is answered."""
        end = self._started + self._order["seconds"]
        while time.monotonic() < end:
            while self._open < self._order["closed"]:
                self._send()
            self._receive(end - time.monotonic())
        self._receive_the_rest()

    def _receive_the_rest(self) -> None:
        end = time.monotonic() + ANSWER_TIMEOUT_S
        while self._open and time.monotonic() < end:
            self._receive(end - time.monotonic())
        for key in list(self._selector.get_map().values()):
            self._close(key.data)
        self._selector.close()

    def _send(self) -> None:
        """Send the next request: create a customer or read one, in turns."""
        exchange = self._idle.pop() if self._idle else self._connect()
        exchange.is_idle = False
        exchange.number, exchange.sent = self._number, time.monotonic()
        exchange.kind = "write" if self._number % 2 else "read"
        exchange.request = self._requests.of(exchange.kind, self._number)
        self._number += 1
        self._open += 1
        self._write(exchange)

    def _connect(self) -> Exchange:
        """Return a connection that is being opened: the service may be slow to accept."""
        one = Exchange(socket.socket())
        one.socket.setblocking(False)
        one.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        one.socket.connect_ex(("127.0.0.1", self._order["port"]))
        self._selector.register(one.socket, selectors.EVENT_READ, one)
        return one

    def _write(self, exchange: Exchange) -> None:
        """Send the request, or wait until the connection is open."""
        try:
            exchange.socket.send(exchange.request)  # far less than the kernel takes
        except BlockingIOError:
            self._selector.modify(exchange.socket, selectors.EVENT_WRITE, exchange)
        except OSError:
            self._close(exchange)

    def _receive(self, wait_s: float) -> None:
        for key, events in self._selector.select(wait_s):
            exchange: Exchange = key.data
            if events & selectors.EVENT_WRITE:
                self._selector.modify(exchange.socket, selectors.EVENT_READ, exchange)
                self._write(exchange)
            else:
                self._read(exchange)

    def _read(self, exchange: Exchange) -> None:
        try:
            data = exchange.socket.recv(READ_SIZE)
        except OSError:
            data = b""
        if not data:
            self._close(exchange)
            return
        exchange.received += data
        head, end, body = exchange.received.partition(HEAD_END)
        if not end or len(body) < _body_length(head):
            return
        self._note(exchange, int(head[9:12]))
        exchange.received = b""
        self._idle.append(exchange)

    def _close(self, exchange: Exchange) -> None:
        """Close a connection; what it has asked for gets no answer."""
        self._selector.unregister(exchange.socket)
        exchange.socket.close()
        if exchange.is_idle:
            self._idle.remove(exchange)
        else:
            self._note(exchange, NO_ANSWER)

    def _note(self, exchange: Exchange, status: int) -> None:
        exchange.is_idle = True
        self._open -= 1
        took, at = time.monotonic() - exchange.sent, exchange.sent - self._started
        self.results.append((exchange.kind, exchange.number, at, status, took))


def _body_length(head: bytes) -> int:
    return int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])


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
