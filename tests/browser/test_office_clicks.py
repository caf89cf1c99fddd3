"""How many clicks the most frequent tasks take, from the Office page; docs/office.md has the figures.

Clicks are of a mouse or a finger; a held button is one. Typing is none, nor are the keys
that the pages name: Tab and Enter in the grid, Ctrl K. A choice from a list of the browser
is two: one opens it.
"""

import pytest

from browser.pages import (
    ENGLISH,
    follow,
    see,
    unexpected,
    value,
)
from browser.station_steps import FAILED, open_station, says, scan
from scenarios import order_with_panes
from stock_api import create_lot
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

SAVE = ".form .main-button"
DIALOG = "dialog[open]"
ADD_ROW = ".pane-rows .grid > button"
GLASS = (("Clear", "6"), ("Green", "8"), ("Euro Grey", "10"))


class Hand:
    """A person at a page: each click is counted, and what is typed goes to the focus."""

    def __init__(self, tab):
        self.tab, self.clicks = tab, 0

    def click(self, selector):
        self.clicks += 1
        self.tab.click(selector)

    def tap(self, selector):
        self.clicks += 1
        self.tab.wait(selector)
        self.tab.tap(selector)

    def hold(self, selector):
        self.clicks += 1
        self.tab.hold(selector, 900)

    def select(self, selector, value):
        """Choose from a list of the browser: one click opens it, another one chooses."""
        self.clicks += 2
        self.tab.select(selector, value)
        self.tab.run("document.querySelector(given).focus();", selector)

    def type(self, *texts):
        """Type into the field with the focus, and after Tab into those that follow."""
        for place, text in enumerate(texts):
            if place:
                self.tab.press("Tab")
            self.tab.type(text)

    def find(self, field, text):
        """Type into a field with the focus that searches, and take what it finds."""
        self.is_at(field)
        self.tab.type(text)
        see(self.tab, f"{field} ~ .found [role=option]", text)
        self.tab.press("Enter")
        wait_until(lambda: self.tab.attribute(field, "aria-expanded") == "false")

    def is_at(self, selector):
        """Wait until the page has moved the focus there."""
        self.tab.wait(f"{selector}:focus")


@pytest.fixture
def workshop_set_up(admin, workshop):
    """The ready-made stations and labels, three kinds of glass in stock, a customer."""
    for what in ("stations", "labels"):
        assert admin.post(f"/api/setup/{what}", {}).status == 200
    for kind, thickness in GLASS:
        spec = {"glassType": kind, "thickness": f"{thickness} mm"}
        name = f"{kind} {thickness} mm"
        material = workshop.material(name=name, unit="sheets", spec_details=spec)
        create_lot(admin, material, 20)
    workshop.customer(name="บ้านสวน")


def cell(column, row):
    return f'#field-panes [data-row="{row}"][data-column="{column}"]'


def add_cut(hand, button, grid, *sizes):
    """Add the first hole or notch to the chosen row."""
    hand.click(f"button:has-text('{button}')")
    hand.is_at(f"{grid} [data-row='0'][data-column='x']")
    hand.type(*sizes)


def take_in_request(hand):
    """12 panes of three kinds of glass, with holes, a notch and a lamination."""
    hand.click(".rail a[href$='/office/requests']")
    hand.click("main a.new[href$='/requests/new']")
    hand.find("#field-customer", "บ้านสวน")
    hand.click(cell("width", 0))
    hand.type("600", "400", "6")
    hand.select(cell("jobType", 0), "TEMPERED")
    hand.tab.press("Tab")
    hand.type("Clear", "6")
    add_cut(hand, "Add a hole", "#holes-grid", "50", "50", "12")
    hand.tab.press("Enter")  # the next hole
    hand.is_at("#holes-grid [data-row='1'][data-column='x']")
    hand.type("550", "50", "12")
    hand.click(ADD_ROW)
    hand.is_at(cell("width", 1))
    hand.type("900", "1200", "4")
    for _ in range(2):  # the job type is that of the row before
        hand.tab.press("Tab")
    hand.type("Green", "8")
    add_cut(hand, "Add a notch", "#notches-grid", "0", "0", "40", "40")
    hand.click(ADD_ROW)
    hand.is_at(cell("width", 2))
    hand.type("1000", "2000", "2")
    hand.select(cell("jobType", 2), "LAM2")
    hand.tab.press("Tab")
    hand.type("Euro Grey", "10")
    hand.click(SAVE)
    see(hand.tab, "h1", "REQ-")


