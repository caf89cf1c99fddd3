"""How events of clients are acknowledged: `{ok: true, ...}`, or `{ok: false, error}`."""

from typing import Any

from glassflow.domain.bilingual import Bilingual

Ack = dict[str, Any]


def accepted(room: str, seq: int | None = None) -> Ack:
    """Acknowledge a join, with the number of the last event before it, or a leave."""
    return {"ok": True, "room": room} | ({} if seq is None else {"seq": seq})


def refused(error: Bilingual, language: str | None) -> Ack:
    """Acknowledge an event that was refused; `language` is the client's, if any."""
    local = {} if language is None else {"localMessage": error.in_language(language)}
    return {"ok": False, "error": error, **local}


def error_of(ack: Ack) -> dict[str, Any]:
    """Return the payload of the `error` event that tells of a refused event."""
    local = {name: ack[name] for name in ("localMessage",) if name in ack}
    return {"message": ack["error"], **local}
