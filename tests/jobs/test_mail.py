"""Mails of quotes: sent once, tried again for hours, and refused for good."""

import logging
import smtplib
import ssl
from datetime import UTC, datetime, timedelta

import pytest

from concurrency import run_concurrently
from factories import save
from glassflow.core.process import certificates, clock, deadlines
from glassflow.domain import texts
from glassflow.domain.mail import MAX_ATTEMPTS, PAUSES
from glassflow.jobs.mail import Mailer, messages, sender
from glassflow.models.quote import Quote
from glassflow.services.quotes import mail as service
from mailed_quotes import (
    PATH,
    SENDER,
    ask,
    mail_of,
    mailer,
    make_due,
    policy,
    sent_quote,
)
from metrics_samples import Watched
from smtp_server import SmtpServer
from waiting import wait_until

pytestmark = pytest.mark.slow


@pytest.fixture
def mail_server(tmp_path):
    """Starts a mail server: `mail_server(user, password)`."""
    started = []

    def start(*options):
        folder = tmp_path / str(len(started))
        folder.mkdir()
        started.append(SmtpServer(folder, *options))
        return started[-1].start()

    yield start
    for one in started:
        one.kill()


@pytest.fixture
def post(mail_server, set_policy):
    """A mail server, by which the service sends its mails."""
    one = mail_server()
    set_policy(mail=policy(one.url()))
    return one


def test_mail_arrives_with_its_pdf_and_thai_words(admin, workshop, post):
    quote = sent_quote(admin, workshop)
    subject, message = "ใบเสนอราคากระจก", "เรียน คุณแอน\n\n" + "ขอบคุณมาก " * 100
    recipients = ["ann@customer.example", "bo@customer.example"]
    assert (
        ask(admin, quote, to=recipients, subject=subject, message=message).status == 200
    )
    mailer().look()
    (received,) = post.messages()
    assert post.recipients() == [recipients]
    assert received["Subject"] == subject
    assert received["From"].addresses[0].display_name == "โรงกระจก"
    assert received["From"].addresses[0].addr_spec == "quotes@glass.example"
    assert received["To"] == ", ".join(recipients)
    assert received["Message-ID"].startswith(f"<{quote['_id']}.")
    text = received.get_body().get_content()
    assert text.split() == message.split()
    (pdf,) = received.iter_attachments()
    assert pdf.get_filename() == f"{quote['quoteNumber']}.pdf"
    assert pdf.get_content().startswith(b"%PDF")
    assert received["Reply-To"] is None
    stored = mail_of(admin, quote)
    assert stored["sentAt"]
    assert (stored["attempts"], stored["nextAttemptAt"], stored["error"]) == (
        1,
        None,
        "",
    )
    mailer().look()
    assert len(post.messages()) == 1


def test_answers_go_to_the_workshop_where_the_sender_is_another_address(
    admin, workshop, post
):
    for email in (
        "shop@glass.example",
        "Shop<shop@glass.example>",
        "c>d@e.example",
        "Quotes@glass.example",
    ):
        assert admin.put("/api/workshop", {"email": email}).status == 200, email
        ask(admin, sent_quote(admin, workshop))
        mailer().look()
    answered = [one["Reply-To"] for one in post.messages()]
    assert answered == ["shop@glass.example", "shop@glass.example", None, None]


def offer_of(received):
    """Return the path and the header of the offer that a mail links to; None without a link."""
    *_, last = received.get_body().get_content().split()
    page, _, fragment = last.partition("#")
    quote_id, _, secret = fragment.partition(".")
    if not secret:
        return None
    assert page == "https://glass.example/floor/offer"
    return f"/api/offers/{quote_id}", {"X-Offer-Secret": secret}


