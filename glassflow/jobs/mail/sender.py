"""Sends one message to an SMTP server, within limits."""

import smtplib
import ssl
from collections.abc import Mapping
from contextlib import suppress
from email.message import EmailMessage
from functools import cache
from typing import NamedTuple

import gevent

from glassflow.core.process import deadlines
from glassflow.domain import texts
from glassflow.host.mail_settings import MailServer

MAX_ANSWER = 200  # characters of an answer of the server that are kept
PERMANENT = range(500, 600)
BEGIN_OF_TEXT = 354  # the server answers this to DATA only

Answers = Mapping[str, tuple[int, bytes]]  # by recipient


class Outcome(NamedTuple):
    """What came of an attempt.

    `is_final`: another attempt would be refused too. A message that was sent to some of
    its recipients only is sent, and has a fault.
    """

    fault: str = ""
    is_sent: bool = False
    is_final: bool = False


class _NoTLS(Exception):
    """The server offers no TLS, which is required."""


class _Client(smtplib.SMTP):
    """A client that gives the server more time for the text of a message."""

    def getreply(self) -> tuple[int, bytes]:
        """Return the next answer, and set how long the one after it may take."""
        code, answer = super().getreply()
        if self.sock is not None:
            is_text_next = code == BEGIN_OF_TEXT
            self.sock.settimeout(
                deadlines.MAIL_TEXT_TIMEOUT_S
                if is_text_next
                else deadlines.MAIL_STEP_TIMEOUT_S
            )
        return code, answer


class _TLSClient(_Client, smtplib.SMTP_SSL):
    """The same over TLS."""


def send(
    server: MailServer, message: EmailMessage, sender: str, recipients: list[str]
) -> Outcome:
    """Send a message; takes at most `MAIL_TIMEOUT_S`, and raises nothing.

    `sender` and `recipients` are addresses. No fault contains the password.
    """
    outcome = _send(server, message, sender, recipients)
    if server.password:
        fault = outcome.fault.replace(server.password, "***")
        outcome = outcome._replace(fault=fault)
    return outcome


def _send(
    server: MailServer, message: EmailMessage, sender: str, recipients: list[str]
) -> Outcome:
    limit = gevent.Timeout(deadlines.MAIL_TIMEOUT_S)
    client: smtplib.SMTP | None = None
    try:
        with limit:
            client = _connect(server, sender)
            refused = client.send_message(message, sender, recipients)
    except gevent.Timeout as timeout:
        if timeout is not limit:
            raise
        seconds = f"{deadlines.MAIL_TIMEOUT_S:g}"
        return Outcome(texts.MAIL_UNANSWERED.format(seconds=seconds))
    except _NoTLS:
        return Outcome(texts.MAIL_NO_TLS)
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _ in error.recipients.values()]
        is_final = all(code in PERMANENT for code in codes)
        return Outcome(_not_to(error.recipients), is_final=is_final)
    except smtplib.SMTPAuthenticationError as error:
        # some servers repeat the login
        return Outcome(texts.MAIL_LOGIN_REFUSED.format(code=error.smtp_code))
    except smtplib.SMTPResponseException as error:
        # a refused sender or a server that is closed can be put right, a message cannot
        is_data = isinstance(error, smtplib.SMTPDataError)
        is_final = is_data and error.smtp_code in PERMANENT
        answer = _clause(error.smtp_error)
        fault = texts.MAIL_REFUSED.format(code=error.smtp_code, answer=answer)
        return Outcome(fault, is_final=is_final)
    except (OSError, smtplib.SMTPException, ValueError) as error:
        return Outcome(_clause(getattr(error, "strerror", None) or str(error)))
    else:
        # the message is sent, whatever comes of the farewell
        with suppress(OSError, smtplib.SMTPException):
            client.quit()
        return Outcome(_not_to(refused) if refused else "", is_sent=True)
    finally:
        if client is not None:
            client.close()


def _connect(server: MailServer, sender: str) -> smtplib.SMTP:
    # the name of this machine is not looked up: without a network that takes long
    name = sender.rpartition("@")[2]
    timeout_s = deadlines.MAIL_STEP_TIMEOUT_S
    if server.is_tls:
        client: smtplib.SMTP = _TLSClient(
            server.host, server.port, name, timeout=timeout_s, context=_tls()
        )
    else:
        client = _Client(server.host, server.port, name, timeout=timeout_s)
    try:
        if not server.is_tls:
            _encrypt(client, server)
        if server.user:
            client.login(server.user, server.password)
    except BaseException:
        client.close()
        raise
    return client


def _encrypt(client: smtplib.SMTP, server: MailServer) -> None:
    client.ehlo_or_helo_if_needed()
    if client.has_extn("starttls"):
        client.starttls(context=_tls())
        client.ehlo()
    elif server.requires_tls:
        raise _NoTLS


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _not_to(refused: Answers) -> str:
    parts = (
        f"{address} ({code} {_clause(answer)})"
        for address, (code, answer) in refused.items()
    )
    return texts.MAIL_NOT_TO.format(refused=", ".join(parts))


def _clause(answer: str | bytes) -> str:
    """Return what a server says as one short line."""
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    printable = "".join(one if one.isprintable() else " " for one in text)
    return " ".join(printable.split())[:MAX_ANSWER]
