"""Racks in a real browser: put on and scanned at a station, with and without network; shown in the office."""

import pytest

from browser.pages import ENGLISH, LIVE, open_page, see, unexpected
from browser.station_steps import (
    KEPT,
    NEXT,
    NO,
    YES,
    command,
    offers,
    open_station,
    pause,
    says,
    scan,
    shows,
    status,
)
from lookups import pane_of
from scenarios import order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

CARD, ROWS = ".pane.rack h2", ".pane.rack li"


@pytest.fixture
def account(workshop):
    return workshop.worker_with("worker")


@pytest.fixture
def job(admin, workshop):
    """An order of five panes that pass two stations, and a rack."""
    size = {"width": 1000, "height": 2000, "thickness": 10}
    made = order_with_panes(
        admin, workshop, steps=2, panes=5, pane={"dimensions": size}
    )
    rack = {"name": "A-frame 3", "place": "Hall 2"}
    made.rack = admin.post("/api/racks", rack).data["rackNumber"]
    made.address = f"/floor/s/{made.stations[0]}"
    return made


def on_rack(admin, job):
    """The numbers of the panes that stand on the rack."""
    rack = admin.get(f"/api/racks/{job.rack}").data["_id"]
    found = admin.get("/api/panes", rack=rack, sort="paneNumber", limit=100).data
    return [one["paneNumber"] for one in found]


def stations(admin, numbers):
    return [pane_of(admin, one)["currentStation"] for one in numbers]


def test_panes_are_put_on_a_rack_and_taken_on_with_it(
    chromium, server, admin, account, job
):
    first, second, third, fourth, fifth = job.numbers
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue li")
    scan(tab, f"STDPLUS:{first}")
    shows(tab, first)
    offers(tab, "Take in")
    scan(tab, f"STDPLUS:{job.rack}")  # a pane, then a rack
    says(tab, YES, "On the rack", first)
    see(tab, CARD, job.rack)
    see(tab, ".pane.rack", "A-frame 3 Hall 2 1 pane")
    see(tab, ".pane.rack", "· 50 kg")
    for one in (second, third):  # a rack, then panes
        scan(tab, f"STDPLUS:{one}")
        says(tab, YES, "On the rack", one)
    wait_until(lambda: tab.count(ROWS) == 3)
    assert on_rack(admin, job) == [first, second, third]

    see(tab, NEXT, "Take in · 3 panes")
    scan(tab, f"STDPLUS:{job.rack}", paused=True)
    says(tab, YES, "Taken in", "3 panes")
    see(tab, NEXT, "Done · 3 panes")
    tab.click(".undo")
    says(tab, YES, "Undone", "3 panes")
    assert {status(admin, one) for one in (first, second, third)} == {"pending"}

    scan(tab, f"STDPLUS:{third}", paused=True)
    shows(tab, third)
    see(tab, ".whose", f"{job.rack} · A-frame 3 · Hall 2")
    command(tab, "NEXT")
    says(tab, YES, "Taken in")  # in hands: it stands on no rack
    wait_until(lambda: on_rack(admin, job) == [first, second])
    see(tab, ".whose", "Customer")
    assert job.rack not in tab.text(".whose")

    scan(tab, f"STDPLUS:{job.rack}", paused=True)
    says(tab, YES, "On the rack", third)  # which was scanned just before
    tab.click(".signs .icon-button:last-child")
    tab.click('.option:has-text("One: done and on")')
    tab.press("Escape")
    scan(tab, f"STDPLUS:{job.rack}", paused=True)
    see(tab, NEXT, "Done and on · 3 panes")
    tab.click(f'.pane.rack button[aria-label*="{third}"]')
    says(tab, YES, "Off the rack", third)
    see(tab, NEXT, "Done and on · 2 panes")

    chromium.call("offline", True)
    wait_until(lambda: tab.count(LIVE) == 0)
    tab.click(NEXT)
    says(tab, KEPT, "Kept", "2 panes")
    tab.click(".ends")
    scan(tab, f"STDPLUS:{fourth}")
    says(tab, KEPT, "Kept")  # done and on, as the station is set
    scan(tab, f"STDPLUS:{job.rack}", paused=True)
    says(tab, KEPT, "Put on the rack", fourth)
    chromium.call("offline", False)
    wait_until(
        lambda: stations(admin, [first, second, fourth]) == [job.stations[1]] * 3
    )
    wait_until(lambda: on_rack(admin, job) == [first, second, fourth])
    tab.wait(LIVE)

    admin.delete(f"/api/panes/{pane_of(admin, fifth)['_id']}")
    scan(tab, f"STDPLUS:{job.rack}", paused=True)
    see(tab, ".pane.rack", "3 panes")
    pause(tab)
    scan(tab, f"STDPLUS:{fifth}")
    says(tab, NO, "Refused")
    assert unexpected(chromium) == []


def test_office_shows_what_is_on_a_rack_and_a_scan_opens_it(
    chromium, server, admin, workshop, job
):
    rack = admin.get(f"/api/racks/{job.rack}").data
    body = {"paneNumbers": job.numbers[:2]}
    assert admin.post(f"/api/racks/{rack['_id']}/put", body).status == 200
    manager = workshop.worker_with("manager")
    tab = open_page(
        chromium.profile(**ENGLISH), f"{server}/floor/office/racks", manager
    )
    see(tab, ".table", f"{job.rack} A-frame 3 Hall 2")
    tab.wait(LIVE)
    scan(tab, f"STDPLUS:{job.rack}")
    see(tab, "#on-rack", "Panes on it: 2")
    admin.post(f"/api/racks/{rack['_id']}/put", {"paneNumbers": job.numbers[2:3]})
    see(tab, "#on-rack", "Panes on it: 3")
    admin.scan(job.numbers[0], "scan_in", station=job.stations[0])
    see(tab, "#on-rack", "Panes on it: 2")
    tab.goto(f"{server}/floor/office/panes/{job.numbers[1]}")
    see(tab, "body", job.rack)
    tab.goto(f"{server}/floor/labels?racks=all")
    see(tab, "main", job.rack)
    assert unexpected(chromium) == []
