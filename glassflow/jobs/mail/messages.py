"""The e-mail with a quote: its headers, its text, and the PDF."""

from datetime import UTC
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from glassflow.host.mail_settings import read_sender
from glassflow.models.quote import Quote
from glassflow.services.labels.making import make_quote
from glassflow.services.quotes import paper


def message_of(quote: Quote, sender: str) -> EmailMessage:
    """Return the mail of a quote; its PDF shows everything, because the customer reads it.

    Its id and date are those of the moment at which it was asked for: copies of one mail
    are the same message. Raises `ValueError` for a header with a line break or a `sender`
    that is no address, `Busy` as `make_quote` does, and what `paper.read` raises.
    """
    mail = quote.mail
    address = read_sender(sender)
    printed = paper.read(quote.stored_form(), may=lambda _: True)
    milliseconds = int(mail["askedAt"].replace(tzinfo=UTC).timestamp() * 1000)
    message = EmailMessage(policy=SMTP)
    message["From"] = address
    message["To"] = ", ".join(mail["to"])
    message["Subject"] = mail["subject"]
    message["Date"] = format_datetime(mail["askedAt"].replace(tzinfo=UTC))
    message["Message-ID"] = f"<{quote.pk}.{milliseconds}@{address.domain}>"
    # base64, because a server need not take lines of more than 998 bytes, or 8-bit ones
    message.set_content(mail["message"], cte="base64")
    message.add_attachment(
        make_quote(printed),
        maintype="application",
        subtype="pdf",
        filename=f"{printed.number}.pdf",
    )
    return message
