"""The overview of the office, in a browser: what is to be done, and what was; live."""

from datetime import timedelta

import pytest

from browser.pages import (
    follow,
    see,
    unexpected,
)
from glassflow import runtime
from glassflow.core.process import clock
from glassflow.core.process.json import iso
from glassflow.domain import calendar
from lookups import order_of
from scenarios import (
    claim_pane,
    order_with_panes,
    order_with_units,
)
from stock_api import create_lot, withdraw
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ROWS = ":is(.table-row, .holding)"
#: The addresses of lists that the figures, the stations and the requests lead to, and the
#: numbers beside them.
FIGURES = """
    const counted = [...document.querySelectorAll(".figures li:has(a[href]), .station-table tbody tr")];
    const all = document.querySelector(".card-head > a");
    return [...counted.map((one) => [one.querySelector("a"), one.querySelector("b")]), [all, all]].map(
      ([link, shown]) => [link.getAttribute("href"), Number(shown.textContent.replace(/[^0-9]/g, ""))]);
"""


def figures(tab):
    return [" ".join(text.split()) for text in tab.texts(".figures li")]


def test_office_opens_on_the_overview_which_follows_the_workshop(
    open_office, chromium, admin, workshop
):
    tab = open_office(workshop.worker_with("manager"))
    tab.wait(".chart canvas")
    assert "0 open orders" in figures(tab)
    assert tab.count('.to-do [data-kind="done"]') == tab.count(".to-do li") == 5
    see(tab, "main", "There are no new requests since yesterday")
    assert tab.attribute(".rail [aria-current]", "href").endswith("/dashboard")
    job = order_with_panes(admin, workshop, panes=3)
    wait_until(
        lambda: {"1 open orders", "3 open panes"} <= set(figures(tab)),
        describe=lambda: figures(tab),
    )
    tab.click(".chart-table summary")
    # of this day, or of the one before where this one has just begun
    last = ".chart-table tbody tr:nth-last-child(-n+2) td:first-of-type"
    wait_until(lambda: "3" in tab.texts(last))
    tab.click('.tabs a:has-text("30 days")')
    wait_until(lambda: tab.count(".chart-table tbody tr") == 30)
    number = job.request["requestNumber"]
    see(tab, ".arrived li", number)
    tab.click(".arrived a")
    see(tab, "h1", number)
    assert unexpected(chromium) == []


def test_who_sees_no_requests_gets_the_overview_and_the_orders_without_deadlines(
    open_office, chromium, admin, workshop
):
    number = order_with_panes(admin, workshop).order["orderNumber"]
    role = workshop.role(permissions=["orders:view"])
    tab = open_office(workshop.worker(role=role), "dashboard")
    tab.wait(".figures li")
    assert figures(tab) == ["1 open orders", "1 open panes"]
    assert tab.attribute('.figures li:has-text("open panes") a', "href") is None
    assert tab.count(".to-do") == tab.count(".arrived") == 0
    assert tab.count(".chart-table thead th") == 3  # when, new panes, finished ones
    tab.click('.rail a[href$="orders"]')
    see(tab, ".orders .table-row", number)
    see(tab, ".orders .table-row", "Waiting")
    assert tab.texts(".tabs a") == ["All\n1"]
    assert tab.count(".fault") == 0
    assert tab.count("#filter-request") == 0
    tab.click(".orders .table-row")
    tab.wait(".summary-done")
    assert tab.count(".summary-due") == 0  # rather than "no deadline"
    assert unexpected(chromium) == []


def test_each_figure_of_the_overview_is_the_number_of_rows_of_its_list(
    open_office, chromium, admin, worker, workshop
):
    zone = runtime.current().policy.timezone
    today = calendar.day_start(clock.now(), zone, 1) - timedelta(milliseconds=1)
    job = order_with_panes(admin, workshop, panes=3)
    units = order_with_units(admin, workshop, count=2)  # two of two sheets: six panes
    for one, due in ((job, "2020-01-01T00:00:00Z"), (units, iso(today))):
        moved = {
            "deadline": due,
            "deadlineChangeReason": "test",
            "details": {"type": "window", "quantity": 3, "estimatedPrice": 1000.4},
        }
        assert admin.patch(f"/api/requests/{one.request['_id']}", moved).status == 200
    worker.scan(job.numbers[0], "scan_in")
    for action in ("scan_in", "complete"):
        worker.scan(job.numbers[1], action)
    assert worker.scan(job.numbers[1], "qc_fail", reason="broken").status == 200
    claim_pane(worker, job.numbers[2])
    lot = create_lot(admin, job.material, 5)
    assert withdraw(admin, lot, 2).status == 201
    admin.post("/api/materials", {"name": "a", "unit": "kg", "reorderPoint": 1})

    tab = open_office(workshop.worker_with("admin"), "dashboard")
    tab.wait(".station-table b")
    assert tab.count('.to-do [data-kind="done"]') == 0
    # in work, the remake of the failed one, two units and their four sheets
    assert "8 open panes" in figures(tab)
    assert "2,001 baht in open orders" in figures(tab)
    for section in ("orders", "claims"):
        see(tab, f'.rail a[href$="/{section}"] b', "1")
    row = f'.station-table tr:has(a[href$="{job.stations[0]}"]) td'
    arrived, left, passed, failed = tab.texts(row)[1:]  # three and the remake
    assert (arrived, left, passed, failed) == ("4", "0", "0", "1")
    shown = tab.run(FIGURES, None)
    assert len(shown) == 5 + 2 + 2 + 3 + 1
    assert "1 orders due today" in figures(tab)
    for href, count in shown:
        follow(tab, href.removeprefix("/floor/"))
        tab.wait(ROWS if count else ".empty")
        wait_until(
            lambda count=count: tab.count(ROWS) == count,
            describe=lambda href=href: f"{href} has {tab.count(ROWS)}",
        )

    number = units.order["orderNumber"]
    follow(tab, f"office/orders/{units.order['_id']}")
    see(tab, "h1", number)
    assert order_of(admin, units.order)["paneCount"] == 2
    see(tab, ".legend", "4")
    see(tab, ".summary-now", "each sheet of a laminated pane is a piece of its own")
    follow(tab, f"office/orders/{job.order['_id']}")
    see(tab, "h1", job.order["orderNumber"])
    assert "each sheet" not in tab.text(".summary-now")
    assert unexpected(chromium) == []
