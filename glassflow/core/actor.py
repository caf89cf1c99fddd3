"""Who changes records, and by what: kept beside each change, for the history.

A guarded view runs as the worker who calls it (`web.auth`), a `flask` command as itself
(`cli`). Anything else, such as a public route or a background greenlet,
is the service.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity

DIGEST_LENGTH = 12  # characters of a login that tell logins apart and open nothing


class Via(StrEnum):
    """By what a change was made."""

    TOKEN = "token"
    DEVICE = "device"  # a token of a worker who has identified on a shared device
    KEY = "key"  # an API key
    COMMAND = "command"
    SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who makes changes: the worker `by`, by what (`via`), and in which request.

    `name` is the begin of what identifies the login, the prefix of an API key, or the
    name of a command. None of it is secret.
    """

    by: ObjectId | None = None
    via: Via = Via.SERVICE
    name: str = ""
    request: str = ""

    def stored_form(self) -> dict[str, Any]:
        """Return the members as they are stored."""
        return asdict(self) | {"via": str(self.via)}


SERVICE = Actor()
_current: ContextVar[Actor] = ContextVar("actor", default=SERVICE)


def current() -> Actor:
    """Return who runs the current code."""
    return _current.get()


def of_identity(identity: Identity, request: str) -> Actor:
    """Return the actor of a request of this worker."""
    if identity.api_key:
        return Actor(identity.worker_id, Via.KEY, identity.api_key, request)
    via = Via.DEVICE if identity.device_id else Via.TOKEN
    return Actor(identity.worker_id, via, identity.login[:DIGEST_LENGTH], request)


def of_command(name: str) -> Actor:
    """Return the actor of a `flask` command, such as `stock check`."""
    return Actor(via=Via.COMMAND, name=name)


@contextmanager
def acting(actor: Actor) -> Iterator[None]:
    """Run the block as this actor."""
    token = _current.set(actor)
    try:
        yield
    finally:
        _current.reset(token)
