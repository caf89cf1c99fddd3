"""Many clients in one process, controlled by JSON lines on its standard input.

All clients join one room. For each numbered event (`bench-<number>` in its payload) the
process counts how many clients have received it, and notes when the first and the last
did. Identical data is parsed once, so that the clients cost less than any server.
"""

from __future__ import annotations

import json
import os
import re
import select
import sys
import time
from typing import Any

from bench.websocket_client import READ_SIZE, ConnectionEnded, WebsocketClient

PATH = "/api/socket-entry/"
NUMBER = re.compile(rb"bench-(\d+)")
SENT = re.compile(rb'"sent":(\d+)')
PING_FRAME = b"\x81\x012"  # each client has to answer it by itself
MAX_CONNECTING = 50
OPEN_TIMEOUT_S = 60


class Deliveries:
    """The deliveries of one event; times in ns on the monotonic clock."""

    def __init__(self, packet: bytes) -> None:
        found = SENT.search(packet)
        self.sent = int(found[1]) if found else 0
        self.count = 0
        self.first = self.last = 0

    def row(self) -> list[int]:
        """Return `[sent, count, first, last]`."""
        return [self.sent, self.count, self.first, self.last]


class Clients:
    """The clients, and the deliveries to them."""

    def __init__(self) -> None:
        self.poll = select.epoll()
        self.connections: dict[int, WebsocketClient] = {}
        self.deliveries: dict[int, Deliveries] = {}
        self.joined = 0
        self.lost_connections = 0
        self._token = ""
        self._previous_data = b""
        self._previous_numbers: list[int] = []

    def open(self, ports: list[int], count: int, token: str) -> dict[str, int]:
        """Connect clients, the same share to each port, and wait until all joined."""
        self._token = token
        deadline = time.monotonic() + OPEN_TIMEOUT_S
        for number in range(count):
            connection = WebsocketClient(ports[number % len(ports)], PATH)
            self.connections[connection.fileno()] = connection
            self.poll.register(connection.fileno(), select.EPOLLOUT)
            while len(self.connections) - self.joined > MAX_CONNECTING:
                self.poll_once(deadline)
        while self.joined < count:
            self.poll_once(deadline)
        return {"joined": self.joined}

    def wait(self, first: int, times: int, count: int, seconds: float) -> Any:
        """Wait until `count` clients have received all events, or for `seconds`."""
        deadline = time.monotonic() + seconds
        numbers = range(first, first + times)
        while time.monotonic() < deadline:
            known = [self.deliveries.get(number) for number in reversed(numbers)]
            if all(one and one.count >= count for one in known):
                break
            self.poll_once(deadline)
        found = {
            number: self.deliveries.pop(number).row()
            for number in numbers
            if number in self.deliveries
        }
        return {"events": found, "lost": self.lost_connections}

    def poll_once(self, deadline: float) -> None:
        """Serve the connections that can be read or written; raises `TimeoutError`."""
        if time.monotonic() > deadline:
            raise TimeoutError(f"{self.joined} of {len(self.connections)} joined")
        for descriptor, mask in self.poll.poll(0.05):
            connection = self.connections[descriptor]
            try:
                if mask & select.EPOLLOUT:
                    connection.request_upgrade()
                    self.poll.modify(descriptor, select.EPOLLIN)
                else:
                    self._read(connection)
            except (ConnectionEnded, OSError):
                self.lost_connections += 1
                self.poll.unregister(descriptor)
                connection.close()
                del self.connections[descriptor]

    def _read(self, connection: WebsocketClient) -> None:
        if not connection.at_frame_start:
            packets = connection.read()
        else:
            data = connection.socket.recv(READ_SIZE)
            if data == self._previous_data:
                self._count()
                return
            packets = connection.feed(data)
            complete = connection.at_frame_start and PING_FRAME not in data
            if packets and complete and all(one[:2] == b"42" for one in packets):
                self._previous_data = data
                self._previous_numbers = [self._number(one) for one in packets]
                self._count()
                return
        for packet in packets:
            self._on_packet(connection, packet)

    def _number(self, packet: bytes) -> int:
        found = NUMBER.search(packet)
        number = int(found[1]) if found else -1
        if number not in self.deliveries:
            self.deliveries[number] = Deliveries(packet)
        return number

    def _count(self) -> None:
        now = time.monotonic_ns()
        for number in self._previous_numbers:
            delivered = self.deliveries.get(number)
            if delivered is None:
                continue
            delivered.count += 1
            delivered.first = delivered.first or now
            delivered.last = now

    def _on_packet(self, connection: WebsocketClient, packet: bytes) -> None:
        if packet[:2] == b"42":
            self._previous_numbers = [self._number(packet)]
            self._previous_data = b""
            self._count()
        elif packet[:2] == b"40":
            connection.send('420["join_inventory"]')
        elif packet[:2] == b"43":
            self.joined += 1
        elif packet[:1] == b"0":
            connection.send("40" + json.dumps({"token": self._token}))


def main() -> None:
    """Answer each line of the input with one line; serve the clients meanwhile."""
    clients = Clients()
    calls: dict[str, Any] = {"open": clients.open, "wait": clients.wait}
    standard_input = sys.stdin.buffer.fileno()
    unparsed = b""
    while True:
        while not select.select([standard_input], [], [], 0)[0]:
            clients.poll_once(float("inf"))
        data = os.read(standard_input, READ_SIZE)
        if not data:
            return
        unparsed += data
        while b"\n" in unparsed:
            line, _, unparsed = unparsed.partition(b"\n")
            arguments = json.loads(line)
            call = calls[arguments.pop("call")]
            print(json.dumps(call(**arguments)), flush=True)


if __name__ == "__main__":
    main()
