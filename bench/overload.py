"""Twice as many requests as the service can process, for half a minute.

They arrive at a fixed rate, whether others are answered or not. Half of them create
customers, the other half read one. Afterwards the store is compared with the answers.
"""

from __future__ import annotations

import itertools
import json
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from select import select
from statistics import fmean

import gevent
from gevent import socket

from bench.figures import number, percentile, table
from bench.processes import Service, running_service
from bench.section import Measured

WHOLE, QUICK = (30, 10), (5, 2)  # seconds of the overload, and of a peak
PEAK_CLIENTS = 16  # as many as the service works on at once
FACTOR = 2  # arrivals, as a multiple of the peak
SETTLE_S = 2.0  # after which throughput is counted: the first second fills the queue
MIN_SHARE = 0.4  # accepted, of the peak
MAX_ACCEPTED_S, MAX_REFUSED_S = 2.5, 1.5  # 95 % of them
REFUSED, NO_ANSWER = 503, 0  # statuses
ANSWER_TIMEOUT_S = 30
TICK_S = 0.005  # arrivals within it are sent together: clients wake up less often
READ_SIZE = 1 << 16
HEAD_END = b"\r\n\r\n"


@dataclass(frozen=True)
class Answer:
    """The answer to one request; `sent` and `took` in s, `customer` if it creates one."""

    status: int
    sent: float
    took: float
    customer: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether the service did what was asked."""
        return 200 <= self.status < 300


class Clients:
    """Clients of one account, with as many connections as they need at once.

    They send bytes and read only statuses: what they take from the processor is missing to
    the service, more in an overload than at the peak.
    """

    def __init__(self, port: int, token: str, customer: str) -> None:
        self.answers: list[Answer] = []
        self._port = port
        head = f"Host: localhost\r\nAuthorization: Bearer {token}\r\n"
        path = f"/api/customers/{customer}"
        self._read = f"GET {path} HTTP/1.1\r\n{head}\r\n".encode()
        head += "Content-Type: application/json\r\n"
        self._create = f"POST /api/customers HTTP/1.1\r\n{head}"
        self._prefix = f"overload-{secrets.token_hex(4)}-"
        self._numbers = itertools.count()
        self._idle: list[socket.socket] = []
        self._started = time.monotonic()

    def repeat(self, clients: int, seconds: float) -> None:
        """Let some clients send for so long, each as soon as it is answered."""

        def send_again() -> None:
            while time.monotonic() < self._started + seconds:
                self._send()

        self._finish([gevent.spawn(send_again) for _ in range(clients)])

    def arrive(self, rate: float, seconds: float) -> None:
        """Send requests at a rate a second for so long; wait for the last answer."""
        sent: list[gevent.Greenlet] = []
        while len(sent) < rate * seconds:
            due = min(time.monotonic() - self._started, seconds) * rate
            sent += [gevent.spawn(self._send) for _ in range(len(sent), round(due))]
            gevent.sleep(TICK_S)
        self._finish(sent)

    def _finish(self, sending: Sequence[gevent.Greenlet]) -> None:
        gevent.joinall(sending)
        for connection in self._idle:
            connection.close()

    def _send(self) -> None:
        """Send the next request: create a customer or read one, in turns."""
        n, started = next(self._numbers), time.monotonic()
        name = f"{self._prefix}{n}" if n % 2 else ""
        try:
            connection = self._connection()
            connection.sendall(self._request(name))
            status = _status(connection)
        except OSError:
            status = NO_ANSWER
        else:
            self._idle.append(connection)
        took, at = time.monotonic() - started, started - self._started
        self.answers.append(Answer(status, at, took, name))

    def _connection(self) -> socket.socket:
        """Return an idle connection that the service has not closed, or a new one."""
        while self._idle:
            connection = self._idle.pop()
            if not select([connection], [], [], 0)[0]:
                return connection
            connection.close()
        address = ("127.0.0.1", self._port)
        return socket.create_connection(address, ANSWER_TIMEOUT_S)

    def _request(self, name: str) -> bytes:
        if not name:
            return self._read
        body = json.dumps({"name": name})
        return f"{self._create}Content-Length: {len(body)}\r\n\r\n{body}".encode()


@dataclass(frozen=True)
class Overload:
    """An overload of some seconds; `peaks` are requests a second before and after it."""

    peaks: tuple[float, float]
    rate: float
    seconds: float
    answers: Sequence[Answer]
    lost: int

    @property
    def throughput(self) -> float:
        """Accepted requests a second, without the first and the last moments."""
        ends = (one.sent + one.took for one in self.answers if one.is_accepted)
        counted = sum(SETTLE_S <= end < self.seconds for end in ends)
        return counted / (self.seconds - SETTLE_S)

    @property
    def accepted_s(self) -> float:
        """The time of accepted requests that 95 % of them keep."""
        return _p95([one.took for one in self.answers if one.is_accepted])

    @property
    def refused_s(self) -> float:
        """The same of refused ones; 0 where none was refused."""
        return _p95([one.took for one in self.answers if one.status == REFUSED])

    def rows(self) -> Iterator[tuple[str, float, str, bool]]:
        """Yield name, value, limit, and whether the limit was kept."""
        peak, accepted, most_s = fmean(self.peaks), self.throughput, self.accepted_s
        least = f"at least {MIN_SHARE:.0%} of the peak"
        yield "peak, requests a second", peak, "", True
        yield "arrivals a second", self.rate, "", True
        yield "accepted a second", accepted, least, accepted >= MIN_SHARE * peak
        yield "accepted, p95 s", most_s, f"{MAX_ACCEPTED_S}", most_s <= MAX_ACCEPTED_S
        refused_s = self.refused_s
        kept = refused_s <= MAX_REFUSED_S
        yield "refused, p95 s", refused_s, f"{MAX_REFUSED_S}", kept
        yield "acknowledged and lost", self.lost, "0", not self.lost
        others = sum(one.status not in (200, 201, REFUSED) for one in self.answers)
        yield "other refusals, or no answer", others, "0", not others


def section(quick: bool) -> Measured:
    """Start a service and overload it."""
    seconds, peak_s = QUICK if quick else WHOLE
    with running_service() as service:
        found = _overload(service, seconds, peak_s)
    rows = list(found.rows())
    cells = [
        [name, str(value) if isinstance(value, int) else number(value), limit]
        for name, value, limit, _ in rows
    ]
    faults = [f"{name}: {number(value)}" for name, value, _, kept in rows if not kept]
    return Measured(list(table(("overload", "measured", "limit"), cells)), faults)


def _overload(service: Service, seconds: float, peak_s: float) -> Overload:
    admin = service.admin()
    customer = admin.get("/api/customers", limit=1)[0]["_id"]

    def peak() -> float:
        """Return how many requests a second are accepted if as many wait as fit."""
        clients = Clients(service.port, admin.token, customer)
        clients.repeat(PEAK_CLIENTS, peak_s)
        return sum(one.is_accepted for one in clients.answers) / peak_s

    peak()  # the first one is lower: caches and buffers fill
    before = peak()
    clients = Clients(service.port, admin.token, customer)
    clients.arrive(FACTOR * before, seconds)
    answers = clients.answers
    acknowledged = {one.customer for one in answers if one.customer and one.is_accepted}
    stored = {row["name"] for row in service.database["customers"].find()}
    lost = len(acknowledged - stored)
    return Overload((before, peak()), FACTOR * before, seconds, answers, lost)


def _status(connection: socket.socket) -> int:
    """Read an answer, and return its status; raises `OSError` without an answer."""
    received = b""
    while data := connection.recv(READ_SIZE):
        received += data
        head, end, body = received.partition(HEAD_END)
        if end and len(body) >= _body_length(head):
            return int(head[9:12])
    raise ConnectionResetError


def _body_length(head: bytes) -> int:
    return int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])


def _p95(times: Sequence[float]) -> float:
    return percentile(times, 95) if times else 0.0
