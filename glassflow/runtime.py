"""What an application configures at its start, and where its code finds it.

`create_app` makes one `Runtime` for each application. Code that runs for an application
calls `current()` instead of reading module variables, so two applications with different
settings can share a process.

The runtime is kept in a context variable. `glassflow.web.runtime_context` sets it while
an application context of Flask is pushed: during a request, a socket event handler and a
`flask` command. A new greenlet starts with an empty context, so a background greenlet
runs a function that `bind` has made. Code on a thread pool gets its values as arguments.

Where none is set (a script, a test or a shell that calls a service directly), `current()`
returns the runtime of the application that was created last. Code that runs for one of
several applications must not depend on this.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import Context, ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial, wraps
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar
from zoneinfo import ZoneInfo

from glassflow.domain.mail import MailPolicy
from glassflow.domain.permissions import PermissionSets
from glassflow.domain.webhooks import WebhookPolicy

P = ParamSpec("P")
T = TypeVar("T")

DEFAULT_TIMEZONE = ZoneInfo("Asia/Bangkok")
DEFAULT_WEBHOOKS = WebhookPolicy()
DEFAULT_MAIL = MailPolicy()


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules that a workshop chooses; each field is the setting of the same name.

    `webhooks` and `mail` have several. `timezone` is that of the workshop's days. `scan_repeat_seconds` is how long a repeated scan counts as a duplicate, in seconds.
    """

    scan_policy: str = "guided"
    delete_policy: str = "restrict"
    qr_prefix: str = "STDPLUS:"
    scan_repeat_seconds: float = 5.0
    free_permission_keys: bool = False
    read_all: bool = False
    permission_sets: PermissionSets = ()
    timezone: ZoneInfo = DEFAULT_TIMEZONE
    webhooks: WebhookPolicy = DEFAULT_WEBHOOKS
    mail: MailPolicy = DEFAULT_MAIL
    password_min_length: int = 6
    password_refuse_common: bool = False
    pin_failures_per_day: int = 20
    max_array_length: int = 500


class Tokens(Protocol):
    """Issues access tokens, and finds out whose they are (`web.tokens.Tokens`).

    `lifetime_s` is the setting JWT_EXPIRES_IN.
    """

    lifetime_s: float

    def issue(
        self,
        worker_id: Any,
        *,
        session_id: str = "",
        login_start: datetime | None = None,
        lifetime_s: float | None = None,
        device: tuple[Any, str] | None = None,
    ) -> str:
        """Return a signed token for a worker, on a shared device if one is named."""

    def fingerprint(self, secret: str) -> str:
        """Return a digest of a secret that depends on the setting JWT_SECRET."""

    def identify(self, token: str) -> Any:
        """Return the `core.identity.Identity` behind a token.

        Raises `Unauthenticated` for a token that is not accepted.
        """


class Passwords(Protocol):
    """Hashes and verifies passwords (`services.auth.passwords.Argon2Passwords`)."""

    def hash(self, password: str) -> str:
        """Return the hash of a password."""

    def matches(self, password: str, stored: str | None) -> bool:
        """Return whether a password belongs to a stored hash."""


class Links(Protocol):
    """Signs links that open without a token (`core.access.link_signer.LinkSigner`)."""

    def sign(self, path: str) -> str:
        """Return a signature of a path, which expires."""

    def remaining_s(self, path: str, signature: str) -> int:
        """Return for how many seconds a signature lasts; 0 if expired or not valid."""


# Takes the outbox batches of one committed unit of work
# (`core.store.outbox_entries.OutboxBatch`).
PublishSoon = Callable[[Sequence[Any]], None]


@dataclass(slots=True)
class Runtime:
    """The configured parts of one application.

    `event_retention` is how long the event log keeps events, `history_retention` how long
    the history keeps changes. `archive_folder` has the files of `services.archives`.
    `event_names` are those that
    may be in it for others than one worker. Without a `publish_soon`,
    committed batches stay in the outbox until another process publishes them; `publish_now`
    waits until they are, and returns whether that succeeded.
    """

    policy: Policy
    tokens: Tokens
    passwords: Passwords
    links: Links
    event_retention: timedelta
    history_retention: timedelta
    archive_folder: Path
    event_names: frozenset[str] = frozenset()
    publish_soon: PublishSoon | None = None
    publish_now: Callable[[], bool] = lambda: False


# A tuple rather than reset tokens: Flask reports only that a context was popped.
_active: ContextVar[tuple[Runtime, ...]] = ContextVar("active_runtimes", default=())
_last_created: Runtime | None = None


def current() -> Runtime:
    """Return the runtime of the application that the caller runs for.

    Raises `RuntimeError` when no application has been created in this process.
    """
    active = _active.get()
    if active:
        return active[-1]
    if _last_created is None:
        raise RuntimeError("No application has been created in this process")
    return _last_created


def set_default(runtime: Runtime) -> None:
    """Set what `current()` returns outside any application."""
    global _last_created
    _last_created = runtime


def push(runtime: Runtime) -> None:
    """Make a runtime the current one of this greenlet, until the matching `pop`."""
    _active.set((*_active.get(), runtime))


def pop() -> None:
    """Undo the last `push` of this greenlet."""
    _active.set(_active.get()[:-1])


@contextmanager
def active(runtime: Runtime) -> Iterator[None]:
    """Make a runtime the current one inside the block."""
    push(runtime)
    try:
        yield
    finally:
        pop()


def bind(function: Callable[P, T]) -> Callable[P, T]:
    """Return the function bound to the caller's runtime, to be run in a new greenlet."""
    runtime = current()

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        with active(runtime):
            return function(*args, **kwargs)

    return run


def bind_iterator(items: Iterable[T]) -> Iterator[T]:
    """Return an iterator whose steps run with the caller's runtime.

    For a streamed response, which the server reads after the request has ended.
    """
    return _steps(current(), iter(items))


def _steps(runtime: Runtime, items: Iterator[T]) -> Iterator[T]:
    while True:
        with active(runtime):
            try:
                item = next(items)
            except StopIteration:
                return
        yield item


def run_detached(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a function in a new context, of which only the runtime is the caller's.

    So it runs outside the caller's transaction and time limit, which the driver keeps
    in context variables too.
    """
    call = partial(function, *args, **kwargs)
    return Context().run(_call_with, _active.get(), call)


def _call_with(runtimes: tuple[Runtime, ...], call: Callable[[], T]) -> T:
    _active.set(runtimes)
    return call()
