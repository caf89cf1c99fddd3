"""Sends the mails that are due, in the process that publishes.

A mail is claimed in the store before it is sent, so two processes never send the same one,
and a process that ends meanwhile leaves it to another one, once the claim has ended. If it
ends after the server has taken the message and before that is stored, the customer gets
one more copy, with the same Message-ID.
"""

import logging
import time
from collections.abc import Callable
from functools import partial

import gevent
import pymongo

from glassflow import runtime
from glassflow.core.process import deadlines, metrics
from glassflow.domain import texts
from glassflow.domain.errors import Refusal
from glassflow.host.mail_settings import is_sender, read_sender
from glassflow.jobs import background
from glassflow.jobs.background import BackgroundWork
from glassflow.jobs.mail import messages, sender
from glassflow.jobs.mail.sender import Outcome
from glassflow.models.quote import Quote
from glassflow.services.quotes import mail

log = logging.getLogger(__name__)

POLL_INTERVAL_S = 3.0
STORE_RETRY_S = 1.0
# How long the next mail waits for one that is being sent, before it is sent beside it.
PATIENCE_S = 5.0
# The 30 mails that a worker may ask for in an hour need five, if a server that looks for
# viruses takes ten minutes for each.
MAX_AT_ONCE = 5


class Mailer(BackgroundWork):
    """Sends mails while `is_holder()`: one after the other, and beside one that takes long."""

    def __init__(
        self, *, is_holder: Callable[[], bool], patience_s: float = PATIENCE_S
    ) -> None:
        self._is_holder = is_holder
        self._patience_s = patience_s
        self._sending: list[gevent.Greenlet] = []

    def start(self) -> None:
        """Start in this process where a server takes mails, unless that has been done."""
        if runtime.current().policy.mail.server is not None:
            super().start()

    def look(self) -> None:
        """Send the mails that are due, without waiting for a slow server; raises nothing.

        `stop` does not end them, because the server may have taken them.
        """
        try:
            while self._has_room() and (claimed := self._claim()):
                sending = background.start(partial(self._deliver, claimed))
                self._sending.append(sending)
                sending.join(self._patience_s)
        except Exception as error:  # the store is away: the next look tries again
            log.warning("cannot look for mails: %r", error)

    def _run(self) -> None:
        while True:
            gevent.sleep(POLL_INTERVAL_S)
            if self._is_holder():
                self.look()

    def _has_room(self) -> bool:
        self._sending = [one for one in self._sending if not one.ready()]
        return len(self._sending) < MAX_AT_ONCE

    def _claim(self) -> Quote | None:
        with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
            return mail.claim_next()

    def _deliver(self, claimed: Quote) -> None:
        end = time.monotonic() + deadlines.MAIL_CLAIM_S
        outcome = self._send(claimed)
        metrics.mails.labels("sent" if outcome.is_sent else "failed").inc()
        if outcome.fault:
            log.warning("mail of quote %s: %s", claimed.quote_number, outcome.fault)
        try:
            self._store(claimed, outcome, end)
        except Exception:
            log.exception("could not store what came of %s", claimed.quote_number)

    def _send(self, quote: Quote) -> Outcome:
        server = runtime.current().policy.mail.server
        try:
            with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
                address = mail.sender()
                if not is_sender(address):  # which it was when the mail was asked for
                    return Outcome(texts.MAIL_NO_SENDER)
                reply_to = mail.reply_to(address)
            message = messages.message_of(quote, address, reply_to)
            envelope = read_sender(address).addr_spec
            assert server is not None
            return sender.send(server, message, envelope, quote.mail["to"])
        except Refusal as refusal:  # too many others print
            return Outcome(str(refusal))
        except Exception as error:
            log.exception("could not make the mail of quote %s", quote.quote_number)
            return Outcome(type(error).__name__)

    def _store(self, claimed: Quote, outcome: Outcome, end: float) -> None:
        """Store an outcome; tried until the claim ends, or the mail would be sent again."""
        while True:
            try:
                with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
                    mail.settle(claimed, **outcome._asdict())
                return
            except Exception:
                if time.monotonic() >= end:
                    raise
                gevent.sleep(STORE_RETRY_S)
