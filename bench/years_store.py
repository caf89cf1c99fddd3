"""A store as it is after years of work: 300 panes a day, written past the service.

The demo workshop is started once. What it has delivered is a pattern: six requests with
their orders, panes, logs, quotes, deliveries, entries, payments, notices, pictures and rows of
the history. Each working day gets copies of the pattern, with ids, numbers and times of
their own. The present work of the demo comes after them. The history is one chain, the daily
figures are counted from it, and the event log has the events of the last week.

Half of the scans of a pane are left out, so that it has nine, as most workshops scan.
"""

from __future__ import annotations

import re
import secrets
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from bson import ObjectId
from pymongo import MongoClient
from pymongo.database import Database

from bench.processes import Service
from glassflow.core.events import history
from glassflow.core.process import clock
from glassflow.domain import calendar, daily_figures
from glassflow.domain.working_time import all_hours
from glassflow.embedded import store
from glassflow.models.derived import digit_grams

Document = dict[str, Any]
Documents = dict[str, list[Document]]  # by collection

PANES_A_DAY = 300
ZONE = ZoneInfo("Asia/Bangkok")  # that of the demo
SUNDAY = 6
DAYS_OF_EVENTS = 7  # EVENT_RETENTION
OPENS, OPEN_FOR = time(8), timedelta(hours=9)
CUSTOMERS_OF_ONE = 20  # copies of a customer of the demo
QUOTES_OF_COPY, NOTICES_OF_COPY = 3, 40
SKIPPED_SCANS = frozenset({"start", "complete"})
BATCH = 1000
NUMBERS_OF_COPY = 1000
# A record's number, in a text or in the searched form of one, and an id in a text.
REFERENCE = re.compile(r"\b([A-Z]{3}|[a-z]{3})-(\d{4})\b|\b[0-9a-f]{24}\b")
ID_LENGTH = 24


def build(folder: Path, days: int) -> None:
    """Write a store of so many days into a folder, in place of what is there.

    A store that was interrupted is written again: its folder has another name until it is
    whole.
    """
    draft = folder.with_name(f"{folder.name}.part")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    demo = Service(draft)
    try:
        demo.start()
    finally:
        demo.stop()
    process = store.start(str(draft / "data"))
    try:
        client: MongoClient[Document] = MongoClient(process.uri)
        _fill(client["glassflow"], days)
        client.close()
    finally:
        process.stop()
    shutil.rmtree(folder, ignore_errors=True)
    draft.rename(folder)


def _fill(database: Database[Document], days: int) -> None:
    names = [name for name in database.list_collection_names() if name != "ties"]
    found = {name: list(database[name].find()) for name in names}
    pattern = Pattern(found)
    filled = sorted({*pattern.documents, "history", "event_log", "customers"})
    indexes = {name: _indexes(database, name) for name in filled}
    for name in filled:
        database[name].drop_indexes()
    writer = _Writer(database)
    customers = _customers(found["customers"])
    database["customers"].insert_many([one for copies in customers for one in copies])
    rows = sorted(found["history"], key=lambda row: row["_id"])
    working = _working_days(date.fromisoformat(calendar.local_date(clock.now(), ZONE)))
    for n, day in enumerate(working[-days:], 1):
        made = pattern.copies(day, n * pattern.copies_a_day, customers)
        rows = writer.write_day(made, rows, keeps_events=days - n < DAYS_OF_EVENTS)
        _report(f"{day}: {n} of {days} days")
    writer.write_rows(rows)
    writer.write_events(sorted(found["event_log"], key=lambda event: event["seq"]))
    writer.finish()
    numbers = {"$max": {"seq": NUMBERS_OF_COPY * (days + 2) * pattern.copies_a_day}}
    database["counters"].update_many({"_id": {"$ne": "events"}}, numbers)
    for name in filled:
        if indexes[name]:
            _report(f"{name}: {len(indexes[name])} indexes")
            database.command("createIndexes", name, indexes=indexes[name])


def _indexes(database: Database[Document], name: str) -> list[Mapping[str, Any]]:
    found = (dict(index) for index in database[name].list_indexes())
    return [
        {key: value for key, value in index.items() if key != "ns"}
        for index in found
        if index["name"] != "_id_"
    ]


def _working_days(before: date) -> list[date]:
    """Return the days of ten years before a day, without Sundays, the oldest first."""
    days = (before - timedelta(n) for n in range(3653, 0, -1))
    return [day for day in days if day.weekday() != SUNDAY]


def _customers(found: Sequence[Document]) -> list[list[Document]]:
    """Return copies of each customer, under names of their own."""
    return [
        [
            {
                **one,
                "_id": ObjectId(),
                "name": f"{one['name']} {n}",
                "searchText": f"{one['name'].lower()} {n}\x1f{one['searchText']}",
            }
            for n in range(1, CUSTOMERS_OF_ONE + 1)
        ]
        for one in found
    ]