def test_mail_has_the_link_that_the_quote_has_at_each_attempt(
    admin, anonymous, workshop, post, setting
):
    setting(PUBLIC_URL="https://glass.example")
    quote = sent_quote(admin, workshop, language="en")
    made = admin.post(f"{PATH}/{quote['_id']}/link").data["url"]
    ask(admin, quote, message="Dear Ann")
    begun = service.claim_next()
    first = messages.message_of(begun, SENDER)
    make_due(quote)
    mailer().look()
    (received,) = post.messages()
    assert received["Message-ID"] == first["Message-ID"]
    text, of_first = (one.get_body().get_content() for one in (received, first))
    assert text.splitlines() == of_first.splitlines()
    *_, invitation, link = text.splitlines()
    assert invitation == "Here you see the quote, and can accept it:"
    assert link == made
    path, headers = offer_of(received)
    shown = anonymous.call("GET", path, headers=headers)
    assert shown.data["number"] == quote["quoteNumber"]


@pytest.mark.parametrize("has_new_link", [False, True])
def test_mail_whose_link_was_revoked_goes_without_it(
    admin, workshop, post, setting, has_new_link
):
    """Also if the quote has another link by now, which was made for somebody else."""
    setting(PUBLIC_URL="https://glass.example")
    quote = sent_quote(admin, workshop)
    ask(admin, quote, message="Dear Ann")
    assert admin.delete(f"{PATH}/{quote['_id']}/link").status == 200
    if has_new_link:
        admin.post(f"{PATH}/{quote['_id']}/link")
    mailer().look()
    (received,) = post.messages()
    assert received.get_body().get_content().strip() == "Dear Ann"
    assert mail_of(admin, quote)["linkTo"] == ""


def test_refused_recipient_fails_at_once(admin, workshop, post):
    quote = sent_quote(admin, workshop)
    ask(admin, quote, to=["gone@customer.example"])
    mailer().look()
    stored = mail_of(admin, quote)
    assert (stored["sentAt"], stored["nextAttemptAt"]) == (None, None)
    assert "gone@customer.example (550 5.1.1 no such mailbox)" in stored["error"]
    ask(admin, quote, to=["ann@customer.example"], subject="unwanted")
    mailer().look()
    stored = mail_of(admin, quote)
    assert stored["error"] == "the mail server answers 554: 5.7.1 looks like spam"
    assert stored["nextAttemptAt"] is None
    assert post.messages() == []


def test_one_refused_recipient_of_two_is_named_and_the_other_gets_it_once(
    admin, workshop, post
):
    quote = sent_quote(admin, workshop)
    ask(admin, quote, to=["gone@customer.example", "ann@customer.example"])
    mailer().look()
    stored = mail_of(admin, quote)
    assert stored["sentAt"]
    assert stored["nextAttemptAt"] is None
    assert stored["error"].startswith("not sent to gone@customer.example")
    assert post.recipients() == [["ann@customer.example"]]


def test_recipient_refused_for_now_is_tried_again(admin, workshop, post):
    quote = sent_quote(admin, workshop)
    ask(admin, quote, to=["later@customer.example"])
    mailer().look()
    stored = mail_of(admin, quote)
    assert "450 4.2.0 greylisted" in stored["error"]
    assert stored["nextAttemptAt"]


def test_mail_waits_for_a_sender_that_is_an_address(admin, workshop, post, set_policy):
    set_policy(mail=policy(post.url(), sender=""))
    admin.put("/api/workshop", {"email": "office@glass.example"})
    quote = sent_quote(admin, workshop)
    ask(admin, quote)
    admin.put("/api/workshop", {"email": "the>office@glass.example"})
    mailer().look()
    assert mail_of(admin, quote)["error"] == texts.MAIL_NO_SENDER
    admin.put("/api/workshop", {"email": "office@glass.example"})
    make_due(quote)
    mailer().look()
    assert mail_of(admin, quote)["sentAt"]


