"""Many clients in one process, told on its input what to do: a line of JSON each time.

They join one room, and for each event that is numbered (`bench-<number>` in its
payload) it is kept how many have it, and when the first and the last got it. What many
get alike is looked at once, so that the clients cost less than any server.
"""

from __future__ import annotations

import json
import os
import re
import select
import sys
import time
from typing import Any

from bench.wire import SIZE, Gone, Wire

PATH = "/api/socket-entry/"
NUMBER = re.compile(rb"bench-(\d+)")
SENT = re.compile(rb'"sent":(\d+)')
PING = b"\x81\x012"  # the frame: each client has to answer it by itself
AT_ONCE = 50  # connections begun together


class Tally:
    """Of one event: how many have it, and when (ns, monotonic)."""

    def __init__(self, text: bytes) -> None:
        found = SENT.search(text)
        self.sent = int(found[1]) if found else 0
        self.heard = 0
        self.first = self.last = 0

    def row(self) -> list[int]:
        """What is told of it."""
        return [self.sent, self.heard, self.first, self.last]


class Crowd:
    """The clients, and what they heard."""

    def __init__(self) -> None:
        self.poll = select.epoll()
        self.wires: dict[int, Wire] = {}
        self.tallies: dict[int, Tally] = {}
        self.joined = 0
        self.lost = 0
        self._token = ""
        self._same = b""
        self._numbers: list[int] = []

    def open(self, ports: list[int], count: int, token: str) -> dict[str, int]:
        """Connect so many, on each port the same share, and wait until all joined."""
        self._token = token
        deadline = time.monotonic() + 60
        for number in range(count):
            wire = Wire(ports[number % len(ports)], PATH)
            self.wires[wire.fileno()] = wire
            self.poll.register(wire.fileno(), select.EPOLLOUT)
            while len(self.wires) - self.joined > AT_ONCE:
                self.turn(deadline)
        while self.joined < count:
            self.turn(deadline)
        return {"joined": self.joined}

    def wait(self, first: int, times: int, count: int, seconds: float) -> Any:
        """Wait until so many have all of the events, or for so long; tell of each."""
        deadline = time.monotonic() + seconds
        numbers = range(first, first + times)
        while time.monotonic() < deadline:
            known = [self.tallies.get(n) for n in reversed(numbers)]
            if all(one and one.heard >= count for one in known):
                break
            self.turn(deadline)
        found = {n: self.tallies.pop(n).row() for n in numbers if n in self.tallies}
        return {"events": found, "lost": self.lost}

    def turn(self, deadline: float) -> None:
        """Serve whoever has something."""
        if time.monotonic() > deadline:
            raise TimeoutError(f"{self.joined} of {len(self.wires)} joined")
        for number, mask in self.poll.poll(0.05):
            wire = self.wires[number]
            try:
                if mask & select.EPOLLOUT:
                    wire.ask()
                    self.poll.modify(number, select.EPOLLIN)
                else:
                    self._read(wire)
            except (Gone, OSError):
                self.lost += 1
                self.poll.unregister(number)
                wire.close()
                del self.wires[number]

    def _read(self, wire: Wire) -> None:
        if wire.whole:
            data = wire.sock.recv(SIZE)
            if data == self._same:
                self._count()
                return
            texts = wire.take(data)
            alike = wire.whole and PING not in data
            if texts and alike and all(text[:2] == b"42" for text in texts):
                self._same = data
                self._numbers = [self._number(text) for text in texts]
                self._count()
                return
        else:
            texts = wire.read()
        for text in texts:
            self._say(wire, text)

    def _number(self, text: bytes) -> int:
        found = NUMBER.search(text)
        number = int(found[1]) if found else -1
        if number not in self.tallies:
            self.tallies[number] = Tally(text)
        return number

    def _count(self) -> None:
        now = time.monotonic_ns()
        for number in self._numbers:
            tally = self.tallies.get(number)
            if tally is None:
                continue
            tally.heard += 1
            tally.first = tally.first or now
            tally.last = now

    def _say(self, wire: Wire, text: bytes) -> None:
        if text[:2] == b"42":
            self._numbers = [self._number(text)]
            self._same = b""
            self._count()
        elif text[:2] == b"40":
            wire.send('420["join_inventory"]')
        elif text[:2] == b"43":
            self.joined += 1
        elif text[:1] == b"0":
            wire.send("40" + json.dumps({"token": self._token}))


def main() -> None:
    """Do what the input says, and answer each line with one; serve meanwhile."""
    crowd = Crowd()
    given = sys.stdin.buffer.fileno()
    asked = b""
    while True:
        while not select.select([given], [], [], 0)[0]:
            crowd.turn(float("inf"))
        piece = os.read(given, SIZE)
        if not piece:
            return
        asked += piece
        while b"\n" in asked:
            line, _, asked = asked.partition(b"\n")
            order = json.loads(line)
            acts: dict[str, Any] = {"open": crowd.open, "wait": crowd.wait}
            act = acts[order.pop("do")]
            print(json.dumps(act(**order)), flush=True)


if __name__ == "__main__":
    main()
