"""The overview of the office, in a browser: figures and charts, live."""

import pytest

from browser.floor_pages import see, unexpected
from scenarios import order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def figures(tab):
    return [" ".join(text.split()) for text in tab.texts(".figures li")]


def test_overview_shows_what_waits_and_follows_the_workshop(
    open_office, chromium, admin, workshop
):
    tab = open_office(workshop.worker_with("manager"), "dashboard?range=1d")
    tab.wait(".chart canvas")
    assert "0 open orders" in figures(tab)
    assert tab.axe() == []
    order_with_panes(admin, workshop, panes=3)
    wait_until(
        lambda: {"1 open orders", "3 panes in work"} <= set(figures(tab)),
        describe=lambda: figures(tab),
    )
    tab.click(".chart-table summary")
    # of this hour, or of the one before where this one has just begun
    last = ".chart-table tbody tr:nth-last-child(-n+2) td:first-of-type"
    wait_until(lambda: "3" in tab.texts(last))
    tab.click('.tabs a:has-text("30 days")')
    wait_until(lambda: tab.count(".chart-table tbody tr") == 30)
    tab.click('.figures a:has-text("open orders")')
    wait_until(lambda: "due=open" in tab.address())
    tab.wait(".orders .table-row")
    assert unexpected(chromium) == []


def test_who_sees_no_requests_gets_the_overview_and_the_orders_without_deadlines(
    open_office, chromium, admin, workshop
):
    number = order_with_panes(admin, workshop).order["orderNumber"]
    role = workshop.role(permissions=["orders:view"])
    tab = open_office(workshop.worker(role=role), "dashboard")
    tab.wait(".figures li")
    assert figures(tab) == ["1 open orders", "1 panes in work"]
    assert tab.count("#low") == 0
    assert tab.count(".chart-table thead th") == 3  # when, new panes, finished ones
    tab.click('.rail a[href$="orders"]')
    see(tab, ".orders .table-row", number)
    see(tab, ".orders .table-row", "Waiting")
    assert tab.texts(".tabs a") == ["All"]
    assert tab.count(".fault") == 0
    assert tab.count("#filter-request") == 0
    tab.click(".orders .table-row")
    tab.wait(".summary-done")
    assert tab.count(".summary-due") == 0  # rather than "no deadline"
    assert unexpected(chromium) == []
