"""The metrics of two processes are one answer, also after restarts and kills."""

import contextlib
import json
import os
import signal
from pathlib import Path

import pytest
import requests

from metrics_samples import Metrics
from multi_process import connection_to, screen_at
from service import Service, shared_settings
from waiting import REQUEST_TIMEOUT_S, wait_until

pytestmark = [pytest.mark.long, pytest.mark.slow, pytest.mark.timeout(400)]
TOKEN = "f3a9c1e07b5d42868e1f9a6c3d7b0245"
ROUTE = "/api/materials"


@pytest.fixture
def temporary(tmp_path):
    """The directory for temporary files of the service, which has nothing else in it."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    return folder


@pytest.fixture
def service(store, demo_workshop, tmp_path, temporary):
    settings = shared_settings(store, demo_workshop, WORKERS=2, METRICS_TOKEN=TOKEN)
    formats = {"LOG_FORMAT": "json", "ACCESS_LOG": "1", "TMPDIR": temporary}
    running = Service(tmp_path, **settings, **formats)
    yield running.start()
    running.stop()


def scrape(service):
    answer = requests.get(
        f"{service.url}/metrics",
        headers={"Authorization": f"Bearer {TOKEN}"},
        timeout=REQUEST_TIMEOUT_S,
    )
    assert answer.ok, answer.text
    return Metrics(answer.text)


def listed(service):
    labels = {"method": "GET", "route": ROUTE, "status": "200"}
    return scrape(service).sum("http_request_seconds_count", **labels)


def list_at_each(service, token):
    """List something at each of the two processes; return their ids."""
    workers = service.workers
    for pid in workers:
        connection = wait_until(lambda: connected(service, token, pid))  # noqa: B023
        assert connection.get(ROUTE).status == 200
    return workers


def connected(service, token, pid):
    """A connection to a process; None if a process that ends has accepted it."""
    with contextlib.suppress(OSError):
        return connection_to(service, token, pid)


def are_new(service, before):
    workers = service.workers
    return len(workers) == 2 and not set(workers) & set(before)


def files_of(temporary):
    (folder,) = temporary.glob("glassflow-metrics-*")
    return sorted(one.name for one in folder.iterdir())


def access_lines(service):
    lines = Path(service.log).read_text("utf-8").splitlines()
    parsed = [json.loads(line) for line in lines if line.startswith("{")]
    return [one for one in parsed if one["logger"] == "glassflow.access"]


def test_figures_are_right_with_two_processes_after_a_reload_and_after_kills(
    service, temporary
):
    token = service.login()
    first = list_at_each(service, token)
    assert listed(service) == 2
    assert scrape(service).sum("processes") == 2
    screens = [screen_at(service, token, pid) for pid in first]
    wait_until(lambda: scrape(service).sum("sockets") == 2)

    service.signal(signal.SIGHUP)
    wait_until(lambda: are_new(service, first))
    second = list_at_each(service, token)
    assert listed(service) == 4, "what ended processes counted is kept"
    for one in screens:
        one.close()
    wait_until(lambda: scrape(service).sum("processes") == 2)
    wait_until(lambda: scrape(service).sum("sockets") == 0)

    killed_with = [screen_at(service, token, pid) for pid in second]
    wait_until(lambda: scrape(service).sum("sockets") == 2)
    for one in killed_with:
        one.socket.reconnection = False
    for number in range(2):  # kill -9, twice
        before = service.workers
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: are_new(service, before))  # noqa: B023
        list_at_each(service, token)
        assert listed(service) == 6 + 2 * number
    wait_until(lambda: scrape(service).sum("sockets") == 0)
    assert scrape(service).sum("processes") == 2
    slots = [name for name in files_of(temporary) if name.endswith(".lock")]
    assert len(slots) <= 4, "slots of ended processes are used again"
    for one in killed_with:
        one.close()

    lines = [one for one in access_lines(service) if one.get("route") == ROUTE]
    assert len(lines) == 8
    assert {one["process"] for one in lines} > set(first)
    for one in lines:
        assert (one["method"], one["status"], one["level"]) == ("GET", 200, "INFO")
        assert one["roundTrips"] >= 1
        assert len(one["requestId"]) == 32

    service.stop()
    assert list(temporary.glob("glassflow-metrics-*")) == []
