"""The service after years of work, beside the same service after two weeks.

`bench/years_store.py` writes the two stores once; they are kept in `FOLDER` between runs.
`YEARS=3` measures three years. What grows with the years, though nobody asks for more of it,
is a fault: scans and pages may take `MAX_RATIO` times what they take after two weeks, any list
and search `MAX_LIST_MS`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote

from bench import years_store
from bench.costs import reset_most, resident_kb
from bench.figures import number, percentile, table
from bench.hot_order import SCANNERS, scans_of
from bench.processes import Service
from bench.section import ROOT, Measured
from bench.timing import download, send_shares, timed_ms
from bench.workload import Workload
from demo.client import Api, RequestRefused
from demo.service import NOT_INHERITED

FOLDER = ROOT / "build" / "bench-years"
DAYS_OF_YEAR, DAYS_OF_TWO_WEEKS = 300, 12
QUICK_DAYS = 2
ARCHIVE_AFTER = "90d"
YEARS = int(os.environ.get("YEARS", "1"))
ROUNDS = 5
PANES_OF_A_SCANNER = 10

MAX_RATIO = 1.3
MAX_LIST_MS = 300.0
MAX_START_S, MAX_STORE_MB = 15.0, 2500.0
MAX_BACKUP_S, MAX_RESTORE_S = 300.0, 900.0  # for each year
#: Below it a ratio says nothing: the times of two runs differ by as much.
LEAST_MS = 10.0

LISTS = (
    "panes",
    "pane-logs",
    "orders",
    "orders/due",
    "requests",
    "quotes",
    "deliveries",
    "billing-entries",
    "payments",
    "claims",
    "withdrawals",
    "material-logs",
    "notifications",
    "customers",
    "materials",
    "materials/stock",
    "inventories",
    "production-logs",
    "workers",
)
#: A text that nothing has, a short number, the number of a record, a word.
SEARCHES = ("nowhere", "77", "1045", "mm")
PAGES = (
    "/api/dashboard/stats?chartRange=7d",
    "/api/dashboard/stats?chartRange=30d",
    "/api/board",
    "/api/sales?months=12",
    "/api/activity?limit=50",
    "/api/activity?kind=panes&limit=50",
    "/api/deliveries/open",
    "/api/quotes/figures",
    "/api/billing-entries/figures",
    "/api/search?q=1045",
    "/api/search?q=nowhere",
    "/api/search?q=77",
    "/api/panes/pending-counts?station={station}",
    "/api/panes?station={station}&limit=100",
    "/api/panes/{pane}/passport",
    "/api/panes/{pane}/related",
    "/api/panes/{id}/history",
    "/api/pane-logs/timeline?paneNumber={pane}",
    "/api/standing?order={order}",
    "/api/customers/{customer}/account",
    "/api/events?after={event}&limit=100",
)


@dataclass
class Store:
    """What was measured on a store: times in ms by name, the others as they are named."""

    name: str
    folder: Path
    first_ms: dict[str, float] = field(default_factory=dict)
    then_ms: dict[str, float] = field(default_factory=dict)
    records: dict[str, int] = field(default_factory=dict)
    scans_ms: list[float] = field(default_factory=list)
    scan_service_ms: float = 0.0
    scan_store_ms: float = 0.0
    others: dict[str, float] = field(default_factory=dict)

    def measure(self) -> None:
        """Start the service on the store, and measure everything."""
        service = Service(self.folder, {"DEMO": "0"})
        try:
            self.others["start, s"] = _seconds(service.start)
            api = service.admin()
            self._read_all(service, api)
            self._scan(service)
            self._restore_record(api)
            self._export(api)
            for name in ("doctor", "history verify"):
                took = _seconds(lambda: _flask(service, *name.split()))  # noqa: B023
                self.others[f"flask {name}, s"] = took
            self.others["service, MB"] = resident_kb(service.workers) / 1024
            self.others["store, MB"] = resident_kb([service.store_pid]) / 1024
            reset_most([service.store_pid])
            file = self.folder / "backup.tar"
            file.unlink(missing_ok=True)
            took = _seconds(lambda: _flask(service, "backup", str(file)))
            self.others["flask backup, s"] = took
            most = resident_kb([service.store_pid], most=True)
            self.others["most of the store meanwhile, MB"] = most / 1024
            self.others["the backup, MB"] = file.stat().st_size / 1e6
            self._archive(service, api)
        finally:
            service.stop()
        self.others["store on disk, MB"] = _size_mb(self.folder / "data" / "db")
        took = _seconds(lambda: _flask(service, "restore", str(file), "--replace"))
        self.others["flask restore, s"] = took
        self.others["on disk then, MB"] = _size_mb(self.folder / "data" / "db")
        file.unlink()
        shutil.rmtree(self.folder / "data" / "archive", ignore_errors=True)

    def _read_all(self, service: Service, api: Api) -> None:
        for path in _paths(service, api):
            times = []
            for _ in range(ROUNDS + 1):
                started = time.perf_counter()
                answer = api.send_once("GET", path)
                times.append((time.perf_counter() - started) * 1000)
                if not answer.ok:
                    refused = RequestRefused("GET", path, answer)
                    if answer.status < 500:
                        raise refused
                    print(refused, file=sys.stderr)
            self.first_ms[path], self.then_ms[path] = times[0], median(times[1:])
        for name in service.database.list_collection_names():
            self.records[name] = service.database[name].estimated_document_count()

    def _scan(self, service: Service) -> None:
        workload = Workload(service.admin())
        shares = [
            list(scans_of(workload.order(PANES_OF_A_SCANNER)[1], workload.route[0]))
            for _ in range(2 * SCANNERS)
        ]
        send_shares(workload.api, shares[:SCANNERS])  # what a process does once
        before = service.used()
        self.scans_ms = send_shares(workload.api, shares[SCANNERS:])
        used, count = service.used().since(before), len(self.scans_ms)
        self.scan_service_ms = 1000 * used.service_s / count
        self.scan_store_ms = 1000 * used.store_s / count

    def _restore_record(self, api: Api) -> None:
        made = api.post("/api/customers", name="bench")
        path = f"/api/customers/{made['_id']}"
        api.delete(path)
        self.then_ms["restore of a record"] = timed_ms(api, "POST", f"{path}/restore")
        api.delete(path)

    def _archive(self, service: Service, api: Api) -> None:
        """Move logs into a file; the restore that follows has them in the store again."""
        took = _seconds(lambda: _flask(service, "archive"))
        self.others[f"flask archive, {ARCHIVE_AFTER}, s"] = took
        rows = list(service.database["archives"].find())
        self.others["its logs"] = sum(row["logs"] for row in rows)
        self.others["its file, MB"] = sum(row["bytes"] for row in rows) / 1e6
        [path] = (one for one in self.then_ms if one.endswith("/passport"))
        times = [timed_ms(api, "GET", path) for _ in range(ROUNDS)]
        self.others["then the passport, ms"] = median(times)

    def _export(self, api: Api) -> None:
        month = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 30 * 86_400))
        started = time.perf_counter()
        content = download(api, "/api/panes/export.csv", createdAt_gte=month)
        self.others["panes of a month as CSV, s"] = time.perf_counter() - started
        self.others["their rows"] = content.count(b"\n") - 1


def section(quick: bool) -> Measured:
    """Write the stores that are missing, and measure both."""
    if quick:
        folder = FOLDER / "quick"
        shutil.rmtree(folder, ignore_errors=True)
        small = Store("two days", _written(folder / "small", QUICK_DAYS))
        large = Store("four days", _written(folder / "large", 2 * QUICK_DAYS))
    else:
        small = Store("two weeks", _written(FOLDER / "2-weeks", DAYS_OF_TWO_WEEKS))
        days = YEARS * DAYS_OF_YEAR
        name = "a year" if YEARS == 1 else f"{YEARS} years"
        large = Store(name, _written(FOLDER / f"{YEARS}-years", days))
    for one in (small, large):
        one.measure()
    return Measured(list(_lines(small, large)), list(_faults(small, large)))


def _written(folder: Path, days: int) -> Path:
    if not folder.exists():
        years_store.build(folder, days)
    return folder


def _paths(service: Service, api: Api) -> Iterator[str]:
    """Yield what the pages read: lists, searches of each, and the rest."""
    for name in LISTS:
        path = f"/api/{name}?limit=20&populate=true"
        yield path
        yield from (f"/api/{name}?limit=20&search={quote(text)}" for text in SEARCHES)
    [pane] = api.get("/api/panes", sort="createdAt", status="completed", limit=1)
    [order] = api.get("/api/orders", sort="createdAt", limit=1)
    values: Mapping[str, Any] = {
        "pane": pane["paneNumber"],
        "id": pane["_id"],
        "order": order["_id"],
        "customer": order["customer"],
        "station": pane["routing"][0],
        "event": service.database["counters"].find_one({"_id": "events"})["seq"] - 99,
    }
    yield from (path.format(**values) for path in PAGES)


def _lines(small: Store, large: Store) -> Iterator[str]:
    names = sorted(large.records, key=lambda name: -large.records[name])[:8]
    sizes = ", ".join(f"{large.records[name]:,} {name}" for name in names)
    yield f"After {large.name}: {sizes}."
    yield ""
    head = ("list, ms", small.name, large.name, "first", *map(repr, SEARCHES))
    yield from table(head, [_list_cells(name, small, large) for name in LISTS])
    yield ""
    head = ("page, ms", small.name, large.name, "first", "ratio")
    rows = [_page_cells(path, small, large) for path in large.then_ms if _is_page(path)]
    yield from table(head, rows)
    yield ""
    head = (f"scans by {SCANNERS} scanners, ms", small.name, large.name, "ratio")
    yield from table(head, list(_scan_cells(small, large)))
    yield ""
    head = ("the rest", small.name, large.name)
    cells = [
        [name, number(small.others[name]), number(value)]
        for name, value in large.others.items()
    ]
    yield from table(head, cells)


def _is_page(path: str) -> bool:
    return not any(path.startswith(f"/api/{name}?limit=20&") for name in LISTS)


def _list_cells(name: str, small: Store, large: Store) -> list[str]:
    path = f"/api/{name}?limit=20&populate=true"
    searches = [f"/api/{name}?limit=20&search={quote(text)}" for text in SEARCHES]
    times = (small.then_ms[path], large.then_ms[path], large.first_ms[path])
    found = (large.then_ms[one] for one in searches)
    return [f"`{name}`", *map(number, (*times, *found))]


def _page_cells(path: str, small: Store, large: Store) -> list[str]:
    name = _pattern_of(path)
    before = next(ms for one, ms in small.then_ms.items() if _pattern_of(one) == name)
    now = large.then_ms[path]
    first = number(large.first_ms[path]) if path in large.first_ms else ""
    return [f"`{name}`", number(before), number(now), first, number(now / before)]


def _pattern_of(path: str) -> str:
    """Return a path without the ids and numbers of the store."""
    return years_store.REFERENCE.sub("…", path)


def _scan_cells(small: Store, large: Store) -> Iterator[list[str]]:
    for name, before, now in _scans(small, large):
        yield [name, number(before), number(now), number(now / before)]


def _scans(small: Store, large: Store) -> Iterator[tuple[str, float, float]]:
    for share in (50, 95):
        pair = [percentile(one.scans_ms, share) for one in (small, large)]
        yield (f"p{share}", *pair)
    yield "service", small.scan_service_ms, large.scan_service_ms
    yield "store", small.scan_store_ms, large.scan_store_ms


def _faults(small: Store, large: Store) -> Iterator[str]:
    for path, ms in large.then_ms.items():
        if not _is_page(path) and ms > MAX_LIST_MS:
            yield f"{path}: {number(ms)} ms"
        if _is_page(path):
            _, before, now, _, ratio = _page_cells(path, small, large)
            if float(ratio) > MAX_RATIO and float(now) > LEAST_MS:
                yield f"{_pattern_of(path)}: {now} ms, {before} after {small.name}"
    for name, before, now in _scans(small, large):
        if now > MAX_RATIO * before:
            yield f"scans, {name}: {number(now / before)} times"
    limits = {
        "start, s": MAX_START_S,
        "store, MB": MAX_STORE_MB,
        "most of the store meanwhile, MB": MAX_STORE_MB,
        "flask backup, s": MAX_BACKUP_S * YEARS,
        "flask restore, s": MAX_RESTORE_S * YEARS,
    }
    for name, limit in limits.items():
        if large.others[name] > limit:
            yield f"{name}: {number(large.others[name])}, not {limit:g}"


def _flask(service: Service, *arguments: str) -> None:
    """Run a command of the service, whether it runs or not; raises if it fails."""
    environment = {
        **{k: v for k, v in os.environ.items() if k not in NOT_INHERITED},
        "DATA_DIR": str(service.folder / "data"),
        "ARCHIVE_AFTER": ARCHIVE_AFTER,
    }
    command = [sys.executable, "-m", "flask", "--app", "wsgi:app", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True
    )
    if done.returncode and arguments[0] != "doctor":  # it may warn of the settings
        raise RuntimeError(f"flask {' '.join(arguments)}: {done.stderr[-2000:]}")


def _seconds(act: Any) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def _size_mb(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*")) / 1e6
