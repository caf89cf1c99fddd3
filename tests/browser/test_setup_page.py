"""The set-up of an empty workshop on the start page and in the office."""

import pytest

from browser.pages import (
    ENGLISH,
    follow,
    open_page,
    see,
    texts,
    unexpected,
)
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

STEP = ".set-up-steps li:has(strong:has-text('{}'))"
CARD = ".home .set-up"
HAS_ASKED = """
    const entries = performance.getEntriesByType("resource");
    return entries.some(({ name, responseEnd }) => name.endsWith("/api/setup") && responseEnd > 0);
"""
PRICES = "/api/pricing-settings"


@pytest.fixture
def tab(chromium, server, workshop):
    """The start page of an administrator of an empty workshop."""
    account = workshop.worker_with("admin")
    tab = open_page(chromium.profile(**ENGLISH), f"{server}/floor/", account)
    tab.wait(CARD)
    return tab


def states(tab):
    return texts(tab, ".step")


def test_steps_are_done_by_a_click_or_a_link_until_none_is_left(
    chromium, server, admin, tab, workshop
):
    assert states(tab) == [
        "The workshop itself No name or address yet",
        "Stations None yet",
        "Working hours Not set: every hour counts",
        "Prices Example prices",
        "Materials and stock None yet",
        "Label templates None yet",
        "Done: People 2 people",
        "The first customer None yet",
        "The first request None yet",
    ]
    tab.click(f"{STEP.format('The workshop itself')} a")
    tab.fill("#field-name", "Ruam Glass")
    tab.fill("#field-address", "99/1 Bangkok")
    tab.click(".form-buttons .main-button")
    see(tab, ".form-buttons [role=status]", "Saved")
    follow(tab, "")
    see(tab, ".step", "Done: The workshop itself Entered")
    tab.click("button:has-text('Add eight ready-made stations')")
    see(tab, ".step", "Done: Stations 8 stations")
    tab.click("button:has-text('Add three ready-made templates')")
    see(tab, ".step", "Done: Label templates 3 templates")
    assert len(admin.get("/api/job-types").data) == 8

    tab.click(f"{STEP.format('Working hours')} a")
    see(tab, ".week-sum", "48 hours a week")
    tab.click(".form-buttons .main-button")
    see(tab, ".form-buttons [role=status]", "Saved")
    follow(tab, "")
    see(tab, ".step", "Done: Working hours Set")

    tab.click(f"{STEP.format('Prices')} a")
    see(tab, ".price-example", "Example prices")
    tab.click(".price-example button")
    wait_until(lambda: tab.count(".price-example") == 0)
    assert admin.get(PRICES).data["isExample"] is False

    material = workshop.material()
    follow(tab, "")
    see(tab, ".step", "Done: Prices Your own prices")
    tab.click(f"{STEP.format('Materials')} a:has-text('Take stock in')")
    tab.wait("#field-material")
    lot = {"material": str(material.pk), "quantity": 1, "location": "A"}
    assert admin.post("/api/inventories", {**lot, "stockType": "Raw"}).status == 201
    customer = workshop.customer()
    follow(tab, "")
    tab.click(f"{STEP.format('The first request')} a")
    tab.wait("#field-panes")
    details = {"type": "window", "quantity": 1}
    request = {"customer": str(customer.pk), "details": details}
    assert admin.post("/api/requests", request).status == 201

    follow(tab, "office/setup")
    see(tab, ".set-up", "Every step is done.")
    assert all(state.startswith("Done: ") for state in states(tab))
    tab.goto(f"{server}/floor/")
    wait_until(lambda: tab.run(HAS_ASKED))
    assert tab.count(CARD) == 0
    assert unexpected(chromium) == []


def test_steps_are_put_away_and_come_back_from_the_menu(tab):
    tab.click(f"{CARD} button:has-text('Do not show this again')")
    wait_until(lambda: tab.count(CARD) == 0)
    follow(tab, "office")
    tab.click(".rail a[href$='/office/setup']")
    tab.click("button:has-text('Show it on the start page again')")
    see(tab, ".set-up [role=status]", "It is on the start page again.")
    follow(tab, "")
    tab.wait(CARD)


def test_refused_ready_made_stations_say_why(tab, workshop):
    workshop.station()  # meanwhile, by somebody else
    tab.click("button:has-text('Add eight ready-made stations')")
    see(tab, ".set-up-steps [role=alert]", "There are stations already")


def test_worker_without_the_right_to_set_up_sees_no_steps(chromium, server, workshop):
    account = workshop.worker_with("worker")
    tab = open_page(chromium.profile(**ENGLISH), f"{server}/floor/office", account)
    assert tab.count(".rail a[href$='/office/setup']") == 0
    follow(tab, "")
    tab.wait(".home .pages")
    assert tab.count(CARD) == 0


def test_price_of_a_request_says_that_it_is_made_with_example_prices(tab, admin):
    for is_example in (True, False):
        admin.put(PRICES, {"isExample": is_example})
        follow(tab, "office/requests/new")
        row = "#field-panes [data-row='0'][data-column='{}']"
        glass = {
            "width": "600",
            "height": "400",
            "glassType": "Clear",
            "thickness": "6",
        }
        for name, text in glass.items():
            tab.fill(row.format(name), text)
        see(tab, ".sum", "113.67 baht")
        assert tab.count(".sum a:has-text('example prices')") == int(is_example)