class Pattern:
    """What the demo has delivered, to be copied."""

    def __init__(self, found: Documents) -> None:
        gone = {
            pane
            for one in found["deliveries"]
            if one["status"] == "delivered"
            for pane in one["panes"]
        }
        panes = defaultdict(list)
        for pane in found["panes"]:
            panes[pane["request"]].append(pane["_id"])
        requests = {id for id, ids in panes.items() if gone.issuperset(ids)}
        self._customers = [one["_id"] for one in found["customers"]]
        self.documents = dict(_delivered(found, requests))
        ids = {one["_id"] for rows in self.documents.values() for one in rows}
        # a pane's row of a scan that is left out has the time of the log
        skipped = {
            (log["pane"], log["createdAt"])
            for log in found["pane_logs"]
            if log["action"] in SKIPPED_SCANS
        }
        self.rows = [
            row
            for row in sorted(found["history"], key=lambda row: row["_id"])
            if row["record"] in ids
            and not (
                row["action"] == "scanned" and (row["record"], row["at"]) in skipped
            )
        ]
        self._ids = ids
        times = [row["at"] for row in self.rows]
        self._begin, self._end = min(times), max(times)
        self.copies_a_day = round(PANES_A_DAY / len(self.documents["panes"]))

    def copies(
        self, day: date, first: int, customers: Sequence[Sequence[Document]]
    ) -> Documents:
        """Return the records and the rows of the history of a day."""
        made: Documents = defaultdict(list)
        for n in range(first, first + self.copies_a_day):
            copy = _Copy(self._ids, day, self._begin, self._end, number=n + 1)
            for id, copies in zip(self._customers, customers, strict=True):
                copy.ids[id] = copies[n % CUSTOMERS_OF_ONE]["_id"]
            for name, rows in self.documents.items():
                made[name] += [copy.document(row) for row in rows]
            made["history"] += [copy.value(row) for row in self.rows]
        made["history"].sort(key=lambda row: row["at"])
        return made


def _delivered(
    found: Documents, requests: set[ObjectId]
) -> Iterator[tuple[str, list[Document]]]:
    """Yield the collections of the pattern, with the records that belong to requests."""

    def chosen(name: str, field: str, wanted: Iterable[Any]) -> list[Document]:
        ids = set(wanted)
        return [row for row in found[name] if row.get(field) in ids]

    def ids(rows: Iterable[Document]) -> list[ObjectId]:
        return [row["_id"] for row in rows]

    panes = chosen("panes", "request", requests)
    orders = chosen("orders", "request", requests)
    logs = chosen("pane_logs", "pane", ids(panes))
    kept = set(ids(panes))
    deliveries = [row for row in found["deliveries"] if kept.issuperset(row["panes"])]
    entries = chosen("billing_entries", "delivery", ids(deliveries))
    invoices = {row["invoiceNumber"] for row in entries} - {""}
    pictures = {file["file"] for row in deliveries for file in _files_of(row)}
    yield "requests", chosen("requests", "_id", requests)
    yield "orders", orders
    yield "panes", panes
    yield "pane_logs", [row for row in logs if row["action"] not in SKIPPED_SCANS]
    yield "withdrawals", chosen("withdrawals", "order", ids(orders))
    used = chosen("material_logs", "order", ids(orders))
    yield "material_logs", [*used, *_received(found["material_logs"], used)]
    answered = [
        row for row in found["quotes"] if row["status"] not in ("draft", "sent")
    ]
    yield "quotes", answered[:QUOTES_OF_COPY]
    yield "deliveries", deliveries
    yield "billing_entries", entries
    yield "payments", chosen("payments", "invoiceNumber", invoices)
    yield "notifications", found["notifications"][:NOTICES_OF_COPY]
    yield "fs.files", chosen("fs.files", "_id", pictures)
    yield "fs.chunks", chosen("fs.chunks", "files_id", pictures)


def _received(logs: Sequence[Document], used: Sequence[Document]) -> Iterator[Document]:
    """Yield logs of what came into the lots, as much as was used of them."""
    came = {log["inventory"]: log for log in logs if log["quantityChanged"] > 0}
    for log in used:
        quantity = -log["quantityChanged"]
        new = {"_id": ObjectId(), "quantityChanged": quantity}
        yield {**came[log["inventory"]], **new, "createdAt": log["createdAt"]}


def _files_of(delivery: Document) -> Iterator[Document]:
    for one in delivery["handOvers"]:
        yield from (*one["signature"], *one["photos"])


