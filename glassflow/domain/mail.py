"""E-mail: which server takes it, how many, and when a message is tried again."""

from dataclasses import dataclass
from datetime import timedelta

from glassflow.host.mail_settings import MailServer

# The pauses after the first attempt, the second, and so on; after the last one is over, a
# failed attempt is final.
PAUSES = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=6),
    timedelta(hours=12),
)
MAX_ATTEMPTS = len(PAUSES) + 1

# How many mails a worker may ask for in a period, which begins with the first of them. A
# workshop sends a few quotes an hour: the limit has to stop a program, not a person.
MAX_ASKED = 30
PERIOD = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class MailPolicy:
    """The settings `SMTP_URL` (None: no e-mail) and `MAIL_FROM` (empty: the workshop's)."""

    server: MailServer | None = None
    sender: str = ""


def pause_after(attempts: int) -> timedelta | None:
    """Return the pause after so many failed attempts; None if the last one was final."""
    return PAUSES[attempts - 1] if attempts < MAX_ATTEMPTS else None
