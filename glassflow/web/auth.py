"""Permission decorators: every view has exactly one of them."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from flask import current_app, g

from glassflow.core import actor
from glassflow.core.access import logins
from glassflow.core.identity import Identity
from glassflow.domain.errors import Forbidden, PasswordChangeRequired
from glassflow.web.idempotency import answer_once
from glassflow.web.tokens import Tokens, bearer_token

__all__ = ["any_worker", "bearer_token", "current_identity", "public", "require"]

View = TypeVar("View", bound=Callable[..., Any])

PUBLIC = "public"
NEW_S = 300  # a token is as new as its login for that long
ANY_WORKER = "any worker"


def public(view: View) -> View:
    """Allow the view without a token. A test lists all such routes."""
    view.permission = PUBLIC  # type: ignore[attr-defined]
    return view


def any_worker(view: View) -> View:
    """Allow the view to every worker who is logged in."""
    return _guarded(view)


def require(*keys: str) -> Callable[[View], View]:
    """Allow the view to holders of a permission key, directly or by implication.

    Of several keys one is enough.
    """
    return lambda view: _guarded(view, *keys)


def before_password_change(view: View) -> View:
    """Allow the view, below its permission, to who has to change the password first."""
    view.before_password_change = True  # type: ignore[attr-defined]
    return view


def _guarded(view: View, *keys: str) -> View:
    is_open = hasattr(view, "before_password_change")

    @wraps(view)
    def guarded(**arguments: Any) -> Any:
        tokens: Tokens = current_app.extensions["tokens"]
        identity = g.identity = tokens.authenticate(bearer_token())
        if identity.must_change_password and not is_open:
            raise PasswordChangeRequired()
        if keys and not any(identity.may(key) for key in keys):
            raise Forbidden()
        logins.seen(identity.login, is_new=time.time() - identity.login_start < NEW_S)
        with actor.acting(actor.of_identity(identity, g.request_id)):
            return answer_once(identity, view, arguments)

    guarded.permission = " or ".join(keys) or ANY_WORKER  # type: ignore[attr-defined]
    return guarded  # type: ignore[return-value]


def current_identity() -> Identity:
    """Return the identity of the worker who calls the current view."""
    identity: Identity = g.identity
    return identity
