"""The result of a soak: compares what clients received with the event log."""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.soak.client import Client
from bench.soak.client_pool import ClientPool
from bench.soak.service_faults import ServiceFaults
from bench.soak.traffic import Traffic
from demo.client import Api
from demo.events import EVERYBODY

Row = dict[str, Any]  # of the event log, as `GET /api/events` returns it
SHOWN = 5
CREATED_BY_POST = frozenset({"request:updated", "order:updated", "claim:updated"})
LOG_PAGE = 1000


@dataclass
class Comparison:
    """The counts over all clients, and a text for each of the first problems."""

    expected: int = 0
    missing: int = 0
    doubled: int = 0
    unexpected: int = 0
    altered: int = 0
    out_of_order: int = 0
    without_event: int = 0
    created_twice: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """True if every client received exactly its events."""
        return not (
            self.missing
            or self.doubled
            or self.unexpected
            or self.altered
            or self.out_of_order
            or self.without_event
            or self.created_twice
            or self.problems
        )

    def add_problem(self, text: str) -> None:
        """Keep the first `SHOWN` problems."""
        if len(self.problems) < SHOWN:
            self.problems.append(text)


def read_log(api: Api) -> list[Row]:
    """Read all events that an account may receive, from the beginning."""
    rows: list[Row] = []
    after = 0
    while True:
        query = {"after": after, "limit": LOG_PAGE}
        response = api.send_until_answered("GET", "/api/events", **query)
        rows += response.data
        if int(response.body["seq"]) == after:
            return rows
        after = int(response.body["seq"])


def compare(
    clients: Sequence[Client],
    logs: dict[str, list[Row]],
    acknowledged: set[tuple[str, str]],
) -> Comparison:
    """Compare the clients with the logs, and the acknowledged changes with the log.

    `logs` has the event log as each account reads it, by username.
    """
    result = Comparison()
    for client in clients:
        _compare_client(client, logs[client.account.name], result)
    whole = max(logs.values(), key=len)
    without_event = acknowledged - {(row["event"], _record_id(row)) for row in whole}
    result.without_event = len(without_event)
    for event, record in sorted(without_event)[:SHOWN]:
        result.add_problem(f"acknowledged, but not in the log: {event} of {record}")
    began = min(client.received.first for client in clients)
    # what the demo workshop has created came before
    since = [row for row in whole if row["seq"] > began]
    for event, record in sorted(_created(since) - acknowledged):
        result.created_twice += 1
        result.add_problem(f"created, but in no answer: {event} of {record}")
    return result


def _created(log: Iterable[Row]) -> set[tuple[str, str]]:
    """The creations in a log that only a POST of the traffic makes."""
    return {
        (row["event"], _record_id(row))
        for row in log
        if row["event"] in CREATED_BY_POST and row["data"].get("action") == "created"
    }


def _compare_client(client: Client, log: Sequence[Row], result: Comparison) -> None:
    rooms = client.rooms | {f"user:{client.account.id}", EVERYBODY}
    received = client.received
    expected = {
        row["seq"]: row
        for row in log
        if row["seq"] > received.first and not rooms.isdisjoint(row["rooms"])
    }
    seqs = [seq for seq, _ in received.events]
    missing, unexpected = expected.keys() - seqs, set(seqs) - expected.keys()
    result.expected += len(expected)
    result.missing += len(missing)
    result.unexpected += len(unexpected)
    result.doubled += len(seqs) - len(set(seqs))
    result.out_of_order += seqs != sorted(seqs)
    result.altered += sum(
        seq in expected and _checksum(expected[seq]) != checksum
        for seq, checksum in received.events
    )
    if missing or unexpected or received.problems:
        result.add_problem(
            f"{client.account.name} in {sorted(client.rooms)}: missing "
            f"{sorted(missing)[:SHOWN]}, unexpected {sorted(unexpected)[:SHOWN]}, "
            f"{received.problems[:SHOWN]}"
        )


def _checksum(row: Row) -> int:
    """The checksum of the packet that brings a row of the log to a client."""
    if "checksum" not in row:
        meta = {name: row[name] for name in ("id", "seq", "at")}
        arguments = [row["event"], row["data"], meta]
        text = json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
        row["checksum"] = zlib.crc32(b"42" + text.encode())
    return int(row["checksum"])


def _record_id(row: Row) -> str:
    """The id of the record that an event is about; of a scan's log for `log:updated`."""
    data = row["data"]
    if not isinstance(data, dict):
        return ""
    if data.get("action"):
        data = data["data"]
    if row["event"] == "log:updated" and data.get("paneLog"):
        data = data["paneLog"]
    return str(data.get("_id", ""))


def table(
    options: argparse.Namespace,
    pool: ClientPool,
    traffic: Traffic,
    faults: ServiceFaults,
    result: Comparison,
    delivered: int,
) -> Iterator[str]:
    """The lines of the table, then the refusals and the problems.

    `delivered` is how many events the webhook got.
    """
    clients = pool.clients
    redis = " with Redis" if options.processes > 1 else ""
    rows = {
        "processes": f"{options.processes}{redis}",
        "clients": len(clients),
        "minutes": f"{options.minutes:g}",
        "service faults": ", ".join(faults.applied),
        "requests answered": traffic.requests,
        "requests without a response": traffic.unanswered,
        "POSTs sent again": traffic.sent_again,
        "connections lost": sum(client.disconnects for client in clients),
        "connections failed": sum(client.failed_connections for client in clients),
        "pauses in reading": pool.pauses,
        "times resumed": sum(client.resumes for client in clients) - len(clients),
        "events expected": result.expected,
        "of these replayed": sum(client.replayed for client in clients),
        "missing": result.missing,
        "doubled": result.doubled,
        "out of order": result.out_of_order,
        "unexpected": result.unexpected,
        "different from the log": result.altered,
        "acknowledged changes": len(traffic.acknowledged),
        "of these without an event": result.without_event,
        "created by a POST that was sent twice": result.created_twice,
        "events delivered to a webhook": delivered,
    }
    width = max(map(len, rows))
    for name, value in rows.items():
        yield f"{name:{width}}  {value}"
    for refusal, times in sorted(traffic.refused.items()):
        yield f"refused {times} times: {refusal}"
    yield from result.problems
