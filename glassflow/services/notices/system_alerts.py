"""System alerts: a text that appears on every connected screen."""

from glassflow.core import outbox
from glassflow.domain import texts
from glassflow.domain.errors import Refusal
from glassflow.services.notices.events import SystemAlert

MAX_LENGTH = 500  # characters


def send(text: object) -> None:
    """Send a text to every connected client.

    Raises `Refusal` for anything but a text of 1 to `MAX_LENGTH` characters.
    """
    message = text.strip() if isinstance(text, str) else ""
    if not 1 <= len(message) <= MAX_LENGTH:
        raise Refusal(texts.ALERT_LENGTH.format(maximum=MAX_LENGTH))
    outbox.send(SystemAlert(message=message))
