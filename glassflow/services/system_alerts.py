"""System alerts: something is said to everybody, on every connected screen."""

from glassflow.core import outbox
from glassflow.domain.errors import Refusal

LONGEST = 500  # characters


def send(text: object) -> None:
    """Say a text on all screens; raises `Refusal` for what is none, or too long."""
    message = text.strip() if isinstance(text, str) else ""
    if not 1 <= len(message) <= LONGEST:
        raise Refusal(f"message must be a text of 1 to {LONGEST} characters")
    outbox.tell("system_alert", {"message": message})
