"""A shift as its people live it: two tablets, a phone and the board, with and without network."""

from types import SimpleNamespace

import pytest

from browser.pages import ENGLISH, LIVE, follow, open_page, see, texts, unexpected
from browser.station_steps import (
    FAILED,
    KEPT,
    NEXT,
    YES,
    command,
    offers,
    says,
    scan,
    shows,
    status,
)
from lookups import pane_of, remakes_of
from scenarios import order_with_panes, order_with_units
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

TABLET = ENGLISH | {"viewport": {"width": 1280, "height": 800}}
IPAD = ENGLISH | {"viewport": {"width": 768, "height": 1024}}
PHONE = ENGLISH | {"viewport": {"width": 390, "height": 844}, "hasTouch": True}
SETTINGS, HOLD = ".signs .icon-button:last-child", ".hold button"
BROKEN, ONWARD = '.tiles button:has-text("Broken")', ".steps .main-button"
BELL, BAND, BAR = ".bell", ".band.call", ".call-bar li"
NAMES = ("Cutting", "Oven", "Check")
SIZE = {"width": 800, "height": 2000, "thickness": 8}


@pytest.fixture
def shift(admin, workshop):
    """Three orders of 3, 3 and 12 panes at Cutting, then Oven and Check; a unit; a rack."""
    pane = {"dimensions": SIZE, "dimensionTolerance": "±1"}
    first = order_with_panes(admin, workshop, steps=3, panes=3, pane=pane)
    route = {"routing": first.stations, **pane}
    others = [
        order_with_panes(admin, workshop, steps=1, panes=n, pane=route) for n in (3, 12)
    ]
    for station, name in zip(first.stations, NAMES, strict=True):
        change = {"name": name, "isCheckStation": name == "Check"}
        assert admin.patch(f"/api/stations/{station}", change).status == 200
    rack = admin.post("/api/racks", {"name": "A-frame 3", "place": "Hall 2"}).data
    cutting, oven, check = first.stations
    return SimpleNamespace(
        single=first.numbers,
        racked=others[0].numbers,
        load=others[1].numbers,
        units=order_with_units(admin, workshop, before=0),
        rack=rack["rackNumber"],
        cutting=cutting,
        oven=oven,
        check=check,
    )


def tap(tab, *selectors):
    for selector in selectors:
        tab.wait(selector)
        tab.click(selector)


def choose_scans(tab, label):
    tap(tab, SETTINGS, f'.option:has-text("{label}")')
    tab.press("Escape")


def hold(tab):
    tab.wait(HOLD)
    tab.hold(HOLD, 900)


def go_to(tab, station):
    """Change the station of a tablet."""
    follow(tab, f"s/{station}")
    tab.wait(LIVE)
    tab.wait(".queue")


def places(admin, numbers):
    return {pane_of(admin, one)["currentStation"] for one in numbers}


def lanes(board):
    """How many panes each lane shows, by its name."""
    return dict(
        zip(texts(board, ".lane h2 span"), texts(board, ".count b"), strict=False)
    )


