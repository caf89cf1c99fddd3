"""The offer of a quote on the phone of its customer, who has no login."""

import pytest

from api.test_quotes import PANE
from browser.pages import (
    CORE,
    ENGLISH,
    LIVE,
    SUBMIT,
    THAI,
    see,
    unexpected,
    value,
)
from browser.test_every_page import looks_good
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

PHONE_390 = (390, 844)
DIALOG = "dialog[open]"
STATE = ".offer .state"
#: The addresses that the page has asked for, without those of files that every page has.
LOADED = """
    return performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
"""
CHANGE_LINK = "location.hash = given;"


@pytest.fixture
def sent(admin, workshop):
    """Create a sent quote of three panes."""
    admin.put("/api/workshop", {"name": "โรงงานกระจกไทย", "nameEnglish": "Thai Glass"})

    def create(**values):
        customer = str(workshop.customer(name="บ้านใส").pk)
        panes = [{**PANE, "quantity": 3, "unitPrice": 400, "notes": "บานซ้าย"}]
        body = {"customer": customer, "panes": panes, "language": "en", **values}
        made = admin.post("/api/quotes", body)
        assert made.status == 201, made
        reply = admin.post(f"/api/quotes/{made.data['_id']}/send", {})
        assert reply.status == 200, reply
        return reply.data

    return create


def link_to(api, quote):
    return api.post(f"/api/quotes/{quote['_id']}/link").data["url"]


def test_customer_accepts_by_the_link_that_the_office_has_made(
    open_office, chromium, admin, sent
):
    offered = sent(conditions="มัดจำ 50%")
    office = open_office(admin.worker, f"quotes/{offered['_id']}")
    office.click('button:has-text("Link for the customer")')
    office.click(f'{DIALOG} button:has-text("Make the link")')
    office.wait("#link")
    see(office, DIALOG, "shown only now")
    see(office, DIALOG, "Customers cannot open 127.0.0.1")
    address = value(office, "#link")
    office.click(f"{DIALOG} header button")
    see(office, ".facts-card", "Link works until")

    phone = chromium.second_profile(**THAI).tab(address)
    phone.size(*PHONE_390)
    see(phone, ".offer h1", f"Quote {offered['quoteNumber']}")  # its own language
    see(phone, ".offer header", "Thai Glass")
    see(phone, ".offer tbody", "บานซ้าย")
    see(phone, ".offer tbody", "400.00")
    see(phone, ".offer .totals", "1,284.00")
    see(phone, ".offer", "มัดจำ 50%")
    phone.click(".offer .quiet-button")
    wait_until(lambda: any("/pdf" in one for one in phone.run(LOADED, None)))
    phone.click(SUBMIT)
    see(phone, ".name-fault", "Please enter your name")
    phone.fill("#name", "สมศรี ใจดี")
    phone.fill("#referenceId", "PO-7")
    phone.fill("#note", "โทรก่อนส่ง")
    phone.click(SUBMIT)
    see(phone, STATE, "Accepted, thank you")
    assert phone.count("form") == 0

    see(office, ".facts-card", "สมศรี ใจดี, with the link")
    (request,) = admin.get("/api/requests").data
    assert (request["referenceId"], request["notes"]) == ("PO-7", "โทรก่อนส่ง")
    phone.reload()
    see(phone, STATE, "Accepted on")
    assert phone.run("return localStorage.getItem('glassflow.lang')", None) is None
    assert unexpected(chromium) == []


def test_page_of_a_customer_loads_nothing_of_the_office_and_hears_nothing(
    open_office, chromium, admin, sent
):
    """Not in a browser that is logged in, either."""
    open_office(admin.worker)
    phone = chromium.tab(link_to(admin, sent()))
    phone.wait(".offer form")
    loaded = phone.run(LOADED, None)
    own = [one for one in loaded if "/static/" not in one]
    assert [one.rpartition("/")[0] for one in own] == ["/api/offers"], own
    parts = ("office", "shared", "fields", "offline", "outbox")
    assert [one for one in loaded if any(part in one for part in parts)] == []
    assert phone.count(LIVE) == 0


def test_offer_is_accessible_and_fits_in_each_of_its_states(
    chromium, server, admin, sent, clock_at
):
    revised, refused = sent(), sent()
    quotes = {"superseded": revised, "rejected": refused, "sent": sent()}
    links = {name: link_to(admin, quote) for name, quote in quotes.items()}
    admin.post(f"/api/quotes/{revised['_id']}/revise", {})
    admin.post(f"/api/quotes/{refused['_id']}/reject", {})
    tab = chromium.profile(**ENGLISH).tab(f"{server}/floor/offer")
    for name, address in links.items():
        tab.run(CHANGE_LINK, address.partition("#")[2])
        wait = "form" if name == "sent" else f'[data-status="{name}"]'
        tab.wait(f".offer {wait}")
        looks_good(tab, name)
    tab.run("await (await import(given)).changeLanguage('en')", f"{CORE}/i18n.js")
    clock_at(40 * 86_400)
    tab.fill("#name", "Somsri")
    tab.click(SUBMIT)
    see(tab, STATE, "has expired")
    looks_good(tab, "expired")
    tab.run(CHANGE_LINK, f"{'0' * 24}.x")
    tab.wait(".offer .gone")
    chromium.call("offline", True)
    tab.run(CHANGE_LINK, f"{'0' * 24}.y")
    tab.wait(".offer .failed")
    looks_good(tab, "away")
    chromium.call("offline", False)
    tab.click(".offer .failed button")
    tab.wait(".offer .gone")
    assert all("409" in one for one in unexpected(chromium))
