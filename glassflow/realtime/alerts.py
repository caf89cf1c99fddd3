"""System alerts: one who may do everything says something to everybody."""

from typing import Any

from glassflow.domain.errors import Forbidden
from glassflow.domain.permissions import EVERYTHING
from glassflow.services import system_alerts
from glassflow.services.identity import Identity


def send(who: Identity, *args: Any) -> None:
    """Pass `{message}` on to all connected clients.

    Raises `Forbidden` for anybody but a holder of `*`, `Refusal` for no message.
    """
    if EVERYTHING not in who.keys:
        raise Forbidden("Not authorized to send system alerts")
    system_alerts.send(args[0].get("message") if _is_object(args) else None)


def _is_object(args: tuple[Any, ...]) -> bool:
    return bool(args) and isinstance(args[0], dict)
