"""What a station shows at once: a scan that was read, kept scans, and all of it in sight."""

import pytest

from browser.floor_pages import ENGLISH, LIVE, see, unexpected
from browser.slow_requests import hold_requests
from browser.station_steps import (
    FAILED,
    KEPT,
    NEXT,
    YES,
    command,
    offers,
    open_station,
    says,
    scan,
    shows,
)
from scenarios import order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

#: Notes each text that the signs of the header have.
WATCH = """
    globalThis.seen = [];
    const note = () => seen.push(document.querySelector(".signs").innerText);
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
"""
SEEN = "return seen.join(' ');"
TABLETS = [(1280, 720), (1280, 800), (1024, 768), (1920, 1080)]
BOTTOMS = """
    return Object.fromEntries(given.map((one) =>
      [one, innerHeight - document.querySelector(one).getBoundingClientRect().bottom]));
"""


@pytest.fixture
def account(workshop):
    return workshop.worker_with("worker")


@pytest.fixture
def job(admin, workshop):
    made = order_with_panes(admin, workshop, steps=2, panes=6)
    made.address = f"/floor/s/{made.stations[0]}"
    return made


def test_scan_is_acknowledged_before_its_answer_with_its_number(
    chromium, server, app, account, job, monkeypatch
):
    shown, asked, then, last = job.numbers[:4]
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue li")
    scan(tab, f"STDPLUS:{shown}")
    offers(tab, "Take in")
    released = hold_requests(monkeypatch, app, "scans.next_step")
    try:
        scan(tab, f"STDPLUS:{asked}")
        wait_until(lambda: tab.text(".work h2") == asked)
        assert shown not in tab.text(
            ".work"
        )  # nor its button, which would seem pressed
        assert tab.count(NEXT) == 0
        for number in (then, last):
            scan(tab, f"STDPLUS:{number}")
        wait_until(lambda: f"Then: {then}, {last}" in tab.text(".work"))
        assert tab.axe() == []
    finally:
        released.set()
    shows(tab, last)
    assert unexpected(chromium) == []


def test_ordinary_scans_do_not_flash_as_scans_to_send(chromium, server, account, job):
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue li")
    tab.wait(LIVE)
    tab.run(WATCH)
    scan(tab, f"STDPLUS:{job.numbers[0]}")
    for action, done in (
        ("Take in", "Taken in"),
        ("Done", "Done"),
        ("Hand on", "Handed on"),
    ):
        offers(tab, action)
        tab.click(NEXT)
        says(tab, YES, done)
    assert "Live" in tab.run(SEEN)
    assert "to send" not in tab.run(SEEN)


def test_kept_scans_show_in_the_queue_and_in_its_counts(chromium, server, account, job):
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue li")
    tab.wait(LIVE)
    first, second = job.numbers[:2]
    row = '.queue li:has-text("{}")'.format

    def counts():
        return " ".join(tab.text(".counts").split())

    assert counts() == "Waiting 6 In work 0 To hand on 0"
    chromium.call("offline", True)
    for number, steps in (
        (first, ["Take in"]),
        (second, ["Take in", "Done", "Hand on"]),
    ):
        scan(tab, f"STDPLUS:{number}")
        for action in steps:
            offers(tab, action)
            tab.click(NEXT)
            says(tab, KEPT, action)
    wait_until(lambda: counts() == "Waiting 4 In work 1 To hand on 0")
    assert tab.text(".queue h2").split() == ["Queue", "5"]
    assert "to send" in tab.text(row(first))
    assert second in tab.text(".queue li:last-child")
    assert tab.axe() == []
    chromium.call("offline", False)
    wait_until(lambda: tab.count(row(second)) == 0)
    wait_until(lambda: "to send" not in tab.text(".queue"))
    assert counts() == "Waiting 4 In work 1 To hand on 0"


def test_failed_pane_does_not_look_as_if_it_had_passed(
    chromium, server, admin, account, job
):
    number = job.numbers[0]
    for action in ("scan_in", "complete"):
        assert admin.scan(number, action, station=job.stations[0]).status == 200
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue li")
    scan(tab, f"STDPLUS:{number}")
    shows(tab, number)
    tab.click(".fail")
    for selector in ('.tiles button:has-text("Broken")', *[".steps .main-button"] * 2):
        tab.wait(selector)
        tab.click(selector)
    tab.hold(".fail-button", 900)
    says(tab, FAILED, "Recorded as failed")
    assert tab.attribute(".pane", "data-kind") == "failed"
    assert tab.count('[data-kind="yes"]') == 0
    assert tab.axe() == []


def test_hole_outside_the_glass_is_red_on_the_card(
    chromium, server, admin, account, job
):
    odd = [{"id": "h1", "x": 9000, "y": 100, "diameter": 20}]
    shape = {"dimensions": {"width": 500, "height": 400}, "holes": odd}
    assert admin.patch(f"/api/panes/{job.panes[0]['_id']}", shape).status == 200
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue:not([aria-busy])")
    scan(tab, f"STDPLUS:{job.numbers[0]}")
    see(tab, ".drawing .cuts .wrong", "outside the pane")
    assert tab.axe() == []


def test_main_button_undo_and_field_are_in_sight_on_tablets_in_a_batch_mode(
    chromium, server, admin, account, job
):
    for pane in job.panes:  # as tall as glass may be
        size = {"dimensions": {"width": 900, "height": 2400, "thickness": 6}}
        assert admin.patch(f"/api/panes/{pane['_id']}", size).status == 200
    tab = open_station(chromium, server, account, job.address, **ENGLISH)
    tab.wait(".queue:not([aria-busy])")
    tab.click(".signs .icon-button")
    tab.click('.option:has-text("Done at once")')
    tab.press("Escape")
    scan(tab, f"STDPLUS:{job.numbers[0]}")
    says(tab, YES, "Done")
    offers(tab, "Hand on")  # which is asked for after the verdict
    command(tab, "NEXT")
    says(tab, YES, "Handed on", "Next:")
    scan(tab, f"STDPLUS:{job.numbers[1]}")
    shows(tab, job.numbers[1])
    says(tab, YES, "Done")
    offers(tab, "Hand on")  # the button is there after the verdict, not before
    tab.wait(".undo")
    tab.wait(".drawing svg")
    for window in TABLETS:
        tab.size(*window)
        parts = [NEXT, ".undo", ".read input", ".queue"]
        assert min(tab.run(BOTTOMS, parts).values()) >= 0, (
            window,
            tab.run(BOTTOMS, parts),
        )
        assert tab.overflow() <= 0
