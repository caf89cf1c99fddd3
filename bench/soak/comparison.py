"""Compares what the clients of a soak received with the event log."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from bench.room_client import Client
from demo.client import Api
from demo.events import EVERYBODY

Row = dict[str, Any]  # of the event log, as `GET /api/events` returns it
LOG_PAGE = 1000
SHOWN = 5
#: What must not happen.
PROBLEMS = (
    "missing",
    "doubled",
    "unexpected",
    "different from the log",
    "out of order",
)


def read_log(api: Api) -> list[Row]:
    """Read all events that an account may receive, from the beginning."""
    rows: list[Row] = []
    after = -1
    while not rows or rows[-1]["seq"] > after:
        after = rows[-1]["seq"] if rows else 0
        rows += api.get("/api/events", after=after, limit=LOG_PAGE)
    return rows


def compare(client: Client, log: Sequence[Row], counts: Counter[str]) -> Iterator[str]:
    """Compare a client with the log that its account may read.

    Adds what was expected, and each of `PROBLEMS`; yields a text for each kind of problem.
    """
    rooms = client.rooms | {f"user:{client.account.id}", EVERYBODY}
    expected = {
        row["seq"]: row
        for row in log
        if row["seq"] > client.first and not rooms.isdisjoint(row["rooms"])
    }
    seqs = [seq for seq, _ in client.events]
    missing, unexpected = expected.keys() - seqs, set(seqs) - expected.keys()
    altered = [
        seq
        for seq, checksum in client.events
        if seq in expected and _checksum(expected[seq]) != checksum
    ]
    counts["events expected"] += len(expected)
    found = (
        len(missing),
        len(seqs) - len(set(seqs)),
        len(unexpected),
        len(altered),
        int(seqs != sorted(seqs)),
    )
    for name, number in zip(PROBLEMS, found, strict=True):
        counts[name] += number
    where = f"{client.account.worker['username']} in {sorted(client.rooms)}"
    for name, some in (("missing", missing), ("unexpected", unexpected)):
        if some:
            yield f"{where}: {name} {sorted(some)[:SHOWN]}"
    yield from (f"{where}: {problem}" for problem in client.problems[:SHOWN])


def _checksum(row: Row) -> int:
    """The checksum of the packet that brings a row of the log to a client."""
    if "checksum" not in row:
        meta = {name: row[name] for name in ("id", "seq", "at")}
        arguments = [row["event"], row["data"], meta]
        text = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
        row["checksum"] = zlib.crc32(b"42" + text.encode())
    return int(row["checksum"])