def test_a_shift_on_two_tablets_a_phone_and_the_board(
    chromium, server, admin, workshop, shift
):
    somsak, malee = (workshop.worker_with("worker") for _ in range(2))
    boss = workshop.worker(name="Somchai", role=workshop.roles["manager"])
    tablet = open_page(
        chromium.profile(**TABLET), f"{server}/floor/s/{shift.cutting}", somsak
    )
    ipad = open_page(
        chromium.second_profile(**IPAD), f"{server}/floor/s/{shift.oven}", malee
    )
    phone = open_page(chromium.second_profile(**PHONE), f"{server}/floor/", boss)
    board = open_page(chromium.second_profile(**ENGLISH), f"{server}/floor/board", boss)

    def on_board(**expected):
        wait_until(
            lambda: expected.items() <= lanes(board).items(),
            describe=lambda: lanes(board),
        )

    # the queue by order, and one scan for each pane
    tap(tablet, '.ways button:has-text("By order")')
    wait_until(lambda: tablet.count(".group-head") == 3)
    see(tablet, ".group-head", "3 of 3 here")
    choose_scans(tablet, "One: done and on")
    first, second, third = shift.single
    scan(tablet, f"STDPLUS:{first}")
    says(tablet, YES, "Done and handed on", "Next: Oven")
    see(ipad, ".queue li", first)
    on_board(Cutting="17", Oven="1")

    # a rack gets three panes and is moved as a whole
    scan(tablet, f"STDPLUS:{shift.rack}", paused=True)
    says(tablet, YES, "On the rack", first)
    for one in shift.racked:
        scan(tablet, f"STDPLUS:{one}")
        says(tablet, YES, "On the rack", one)
    tap(tablet, NEXT)
    says(tablet, YES, "Done and handed on", "3 panes")
    assert places(admin, shift.racked) == {shift.oven}
    on_board(Cutting="14", Oven="4")

    # a pane breaks before its work is done
    tablet.fill(".read input", second)
    tablet.click(".read button")
    shows(tablet, second)
    tap(tablet, ".buttons .fail", BROKEN, ONWARD, ONWARD)
    hold(tablet)
    says(tablet, FAILED, "Recorded as failed", "Made again as")
    assert len(remakes_of(admin, second)) == 1

    # a load of twelve is lost in the oven
    body = {"paneNumbers": shift.load, "station": shift.cutting}
    admin.post("/api/panes/batch-scan", {**body, "action": "complete"})
    rack = admin.post("/api/racks", {"name": "Oven rack"}).data["_id"]
    admin.post(f"/api/racks/{rack}/put", {"paneNumbers": shift.load})
    moved = admin.post(f"/api/racks/{rack}/scan", {**body, "action": "scan_out"})
    assert moved.status == 200
    body = {"paneNumbers": shift.load, "station": shift.oven, "action": "scan_in"}
    assert admin.post("/api/panes/batch-scan", body).status == 200
    on_board(Oven="16")
    tap(ipad, SETTINGS, '.menu button:has-text("Lost, several")')
    see(ipad, ".ticks-head b", "12 of 12")
    tap(ipad, BROKEN, ONWARD, ONWARD)
    hold(ipad)
    says(ipad, FAILED, "Recorded as failed", "12 panes")
    assert {status(admin, one) for one in shift.load} == {"defected"}
    see(ipad, FAILED, "Print the 12 labels")
    on_board(Cutting="14", Oven="4")

    # the oven stands: the phone answers, the board and the tablet say who comes
    tap(
        ipad,
        BELL,
        '.option:has-text("The machine stands")',
        '.tiles button:has-text("Machine")',
    )
    see(phone, BAR, f"{malee.name} called")
    see(board, '.lane .call[data-state="stands"]', "nobody comes yet")
    phone.tap(f"{BAR} .main-button")
    see(ipad, BAND, "Somchai comes")
    see(board, ".lane .call", "Somchai comes")
    tap(ipad, BELL, '.calls li button:has-text("It runs again")')
    ipad.press("Escape")
    wait_until(
        lambda: phone.count(BAR) + board.count(".lane .call") + ipad.count(BAND) == 0
    )

    # the check measures a pane, which is too wide
    body = {"action": "scan_out", "beforeComplete": True}
    for one in (first, *shift.racked):
        assert (
            admin.post(f"/api/panes/{one}/scan", {**body, "station": shift.oven}).status
            == 200
        )
    go_to(ipad, shift.check)
    scan(ipad, f"STDPLUS:{first}")
    offers(ipad, "Take in")
    command(ipad, "NEXT")
    says(ipad, YES, "Taken in")
    tap(ipad, ".buttons .measure")
    ipad.wait(".measure input")
    for key in "803":
        ipad.press(key)
    see(ipad, ".found", "Width 3 mm too large")
    tap(ipad, ".decide .main-button")
    see(ipad, ".summary", "Wrong size")
    hold(ipad)
    says(ipad, FAILED, "Recorded as failed", "Made again as")
    assert len(remakes_of(admin, first)) == 1

    # a unit becomes one pane
    go_to(tablet, shift.units.lamination_station)
    sheet, other = shift.units.sheets[0]
    admin.scan(sheet, "scan_in", station=shift.units.lamination_station)
    admin.scan(other, "scan_in", station=shift.units.lamination_station)
    tablet.fill(".read input", other)
    tablet.click(".read button")
    see(tablet, ".merges", "A stays; B,")
    hold(tablet)
    says(tablet, YES, "Laminated", f"{sheet} goes on")

    # without network: a scan that is taken back, a rack, a check, a loss; then all of it is sent
    go_to(tablet, shift.cutting)
    remade = remakes_of(admin, second)[0]["paneNumber"]
    for one in (tablet, ipad):
        one.setOffline(True)
        wait_until(lambda one=one: one.count(LIVE) == 0)
    scan(tablet, f"STDPLUS:{third}")
    says(tablet, KEPT, "Done and on")
    tablet.click(".undo")
    says(tablet, YES, "Undone", "Not sent: Done and on")
    assert status(admin, third) == "pending"
    scan(tablet, f"STDPLUS:{shift.rack}", paused=True)
    says(tablet, KEPT, "Put on the rack", third)
    tap(tablet, NEXT)
    says(tablet, KEPT, "Done and on")
    tablet.fill(".read input", remade)
    tablet.click(".read button")
    shows(tablet, remade)
    tap(tablet, ".buttons .fail", BROKEN, ONWARD, ONWARD)
    hold(tablet)
    says(tablet, KEPT, "Failed")
    passed = shift.racked[0]
    scan(ipad, f"STDPLUS:{passed}")
    offers(ipad, "Take in")
    command(ipad, "NEXT")
    says(ipad, KEPT, "Take in")
    ipad.wait(".buttons[data-checks]")
    ipad.press("p")
    says(ipad, KEPT, "Passed")
    for one in (tablet, ipad):
        one.setOffline(False)
        one.wait(LIVE)
        wait_until(lambda one=one: "to send" not in one.text(".signs"))
    wait_until(lambda: status(admin, passed) == "completed")
    assert pane_of(admin, third)["currentStation"] == shift.oven
    assert status(admin, remade) == "defected"
    on_board(Oven="1", Check="2")
    see(board, "header", "finished today 1")
    assert unexpected(chromium) == []
