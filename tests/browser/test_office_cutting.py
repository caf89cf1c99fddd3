"""The page of what waits for cutting: from its first station to a pane that is taken in."""

from datetime import timedelta

import pytest
from bson import ObjectId

from browser.pages import follow, see, texts, unexpected
from glassflow.core.process import clock
from glassflow.core.process.json import iso
from glassflow.models.material import Material
from scenarios import order_with_panes
from stock_api import create_lot
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

PANE = {"dimensions": {"width": 1000, "height": 2000}}
SAVE = ".form-buttons .main-button"
NAMES = ".cutting-table tbody th > a:first-child"


def figures(tab, name):
    """The figures of a material, as its row has them."""
    row = f"tbody tr:has(th:has-text('{name}')) td"
    return texts(tab, row)


@pytest.fixture
def job(admin, workshop):
    """Three panes of Clear, the first without a size; the stations are not marked."""
    job = order_with_panes(admin, workshop, panes=3, pane=PANE)
    admin.patch(f"/api/materials/{job.material}", {"name": "Clear 6 mm"})
    unsized = {"dimensions": {"width": 0, "height": 0}}
    assert admin.patch(f"/api/panes/{job.panes[0]['_id']}", unsized).status == 200
    return job


def test_panes_that_wait_for_cutting_are_shown_by_material_until_they_are_taken_in(
    open_office, chromium, admin, workshop, job
):
    tab = open_office(admin.worker, "cutting")
    see(tab, ".empty", "No cutting station is marked")
    tab.click(".empty a")
    see(tab, "h1", "Stations")
    follow(tab, f"office/stations/{job.stations[0]}")
    tab.wait("#field-isCuttingStation")
    tab.click("#field-isCuttingStation")
    tab.click(SAVE)
    see(tab, "[role=status]", "Saved")

    tab.click('.rail a[href$="/cutting"]')
    see(tab, NAMES, "Clear 6 mm")
    no_stock = ["3", "4 m²", "no deadline", "No sheet in stock", "–"]
    assert figures(tab, "Clear 6 mm") == no_stock
    see(tab, ".unplanned", "1 pane: no size yet")
    assert texts(tab, ".unplanned a") == [job.numbers[0]]
    see(tab, "tbody th", "No sheet size yet")

    create_lot(admin, job.material, 12)
    size = {"dimensions": {"width": 1000, "height": 1500}}
    create_lot(admin, job.material, 1, stockType="Reuse", **size)
    sizes = {"sheetSizes": [{"width": 3210, "height": 2250}]}
    assert admin.patch(f"/api/materials/{job.material}", sizes).status == 200
    late = {"deadline": iso(clock.now() - timedelta(days=2, hours=6))}
    late["deadlineChangeReason"] = "as agreed"
    request = f"/api/requests/{job.request['_id']}"
    assert admin.patch(request, late).status == 200
    see(tab, "td.sheets", "12 sheet")  # live
    see(tab, 'td.due .deadline[data-kind="late"]', "2 days late")
    see(tab, "td.due small", "3 panes late")
    see(tab, "td.remnants", "1 · 1.5 m²")
    wait_until(lambda: tab.count(".lacks") == 0)

    admin.scan(job.numbers[2], "scan_in", station=job.stations[0])
    see(tab, "td.panes", "2")
    tab.click(".unplanned a")
    see(tab, "h1", job.numbers[0])
    tab.click(".back")
    see(tab, "h1", "Cutting")
    for number in job.numbers[:2]:
        admin.scan(number, "scan_in", station=job.stations[0])
    see(tab, ".empty", "Nothing waits for cutting")
    assert unexpected(chromium) == []


def test_panes_without_a_material_come_last_and_who_may_not_see_panes_is_told(
    open_office, chromium, admin, workshop, job
):
    bare = order_with_panes(admin, workshop, panes=1, pane=PANE)
    for station in (*job.stations[:1], *bare.stations[:1]):
        marked = {"isCuttingStation": True}
        assert admin.patch(f"/api/stations/{station}", marked).status == 200
    # as an earlier release deleted it
    Material.collection().delete_one({"_id": ObjectId(bare.material)})
    tab = open_office(admin.worker, "cutting")
    see(tab, NAMES, "Clear 6 mm")
    heads = ["Waiting for cutting", "Panes without a material", "Cutting plans"]
    assert texts(tab, ".card h2") == heads
    see(tab, ".card", "1 pane, 2 m². Open each one and give it a material.")
    assert texts(tab, "#no-material ~ ul a") == bare.numbers
    pane = f"/api/panes/{bare.panes[0]['_id']}"
    assert admin.patch(pane, {"material": job.material}).status == 200
    see(tab, "td.panes", "4")
    assert texts(tab, ".card h2") == [heads[0], heads[2]]

    role = workshop.role(permissions=["inventory:view"])
    keeper = open_office(workshop.worker(role=role), "cutting")
    see(keeper, ".fault", "Your role may not see this")
    keeper.click("a[href$='cutting-rules']")
    see(keeper, "h1", "Rules of cutting")
    assert unexpected(chromium) == []
