"""Asking for a quote to be sent by e-mail."""

from datetime import timedelta
from functools import partial

import pytest
from bson import ObjectId

from clients import Api
from concurrency import run_concurrently, successes
from factories import PASSWORD
from glassflow import runtime
from glassflow.domain.calendar import in_zone
from glassflow.domain.mail import MAX_ASKED
from glassflow.models.customer import Customer
from glassflow.models.quote import Quote
from mailed_quotes import PATH, SENDER, ask, mail_of, policy, sent_quote

URL = "smtp://127.0.0.1:1"


@pytest.fixture(autouse=True)
def _mail(set_policy):
    set_policy(mail=policy(URL))


def fields(reply):
    assert reply.status == 400, reply.body
    return [one["field"] for one in reply.body["errors"]]


def warned(reply):
    """The recipients that the warnings of a success name, by field."""
    assert reply.status == 200, reply.body
    begin = "Not an address of this customer: "
    about_links = "Customers cannot open 127.0.0.1"
    messages = [
        (one["field"], one["message"]) for one in reply.body.get("warnings", ())
    ]
    found = {field: one for field, one in messages if not one.startswith(about_links)}
    assert all(message.startswith(begin) for message in found.values())
    return {field: message.removeprefix(begin) for field, message in found.items()}


def test_mail_is_worded_in_the_language_of_the_quote(admin, workshop):
    admin.put("/api/workshop", {"name": "โรงกระจก", "nameEnglish": "The Glassworks"})
    thai = sent_quote(admin, workshop, validUntil="2033-02-01")
    shown = admin.get(f"{PATH}/{thai['_id']}/mail").data
    number = thai["quoteNumber"]
    assert shown["isOn"] is True
    assert shown["to"] == ["ann@customer.example"]
    assert shown["subject"] == f"ใบเสนอราคา {number} จาก โรงกระจก"
    assert "1 กุมภาพันธ์ 2576" in shown["message"]
    english = sent_quote(admin, workshop, language="en", validUntil="2033-02-01")
    shown = admin.get(f"{PATH}/{english['_id']}/mail").data
    assert shown["subject"] == f"Quote {english['quoteNumber']} from The Glassworks"
    assert "valid until 1 February 2033." in shown["message"]


def test_asked_mail_is_stored_with_what_the_caller_words(admin, workshop):
    quote = sent_quote(admin, workshop)
    subject = "กระจก =? 100"
    asked = ask(admin, quote, to=["a@b.example", "c@d.example"], subject=subject)
    assert asked.status == 200, asked.body
    mail = asked.data["mail"]
    assert mail["to"] == ["a@b.example", "c@d.example"]
    assert mail["subject"] == subject
    assert quote["quoteNumber"] in mail["message"]
    assert mail["nextAttemptAt"] == mail["askedAt"]
    assert (mail["attempts"], mail["sentAt"], mail["error"]) == (0, None, "")
    assert mail["linkTo"] == ""
    again = ask(admin, quote)
    assert again.data["mail"]["to"] == ["ann@customer.example"]
    assert mail_of(admin, quote) == again.data["mail"]
    history = admin.get(f"{PATH}/{quote['_id']}/history").data
    assert history[0]["by"] is not None


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"to": []}, "to"),
        ({"to": [f"a{n}@b.example" for n in range(6)]}, "to"),
        ({"to": ["a@b.example, c@d.example"]}, "to.0"),
        ({"to": ["a@b.example", "nobody"]}, "to.1"),
        ({"to": ["a@b.example\r\nBcc: c@d.example"]}, "to.0"),
        ({"to": ["a>b@c.example"]}, "to.0"),
        ({"to": ["a=?utf-8?q?b?=@c.example"]}, "to.0"),
        ({"subject": "=?utf-8?q?Quote=0d=0aBcc:_c=40d.example?="}, "subject"),
        ({"subject": "Quote =?UTF-7?B?a?= of today"}, "subject"),
        ({"subject": "one\x00two"}, "subject"),
        ({"subject": "one\r\nBcc: c@d.example"}, "subject"),
        ({"subject": "one\u2028two"}, "subject"),
        ({"subject": "a" * 201}, "subject"),
        ({"message": "a" * 5001}, "message"),
    ],
)
def test_mail_with_a_wrong_header_is_refused(admin, workshop, body, field):
    quote = sent_quote(admin, workshop)
    assert fields(ask(admin, quote, **body)) == [field]
    assert mail_of(admin, quote) is None


