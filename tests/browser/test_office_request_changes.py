"""A change of a request in the office: previewed with its price, done once, and kept."""

import pytest

from billing_scenarios import PANE, PRICES
from browser.pages import see, texts, unexpected
from scenarios import order_with_panes
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

SAVE = ".form .main-button"
PREVIEW = ".preview"


def of_pane(column, row):
    return f'.open-panes [data-row="{row}"][data-column="{column}"]'


def of_new(column, row=0):
    return f'#field-panes [data-row="{row}"][data-column="{column}"]'


@pytest.fixture
def job(admin, workshop):
    """An order of three panes of 10 ft², agreed at 3,600 baht, work begun on the third."""
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    made = order_with_panes(admin, workshop, steps=1, panes=3, pane=PANE)
    details = {"estimatedPrice": 3600}
    admin.patch(f"/api/requests/{made.request['_id']}", {"details": details})
    admin.scan(made.numbers[2], "start", station=made.stations[0])
    return made


def test_request_is_changed_as_one_act_whose_price_was_shown_before(
    open_office, chromium, admin, job
):
    number = job.request["requestNumber"]
    tab = open_office(admin.worker, f"orders/{job.order['_id']}")
    tab.click('main a:has-text("Change")')
    tab.wait(of_pane("width", 2))
    assert texts(tab, ".open-panes .begun") == ["Begun already"]
    tab.click(of_pane("cancel", 0))
    see(tab, PREVIEW, "−1,200.00")
    tab.fill(of_pane("width", 1), "wide")
    see(tab, ".open-panes td:has([aria-invalid]) .field-fault", "number")
    see(tab, ".preview-faults", job.numbers[1])
    tab.fill(of_pane("width", 1), "1858.06")
    tab.click(f'[aria-label="Select {job.numbers[2]}"]')
    tab.fill("[name=replace-color]", "Green")
    tab.click('button:has-text("Replace the glass")')
    tab.click('button:has-text("Add panes")')
    for column, typed in (("width", "929.03"), ("height", "1000"), ("quantity", "2")):
        tab.fill(of_new(column), typed)
    for column, typed in (("glassType", "Clear"), ("thickness", "6")):
        tab.fill(of_new(column), typed)
    see(tab, f"{PREVIEW} .difference", "+1,800.00")
    assert texts(tab, f"{PREVIEW} tfoot td") == ["5,400.00 baht"]
    said = texts(tab, f"{PREVIEW} .status-line")
    assert any(job.numbers[2] in one for one in said), said
    path = f"/api/requests/{job.request['_id']}"
    assert admin.get(path).data["changes"] == []

    tab.click(SAVE)
    see(tab, ".form [role=alert]", "Reason")
    tab.fill("#field-reason", "The customer called")
    tab.click(SAVE)
    see(tab, ".request-changes [role=status]", "+1,800.00")
    see(tab, ".request-changes", "The customer called")
    see(tab, ".request-changes", "agreed afterwards: 5,400.00 baht")
    see(tab, ".agreed-lines tfoot", "5,400.00")
    kinds = texts(tab, ".change-lines p:first-child strong")
    assert sorted(kinds) == ["Added", "Cancelled", "Changed", "Changed"]
    see(tab, ".request-changes", f"Begun already: {job.numbers[2]}")
    [kept] = admin.get(path).data["changes"]
    assert (kept["before"], kept["after"]) == (3600, 5400)
    panes = admin.get("/api/panes", request=job.request["_id"]).data
    assert len(panes) == 5
    assert {one["order"] for one in panes} == {job.order["_id"]}
    tab.click('summary:has-text("History of changes")')
    tab.wait(".record-history .changes li")
    wait_until(
        lambda: "1: +1,800.00, The customer called" in tab.text(".record-history")
    )

    # a confirmation of what was changed already, which the customer gives by telephone
    tab.click('button:has-text("Order confirmation")')
    tab.fill("#ask-notes", "As you said on the telephone")
    tab.click(f"dialog[open] {SAVE}")
    see(tab, "h1", f"{number}-C1")
    assert tab.count('button:has-text("Revise")') == 0
    tab.click('button:has-text("Customer confirmed")')
    tab.click(f"dialog[open] {SAVE}")
    see(tab, "h1", number)
    see(tab, "[aria-labelledby=confirmations] .table-row", f"{number}-C1")
    assert unexpected(chromium) == []