def test_server_that_is_away_is_tried_for_hours_and_gets_the_mail_when_it_is_back(
    admin, workshop, post, scrape
):
    watched = Watched(scrape)
    quote = sent_quote(admin, workshop)
    ask(admin, quote)
    post.kill()
    for attempt, pause in enumerate(PAUSES, 1):
        begun = clock.now()
        mailer().look()
        raw = Quote.find_one({"quoteNumber": quote["quoteNumber"]}).mail
        assert (raw["attempts"], raw["sentAt"]) == (attempt, None)
        assert raw["error"]
        waits = raw["nextAttemptAt"] - begun
        assert pause - timedelta(seconds=1) <= waits < pause + timedelta(minutes=1)
        mailer().look()  # too early
        assert mail_of(admin, quote)["attempts"] == attempt
        make_due(quote)
    post.start()
    mailer().look()
    stored = mail_of(admin, quote)
    assert stored["sentAt"]
    assert (stored["attempts"], stored["error"]) == (MAX_ATTEMPTS, "")
    assert len(post.messages()) == 1
    assert watched.growth("mails_total", outcome="failed") == len(PAUSES)
    assert watched.growth("mails_total", outcome="sent") == 1


def test_last_attempt_that_fails_is_final(admin, workshop, post):
    quote = sent_quote(admin, workshop)
    ask(admin, quote)
    post.kill()
    for _ in PAUSES:
        mailer().look()
        make_due(quote)
    mailer().look()
    stored = mail_of(admin, quote)
    assert (stored["attempts"], stored["nextAttemptAt"]) == (MAX_ATTEMPTS, None)
    assert stored["error"]
    post.start()
    mailer().look()
    assert post.messages() == []


def test_process_that_is_killed_leaves_the_mail_to_another_one_for_later(
    admin, workshop, post
):
    quote = sent_quote(admin, workshop)
    ask(admin, quote)
    begun = clock.now()
    killed = service.claim_next()
    assert killed.quote_number == quote["quoteNumber"]
    mailer().look()
    assert post.messages() == [], "it is claimed"
    held = timedelta(seconds=deadlines.MAIL_CLAIM_S)
    assert killed.mail["nextAttemptAt"] >= begun + held - timedelta(seconds=1)
    make_due(quote)
    mailer().look()
    assert len(post.messages()) == 1
    assert mail_of(admin, quote)["attempts"] == 2
    # what the first process would have said of its attempt
    service.settle(killed, fault="late", is_sent=False, is_final=False)
    assert mail_of(admin, quote)["error"] == ""


def test_last_attempt_that_is_interrupted_is_final(admin, workshop, post):
    quote = sent_quote(admin, workshop)
    ask(admin, quote)
    for _ in range(MAX_ATTEMPTS):
        assert service.claim_next()
        make_due(quote)
    mailer().look()
    stored = mail_of(admin, quote)
    assert (stored["nextAttemptAt"], stored["error"]) == (None, texts.MAIL_INTERRUPTED)
    assert post.messages() == []


def test_copies_of_a_mail_are_one_message(admin, workshop, post):
    quote = sent_quote(admin, workshop)
    ask(admin, quote)
    claimed = service.claim_next()
    first, copy = (messages.message_of(claimed, SENDER) for _ in range(2))
    assert first["Message-ID"] == copy["Message-ID"]
    assert first["Date"] == copy["Date"]
    ask(admin, quote)
    other = messages.message_of(service.claim_next(), SENDER)
    assert other["Message-ID"] != first["Message-ID"]


def test_two_that_look_at_once_send_one_copy_of_each(admin, workshop, post):
    quotes = [sent_quote(admin, workshop) for _ in range(4)]
    for quote in quotes:
        assert ask(admin, quote).status == 200
    run_concurrently([mailer().look, mailer().look])
    ids = [one["Message-ID"] for one in post.messages()]
    assert len(ids) == len(set(ids)) == 4
    assert all(mail_of(admin, quote)["attempts"] == 1 for quote in quotes)


@pytest.mark.parametrize("action", ["reject", "send"])
def test_quote_that_waits_no_more_is_not_sent(admin, workshop, post, action):
    quote = answered = sent_quote(admin, workshop)
    ask(admin, quote)
    if action == "send":
        answered = admin.post(f"{PATH}/{quote['_id']}/revise", {}).data
    assert admin.post(f"{PATH}/{answered['_id']}/{action}", {}).status == 200
    mailer().look()
    stored = mail_of(admin, quote)
    assert (stored["nextAttemptAt"], stored["error"]) == (None, texts.MAIL_NOT_OPEN)
    assert (stored["attempts"], post.messages()) == (0, [])


