"""Calls for help at a station: called, taken and ended on several tablets, and without network."""

import pytest

from browser.pages import ENGLISH, LIVE, log_in, open_page, see, unexpected
from browser.station_steps import NO, open_station, says, scan, shows
from browser.test_shared_devices_page import NAMES, type_pin
from browser.test_shared_devices_page import account as account_of
from scenarios import order_with_panes, pass_station
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

BELL, COUNT, BAND, FAULT = ".bell", ".bell b", ".band.call", ".sheet-body .fault"
ROW = ".calls li"


@pytest.fixture
def account(workshop):
    return workshop.worker_with("worker")


@pytest.fixture
def job(admin, workshop):
    """An order of two panes, which pass washing and cutting."""
    made = order_with_panes(admin, workshop, steps=2, panes=2)
    for station, name in zip(made.stations, ("Washing", "Cutting"), strict=True):
        admin.patch(f"/api/stations/{station}", {"name": name})
    made.washing, made.cutting = (f"/floor/s/{one}" for one in made.stations)
    return made


def tap(tab, *selectors):
    for selector in selectors:
        tab.wait(selector)
        tab.click(selector)


def tile(kind):
    return f'.tiles button:has-text("{kind}")'


def action(name):
    return f'{ROW} button:has-text("{name}")'


def gone(tab, selector):
    wait_until(lambda: tab.count(selector) == 0, describe=lambda: tab.text("body"))


def open_calls(admin):
    return admin.get("/api/calls", status="open,taken").data


def test_call_is_seen_taken_and_ended_on_two_tablets(
    chromium, server, admin, account, workshop, job
):
    tab = open_station(chromium, server, account, job.washing, **ENGLISH)
    colleague = workshop.worker_with("worker")
    device = chromium.second_profile(**ENGLISH)
    other = open_page(device, f"{server}{job.washing}", colleague)
    tab.wait(LIVE)
    tap(tab, BELL)
    tab.wait(tile("Machine"))
    scan(tab, f"STDPLUS:{job.numbers[0]}")
    see(tab, FAULT, "Nothing was recorded")
    assert tab.count('.option:has-text("Nobody scans in")') == 0
    tab.fill('.fields input[name="reason"]', "the belt")
    tap(tab, '.option:has-text("The machine stands")', tile("Machine"))
    for one in (tab, other):
        see(one, BAND, "Called just now: The machine stands · nobody comes yet")
        assert one.text(COUNT) == "1"
    tap(other, BELL)
    see(other, ROW, "the belt")
    see(other, ROW, account.name)
    tap(other, action("I go"))
    see(tab, BAND, f"{colleague.name} comes")
    see(other, ROW, f"{colleague.name} comes")
    tap(tab, BELL)
    tab.wait(ROW)
    assert tab.count(action("I cannot")) == 0
    tap(other, action("I cannot"))
    see(tab, ROW, "nobody comes yet")
    tap(tab, tile("Question"))
    see(tab, BAND, "2 calls · nobody comes yet to 2")
    see(other, ROW, "Question")
    tap(other, action("It runs again"))
    see(tab, BAND, "Called just now: Question")
    tap(other, action("It is done"))
    for one in (tab, other):
        gone(one, BAND)
        assert one.count(COUNT) == 0
    assert open_calls(admin) == []
    assert unexpected(chromium) == []


def test_maintenance_says_why_and_is_ended_by_who_manages_stations(
    chromium, server, admin, account, workshop, job
):
    tab = open_station(chromium, server, account, job.washing, **ENGLISH)
    station = f"/api/stations/{job.stations[0]}"
    status = admin.get(station).data["status"]
    manager = workshop.worker_with("manager")
    device = chromium.second_profile(**ENGLISH)
    other = open_page(device, f"{server}{job.washing}", manager)
    tab.wait(LIVE)
    tap(other, BELL, '.option:has-text("Nobody scans in")')
    other.fill('.fields input[name="reason"]', "a new motor")
    tap(other, tile("Machine"))
    band = ".band.warn"
    for one in (tab, other):
        see(one, band, "under maintenance")
        see(one, band, "a new motor · since ")
    assert tab.count(f"{band} button") == 0
    number = job.numbers[0]
    scan(tab, f"STDPLUS:{number}")
    says(tab, NO, "under maintenance", "since ", "a new motor")
    tap(other, f'{band} button:has-text("End the maintenance")')
    for one in (tab, other):
        gone(one, band)
    assert admin.get(station).data["status"] == status
    assert unexpected(chromium) == []