def test_customer_without_an_address_needs_a_recipient(admin, workshop):
    quote = sent_quote(admin, workshop, email="")
    assert admin.get(f"{PATH}/{quote['_id']}/mail").data["customerAddresses"] == []
    assert fields(ask(admin, quote)) == ["to"]
    assert warned(ask(admin, quote, to=["a@b.example"])) == {"to.0": "a@b.example"}


def test_recipients_that_are_not_the_customers_are_named(admin, workshop):
    quote = sent_quote(admin, workshop, email="Ann@Customer.example")
    shown = admin.get(f"{PATH}/{quote['_id']}/mail").data
    assert shown["customerAddresses"] == shown["to"] == ["Ann@Customer.example"]
    assert warned(ask(admin, quote)) == {}
    to = ["bo@b.example", "ann@customer.EXAMPLE", "cy@customer.example"]
    others = {"to.0": to[0], "to.2": to[2]}
    assert warned(ask(admin, quote, to=to)) == others
    strict = {"Prefer": "handling=strict"}
    asked = admin.post(f"{PATH}/{quote['_id']}/mail", {"to": to}, headers=strict)
    assert warned(asked) == others


def test_caller_who_sees_no_customers_is_not_told_their_address(
    admin, workshop, client_with_keys
):
    sales = client_with_keys("pricing:view", "requests:manage")
    for email in ("ann@customer.example", ""):
        quote = sent_quote(admin, workshop, email=email)
        shown = sales.get(f"{PATH}/{quote['_id']}/mail").data
        assert (shown["to"], shown["customerAddresses"]) == ([], None)
        assert fields(ask(sales, quote)) == ["to"]
        for to in ("ann@customer.example", "a@b.example"):
            assert warned(ask(sales, quote, to=[to])) == {}


def test_worker_asks_for_thirty_mails_in_an_hour(
    server, admin, workshop, client_with_keys, set_policy, clock_at
):
    half_past = (30 - clock_at(0).second) % 60  # seconds
    begin = clock_at(half_past)
    quote = sent_quote(admin, workshop)
    before = admin.get(f"{PATH}/{quote['_id']}").data["version"]
    # refused, and so not counted
    assert ask(admin, {"_id": ObjectId()}).status == 404
    assert ask(admin, quote, to=["nobody"]).status == 400
    set_policy(mail=policy(URL, ""))
    assert ask(admin, quote).status == 409
    set_policy(mail=policy(URL))
    # one mail, and another one by a program
    for _ in range(3):
        key = {"Idempotency-Key": "mail"}
        assert admin.post(f"{PATH}/{quote['_id']}/mail", {}, headers=key).status == 200
    given = {"name": "ERP", "scopes": ["requests:manage", "customers:view"]}
    given["currentPassword"] = PASSWORD
    program = Api(server, admin.post("/api/auth/api-keys", given).data["key"])
    assert ask(program, quote, subject="of a program").status == 200
    calls = [partial(ask, admin, quote, subject=f"at once {n}") for n in range(40)]
    asked = 2 + len(successes(run_concurrently(calls)))
    assert asked <= MAX_ASKED
    while asked < MAX_ASKED:  # where some of them were refused for other reasons
        assert ask(admin, quote, subject=f"later {asked}").status == 200
        asked += 1
    for caller in (admin, program):
        refused = caller.post(
            f"{PATH}/{quote['_id']}/mail", {}, headers={"Accept-Language": "th"}
        )
        assert (refused.status, refused.errors) == (429, {"code": "TOO_MANY_MAILS"})
        assert refused.headers["Retry-After"] == "3600"
        resumes = begin + timedelta(hours=1, seconds=30)  # the next full minute
        shown = in_zone(resumes, runtime.current().policy.timezone)
        for key in ("message", "localMessage"):
            assert f" {shown:%H:%M} " in refused.body[key]
    assert admin.get(f"{PATH}/{quote['_id']}").data["version"] == before + MAX_ASKED
    other = client_with_keys("pricing:view", "requests:manage")
    assert ask(other, quote, to=["a@b.example"]).status == 200
    clock_at(half_past + 3600)
    assert ask(admin, quote).status == 200