def test_mail_that_is_asked_for_anew_is_not_settled_by_the_old_one(
    admin, workshop, post
):
    quote = sent_quote(admin, workshop)
    ask(admin, quote)
    old = service.claim_next()
    ask(admin, quote, subject="new")
    service.settle(old, fault="", is_sent=True, is_final=False)
    assert mail_of(admin, quote)["sentAt"] is None
    mailer().look()
    assert [one["Subject"] for one in post.messages()] == ["new"]


@pytest.mark.parametrize("member", ["subject", "to"])
def test_stored_line_break_is_no_header(admin, workshop, post, member):
    """What is in the store may have come from another program."""
    quote = sent_quote(admin, workshop)
    ask(admin, quote)
    claimed = service.claim_next()
    broken = "a@b.example\r\nBcc: c@d.example"
    value = [broken] if member == "to" else broken
    claimed.mail = {**claimed.mail, member: value}
    with pytest.raises(ValueError, match=r"one line|not an e-mail address"):
        messages.message_of(claimed, SENDER)
    claimed.mail["nextAttemptAt"] = clock.now()
    save(claimed)
    mailer().look()
    assert post.messages() == []
    assert mail_of(admin, quote)["error"] == "ValueError"


def test_encoded_header_in_a_subject_or_name_is_shown_and_is_no_header(
    admin, workshop, post, set_policy
):
    """A stored subject may have come from a release that did not refuse it."""
    forged = "=?utf-8?q?Quote=0d=0aBcc=3a_victim=40evil.example=0d=0a=0d=0ahello?="
    set_policy(mail=policy(post.url(), sender=""))
    email = f"{forged}<office@glass.example>"
    assert admin.put("/api/workshop", {"email": email}).status == 200
    quote = sent_quote(admin, workshop)
    plain = ask(admin, quote).data["mail"]["subject"]
    mailer().look()
    stored = Quote.find_one({"quoteNumber": quote["quoteNumber"]})
    stored.mail = {**stored.mail, "subject": forged, "nextAttemptAt": clock.now()}
    save(stored)
    mailer().look()
    usual, received = post.messages()
    assert (usual["Subject"], received["Subject"]) == (plain, forged)
    assert received.keys() == usual.keys()
    assert "Bcc" not in received
    (sent_by,) = received["From"].addresses
    assert sent_by.addr_spec == "office@glass.example"
    # this parser shows the separator of two encoded words in a name as a space
    assert sent_by.display_name.replace(" ", "") == forged
    assert post.recipients() == [["ann@customer.example"]] * 2


def test_login_is_sent_and_a_wrong_password_is_nowhere(
    admin, workshop, mail_server, set_policy, caplog
):
    caplog.set_level(logging.INFO)
    guarded = mail_server("ann", "right:word")
    quote = sent_quote(admin, workshop)
    set_policy(mail=policy(guarded.url("ann:hush-hush@")))
    ask(admin, quote)
    mailer().look()
    stored = mail_of(admin, quote)
    assert stored["error"] == "the mail server refuses the login (535)"
    assert stored["nextAttemptAt"], "it may be put right"
    history = admin.get(f"{PATH}/{quote['_id']}/history").text
    assert "hush-hush" not in caplog.text + history + repr(
        policy(guarded.url("a:hush-hush@"))
    )
    set_policy(mail=policy(guarded.url("ann:right%3Aword@")))
    make_due(quote)
    mailer().look()
    assert mail_of(admin, quote)["sentAt"]


def test_server_without_the_required_encryption_gets_nothing(
    admin, workshop, post, set_policy
):
    set_policy(mail=policy(post.url(query="?tls=required")))
    quote = sent_quote(admin, workshop)
    ask(admin, quote)
    mailer().look()
    assert mail_of(admin, quote)["error"] == texts.MAIL_NO_TLS
    assert post.messages() == []


