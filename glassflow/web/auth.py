"""Who may call a view: the decorators that every route wears one of."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from flask import g, request

from glassflow.domain.errors import Unauthenticated
from glassflow.services.identity import Identity, identify

View = TypeVar("View", bound=Callable[..., Any])

PUBLIC = "public"
ANY_WORKER = "any worker"


def public(view: View) -> View:
    """Let anybody in. The list of such routes is short, and a test holds it."""
    view.permission = PUBLIC  # type: ignore[attr-defined]
    return view


def any_worker(view: View) -> View:
    """Let every worker in who is logged in."""
    return _guarded(view, ANY_WORKER)


def require(key: str) -> Callable[[View], View]:
    """Let in who holds the permission key, directly or by implication."""
    return lambda view: _guarded(view, key)


def _guarded(view: View, key: str) -> View:
    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        who = g.who = identify(bearer_token())
        if key != ANY_WORKER:
            who.demand(key)
        return view(*args, **kwargs)

    guarded.permission = key  # type: ignore[attr-defined]
    return guarded  # type: ignore[return-value]


def bearer_token() -> str:
    """Give the token of the `Authorization` header; raises `Unauthenticated`."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated("Not authenticated")
    return token.strip()


def who() -> Identity:
    """Tell who is calling the present view."""
    identity: Identity = g.who
    return identity