class _Copy:
    """A copy of the pattern: its ids, its numbers, and its times on one day."""

    def __init__(
        self,
        copied: Iterable[ObjectId],
        day: date,
        begin: datetime,
        end: datetime,
        *,
        number: int,
    ) -> None:
        self.ids = {id: ObjectId() for id in copied}
        self._texts = {str(id): str(new) for id, new in self.ids.items()}
        self._number = NUMBERS_OF_COPY * number
        opens = datetime.combine(day, OPENS, ZONE).astimezone(calendar.UTC)
        self._opens = opens.replace(tzinfo=None)
        self._begin, self._end = begin, end
        self._share = OPEN_FOR / (end - begin)

    def document(self, found: Document) -> Document:
        """Return the copy of a record, with the digits that a search finds it by."""
        made: Document = self.value(found)
        if "searchDigits" in found:
            others = set(found["searchDigits"]) - set(digit_grams(found["searchText"]))
            grams = {*digit_grams(made["searchText"]), *others}
            made["searchDigits"] = sorted(grams)
        return made

    def value(self, found: Any) -> Any:
        """Return the copy of any value of a document."""
        kind = type(found)
        if kind is ObjectId:
            return self.ids.get(found, found)
        if kind is str:
            return REFERENCE.sub(self._reference, found) if len(found) > 7 else found
        if kind is datetime:
            return self._time(found)
        if kind is dict:
            return {key: self.value(value) for key, value in found.items()}
        if kind is list:
            return [self.value(value) for value in found]
        return found

    def _reference(self, found: re.Match[str]) -> str:
        text, prefix, number = found.group(0, 1, 2)
        if prefix is None:
            return self._texts.get(text, text)
        return f"{prefix}-{self._number + int(number)}"

    def _time(self, found: datetime) -> datetime:
        """Return a time of the pattern on the day; what is due later is as much later."""
        if found > self._end:
            return self._opens + OPEN_FOR + (found - self._end)
        if found < self._begin:
            return self._opens
        at = self._opens + (found - self._begin) * self._share
        return at.replace(microsecond=at.microsecond // 1000 * 1000)


class _Writer:
    """Writes documents, and numbers rows of the history and events."""

    def __init__(self, database: Database[Document]) -> None:
        self._database = database
        self._last, self._events = history.Mark(), 0
        self._pattern = list(database["event_log"].find())
        self._a_row = len(self._pattern) / database["history"].count_documents({})
        database["history"].delete_many({})
        database["event_log"].delete_many({})

    def write_day(
        self, made: Documents, own: list[Document], *, keeps_events: bool
    ) -> list[Document]:
        """Write the records of a day, its rows, its figures, and perhaps its events.

        The rows that the demo has of that day stand among its rows; return the later ones.
        """
        rows = made.pop("history")
        for name, documents in made.items():
            self._insert(name, documents)
        end = rows[-1]["at"]
        among = [*rows, *(row for row in own if row["at"] <= end)]
        self.write_rows(sorted(among, key=lambda row: row["at"]))
        counts: Mapping[str, Counter[str]] = daily_figures.count(
            rows, ZONE, all_hours(ZONE)
        )
        for figures_of, counters in counts.items():
            self._database["daily_figures"].update_one(
                {"_id": figures_of},
                {"$inc": {name.replace(":", "."): n for name, n in counters.items()}},
                upsert=True,
            )
        if keeps_events:
            self.write_events(self._events_of(rows))
        return [row for row in own if row["at"] > end]

    def write_rows(self, rows: Iterable[Document]) -> None:
        """Write rows of the history behind those that are there."""
        numbered = []
        for row in rows:
            row = {**row, "_id": self._last.seq + 1}
            row["hash"] = history.row_hash(self._last.hash, row)
            self._last = history.Mark(row["_id"], row["hash"])
            numbered.append(row)
        self._insert("history", numbered)

    def write_events(self, events: Iterable[Document]) -> None:
        """Write events behind those that are there."""
        numbered = []
        for event in events:
            self._events += 1
            numbered.append({**event, "seq": self._events})
        self._insert("event_log", numbered)

    def finish(self) -> None:
        """Write where the history and the events end."""
        mark = {"seq": self._last.seq, "hash": self._last.hash, "event": self._events}
        self._database["history_marks"].update_one({"_id": "head"}, {"$set": mark})
        self._database["counters"].update_one(
            {"_id": "events"}, {"$set": {"seq": self._events}}
        )

    def _events_of(self, rows: Sequence[Document]) -> Iterator[Document]:
        """Yield events at the times of rows, as many for each as the demo has."""
        for n in range(round(len(rows) * self._a_row)):
            event = self._pattern[n % len(self._pattern)]
            at = rows[int(n / self._a_row)]["at"]
            new = {"_id": secrets.token_hex(ID_LENGTH // 2), "bundle": ObjectId()}
            yield {**event, **new, "at": at}

    def _insert(self, name: str, documents: Sequence[Document]) -> None:
        for start in range(0, len(documents), BATCH):
            rows = documents[start : start + BATCH]
            self._database[name].insert_many(rows, ordered=False)


def _report(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