def test_tasks_of_the_office_take_the_clicks_that_the_guide_counts(
    open_office, chromium, admin, workshop_set_up
):
    tab = open_office(admin.worker)
    tab.wait(".to-do")
    hand = Hand(tab)
    take_in_request(hand)
    assert hand.clicks == 12
    (request,) = admin.get("/api/requests").data
    assert request["details"]["quantity"] == 12
    found = admin.get("/api/panes", request=request["_id"], limit=100).data
    panes = [one for one in found if one["laminateRole"] != "sheet"]
    assert sum(len(one["holes"]) for one in panes) == 12
    assert sum(len(one["notches"]) for one in panes) == 4
    assert [one["laminateRole"] for one in panes].count("parent") == 2

    tab.click(".rail a[href$='/office/dashboard']")
    hand = Hand(tab)
    tab.stubPrint()
    hand.click(".arrived a")
    hand.click("button:has-text('Make the order')")
    wait_until(lambda: value(tab, "#order-paneMaterials") == "Clear 6 mm")
    hand.click(f"{DIALOG} button[name=labels]")
    tab.wait(".asks")
    wait_until(lambda: tab.prints() == 1)
    hand.click(".asks .yes")
    see(tab, ".outcome", "14 labels printed")
    assert hand.clicks == 4
    (order,) = admin.get("/api/orders").data
    assert tab.address().endswith(f"/floor/labels?order={order['_id']}")
    tab.reload()
    tab.wait(".paper img")
    assert tab.count(".asks") == 0  # it is not printed again

    follow(tab, "office")
    tab.wait(".to-do")
    hand = Hand(tab)
    tab.press("Control+k")  # as the page says
    tab.wait(f"{DIALOG} input:focus")
    hand.type(panes[0]["paneNumber"])
    tab.press("Enter")
    see(tab, "h1", panes[0]["paneNumber"])
    assert hand.clicks == 0

    follow(tab, "office")
    hand = Hand(tab)
    hand.click(".rail a[href$='/office/stock']")
    from_office = hand.clicks
    hand.click(".holding:has-text('Green') a:has-text('Withdraw')")
    hand.is_at("#field-quantity")
    hand.type("2")
    hand.click("#field-order")
    hand.find("#field-order", order["orderNumber"])
    see(tab, ".preview", "18 sheets will be left")
    hand.click(SAVE)
    hand.click(".decide button:has-text('Approve')")
    hand.click(f"{DIALOG} .main-button")
    see(tab, "#facts", "Approved")
    assert (hand.clicks, hand.clicks - from_office) == (6, 5)
    assert unexpected(chromium) == []


def test_failed_check_takes_five_taps(chromium, server, admin, workshop):
    job = order_with_panes(admin, workshop, panes=1)
    (number,), station = job.numbers, job.stations[0]
    for action in ("scan_in", "complete"):
        admin.scan(number, action, station=station)
    account = workshop.worker_with("worker")
    address = f"/floor/s/{station}"
    tab = open_station(chromium, server, account, address, **ENGLISH, hasTouch=True)
    tab.wait(".queue li")
    hand = Hand(tab)
    scan(tab, f"STDPLUS:{number}")
    hand.tap(".fail")
    hand.tap('.tiles button:has-text("Scratch")')
    hand.tap(".steps .main-button")  # without a photo
    hand.tap(".steps .main-button")  # without a note
    hand.hold(".fail-button")
    says(tab, FAILED, "Recorded as failed", "Made again as")
    assert hand.clicks == 5
    assert unexpected(chromium) == []
