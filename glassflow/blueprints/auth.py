"""Login, logout and one's own record."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from flask import Blueprint, Response

from glassflow.core.identity import Identity
from glassflow.core.store import expect_version
from glassflow.models.worker import Worker
from glassflow.schemas.answers.accounts import LOGIN as LOGIN_ANSWER
from glassflow.schemas.auth import (
    ClearPinSchema,
    LoginSchema,
    MeSchema,
    OwnPinSchema,
)
from glassflow.schemas.shapes import NULL, record
from glassflow.services import records
from glassflow.services.auth import pins
from glassflow.services.auth.login import (
    log_in,
    log_out,
    needs_current_password,
    own_record,
    require_no_api_key,
    username_of,
)
from glassflow.services.auth.login import update_me as update_own_record
from glassflow.web import etags, refused_logins
from glassflow.web.auth import (
    any_worker,
    before_password_change,
    current_identity,
    public,
)
from glassflow.web.body import read_body
from glassflow.web.client_info import current_client
from glassflow.web.envelope import reply
from glassflow.web.gate import unlimited
from glassflow.web.operation import describe
from glassflow.web.throttle import count_login, count_own_password, note_login

blueprint = Blueprint("auth", __name__, url_prefix="/api/auth")
LOGIN, ME, PIN = LoginSchema(), MeSchema(), OwnPinSchema()
CLEAR_PIN = ClearPinSchema()
OWN = record("Worker")


@blueprint.post("/login")
@public
@unlimited
@describe("log_in", body=LOGIN, answer=LOGIN_ANSWER, errors=(401, 429))
def login() -> Response:
    """Return a token for a username and password."""
    credentials = read_body(LOGIN)
    with refused_logins.logged("password", credentials["username"]):
        count_login(credentials["username"])
        token, worker = log_in(**credentials, client=current_client())
    note_login(credentials["username"])
    data = {"token": token, "worker": own_record(worker)}
    return reply(data, "Logged in")


@blueprint.post("/logout")
@any_worker
@before_password_change
@describe("log_out", answer=NULL)
def logout() -> Response:
    """Revoke the token of this request."""
    log_out(actor=current_identity())
    return reply(None, "Logged out")


@blueprint.get("/me")
@any_worker
@before_password_change
@describe("get_me", answer=OWN, tagged=True)
def me() -> Response:
    """Return the caller's own record."""
    raw = records.read_raw(Worker, current_identity().worker_id)
    return _own(raw, "Worker found")


@blueprint.patch("/me")
@any_worker
@before_password_change
@describe("update_me", body=ME, partial=True, answer=OWN, tagged=True, errors=(429,))
def update_me() -> Response:
    """Change the caller's own record; a new password counts as a login attempt."""
    values, actor = read_body(ME, partial=True), current_identity()
    if needs_current_password(values, actor):
        _count_password(actor)
    with _expecting(actor):
        worker = update_own_record(values=values, actor=actor)
    return _own(worker.stored_form(), "Worker updated")


@blueprint.put("/me/pin")
@any_worker
@describe("set_own_pin", body=PIN, answer=OWN, tagged=True, errors=(429,))
def set_own_pin() -> Response:
    """Set the caller's own PIN for shared devices; counts as a login attempt."""
    values, actor = read_body(PIN), current_identity()
    _count_password(actor)
    with _expecting(actor):
        worker = pins.set_own_pin(**values, actor=actor)
    return _own(worker.stored_form(), "PIN set")


@blueprint.delete("/me/pin")
@any_worker
@describe(
    "clear_own_pin",
    body=CLEAR_PIN,
    partial=True,
    answer=OWN,
    tagged=True,
    errors=(429,),
)
def clear_own_pin() -> Response:
    """Remove the caller's own PIN; on a shared device it takes the password."""
    values, actor = read_body(CLEAR_PIN, partial=True), current_identity()
    if not actor.is_own_login:
        _count_password(actor)
    current = values.get("current_password")
    with _expecting(actor):
        worker = pins.clear_own_pin(current_password=current, actor=actor)
    return _own(worker.stored_form(), "PIN removed")


def _expecting(actor: Identity) -> AbstractContextManager[None]:
    """Let the block change the caller's record only in the version of the If-Match, if any."""
    versions = etags.expected_versions()
    return expect_version.expecting(Worker.__name__, actor.worker_id, versions)


def _own(raw: Mapping[str, Any], message: str) -> Response:
    response = reply(own_record(raw), message)
    return etags.tag_record(response, raw.get("version") or 0, is_plain=False)


def _count_password(actor: Identity) -> None:
    require_no_api_key(actor)  # it is refused, and uses up no attempts of its worker
    count_own_password(actor.worker_id, username_of(actor))
