"""What everybody should have heard, read from the event log when all is over."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.soak.client import Client
from demo.client import Api

Row = dict[str, Any]
EVERYBODY = "everybody"  # every socket is in it
IDS = {"log:updated": ("paneLog", "_id")}  # else the record's own
SHOWN = 5


@dataclass
class Verdict:
    """The counts, and the first of what is wrong in words."""

    clients: int = 0
    expected: int = 0
    missing: int = 0
    doubled: int = 0
    foreign: int = 0
    changed: int = 0
    disordered: int = 0
    untold: int = 0
    words: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether everybody has exactly what they should have."""
        return not (
            self.missing
            or self.doubled
            or self.foreign
            or self.changed
            or self.disordered
            or self.untold
            or self.words
        )

    def say(self, text: str) -> None:
        """Keep the first words of a kind."""
        if len(self.words) < SHOWN:
            self.words.append(text)


def read_log(api: Api) -> list[Row]:
    """Read all that an account may hear, from the beginning."""
    rows: list[Row] = []
    after = 0
    while True:
        answer = api.certainly("GET", "/api/events", after=after, limit=1000)
        rows += answer.data
        if int(answer.body["seq"]) == after:
            return rows
        after = int(answer.body["seq"])


def judge(
    clients: Iterable[Client], logs: dict[str, list[Row]], told: set[tuple[str, str]]
) -> Verdict:
    """Compare what was heard with the log, and the log with what was acknowledged."""
    verdict = Verdict()
    for client in clients:
        _compare(client, logs[client.account.name], verdict)
    whole = max(logs.values(), key=len)
    untold = told - {(row["event"], _id(row)) for row in whole}
    verdict.untold = len(untold)
    for event, record in sorted(untold)[:SHOWN]:
        verdict.say(f"acknowledged and never told: {event} of {record}")
    return verdict


def _compare(client: Client, log: Sequence[Row], verdict: Verdict) -> None:
    rooms = client.rooms | {f"user:{client.account.id}", EVERYBODY}
    heard = client.heard
    expected = {
        row["seq"]: row
        for row in log
        if row["seq"] > heard.first and not rooms.isdisjoint(row["rooms"])
    }
    got = [seq for seq, _ in heard.events]
    verdict.clients += 1
    verdict.expected += len(expected)
    missing, foreign = expected.keys() - got, set(got) - expected.keys()
    verdict.missing += len(missing)
    verdict.foreign += len(foreign)
    verdict.doubled += len(got) - len(set(got))
    verdict.disordered += got != sorted(got)
    verdict.changed += sum(
        seq in expected and _sum(expected[seq]) != checksum
        for seq, checksum in heard.events
    )
    if missing or foreign or heard.faults:
        verdict.say(
            f"{client.account.name} in {sorted(client.rooms)}: missing "
            f"{sorted(missing)[:SHOWN]}, not theirs {sorted(foreign)[:SHOWN]}, "
            f"{heard.faults[:SHOWN]}"
        )


def _sum(row: Row) -> int:
    """The checksum of the packet in which a row of the log comes to a client."""
    if "sum" not in row:
        meta = {name: row[name] for name in ("id", "seq", "at")}
        said = [row["event"], row["data"], meta]
        text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
        row["sum"] = zlib.crc32(b"42" + text.encode())
    return int(row["sum"])


def _id(row: Row) -> str:
    """The id of the record that an event is about."""
    data = row["data"]
    if isinstance(data, dict) and data.get("action"):
        data = data["data"]
        first, second = IDS.get(row["event"], ("", ""))
        if data.get(first):
            return str(data[first][second])
    return str(data.get("_id", "")) if isinstance(data, dict) else ""
