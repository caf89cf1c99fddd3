"""Sends the mails that are due, in the process that publishes.

A mail is claimed in the store before it is sent, so two processes never send the same one,
and a process that dies meanwhile leaves it to another one, once the claim has ended. If it
dies after the server has taken the message and before that is stored, the customer gets
one more copy, with the same Message-ID.
"""

import logging
import time
from collections.abc import Callable

import gevent
import pymongo

from glassflow import runtime
from glassflow.core.process import deadlines, metrics
from glassflow.domain import texts
from glassflow.domain.errors import Refusal
from glassflow.host.mail_settings import is_sender, read_sender
from glassflow.jobs.background import BackgroundWork
from glassflow.jobs.mail import messages, sender
from glassflow.jobs.mail.sender import Outcome
from glassflow.models.quote import Quote
from glassflow.services.quotes import mail

log = logging.getLogger(__name__)

POLL_INTERVAL_S = 3.0
STORE_RETRY_S = 1.0


class Mailer(BackgroundWork):
    """Sends mails one after the other while `is_holder()`."""

    def __init__(self, *, is_holder: Callable[[], bool]) -> None:
        self._is_holder = is_holder
        self._is_sending = False
        self._is_stopped = False

    def start(self) -> None:
        """Start in this process where a server takes mails, unless that has been done."""
        if runtime.current().policy.mail.server is not None:
            super().start()

    def stop(self) -> None:
        """Stop after what is being sent; it is not cut off, because it may be taken."""
        self._is_stopped = True
        if not self._is_sending:
            super().stop()

    def look(self) -> None:
        """Send all mails that are due; raises nothing."""
        try:
            while not self._is_stopped and (claimed := self._claim()):
                self._is_sending = True
                outcome = self._send(claimed)
                metrics.mails.labels("sent" if outcome.is_sent else "failed").inc()
                self._store(claimed, outcome)
        except Exception as error:  # the store is away: the next look tries again
            log.warning("cannot look for mails: %r", error)
        finally:
            self._is_sending = False

    def _run(self) -> None:
        while not self._is_stopped:
            gevent.sleep(POLL_INTERVAL_S)
            if self._is_holder():
                self.look()

    def _claim(self) -> Quote | None:
        with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
            return mail.claim_next()

    def _send(self, quote: Quote) -> Outcome:
        server = runtime.current().policy.mail.server
        try:
            with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
                address = mail.sender()
            if not is_sender(address):  # which it was when the mail was asked for
                return Outcome(texts.MAIL_NO_SENDER)
            message = messages.message_of(quote, address)
            envelope = read_sender(address).addr_spec
            assert server is not None
            return sender.send(server, message, envelope, quote.mail["to"])
        except Refusal as refusal:  # too many others print
            return Outcome(str(refusal))
        except Exception as error:
            log.exception("could not make the mail of quote %s", quote.quote_number)
            return Outcome(type(error).__name__)

    def _store(self, claimed: Quote, outcome: Outcome) -> None:
        """Store an outcome; tried until the claim ends, or the mail would be sent again."""
        if outcome.fault:
            log.warning("mail of quote %s: %s", claimed.quote_number, outcome.fault)
        end = time.monotonic() + deadlines.MAIL_CLAIM_S - deadlines.MAIL_TIMEOUT_S
        while True:
            try:
                with pymongo.timeout(deadlines.PUBLISH_TIMEOUT_S):
                    mail.settle(claimed, **outcome._asdict())
                return
            except Exception:
                if time.monotonic() >= end:
                    raise
                gevent.sleep(STORE_RETRY_S)
