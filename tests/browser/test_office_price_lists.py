"""A price list in the office, and the customers who have it; by a browser."""

import pytest

from browser.pages import (
    choose,
    follow,
    see,
    unexpected,
    value,
)
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

SAVE = ".card .form-buttons .main-button"
SAVE_RATES = ".price-save .main-button"
PRICES = {
    "glassPrices": {"Clear": {"6mm": {"pricePerSqFt": 100}}},
    "edgeRates": {},
    "holePriceEach": 50,
    "minimumArea": 0,
}


def cell(table, column, row=0):
    return f"#{table} [data-row='{row}'][data-column='{column}']"


def test_price_list_is_made_given_to_a_customer_and_counts_in_a_request(
    open_office, chromium, admin
):
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    tab = open_office(admin.worker, "price-lists")
    see(tab, ".empty", "Add a price list")
    tab.click("a.new")
    tab.fill("#field-name", "contractors")
    tab.fill("#field-percent", "-10")
    tab.click(SAVE)
    see(tab, "h1", "contractors")
    see(tab, "main", "Own rates")
    # an own rate that is half typed is no rate
    tab.click("form.prices button:has-text('Add a row')")
    tab.fill(cell("glass-prices", "type"), "Clear")
    tab.fill(cell("glass-prices", "pricePerSqFt"), "80")
    tab.click(SAVE_RATES)
    tab.wait(".grid .field-fault")
    tab.fill(cell("glass-prices", "thickness"), "6")
    tab.click(SAVE_RATES)
    see(tab, ".price-save [role=status]", "Saved")
    (made,) = admin.get("/api/price-lists").data
    assert made["glassPrices"] == {"Clear": {"6": {"pricePerSqFt": 80}}}
    assert (made["percent"], made["holePriceEach"]) == (-10, None)
    # the form above knows the version that the rates have made
    tab.fill("#field-notes", "by phone")
    tab.click(SAVE)
    wait_until(lambda: admin.get("/api/price-lists").data[0]["notes"] == "by phone")

    tab.click("a:has-text('Customers with this price list')")
    tab.click("a.new")
    tab.fill("#field-name", "Aek")
    choose(tab, "#field-priceList", "contr")
    tab.fill("#field-taxId", "0107544000109")
    tab.fill("#field-branch", "0")
    see(tab, ".fields", "Head office")
    tab.click("#field-deliveryAddresses")
    tab.fill(cell("field-deliveryAddresses", "name"), "Yard")
    tab.click(SAVE)
    see(tab, ".grid .field-fault", "A value is missing")
    tab.fill(cell("field-deliveryAddresses", "address"), "12 Rama IX Rd.")
    tab.click(SAVE)
    see(tab, "#field-taxId-fault", "last digit does not fit")
    tab.fill("#field-taxId", "0-1075-44000-10-8")
    tab.click(SAVE)
    see(tab, "h1", "Aek")
    (customer,) = admin.get("/api/customers", populate="priceList").data
    assert (customer["taxId"], customer["branch"]) == ("0107544000108", "00000")
    assert customer["priceList"]["name"] == "contractors"
    (address,) = customer["deliveryAddresses"]
    assert (address["name"], address["address"]) == ("Yard", "12 Rama IX Rd.")
    assert value(tab, cell("field-deliveryAddresses", "name")) == "Yard"

    follow(tab, "office/requests/new")
    choose(tab, "#field-customer", "Aek")
    for column, text in (("width", "1000"), ("height", "929.0304"), ("thickness", "6")):
        tab.fill(cell("field-panes", column), text)
    tab.fill(cell("field-panes", "glassType"), "Clear")
    see(tab, ".sum", "Price list contractors")
    see(tab, ".sum", "800.00 baht")  # ten square feet at the rate of the list
    admin.patch(f"/api/price-lists/{made['_id']}", {"glassPrices": {}})
    see(tab, ".sum", "900.00 baht")  # live: 10 % less than the workshop's rate
    assert unexpected(chromium) == []
