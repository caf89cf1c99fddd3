"""The session of a browser: login, the next page token, logout.

The cookie is sent to these routes only; the API accepts nothing but bearer tokens. So a
page of another origin can do nothing with the cookie, and these routes refuse its calls:
they need a header that no such page may send, and the service's own origin.
"""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from flask import Blueprint, Response, current_app, request

from glassflow import runtime
from glassflow.core.access.browser_sessions import IDLE_LIFETIME
from glassflow.domain import texts
from glassflow.domain.errors import Forbidden
from glassflow.schemas.auth import LoginSchema
from glassflow.services import demo_mark, working_hours, workshop
from glassflow.services.auth import browser_logins
from glassflow.services.auth.browser_logins import PageLogin
from glassflow.services.auth.grants import is_device as is_device_role
from glassflow.services.auth.grants import keys_of_role
from glassflow.services.auth.login import own_record
from glassflow.web import refused_logins
from glassflow.web.auth import public
from glassflow.web.body import read_body
from glassflow.web.client_info import current_client
from glassflow.web.envelope import reply
from glassflow.web.gate import unlimited
from glassflow.web.throttle import count_login, note_login

PATH = "/floor/session"
COOKIE = "gf_session"
PORT = re.compile(r":([0-9]{1,5})$")

blueprint = Blueprint("pages_session", __name__, url_prefix=PATH)
LOGIN = LoginSchema()
View = TypeVar("View", bound=Callable[..., Any])


def own_pages_only(view: View) -> View:
    """Refuse calls that do not come from a page of this service."""

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        if request.headers.get("X-Floor") != "1" or not _has_own_origin():
            raise Forbidden(texts.FOREIGN_PAGE)
        return view(*args, **kwargs)

    return guarded  # type: ignore[return-value]


def _has_own_origin() -> bool:
    """Return whether the origin is this service; browsers send none with their own GET."""
    origin = request.headers.get("Origin")
    if origin is None:
        return request.method == "GET"
    # not `host_url`, which decodes a host name in Thai
    return origin == f"{request.scheme}://{request.host}"


@blueprint.post("")
@public
@unlimited
@own_pages_only
def log_in() -> Response:
    """Start a session for a username and password; set its cookie."""
    credentials = read_body(LOGIN)
    with refused_logins.logged("password", credentials["username"]):
        count_login(credentials["username"])
        secret, login = browser_logins.log_in(
            **credentials,
            client=current_client(),
            previous=request.cookies.get(_cookie_name(), ""),
        )
    note_login(credentials["username"])
    return _with_cookie(_page_login(login, "Logged in"), secret)


@blueprint.get("")
@public
@unlimited
@own_pages_only
def renew() -> Response:
    """Return the next page token; the session lasts 30 days from now on."""
    secret = request.cookies.get(_cookie_name(), "")
    login = browser_logins.renew(secret=secret, client=current_client())
    return _with_cookie(_page_login(login, "Session found"), secret)


@blueprint.delete("")
@public
@own_pages_only
def log_out() -> Response:
    """End the session, with the page tokens and sockets of all its pages."""
    browser_logins.log_out(secret=request.cookies.get(_cookie_name(), ""))
    response = reply(None, "Logged out")
    response.delete_cookie(
        _cookie_name(),
        path=PATH,
        secure=request.is_secure,
        httponly=True,
        samesite="Strict",
    )
    return response


def _page_login(login: PageLogin, message: str) -> Response:
    worker = own_record(login.worker)
    role = worker.get("role") or {}  # it may have been deleted
    data = {
        "token": login.token,
        "expiresIn": login.lifetime_s,
        "worker": worker,
        "permissions": sorted(keys_of_role(role)),
        "qrPrefix": runtime.current().policy.qr_prefix,
        "timezone": runtime.current().policy.timezone.key,
        "mostPanes": runtime.current().policy.max_array_length,
        "isDemo": current_app.config["DEMO"] and demo_mark.is_set(),
        "workshop": workshop.names(),
        "workingHours": working_hours.for_pages(),
    }
    if login.worker.get("passwordChangeRequired"):
        data["mustChangePassword"] = True
    if is_device_role(role):
        data["deviceIdleS"] = current_app.config["DEVICE_IDLE_TIME"]
    return reply(data, message)


def _with_cookie(response: Response, secret: str) -> Response:
    response.set_cookie(
        _cookie_name(),
        secret,
        max_age=IDLE_LIFETIME,
        path=PATH,
        secure=request.is_secure,
        httponly=True,
        samesite="Strict",
    )
    return response


def _cookie_name() -> str:
    """Return the name of the cookie at the scheme and port of this request.

    A browser has one set of cookies for all ports of a host: under one name, two services
    would end each other's sessions, and a cookie of https could not be replaced over http.
    """
    port = PORT.search(request.host)
    name = f"{COOKIE}_{port[1]}" if port else COOKIE
    return f"__Secure-{name}" if request.is_secure else name
