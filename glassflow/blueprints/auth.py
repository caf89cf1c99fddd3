"""Login, logout and one's own record."""

from flask import Blueprint, Response, request

from glassflow.models.worker import Worker
from glassflow.schemas.auth import LoginSchema, MeSchema
from glassflow.services import records
from glassflow.services.expansion import expand
from glassflow.services.representation import shape, stored
from glassflow.services.sign_in import change_own, sign_in, sign_out
from glassflow.web.auth import any_worker, public, who
from glassflow.web.body import read
from glassflow.web.envelope import reply
from glassflow.web.throttle import count_login

blueprint = Blueprint("auth", __name__, url_prefix="/api/auth")
LOGIN, ME = LoginSchema(), MeSchema()


@blueprint.post("/login")
@public
def login() -> Response:
    """Give a token for a username and password."""
    credentials = read(LOGIN)
    count_login(credentials["username"])
    token, worker = sign_in(**credentials)
    data = {"token": token, "worker": _with_role(worker)}
    return reply(data, "Logged in")


@blueprint.post("/logout")
@any_worker
def logout() -> Response:
    """End the token that this request carries."""
    sign_out(actor=who())
    return reply(None, "Logged out")


@blueprint.get("/me")
@any_worker
def me() -> Response:
    """Show the caller's own record."""
    return reply(_with_role(records.find(Worker, who().worker_id)), "Worker found")


@blueprint.patch("/me")
@any_worker
def update_me() -> Response:
    """Change the caller's own record."""
    worker = change_own(values=read(ME, partial=True), actor=who())
    return reply(_with_role(stored(worker)), "Worker updated")


def _with_role(raw: dict[str, object]) -> dict[str, object]:
    """The role is shown whole here, whatever `populate` says (spec, login)."""
    row = shape(Worker, raw)
    wanted = request.args.get("populate", "")
    names = "role" if wanted in ("", "true", "false") else f"role,{wanted}"
    expand(Worker, [row], names)
    return row