def test_draft_and_answered_quote_are_not_mailed(admin, workshop):
    quote, rejected = (sent_quote(admin, workshop) for _ in range(2))
    draft = admin.post(f"{PATH}/{quote['_id']}/revise", {}).data
    admin.post(f"{PATH}/{rejected['_id']}/reject", {})
    for one in (rejected, draft):
        refused = ask(admin, one)
        assert refused.status == 409
        assert refused.body["errors"]["code"] == "QUOTE_NOT_OPEN"


def test_service_without_a_server_or_a_sender_refuses(admin, workshop, set_policy):
    quote = sent_quote(admin, workshop)
    for mail in (policy(URL, ""), type(policy(URL))(sender=SENDER)):
        set_policy(mail=mail)
        refused = ask(admin, quote)
        assert (refused.status, refused.body["errors"]["code"]) == (409, "NO_MAIL")
        assert admin.get(f"{PATH}/{quote['_id']}/mail").data["isOn"] is False
    set_policy(mail=policy(URL, ""))
    for email, status in (("shop>a@glass.example", 409), ("shop@glass.example", 200)):
        assert admin.put("/api/workshop", {"email": email}).status == 200
        assert ask(admin, quote).status == status
        shown = admin.get(f"{PATH}/{quote['_id']}/mail").data
        assert shown["isOn"] is (status == 200)


def test_client_cannot_write_the_mail_of_a_quote(admin, workshop):
    customer = Customer.find_one({"_id": workshop.customer().pk})
    body = {"customer": str(customer.pk), "mail": {"to": ["a@b.example"]}}
    assert admin.post(PATH, body).data["mail"] is None


def link_of(admin, quote, **headers):
    """What the dialog of a mail shows about its link: the text, and the remarks."""
    shown = admin.call("GET", f"{PATH}/{quote['_id']}/mail", headers=headers)
    assert shown.status == 200, shown
    remarks = shown.body.get("warnings", ())
    assert {one["field"] for one in remarks} <= {"url"}
    return shown.data["linkText"], [one["message"] for one in remarks]


def test_sender_of_a_mail_sees_whether_a_link_goes_along(admin, workshop, setting):
    thai = sent_quote(admin, workshop)
    quote = sent_quote(admin, workshop, language="en")
    text, (remark,) = link_of(admin, quote)
    assert text == ""
    assert "127.0.0.1" in remark
    assert "PUBLIC_URL" in remark
    setting(ALLOWED_HOSTS=["floor.example", "floor.lan"])
    text, (remark,) = link_of(admin, quote, Host="floor.example")
    target = "http://floor.example/floor/offer#…"
    assert text == f"Here you see the quote, and can accept it:\n{target}"
    assert "without encryption" in remark
    assert link_of(admin, quote, Host="floor.lan")[0] == ""
    setting(PUBLIC_URL="https://glass.example")
    text, remarks = link_of(admin, thai)
    assert (
        text
        == "เปิดดูใบเสนอราคาและกดยืนยันสั่งซื้อได้ที่ลิงก์นี้\nhttps://glass.example/floor/offer#…"
    )
    assert remarks == []
    assert ask(admin, quote).data["mail"]["linkTo"] == "https://glass.example"
    admin.put("/api/workshop", {"mailHasLink": False})
    assert link_of(admin, quote) == ("", [])
    assert ask(admin, quote).data["mail"]["linkTo"] == ""
    setting(PUBLIC_URL="")
    assert link_of(admin, quote) == ("", [])


def test_mail_gives_a_quote_a_link_and_keeps_the_one_that_it_has(
    admin, workshop, setting
):
    setting(PUBLIC_URL="https://glass.example")
    quote = sent_quote(admin, workshop)
    asked = ask(admin, quote).data
    assert asked["hasLink"]
    assert asked["linkExpiresAt"] > asked["validUntil"]
    (first,) = Quote.collection().find()
    path = f"{PATH}/{quote['_id']}/link"
    url = admin.post(path).data["url"]
    secret = url.rpartition(".")[2]
    (made,) = Quote.collection().find()
    ask(admin, quote)
    (row,) = Quote.collection().find()
    assert first["linkNonce"] != made["linkNonce"] == row["linkNonce"]
    history = admin.get(f"{PATH}/{quote['_id']}/history").text
    assert secret not in str(row) + history
    revoked = admin.delete(path).data
    assert (revoked["hasLink"], revoked["mail"]["linkTo"]) == (False, "")
