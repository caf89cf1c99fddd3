"""System alerts: a text that appears on every connected screen."""

from glassflow.core.store import outbox
from glassflow.domain import texts
from glassflow.domain.errors import Refusal
from glassflow.domain.unicode_text import has_visible_character, normalize
from glassflow.services.notices.events import SystemAlert

MAX_LENGTH = 500  # characters


def send(text: object) -> None:
    """Send a text to every connected client.

    Raises `Refusal` for anything but a text of 1 to `MAX_LENGTH` characters.
    """
    message = normalize(text) if isinstance(text, str) else ""
    if len(message) > MAX_LENGTH or not has_visible_character(message):
        raise Refusal(texts.ALERT_LENGTH.format(maximum=MAX_LENGTH))
    outbox.send(SystemAlert(message=message))
