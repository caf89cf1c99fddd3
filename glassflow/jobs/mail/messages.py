"""The e-mail with a quote: its headers, its text, and the PDF."""

import re
from collections.abc import Mapping
from datetime import UTC
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Any

from glassflow.host.mail_settings import read_sender
from glassflow.jobs.mail import headers
from glassflow.models.quote import Quote
from glassflow.services.printing import make_quote
from glassflow.services.quotes import mail as service
from glassflow.services.quotes import paper

_UNSAFE_IN_FILE_NAME = re.compile(r"[^\w.-]", re.ASCII)


def message_of(quote: Quote, sender: str, reply_to: str = "") -> EmailMessage:
    """Return the mail of a quote, with its link if it was asked for.

    Its PDF shows everything, because the customer reads it.
    Raises what `compose` raises, `Busy` as `make_quote` does, and what `paper.read` raises.
    """
    printed = paper.read(quote.stored_form(), may=lambda _: True)
    return compose(
        {**quote.mail, "message": service.text_of(quote)},
        sender=sender,
        reply_to=reply_to,
        quote_id=str(quote.pk),
        number=printed.number,
        pdf=make_quote(printed),
    )


def compose(
    mail: Mapping[str, Any],
    *,
    sender: str,
    reply_to: str = "",
    quote_id: str,
    number: str,
    pdf: bytes,
) -> EmailMessage:
    """Return the message of a mail that was asked for, with the PDF of its quote.

    An empty `reply_to` is that of the sender.

    Its id and date are those of the moment at which it was asked for: copies of one mail
    are the same message. Raises `ValueError` for a header with a line break, and for a
    `sender`, `reply_to` or recipient that is no address.
    """
    address = read_sender(sender)
    asked_at = mail["askedAt"].replace(tzinfo=UTC)
    milliseconds = int(asked_at.timestamp() * 1000)
    message = EmailMessage(policy=SMTP)
    message["From"] = headers.sender(address)
    if reply_to:
        message["Reply-To"] = headers.reply_to(reply_to)
    message["To"] = headers.recipients(mail["to"])
    message["Subject"] = headers.subject(mail["subject"])
    message["Date"] = format_datetime(asked_at)
    message["Message-ID"] = f"<{quote_id}.{milliseconds}@{address.domain}>"
    # base64, because a server need not take lines of more than 998 bytes, or 8-bit ones
    message.set_content(mail["message"], cte="base64")
    message.add_attachment(
        pdf,
        maintype="application",
        subtype="pdf",
        filename=f"{_UNSAFE_IN_FILE_NAME.sub('-', number)}.pdf",
    )
    return message
