"""A working day while boards and stations are open: what they show is what is stored."""

import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from browser.pages import ENGLISH, LIVE, log_in, unexpected
from glassflow.domain.panes.status import OPEN
from service import DEMO_ADMIN, ROOT, Service
from waiting import wait_until

pytestmark = [
    pytest.mark.long,
    pytest.mark.slow,
    pytest.mark.embedded_store,
    pytest.mark.timeout(900),
]

ADMIN = SimpleNamespace(**DEMO_ADMIN)
BOARDS, STATIONS = 3, 4
DAY_TIMEOUT_S = 600
STEPS = ("scan_in", "complete", "scan_out")

READ_BOARD = """
    const number = (element) => Number((element?.textContent ?? "0").replace(/\\D/g, ""));
    return [...document.querySelectorAll(".lane")].map((lane) => [
      number(lane.querySelector(".count b")),
      Object.fromEntries([...lane.querySelectorAll(".split [data-status]")].map(
        (part) => [part.dataset.status, number(part)])),
      number(lane.querySelector("dl dd")),
    ]);
"""
READ_QUEUE = """
    return [...document.querySelectorAll(".queue li b")].map((row) => row.textContent).sort();
"""


@pytest.fixture
def service(tmp_path, demo_workshop):
    """A service with the demo workshop, where it is about noon: its day does not end."""
    running = Service(tmp_path, TIMEZONE=f"Etc/GMT{datetime.now(UTC).hour - 12:+d}")
    demo_workshop.copy_files(running.data_dir)
    yield running.start()
    running.stop()


def open_screens(chromium, url, stations):
    """Open boards and stations as tabs of one browser, with one login."""
    chromium.profile(**ENGLISH)
    boards = [chromium.tab(f"{url}/floor/board")]
    log_in(boards[0], ADMIN, ADMIN.password)
    boards[0].wait(LIVE)
    boards += [chromium.tab(f"{url}/floor/board") for _ in range(BOARDS - 1)]
    queues = [chromium.tab(f"{url}/floor/s/{station}") for station in stations]
    for tab in [*boards, *queues]:
        tab.wait(LIVE)
    return boards, queues


def work_a_day(url):
    """Run the demo, which works all its panes to the end."""
    command = [sys.executable, "-m", "demo", "--url", url]
    done = subprocess.run(
        [*command, "--requests", "6", "--panes", "2"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=DAY_TIMEOUT_S,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def leave_panes_behind(api, route):
    """Make panes, each of them a step further on its route than the one before it."""
    for steps in range(len(STEPS) * len(route)):
        number = api.post("/api/panes", {"routing": route}).data["paneNumber"]
        for step in range(steps):
            body = {"action": STEPS[step % 3], "station": route[step // 3]}
            assert api.post(f"/api/panes/{number}/scan", body).data


def stored(api, path, **filters):
    """All records of a list, read page by page."""
    query = "".join(f"&{name}={value}" for name, value in filters.items())
    found, page = [], 1
    while rows := api.get(f"{path}?limit=100&page={page}{query}").data:
        found += rows
        page += 1
    return found


def id_of(reference):
    """The id in a field, whether the record was expanded or not."""
    return reference["_id"] if isinstance(reference, dict) else reference


def open_panes(api):
    """The open panes of each station: number and status."""
    found = {}
    for pane in stored(api, "/api/panes"):
        if pane["currentStatus"] in OPEN and pane["currentStation"]:
            panes = found.setdefault(id_of(pane["currentStation"]), {})
            panes[pane["paneNumber"]] = pane["currentStatus"]
    return found


def handed_on(api):
    """How many panes left each station; the store is no older than the test."""
    logs = [
        log
        for action in ("scan_out", "qc_pass")
        for log in stored(api, "/api/pane-logs", action=action)
    ]
    return Counter(id_of(log["station"]) for log in logs)


def expected_lanes(api, stations):
    """What a board has to show, counted from the panes and the logs."""
    panes, out = open_panes(api), handed_on(api)
    at = [panes.get(station, {}) for station in stations]
    return [
        [len(here), dict(Counter(here.values())), out[station]]
        for station, here in zip(stations, at, strict=True)
    ]


def test_boards_and_stations_show_what_is_stored_after_a_day(chromium, service):
    api = service.connect(service.login())
    stations = [one["_id"] for one in api.get("/api/board").data["stations"]]
    watched = stations[:STATIONS]
    boards, queues = open_screens(chromium, service.url, watched)

    work_a_day(service.url)
    leave_panes_behind(api, watched)

    lanes = expected_lanes(api, stations)
    assert sum(count for count, *_ in lanes) >= len(STEPS) * STATIONS
    assert sum(out for *_, out in lanes) > 20
    for number, board in enumerate(boards):
        wait_until(
            lambda board=board: board.run(READ_BOARD) == lanes,
            describe=lambda n=number, board=board: (
                f"board {n} shows {board.run(READ_BOARD)}, stored are {lanes}"
            ),
        )
    panes = open_panes(api)
    for station, queue in zip(watched, queues, strict=True):
        numbers = sorted(panes.get(station, {}))
        wait_until(
            lambda queue=queue, numbers=numbers: queue.run(READ_QUEUE) == numbers,
            describe=lambda queue=queue, numbers=numbers: (
                f"the queue is {queue.run(READ_QUEUE)}, stored is {numbers}"
            ),
        )
    for tab in [*boards, *queues]:
        tab.wait(LIVE)
    assert unexpected(chromium) == []
