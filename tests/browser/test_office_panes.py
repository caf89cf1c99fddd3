"""The shape and the place of panes, changed in the office by a browser."""

import pytest

from browser.pages import (
    change_unheard,
    press_at_once,
    see,
    texts,
    unexpected,
    value,
)
from lookups import pane_of
from scenarios import order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

ROW = ".panes .table-row"
DIALOG = "dialog[open]"
CONFIRM = f"{DIALOG} .form-buttons .main-button"
FAILED = f'{DIALOG} li[data-kind="failed"]'
SHAPE = {
    "dimensions": {"width": 800, "height": 600, "thickness": 6},
    "holes": [{"id": "drain", "x": 100, "y": 90, "diameter": 20}],
    "edgeTasks": [{"side": "top", "edgeProfile": "polished", "machineType": "M1"}],
}


@pytest.fixture
def boss(workshop):
    return workshop.worker_with("admin")


def cell(grid, column, row=0):
    return f'{DIALOG} #{grid}-grid [data-row="{row}"][data-column="{column}"]'


def open_details(tab):
    tab.click('button:has-text("Edit details")')
    tab.wait(cell("holes", "x"))


def closes(tab):
    wait_until(lambda: tab.count(DIALOG) == 0)


def test_pane_is_corrected_with_a_reason_and_its_shape_changed_beside_its_drawing(
    open_office, chromium, admin, workshop, boss
):
    job = order_with_panes(admin, workshop, pane=SHAPE)
    (number,) = job.numbers
    tab = open_office(boss, f"panes/{number}")
    tab.click("text=Correct place or status")
    tab.wait(DIALOG)
    tab.select("#field-currentStation", job.stations[1])
    tab.click(CONFIRM)
    see(tab, f"{DIALOG} .field-fault", "Please give a reason")
    tab.fill("#field-correctionReason", "หยิบผิดโต๊ะ")
    tab.click(CONFIRM)
    see(tab, ".timeline li", "หยิบผิดโต๊ะ")
    assert pane_of(admin, number)["currentStation"] == job.stations[1]

    open_details(tab)
    assert value(tab, cell("holes", "x")) == "100"
    assert tab.count(f"{CONFIRM}:disabled") == 1  # nothing was changed
    tab.fill("#field-dimensions\\.width", "810")
    tab.fill("#field-notes", "ระวังมุม")
    tab.fill(cell("holes", "x"), "half")
    tab.click(f'{DIALOG} button:has-text("Add a notch")')
    for column, text in (("x", "300"), ("y", "0"), ("width", "40")):
        tab.fill(cell("notches", column), text)
    tab.select(f"{DIALOG} #edge-left", "rough")
    see(tab, f"{DIALOG} .drawing .cuts li", "40")
    assert tab.count(f"{DIALOG} .drawing .cuts li") == 1  # the hole has no place
    tab.click(CONFIRM)
    see(tab, f"{DIALOG} #holes-grid .field-fault", "Not a valid number")
    wait_until(lambda: tab.attribute(":focus", "data-column") == "x")
    assert pane_of(admin, number)["notches"] == []

    tab.press("Escape")
    closes(tab)
    open_details(tab)  # what was typed is kept
    assert value(tab, cell("holes", "x")) == "half"
    assert value(tab, cell("notches", "width")) == "40"
    tab.fill(cell("holes", "x"), "805")
    see(tab, f"{DIALOG} .drawing .cuts .wrong", "reaches the edge")
    tab.click(CONFIRM)
    see(tab, f"{DIALOG} .fault", "Hole 1 · x from left: The hole reaches the edge")
    see(tab, f"{DIALOG} .fault", "Notch 1 · Height: Needs its size")
    tab.fill(cell("notches", "height"), "30")
    assert pane_of(admin, number)["notches"] == []
    tab.click(f'{DIALOG} .fault a:has-text("Hole 1 · x from left")')
    tab.wait(f"{cell('holes', 'x')}:focus")
    tab.fill(cell("holes", "x"), "150")
    tab.click(CONFIRM)
    closes(tab)
    found = pane_of(admin, number)
    assert found["dimensions"]["width"] == 810
    (hole,), (notch,) = found["holes"], found["notches"]
    assert (hole["id"], hole["x"], hole["diameter"]) == ("drain", 150, 20)
    sizes = [notch[one] for one in ("type", "x", "y", "width", "height")]
    assert sizes == ["rectangle", 300, 0, 40, 30]
    edges = {one["side"]: one for one in found["edgeTasks"]}
    assert {side: one["edgeProfile"] for side, one in edges.items()} == {
        "top": "polished",
        "left": "rough",
    }
    assert edges["top"]["machineType"] == "M1"
    see(tab, ".drawing .cuts li", "40 × 30")  # the page has heard of it
    see(tab, "dl", "ระวังมุม")
    open_details(tab)
    assert tab.count(f"{CONFIRM}:disabled") == 1  # the draft is gone
    assert unexpected(chromium) == []


