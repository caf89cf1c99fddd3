"""Measures the peak, sends twice as much, and compares the store with the answers."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import time
from statistics import fmean
from typing import Any

from pymongo import MongoClient

from bench.connection import Connection
from bench.costs import cpu_seconds
from bench.figures import percentile
from bench.overload import QUICK, WHOLE
from bench.overload.requests import name_of
from bench.overload.result import Answer, Overload, Usage, median_of
from bench.processes import Service, running_service
from bench.section import Measured
from demo.service import ROOT

PEAK_CLIENTS = 16  # as many as the service works on at once
FACTOR = 2  # arrivals, as a multiple of the peak
PROBE_INTERVAL_S = 0.05
PROBE_TIMEOUT_S = 30.0
CALM_PROBES = 10  # in a row: the service has recovered
USUAL_PROBES = 40
SLOWER = 3  # times the usual p95: a probe that takes longer is not calm


def section(quick: bool) -> Measured:
    """Start a service and overload it, again and again."""
    size = QUICK if quick else WHOLE
    with running_service() as service:
        overloaded = _Overloaded(service)
        results = [
            overloaded.measure(size.seconds, size.peak_seconds)
            for _ in range(size.turns)
        ]
    result = median_of(results)
    shares = ", ".join(f"{one.share:.0%}" for one in results)
    lines = [*result.lines(), "", f"Accepted, of the peak, in each turn: {shares}."]
    figures = {"peak_requests_per_s": result.peak}
    return Measured(lines, figures, list(result.faults()))


class _Overloaded:
    def __init__(self, service: Service) -> None:
        self._service, api = service, service.admin()
        self._token, self._probe = api.token, Connection(service.port, api.token)
        self._customer = api.get("/api/customers", limit=1)[0]["_id"]

    def measure(self, seconds: float, peak_seconds: float) -> Overload:
        usual = percentile([self._probe_s() for _ in range(USUAL_PROBES)], 95)
        self._peak(peak_seconds)  # the first one is lower: caches and buffers fill
        before, at_start = self._peak(peak_seconds)
        rate, prefix = FACTOR * before, f"overload-{secrets.token_hex(4)}-"
        clients = self._start(seconds=seconds, rate=rate, prefix=prefix)
        started, used = time.monotonic(), self._used_s()
        time.sleep(seconds)
        service_s, store_s = self._used_since(used)
        recovery_s = self._recovered_s(started + seconds, usual)
        answers, clients_s = _answers(clients)
        usage = Usage(*(one / seconds for one in (service_s, store_s, clients_s)))
        lost = self._lost(answers, prefix)
        after, at_end = self._peak(peak_seconds)
        peaks = (before, after)  # other load may have changed
        at_peak = Usage(*(fmean(one) for one in zip(at_start, at_end, strict=True)))
        return Overload(peaks, at_peak, usage, rate, seconds, answers, lost, recovery_s)

    def _peak(self, seconds: float) -> tuple[float, Usage]:
        """Return how many requests a second are accepted if as many wait as fit.

        And what was used of the processor meanwhile.
        """
        used = self._used_s()
        clients = self._start(
            seconds=seconds,
            closed=PEAK_CLIENTS,
            prefix=f"peak-{secrets.token_hex(4)}-",
        )
        answers, clients_s = _answers(clients)
        times = (*self._used_since(used), clients_s)
        accepted = sum(one.is_accepted for one in answers)
        return accepted / seconds, Usage(*(one / seconds for one in times))

    def _used_s(self) -> tuple[float, float]:
        """Return the processor time of service and store so far."""
        service, store = self._service.workers, [self._service.store_pid]
        return cpu_seconds(service), cpu_seconds(store)

    def _used_since(self, before: tuple[float, float]) -> tuple[float, float]:
        service_s, store_s = self._used_s()
        return service_s - before[0], store_s - before[1]

    def _start(self, **order: Any) -> subprocess.Popen[str]:
        known = {"port": self._service.port, "token": self._token}
        line = json.dumps({**known, "customer": self._customer, **order})
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.overload.arrivals"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdin
        process.stdin.write(line + "\n")
        process.stdin.flush()
        return process

    def _probe_s(self) -> float:
        """Return how long a small request takes; for ever if it is refused."""
        started = time.monotonic()
        try:
            self._probe.request("GET", f"/api/customers/{self._customer}")
        except RuntimeError:
            return float("inf")
        return time.monotonic() - started

    def _recovered_s(self, end: float, usual: float) -> float:
        """Return when small requests were as quick as usual again, after the end."""
        calm, since = 0, 0.0
        while calm < CALM_PROBES and time.monotonic() < end + PROBE_TIMEOUT_S:
            started = time.monotonic()
            if self._probe_s() > SLOWER * usual:
                calm = 0
            else:
                since = since if calm else started
                calm += 1
            time.sleep(PROBE_INTERVAL_S)
        return max(since - end, 0.0) if calm else PROBE_TIMEOUT_S

    def _lost(self, answers: list[Answer], prefix: str) -> int:
        """Count the acknowledged customers that the store does not have."""
        acknowledged = {
            name_of(prefix, one.number)
            for one in answers
            if one.kind == "write" and one.is_accepted
        }
        client: MongoClient[dict[str, Any]] = MongoClient(self._service.store)
        with client:
            stored = {row["name"] for row in client["glassflow"]["customers"].find()}
        return len(acknowledged - stored)


def _answers(process: subprocess.Popen[str]) -> tuple[list[Answer], float]:
    """Wait for the clients; return their answers and their processor time in s."""
    output, _ = process.communicate()
    result = json.loads(output)
    return [Answer(*row) for row in result["answers"]], result["processor_s"]