def test_station_is_told_of_a_pane_that_it_has_not_handed_on(
    chromium, server, admin, account, workshop, job
):
    number = job.numbers[0]
    tab = open_station(chromium, server, account, job.cutting, **ENGLISH)
    colleague = workshop.worker_with("worker")
    device = chromium.second_profile(**ENGLISH)
    other = open_page(device, f"{server}{job.washing}", colleague)
    tab.wait(LIVE)
    scan(tab, f"STDPLUS:{number}")
    says(tab, NO, "is at Washing")
    tap(tab, '.tell:has-text("Tell Washing")')
    see(tab, ".told", "Washing has been told · nobody comes yet")
    scan(tab, f"STDPLUS:{number}", paused=True)
    see(tab, ".told", "Washing has been told")  # known, so it is not told twice
    assert [one["paneNumber"] for one in open_calls(admin)] == [number]
    see(other, BAND, f"Cutting has {number}, which was not handed on here")
    tap(other, f'{BAND} button:has-text("Show {number}")')
    shows(other, number)
    tap(other, BELL, action("I go"))
    see(tab, ".told", f"{colleague.name} comes")
    pass_station(admin, number, job.stations[0])
    tap(other, action("It is done"))
    gone(other, BAND)
    see(tab, ".told", "The call at Washing has ended")
    scan(tab, f"STDPLUS:{number}", paused=True)
    tab.wait(".next")
    assert open_calls(admin) == []
    assert unexpected(chromium) == []


def test_without_network_nobody_is_called_and_an_end_is_kept(
    chromium, server, admin, account, job
):
    body = {"station": job.stations[0], "kind": "machine", "machineStands": True}
    call = admin.post("/api/calls", body).data
    tab = open_station(chromium, server, account, job.washing, **ENGLISH)
    see(tab, BAND, "The machine stands")
    tab.wait(LIVE)
    chromium.call("offline", True)
    wait_until(lambda: tab.count(LIVE) == 0)
    tap(tab, BELL)
    see(tab, ".sheet-body", "No network: go there.")
    assert tab.count(".tiles") == 0
    for taken_back in (True, False):
        tap(tab, action("It runs again"))
        gone(tab, ROW)
        gone(tab, BAND)
        tab.press("Escape")
        see(tab, ".signs", "1 to send")
        tap(tab, ".pill.kept")
        see(tab, ".waiting-rows li", f"{call['callNumber']} End of a call: Machine")
        see(tab, ".waiting-rows li", "Washing")
        if taken_back:
            tap(tab, '.waiting-rows button:has-text("Take back")')
            see(tab, ".sheet-body", "Taken back, and not sent")
            tab.press("Escape")
            see(tab, BAND, "The machine stands")
            tap(tab, BELL)
    chromium.call("offline", False)
    wait_until(lambda: open_calls(admin) == [])
    gone(tab, ".pill.kept")
    ended = admin.get(f"/api/calls/{call['_id']}").data
    assert (ended["ending"], ended["endedByName"]) == ("person", account.name)
    assert unexpected(chromium) == []


def test_on_a_shared_tablet_the_worker_who_identified_calls(
    chromium, server, admin, workshop, job
):
    malee = workshop.worker(name="มาลี")
    admin.put(f"/api/workers/{malee.pk}/pin", {"pin": "2580"})
    tab = chromium.profile(**ENGLISH).tab(f"{server}{job.washing}")
    log_in(tab, account_of(workshop, "device"))
    tab.wait(NAMES)
    tap(tab, BELL)
    see(tab, ".sheet-body", "Scan your badge or type your PIN")
    assert tab.count(".tiles") == 0
    tab.press("Escape")
    tap(tab, NAMES)
    type_pin(tab, "2580")
    tab.wait(".person b")
    tap(tab, BELL, tile("Glass"))
    see(tab, BAND, "Called just now: Glass, material")
    assert [one["calledByName"] for one in open_calls(admin)] == ["มาลี"]
    tap(tab, BELL, action("I go"))
    see(tab, ROW, "มาลี comes")
    tap(tab, action("I cannot"))
    see(tab, ROW, "nobody comes yet")
    assert unexpected(chromium) == []
