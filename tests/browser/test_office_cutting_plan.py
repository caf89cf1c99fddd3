"""A cutting plan in the office: from the panes that wait to sheets that are cut."""

import pytest

from browser.pages import KEEP_FILES, KEPT_FILES, follow, see, texts, unexpected
from cutting_api import act, job_to_cut, planned, read_plan, search, sheets_of
from lookups import pane_of
from stock_api import create_lot
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

RELEASE, AGAIN, CANCEL = "Release", "Plan again", "Cancel the plan"
PANES = ".sheet-drawing .pane"


def press(tab, name):
    """Open the dialog of a button, and confirm it there."""
    tab.click(f".quiet-button:has-text('{name}'), .main-button:has-text('{name}')")
    confirm(tab)


def confirm(tab):
    tab.click("dialog .form-buttons .main-button")
    wait_until(lambda: tab.count("dialog") == 0)


def states(tab):
    return tab.run(
        f"return [...document.querySelectorAll('{PANES}')].map((one) => one.dataset.state)"
    )


@pytest.fixture
def job(admin, workshop):
    """Three panes: two fit on a whole sheet, one on the remnant in stock."""
    job = job_to_cut(admin, workshop, panes=3)
    admin.patch(f"/api/materials/{job.material}", {"name": "Clear 6 mm"})
    size = {"dimensions": {"width": 1000, "height": 1000}}
    job.remnant = create_lot(admin, job.material, 1, stockType="Reuse", **size)
    return job


def test_panes_that_wait_are_planned_released_and_cut_in_the_office(
    open_office, chromium, admin, job
):
    tab = open_office(admin.worker, "cutting")
    tab.click("th .main-button")
    see(tab, ".cutting-search", "The first plan is searched for")
    number = tab.text("h1")
    search()
    wait_until(lambda: tab.count(".sheet") == 2)
    see(tab, ".sheet h2", "Sheet 1")
    assert texts(tab, ".sheet h2") == [
        "Sheet 1 1,000 × 1,000 mm",
        "Sheet 2 2,000 × 1,000 mm",
    ]
    assert states(tab) == ["planned"] * 3
    facts = texts(tab, "#plan-facts ~ dl dd")
    assert "3 of 3" in facts
    assert "4 m² of new glass, 2 m² more" in facts

    tab.click(PANES)
    see(tab, "dialog", "To be cut")
    tab.click("dialog .quiet-button:has-text('Leave out')")
    see(tab, ".cutting-search", "searched for")
    search()
    see(tab, "#plan-facts ~ dl", "2 of 2")
    press(tab, AGAIN)  # with all that wait now
    search()
    see(tab, "#plan-facts ~ dl", "3 of 3")

    tab.run(KEEP_FILES, None)
    for format in ("PDF", "CSV"):
        tab.click(f".files .quiet-button:has-text('{format}')")
    wait_until(lambda: len(tab.run(KEPT_FILES, None)) == 2)
    assert b"%PDF" in {bytes(one[:4]) for one in tab.run(KEPT_FILES, None)}

    press(tab, RELEASE)
    see(tab, ".head .status", "Released")
    wait_until(lambda: tab.count(".sheet .main-button") == 2)
    tab.click(".sheet:nth-of-type(2) .main-button")
    tab.click("dialog .broken-panes label:first-child input")
    confirm(tab)
    see(tab, ".sheet .cut", f"Cut by {admin.worker.name}")
    wait_until(lambda: states(tab) == ["planned", "broken", "cut"])
    see(tab, ".head .status", "Being cut")
    tab.click(".sheet .quiet-button:has-text('Not cut after all')")
    confirm(tab)
    wait_until(lambda: states(tab) == ["planned"] * 3)
    for sheet in (1, 2):
        tab.click(f".sheet:nth-of-type({sheet}) .main-button")
        confirm(tab)
        wait_until(lambda sheet=sheet: tab.count(".sheet[data-cut]") == sheet)
    see(tab, ".head .status", "Cut")
    assert states(tab) == ["cut"] * 3
    for one in job.numbers:
        assert pane_of(admin, one)["currentStatus"] == "awaiting_scan_out"

    tab.click(".back")
    see(tab, ".table-row .number", number)
    see(tab, ".table-row .state", "Cut")
    assert unexpected(chromium) == []


def test_a_pane_is_moved_to_another_plan_and_its_changes_are_shown_at_once(
    open_office, chromium, admin, job
):
    ids = [one["_id"] for one in job.panes]
    first, second = (planned(admin, job, panes=some) for some in (ids[:2], ids[2:]))
    tab = open_office(admin.worker, f"cutting/{first['_id']}")
    wait_until(lambda: len(states(tab)) == 2)
    moved = sheets_of(admin, first)[0]["panes"][0]["_id"]
    tab.click(PANES)
    tab.click(f"dialog .quiet-button:has-text('{second['planNumber']}')")
    wait_until(lambda: moved in read_plan(admin, second)["panes"])
    wait_until(lambda: moved not in read_plan(admin, first)["panes"])
    search()
    wait_until(lambda: len(states(tab)) == 1)
    # a pane that somebody has cut without the plan
    left = sheets_of(admin, first)[0]["panes"][0]["paneNumber"]
    act(admin, first, "release")
    for action in ("scan_in", "complete"):
        admin.scan(left, action, station=job.stations[0])
    wait_until(lambda: states(tab) == ["left"])
    tab.click(PANES)
    see(tab, "dialog", "moved on without this plan")
    tab.click("dialog .icon-button")
    press(tab, CANCEL)
    see(tab, ".head .status", "Cancelled")
    assert unexpected(chromium) == []


def test_a_search_ends_with_the_page_that_shows_it_once_a_plan_is_found(
    open_office, chromium, admin, job
):
    plan = planned(admin, job)
    act(admin, plan, "improve")
    tab = open_office(admin.worker, f"cutting/{plan['_id']}")
    see(tab, ".cutting-search", "A better plan is searched for")
    follow(tab, "office/stock")
    wait_until(lambda: read_plan(admin, plan)["searchStatus"] == "ended")
    assert unexpected(chromium) == []


def test_who_may_only_look_gets_the_plan_without_its_buttons(
    open_office, chromium, admin, workshop, job
):
    plan = planned(admin, job)
    role = workshop.role(permissions=["inventory:view", "panes:view"])
    tab = open_office(workshop.worker(role=role), f"cutting/{plan['_id']}")
    wait_until(lambda: len(states(tab)) == 3)
    assert tab.count("main .main-button") == 0
    tab.click(PANES)
    wait_until(lambda: tab.count("dialog .quiet-button") == 1)
    assert unexpected(chromium) == []
