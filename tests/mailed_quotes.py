"""Quotes that tests send by e-mail, and how they look at what came of it."""

from datetime import timedelta

from glassflow.core.process import clock
from glassflow.domain.mail import MailPolicy
from glassflow.host.mail_settings import read_server
from glassflow.jobs.mail import Mailer
from glassflow.models.quote import Quote
from waiting import START_TIMEOUT_S

SENDER = "โรงกระจก <quotes@glass.example>"
PATH = "/api/quotes"


def policy(url, sender=SENDER):
    """Return the policy of a service that sends e-mail by a server."""
    return MailPolicy(server=read_server(url), sender=sender)


def sent_quote(admin, workshop, email="ann@customer.example", **values):
    """Create a quote and mark it as sent; the customer has an address."""
    customer = workshop.customer(email=email)
    pane = {"dimensions": {"width": 500, "height": 500}, "unitPrice": 100}
    body = {"customer": str(customer.pk), "panes": [pane], **values}
    made = admin.post(PATH, body).data
    sent = admin.post(f"{PATH}/{made['_id']}/send", {})
    assert sent.status == 200, sent.body
    return sent.data


def ask(admin, quote, **values):
    """Ask for the mail of a quote."""
    return admin.post(f"{PATH}/{quote['_id']}/mail", values)


def mail_of(admin, quote):
    return admin.get(f"{PATH}/{quote['_id']}").data["mail"]


def mailer():
    """Return what sends mails, as of a process that publishes; it waits for each of them."""
    return Mailer(is_holder=lambda: True, patience_s=START_TIMEOUT_S)


def make_due(quote):
    """Let the time of the next attempt come."""
    past = {"$set": {"mail.nextAttemptAt": clock.now() - timedelta(seconds=1)}}
    found = Quote.collection().update_one(
        {"quoteNumber": quote["quoteNumber"], "mail.nextAttemptAt": {"$ne": None}}, past
    )
    assert found.matched_count == 1
