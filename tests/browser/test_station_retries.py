"""What a worker sends again at a station, because no answer came, is carried out once."""

import pytest
from PIL import Image
from werkzeug.exceptions import ServiceUnavailable

from browser.pages import ENGLISH, LIVE, lose_first_answer, unexpected
from browser.slow_requests import hold_answers
from browser.station_steps import (
    KEPT,
    NEXT,
    YES,
    offers,
    open_station,
    says,
    scan,
    status,
)
from scenarios import claim_pane, order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

#: The browser makes a picture small only once `makePictures()` is called.
SLOW_PICTURES = """
    const make = window.createImageBitmap.bind(window);
    const allowed = new Promise((resolve) => (window.makePictures = resolve));
    window.createImageBitmap = async (...given) => (await allowed, make(...given));
"""
#: The height in px of each button, link and field that is shown, by what it says.
HEIGHTS = """
    const shown = [...document.querySelectorAll(".station :is(button, a, input:not([type=file], [type=radio]), textarea)")]
      .filter((one) => one.checkVisibility() && !one.closest(".visually-hidden"));
    return shown.map((one) => [(one.getAttribute("aria-label") ?? one.textContent).trim(),
      Math.round(one.getBoundingClientRect().height)]);
"""


@pytest.fixture
def job(admin, workshop):
    return order_with_panes(admin, workshop, steps=2, panes=2)


@pytest.fixture
def tab(chromium, server, workshop, job):
    """The page of the first station, of a worker, in English."""
    account = workshop.worker_with("worker")
    address = f"/floor/s/{job.stations[0]}"
    tab = open_station(chromium, server, account, address, **ENGLISH)
    tab.wait(".queue li")
    return tab


@pytest.fixture
def picture(tmp_path):
    path = tmp_path / "scratch.jpg"
    Image.new("RGB", (80, 60)).save(path)
    return str(path)


def open_claim(tab, number):
    """Open the form of a claim, and answer its first question."""
    scan(tab, f"STDPLUS:{number}")
    offers(tab, "Take in")
    tab.click(".more")
    tab.click('.menu button:has-text("Report a claim")')
    tab.click('.tiles button:has-text("Scratch")')


def describe(tab, words="A long scratch"):
    """Go on from the photos to the last question."""
    tab.click(".steps .main-button")
    tab.fill("textarea", words)
    tab.click(".steps .main-button")


def send(tab):
    tab.click('.sheet-body .main-button:has-text("Send the claim")')


def finish(tab):
    """Complete the work on the pane that is shown."""
    offers(tab, "Done")
    tab.click(NEXT)
    says(tab, YES, "Done")


def complete(tab, number):
    """Take a pane in and complete its work, by scan and button."""
    scan(tab, f"STDPLUS:{number}")
    offers(tab, "Take in")
    tab.click(NEXT)
    says(tab, YES, "Taken in")
    finish(tab)


def claims_of(admin, number):
    pane = admin.get(f"/api/panes/{number}").data["_id"]
    return admin.get("/api/claims", pane=pane).data


def test_claim_whose_photo_takes_long_is_kept_and_made_once_though_its_answer_is_lost(
    tab, app, admin, job, picture, monkeypatch
):
    number = job.numbers[0]
    open_claim(tab, number)
    tab.choose(".photos input", [picture])
    tab.wait(".photos img")
    describe(tab)
    with monkeypatch.context() as slow:
        released = hold_answers(slow, app, "attachments.create")
        lose_first_answer(slow, app, "claims.from_pane")
        send(tab)
        tab.wait(".done")
        assert "Kept, to be sent: Report a claim" in tab.text(".done")
        released.set()
        wait_until(lambda: tab.count(".pill.kept") == 0)
    (claim,) = claims_of(admin, number)
    assert len(claim["photos"]) == 1
    assert claim["description"] == "A long scratch"
    assert tab.count(".pill.refused") == 0


