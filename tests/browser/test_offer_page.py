"""The offer of a quote on the phone of its customer, who has no login."""

import pytest

from api.test_quotes import PANE
from browser.pages import (
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
QUERIES = """
    return performance.getEntriesByType("resource").map(({ name }) => new URL(name).search);
"""
#: Whether what came of an answer has the focus, and can be seen without scrolling.
IS_SEEN = """
    const state = document.querySelector(".offer .state");
    const { top, bottom } = state.getBoundingClientRect();
    return document.activeElement === state && top >= 0 && bottom <= innerHeight;
"""
CHANGE_LINK = "location.hash = given;"


@pytest.fixture
def sent(admin, workshop):
    """Create a sent quote of three panes."""
    admin.put("/api/workshop", {"name": "โรงงานกระจกไทย", "nameEnglish": "Thai Glass"})

    def create(**values):
        customer = str(workshop.customer(name="บ้านใส").pk)
        hole = {"id": "h1", "x": 100, "y": 100, "diameter": 20}
        pane = {**PANE, "quantity": 3, "unitPrice": 400, "notes": "บานซ้าย"}
        panes = [{**pane, "holes": [hole]}]
        body = {"customer": customer, "panes": panes, "language": "en", **values}
        made = admin.post("/api/quotes", body)
        assert made.status == 201, made
        reply = admin.post(f"/api/quotes/{made.data['_id']}/send", {})
        assert reply.status == 200, reply
        return reply.data

    return create


def link_to(api, quote):
    return api.post(f"/api/quotes/{quote['_id']}/link").data["url"]


def test_customer_asks_for_a_change_and_accepts_by_the_link_that_the_office_has_made(
    open_office, chromium, admin, sent
):
    offered = sent(conditions="มัดจำ 50%")
    office = open_office(admin.worker, f"quotes/{offered['_id']}")
    see(office, ".quote-lines", "holes: 1")
    see(office, "button", "PDF in Thai")
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
    phone.click('.offer form button:has-text("I would like a change")')
    phone.click(SUBMIT)
    see(phone, "#name-fault", "Please enter your name")
    phone.fill("#name", "สมศรี ใจดี")
    phone.click(SUBMIT)
    see(phone, "#text-fault", "what you would like changed")
    phone.fill("#text", "กว้างขึ้น 20 มม.")
    phone.click(SUBMIT)
    see(phone, STATE, "Sent to the workshop")
    assert phone.run(IS_SEEN, None)
    see(phone, ".offer", "กว้างขึ้น 20 มม.")
    see(office, ".note-text", "กว้างขึ้น 20 มม.")
    phone.click(f"{STATE} button")
    phone.fill("#name", "สมศรี ใจดี")
    phone.fill("#referenceId", "PO-7")
    phone.fill("#text", "โทรก่อนส่ง")
    phone.click(SUBMIT)
    see(phone, STATE, "Accepted, thank you")
    assert phone.run(IS_SEEN, None)
    assert phone.count("form") == 0

    see(office, ".facts-card", "สมศรี ใจดี, with the link")
    (request,) = admin.get("/api/requests").data
    assert (request["referenceId"], request["notes"]) == ("PO-7", "โทรก่อนส่ง")
    phone.reload()
    see(phone, STATE, "Accepted on")
    assert phone.run("return localStorage.getItem('glassflow.lang')", None) is None
    assert unexpected(chromium) == []


def test_page_of_a_customer_loads_nothing_of_the_office_and_follows_its_language(
    open_office, chromium, admin, sent
):
    """Not in a browser that is logged in, either."""
    open_office(admin.worker)
    phone = chromium.tab(link_to(admin, sent()))
    phone.wait(".offer form")
    loaded = phone.run(LOADED, None)
    own = [one for one in loaded if "/static/" not in one]
    assert [one.rpartition("/")[0] for one in own] == ["/api/offers"], own
    parts = ("office", "texts/shared", "fields", "offline", "outbox", "scanning")
    assert [one for one in loaded if any(part in one for part in parts)] == []
    assert phone.count(LIVE) == 0

    see(phone, ".offer tbody", "holes: 1")
    phone.fill("#name", "Somsri")
    phone.click('.choices button[lang="th"]')
    see(phone, ".offer tbody", "เจาะรู 1 รู")
    see(phone, ".offer header", "โรงงานกระจกไทย")
    see(phone, SUBMIT, "ยืนยันสั่งซื้อ")
    assert value(phone, "#name") == "Somsri"
    phone.click(".offer main > div .quiet-button")
    wait_until(lambda: phone.run(QUERIES, None).count("?language=th") == 2)


def test_offer_is_accessible_and_fits_in_each_of_its_states(
    chromium, server, admin, sent, clock_at
):
    revised, refused, open_one = sent(), sent(), sent()
    quotes = {"superseded": revised, "rejected": refused, "sent": sent()}
    links = {name: link_to(admin, quote) for name, quote in quotes.items()}
    revision = admin.post(f"/api/quotes/{revised['_id']}/revise", {}).data
    assert admin.post(f"/api/quotes/{revision['_id']}/send", {}).status == 200
    admin.post(f"/api/quotes/{refused['_id']}/reject", {})
    tab = chromium.profile(**ENGLISH).tab(f"{server}/floor/offer")
    for name, address in links.items():
        tab.run(CHANGE_LINK, address.partition("#")[2])
        wait = "form" if name == "sent" else f'[data-status="{name}"]'
        tab.wait(f".offer {wait}")
        looks_good(tab, name)
    last = tab.run("return location.hash;", None)
    tab.run(CHANGE_LINK, link_to(admin, open_one).partition("#")[2])
    see(tab, ".offer h1", open_one["quoteNumber"])
    tab.click('.offer form button:has-text("No, thank you")')
    tab.fill("#name", "Somsri")
    tab.click(SUBMIT)
    see(tab, STATE, "Declined, thank you")
    assert tab.run(IS_SEEN, None)
    looks_good(tab, "declined")
    tab.run(CHANGE_LINK, last)
    see(tab, ".offer h1", quotes["sent"]["quoteNumber"])
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