def test_newer_holes_of_a_pane_are_shown_before_they_are_overwritten(
    open_office, chromium, admin, workshop, boss
):
    (number,) = order_with_panes(admin, workshop, pane=SHAPE).numbers
    tab = open_office(boss, f"panes/{number}")
    see(tab, "h1", number)
    open_details(tab)
    tab.fill(cell("holes", "x"), "160")
    (hole,) = pane_of(admin, number)["holes"]
    path = f"/api/panes/{pane_of(admin, number)['_id']}"
    assert admin.patch(path, {"holes": [{**hole, "x": 170}]}).status == 200
    see(tab, f"{DIALOG} .conflict dd", "Circle 20 (170, 90)")
    tab.click(f'{DIALOG} .conflict button:has-text("Overwrite")')
    closes(tab)
    assert [one["x"] for one in pane_of(admin, number)["holes"]] == [160]
    see(tab, ".drawing .cuts li", "160")  # the page has heard of it

    open_details(tab)
    tab.click(f'{DIALOG} #holes-grid button[aria-label^="Remove"]')
    tab.wait(f'{DIALOG} button:has-text("Add a hole")')
    tab.click(CONFIRM)
    closes(tab)
    assert pane_of(admin, number)["holes"] == []
    assert unexpected(chromium) == []


def test_selected_panes_are_moved_and_each_row_says_what_became_of_it(
    open_office, chromium, admin, workshop, boss
):
    job = order_with_panes(admin, workshop, steps=2, panes=3)
    elsewhere = str(workshop.station().pk)
    first, second, third = job.numbers
    tab = open_office(boss, f"panes?order={job.order['_id']}&sort=paneNumber")
    see(tab, ROW, third)
    tab.click(".table-top input")
    see(tab, ".selected", "3 selected")
    tab.click('.selected button:has-text("Correct place")')
    see(tab, DIALOG, "It is there already")
    station, status = (
        f"{DIALOG} .batch-form label:nth-of-type({n}) select" for n in (1, 2)
    )
    tab.select(station, elsewhere)
    see(tab, DIALOG, "The station is not on its route")
    see(tab, DIALOG, "3 left out")
    tab.select(station, job.stations[1])
    tab.select(status, "in_progress")
    see(tab, DIALOG, "3 panes are moved one after the other to")
    assert tab.count(f"{CONFIRM}:disabled") == 1  # without a reason
    tab.fill(f"{DIALOG} input[type=text]", "อยู่อีกโต๊ะ")

    change_unheard("Pane", job.panes[1], notes="theirs")
    press_at_once(tab, CONFIRM)
    see(tab, DIALOG, "2 of 3 done")
    see(tab, FAILED, second)
    see(tab, FAILED, "Somebody else has changed this")
    assert len(texts(tab, FAILED)) == 1
    for number in (first, third):
        pane = pane_of(admin, number)
        assert pane["currentStatus"] == "in_progress"
        assert pane["currentStation"] == job.stations[1]
    kept = pane_of(admin, second)
    assert (kept["currentStation"], kept["notes"]) == (job.stations[0], "theirs")
    assert len(admin.get("/api/pane-logs", reason="อยู่อีกโต๊ะ").data) == 2
    tab.press("Escape")
    see(tab, ".panes li:nth-child(1)", "In work")
    wait_until(lambda: tab.texts(".selected button") == [])
    assert unexpected(chromium) == []
