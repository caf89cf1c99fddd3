"""A quote by e-mail in the office: its dialog, and what came of it, live."""

import pytest

from browser.pages import see, texts, unexpected, value
from mailed_quotes import mail_of, mailer, make_due, policy, sent_quote
from smtp_server import SmtpServer
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

BUTTON = ".quiet-button:has-text('E-mail')"
REMARK = ".mail-remark"
LINK = "#ask-message-hint"
FACTS = ".facts-card"


def test_quote_is_mailed_and_the_page_follows(
    open_office, chromium, admin, workshop, set_policy, setting, tmp_path
):
    server = SmtpServer(tmp_path)
    set_policy(mail=policy(server.url()))
    setting(PUBLIC_URL="https://glass.example")
    quote = sent_quote(admin, workshop, language="en")
    tab = open_office(admin.worker, f"quotes/{quote['_id']}")
    tab.click(BUTTON)
    tab.wait("#ask-to")
    assert value(tab, "#ask-to") == "ann@customer.example"
    assert quote["quoteNumber"] in value(tab, "#ask-subject")
    see(tab, LINK, "can accept it: https://glass.example/floor/offer#…")
    tab.fill("#ask-to", "nobody")
    tab.click("dialog .main-button")
    see(tab, ".field-fault", "Not an e-mail address")
    tab.fill("#ask-to", "ANN@customer.example, bo@customer.example; cy@d.example")
    others = "Not an address of this customer: bo@customer.example, cy@d.example"
    see(tab, REMARK, others)
    tab.fill("#ask-to", "ANN@customer.example, bo@customer")  # not complete
    wait_until(lambda: texts(tab, REMARK) == [""])
    tab.fill("#ask-to", "ann@customer.example, bo@customer.example")
    tab.click("dialog .main-button")
    # the mailer of the application may look before this one, and before the page shows more
    see(tab, FACTS, "E-mail to")
    mailer().look()
    see(tab, FACTS, "it is tried again at")
    server.start()
    try:
        make_due(quote)
        mailer().look()
        see(tab, FACTS, "ann@customer.example, bo@customer.example")
        see(tab, f"{FACTS} dd", "Sent ")
    finally:
        server.kill()
    assert mail_of(admin, quote)["sentAt"]
    assert len(server.messages()) == 1
    see(tab, f"{FACTS} dd", "https://glass.example")
    # to a worker who sees no customers, where customers cannot open the service
    setting(PUBLIC_URL="")
    role = workshop.role(permissions=["pricing:view", "requests:manage"])
    tab = open_office(workshop.worker(role=role), f"quotes/{quote['_id']}")
    tab.click(BUTTON)
    see(tab, "#ask-to-hint", "They cannot be compared with those of the customer")
    see(
        tab,
        LINK,
        "no link by which the customer accepts the quote. · Customers cannot open",
    )
    tab.fill("#ask-to", "bo@customer.example")
    assert texts(tab, REMARK) == [""]
    assert all("400" in one for one in unexpected(chromium))


def test_service_without_e_mail_has_no_button(open_office, admin, workshop):
    quote = sent_quote(admin, workshop)
    tab = open_office(admin.worker, f"quotes/{quote['_id']}")
    see(tab, ".quiet-button", "Revise")
    see(tab, FACTS, "Sent")
    assert "E-mail" not in texts(tab, ".quiet-button")
