"""Log in with a browser: a long session in a cookie, and short tokens for its pages.

A page token has the session's id as its claim `sid`. A page keeps it in memory and calls
the API with it; it gets the next one with the cookie. Who logs out revokes the id, and so
the tokens of all pages of this browser.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from glassflow import runtime
from glassflow.core.access import browser_sessions, logins
from glassflow.core.access.browser_sessions import BrowserSession
from glassflow.core.access.logins import Client, LoginKind
from glassflow.core.process import clock
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import NotFound, Unauthenticated
from glassflow.models.worker import Worker
from glassflow.services import records
from glassflow.services.auth import identity
from glassflow.services.auth.login import authenticate


@dataclass(frozen=True, slots=True)
class PageLogin:
    """What a page gets: a token, for how many seconds it is valid, and its worker."""

    token: str
    lifetime_s: float
    worker: dict[str, Any]


def log_in(
    *, username: str, password: str, client: Client, previous: str = ""
) -> tuple[str, PageLogin]:
    """Start a session; return the secret of its cookie, and the first page token.

    `previous` is the secret of the cookie that the new one replaces: its session ends.
    Raises `Unauthenticated` as `login.log_in` does.
    """
    now = clock.now()  # before the password is read: a new one ends this session too
    worker = authenticate(username, password)
    log_out(secret=previous)
    start = identity.start_of_login(now, worker)
    secret, session = browser_sessions.start(worker["_id"], start)
    _note(session, session.expires_at, client)
    return secret, _page_login(session, worker)


def renew(*, secret: str, client: Client) -> PageLogin:
    """Return the next page token of a session, and let the session last longer.

    Raises `Unauthenticated` for a session that has ended.
    """
    session = browser_sessions.find(secret)
    worker = session and _read_worker(session)
    if not session or not worker or not _is_accepted(session, worker):
        raise Unauthenticated(texts.TOKEN_REFUSED)
    later = browser_sessions.extend(session)
    if later is not None:
        _note(session, later, client)
    return _page_login(session, worker)


def log_out(*, secret: str) -> None:
    """End the session of a cookie, and revoke its page tokens; a session at most once."""
    session = browser_sessions.find(secret)
    if session is not None:
        _log_out(session)


@unit_of_work
def _log_out(session: BrowserSession) -> None:
    try:
        worker = records.load(Worker, session.worker_id)
    except NotFound:
        browser_sessions.end(session.id)
        logins.end(session.id)
        return
    identity.end_session(worker, session.id)
    records.store(worker)


def _note(session: BrowserSession, expires_at: datetime, client: Client) -> None:
    logins.store_login(
        session.id,
        session.worker_id,
        LoginKind.BROWSER,
        client=client,
        started_at=session.started_at,
        expires_at=expires_at,
    )


def _read_worker(session: BrowserSession) -> dict[str, Any] | None:
    """Read the worker of a session; not from the cache, whose changes may be missing.

    A token issued for the old state would be accepted as one that came after the change.
    """
    return Worker.collection().find_one({"_id": session.worker_id})


def _is_accepted(session: BrowserSession, worker: Mapping[str, Any]) -> bool:
    """Apply the rules of tokens: a session is revoked and kept by its id."""
    return identity.is_accepted(
        worker, session.id, {"since": clock.epoch_s(session.started_at)}
    )


def _page_login(session: BrowserSession, worker: dict[str, Any]) -> PageLogin:
    tokens = runtime.current().tokens
    lifetime_s = min(identity.PAGE_TOKEN_LIFETIME_S, tokens.lifetime_s)
    token = tokens.issue(
        session.worker_id,
        session_id=session.id,
        login_start=session.started_at,  # what ends the session ends this token too
        lifetime_s=lifetime_s,
    )
    return PageLogin(token, lifetime_s, worker)