def test_password_goes_only_to_a_server_with_a_trusted_certificate(
    admin, workshop, mail_server, set_policy, monkeypatch, tmp_path
):
    names = [certificates.parse_name("127.0.0.1")]
    now = datetime.now(UTC)
    authority = certificates.make_authority(names, now)
    pair = certificates.issue(authority, names, now)
    files = tmp_path / "server.crt", tmp_path / "server.key"
    for file, content in zip(files, (pair.certificate, pair.key), strict=True):
        file.write_bytes(content)
    encrypted = mail_server("ann", "hush", *files)
    set_policy(mail=policy(encrypted.url("ann:hush@", "?tls=required")))
    quote = sent_quote(admin, workshop)
    ask(admin, quote)
    mailer().look()
    assert "CERTIFICATE_VERIFY_FAILED" in mail_of(admin, quote)["error"]
    trusting = ssl.create_default_context(cadata=authority.certificate.decode())
    monkeypatch.setattr(sender, "_tls", lambda: trusting)
    make_due(quote)
    mailer().look()
    assert mail_of(admin, quote)["sentAt"]
    assert len(encrypted.messages()) == 1


def test_greenlet_of_the_process_that_publishes_sends(app, admin, workshop, post):
    quote = sent_quote(admin, workshop)
    ask(admin, quote)
    one = mailer()
    with app.app_context():
        one.start()
    try:
        wait_until(lambda: mail_of(admin, quote)["sentAt"])
    finally:
        one.stop()
    assert len(post.messages()) == 1


def test_answer_to_the_text_of_a_mail_may_take_long_and_other_answers_may_not(
    admin, workshop, post, monkeypatch
):
    waits, read = [], smtplib.SMTP.getreply

    def record(client):
        waits.append(client.sock.gettimeout())
        return read(client)

    monkeypatch.setattr(smtplib.SMTP, "getreply", record)
    quote = sent_quote(admin, workshop)
    ask(admin, quote)
    mailer().look()
    assert mail_of(admin, quote)["sentAt"]
    *before, text, farewell = waits
    assert set(before) == {farewell} == {deadlines.MAIL_STEP_TIMEOUT_S}
    assert text == deadlines.MAIL_TEXT_TIMEOUT_S == 20 * farewell
    whole = deadlines.LABEL_QUEUE_TIMEOUT_S + deadlines.MAIL_TIMEOUT_S
    assert deadlines.MAIL_CLAIM_S > whole > text


def test_server_that_does_not_answer_to_a_text_gets_it_again(
    admin, workshop, post, monkeypatch
):
    monkeypatch.setattr(deadlines, "MAIL_TEXT_TIMEOUT_S", 0.1)
    quote = sent_quote(admin, workshop)
    ask(admin, quote, subject="slow")
    mailer().look()
    stored = mail_of(admin, quote)
    assert stored["sentAt"] is None
    assert "timed out" in stored["error"]
    assert stored["nextAttemptAt"]


def test_mail_that_a_server_thinks_about_does_not_delay_the_next_one(
    admin, workshop, post, monkeypatch
):
    slow, other = sent_quote(admin, workshop), sent_quote(admin, workshop)
    ask(admin, slow, subject="slow")
    one = Mailer(is_holder=lambda: True, patience_s=0)
    monkeypatch.setattr("glassflow.jobs.mail.mailer.MAX_AT_ONCE", 1)
    one.look()
    ask(admin, other)
    one.look()
    assert mail_of(admin, other)["attempts"] == 0, "more than the bound at once"
    monkeypatch.setattr("glassflow.jobs.mail.mailer.MAX_AT_ONCE", 2)
    one.look()
    wait_until(lambda: mail_of(admin, other)["sentAt"])
    claimed = mail_of(admin, slow)
    assert (claimed["attempts"], claimed["sentAt"]) == (1, None)
    mailer().look()
    (post.folder / "answer").touch()
    wait_until(lambda: mail_of(admin, slow)["sentAt"])
    assert sorted(map(len, post.recipients())) == [1, 1], "each once"