def test_claim_that_is_refused_says_why_in_its_form(tab, admin, worker, job):
    number = job.numbers[0]
    open_claim(tab, number)
    describe(tab)
    assert claim_pane(worker, number).status == 201  # meanwhile, by somebody else
    send(tab)
    tab.wait(".sheet-body .fault")
    assert "claim" in tab.text(".sheet-body .fault")
    assert "A long scratch" in tab.text(".summary")


def test_undo_whose_answer_is_lost_takes_back_one_scan_and_the_next_undo_a_later_one(
    tab, app, admin, job, monkeypatch
):
    number = job.numbers[0]

    def lose_undo():
        with monkeypatch.context() as losing:
            lose_first_answer(losing, app, "scans.undo")
            tab.click(".undo")
            tab.wait('.verdict[data-kind="no"]')
        assert status(admin, number) == "in_progress"

    def undo():
        tab.click(".undo")
        says(tab, YES, "Undone")
        assert status(admin, number) == "in_progress"

    complete(tab, number)
    lose_undo()
    undo()  # the same one once more
    finish(tab)
    lose_undo()
    scan(tab, f"STDPLUS:{number}", paused=True)
    finish(tab)
    undo()
    finish(tab)
    tab.reload()
    tab.wait(".queue li")
    assert tab.count(".undo") == 0
    scan(tab, f"STDPLUS:{number}")
    undo()


def test_scan_that_the_service_fails_at_is_set_aside_for_those_after_it(
    tab, app, admin, job, monkeypatch
):
    first, second = job.numbers
    view = app.view_functions["scans.scan"]

    def fail_at_the_first(**values):
        if values["number"] == first:
            raise ServiceUnavailable
        return view(**values)

    tab.wait(LIVE)
    with monkeypatch.context() as failing:
        failing.setitem(app.view_functions, "scans.scan", fail_at_the_first)
        for number in (first, second):
            scan(tab, f"STDPLUS:{number}")
            offers(tab, "Take in")
            tab.click(NEXT)
            says(tab, KEPT, "Kept, to be sent")
        tab.click(".pill.kept")
        tab.wait(".waiting-rows .fault")
        assert len(tab.texts(".waiting-rows li")) == 2
        tab.click('.waiting-rows button:has-text("Set aside")')
        wait_until(lambda: status(admin, second) == "in_progress")
        assert status(admin, first) == "pending"
    wait_until(lambda: tab.count(".refusals li") == 1)
    assert first in tab.text(".refusals li")
    tab.click('.refusals button:has-text("Send again")')
    wait_until(lambda: status(admin, first) == "in_progress")
    wait_until(lambda: "None of your scans is refused" in tab.text(".sheet-body"))


def test_photo_that_is_still_made_small_changes_nothing_else(tab, job, picture):
    tab.run(SLOW_PICTURES)
    open_claim(tab, job.numbers[0])
    tab.choose(".photos input", [picture])
    describe(tab)
    tab.run("makePictures()")
    wait_until(lambda: "Photos: 1" in tab.text(".summary"))
    assert "A long scratch" in tab.text(".summary")
    assert tab.count('.main-button:has-text("Send the claim")') == 1


def test_everything_is_large_enough_for_fingers_and_larger_for_gloves(
    tab, job, chromium
):
    scan(tab, f"STDPLUS:{job.numbers[0]}")
    offers(tab, "Take in")
    for size in ((390, 844), (1280, 800)):
        tab.size(*size)
        assert [one for one in tab.run(HEIGHTS) if one[1] < 48] == []
    tab.run("localStorage.setItem('glassflow.glove', 'true')")
    tab.reload()
    tab.wait(".station[data-glove] .queue li")
    scan(tab, f"STDPLUS:{job.numbers[0]}")
    offers(tab, "Take in")
    for size in ((390, 844), (1280, 800)):
        tab.size(*size)
        assert [one for one in tab.run(HEIGHTS) if one[1] < 64] == []
    tab.click(".more")
    tab.wait(".menu")
    assert [one for one in tab.run(HEIGHTS) if one[1] < 64] == []
    assert unexpected(chromium) == []
