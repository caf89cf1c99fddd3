"""Coming in and going out: the password for a token, and the token's end."""

from collections.abc import Mapping
from typing import Any

from glassflow.core.unit_of_work import unit_of_work
from glassflow.domain.errors import Invalid, Unauthenticated
from glassflow.models.worker import Worker
from glassflow.services import passwords, records
from glassflow.services.identity import (
    Identity,
    end_all_tokens,
    issue,
    revoke,
)

REFUSED = "Invalid username or password"


def sign_in(*, username: str, password: str) -> tuple[str, dict[str, Any]]:
    """Give a token and the worker's stored form.

    Raises `Unauthenticated`, with one message and after the same time whether the name
    is unknown, the password wrong or the worker deactivated.
    """
    worker = Worker._get_collection().find_one({"username": username.strip().lower()})
    good = passwords.fits(password, worker and worker.get("passwordHash"))
    if worker is None or not good or not worker.get("isActive", True):
        raise Unauthenticated(REFUSED)
    return issue(worker["_id"]), worker


@unit_of_work
def sign_out(*, actor: Identity) -> None:
    """End the token that the caller uses; their open sockets end with it."""
    worker = records.get(Worker, actor.worker_id)
    revoke(worker, actor)
    worker.save()


def change_own(*, values: Mapping[str, Any], actor: Identity) -> Worker:
    """Change one's own name, username, password or notification preferences.

    A new password needs `current_password`, and ends all the other tokens. Raises
    `Invalid` when it is missing or wrong.
    """
    values = dict(values)
    current = values.pop("current_password", None)
    password = values.pop("password", None)
    if password is None:
        return _change_own(values, None, actor)
    stored = records.find(Worker, actor.worker_id).get("passwordHash")
    if not current or not passwords.fits(current, stored):
        fault = "Current password is missing or wrong"
        raise Invalid([{"field": "currentPassword", "message": fault}])
    return _change_own(values, passwords.hashed(password), actor)


@unit_of_work
def _change_own(
    values: Mapping[str, Any], password_hash: str | None, actor: Identity
) -> Worker:
    worker = records.get(Worker, actor.worker_id)
    records.assign(worker, values)
    if password_hash is not None:
        worker.password_hash = password_hash
        end_all_tokens(worker, but=actor)
    worker.save()
    return worker
