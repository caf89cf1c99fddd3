"""A board in a real browser while processes of its service are killed."""

import os
import signal

import pytest

from browser.pages import LIVE, unexpected
from browser.test_demo_day_on_screens import (
    READ_BOARD,
    expected_lanes,
    leave_panes_behind,
    open_screens,
)
from multi_process import connection_to
from service import Service, shared_settings
from waiting import wait_until

pytestmark = [pytest.mark.long, pytest.mark.slow, pytest.mark.timeout(600)]
PROCESSES = 2


@pytest.fixture
def service(store, demo_workshop, tmp_path):
    settings = shared_settings(store, demo_workshop, WEB_CONCURRENCY=PROCESSES)
    running = Service(tmp_path, **settings)
    yield running.start()
    running.stop()


def test_board_equals_the_store_after_each_of_its_processes_was_killed(
    chromium, service
):
    token = service.login()
    asked = service.connect(token)
    stations = [one["_id"] for one in asked.get("/api/board").data["stations"]]
    (board, *_), _ = open_screens(chromium, service.url, [])
    for victim in service.workers:  # one of them has the board's socket
        others = [pid for pid in service.workers if pid != victim]
        doomed = connection_to(service, token, victim)
        survivor = connection_to(service, token, others[0])
        leave_panes_behind(survivor, stations[:1])
        last = doomed.post("/api/panes", {"routing": stations[:1]}).data["paneNumber"]
        os.kill(victim, signal.SIGKILL)
        leave_panes_behind(survivor, stations[1:2])
        assert survivor.get(f"/api/panes/{last}").status == 200
        lanes = expected_lanes(survivor, stations)
        wait_until(
            lambda lanes=lanes: board.run(READ_BOARD) == lanes,
            describe=lambda lanes=lanes: (
                f"the board shows {board.run(READ_BOARD)}, stored are {lanes}"
            ),
        )
        wait_until(
            lambda others=others: (
                len(service.workers) == PROCESSES and set(others) < set(service.workers)
            )
        )
    board.wait(LIVE)
    assert unexpected(chromium) == []
