"""Badges: cards with a code by which a worker identifies on a shared device.

The code is a secret that nobody can guess and that says nothing about the worker. The store
has a digest of it, and a random number from which, together with the setting JWT_SECRET,
the code is made again when the badge is printed: a copy of the store contains no badge that
works. A new JWT_SECRET ends all badges, as it ends all tokens.
"""

import base64
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain.numbering import scanned_text
from glassflow.labels.cards import WORKER_PREFIX
from glassflow.models.role import Role
from glassflow.models.worker import Worker
from glassflow.services import records
from glassflow.services.auth import grants
from glassflow.services.auth.identity import end_on_devices

SECRET_BYTES = 16


@unit_of_work
def replace(*, worker_id: ObjectId, actor: Identity) -> Worker:
    """Give a worker a badge; the one before, and what it has opened, ends.

    Raises `NotFound`, and `Forbidden` for a worker who exceeds the actor's keys, and as
    `grants.require_login_for_own`.
    """
    worker = _load(worker_id, actor)
    _issue(worker)
    records.store(worker)
    return worker


@unit_of_work
def issue_missing(
    *, worker_ids: Sequence[ObjectId] | None, actor: Identity
) -> list[Worker]:
    """Give badges to those of these workers who are active and have none; return those.

    None stands for all persons who do not exceed the actor's keys. Raises as `replace`.
    """
    if worker_ids is None:
        workers = _covered_by(actor)
    else:
        workers = [_load(one, actor) for one in dict.fromkeys(worker_ids)]
    without = [one for one in workers if one.is_active and not code_of(one.to_mongo())]
    for worker in without:
        _issue(worker)
        records.store(worker)
    return without


@unit_of_work
def revoke(*, worker_id: ObjectId, actor: Identity) -> Worker:
    """Take a worker's badge away, and end what it has opened; raises as `replace`."""
    worker = _load(worker_id, actor)
    if worker.badge_nonce is not None:
        end_on_devices(worker)
    worker.badge_nonce = worker.badge_digest = worker.badge_issued_at = None
    records.store(worker)
    return worker


def code_of(worker: Mapping[str, Any]) -> str | None:
    """Return the code of a stored worker's badge; None without a badge that works."""
    nonce = worker.get("badgeNonce")
    secret = _secret(nonce) if nonce else ""
    works = secret and _digest(secret) == worker.get("badgeDigest")
    return WORKER_PREFIX + secret if works else None


def find_worker(code: str) -> dict[str, Any] | None:
    """Return the stored worker whose badge has this code, with or without its prefix."""
    secret = scanned_text(code).upper().removeprefix(WORKER_PREFIX).strip()
    return Worker.collection().find_one({"badgeDigest": _digest(secret)})


def _covered_by(actor: Identity) -> list[Worker]:
    roles = [
        role["_id"]
        for role in Role.collection().find({}, {"slug": 1, "permissions": 1})
        if not grants.is_account(role)
        and grants.covers(actor, role.get("permissions", ()))
    ]
    query: dict[str, Any] = {"isActive": True, "role": {"$in": roles}}
    if not actor.is_own_login:
        query["_id"] = {"$ne": actor.worker_id}
    return Worker.find_many(query)


def _load(worker_id: ObjectId, actor: Identity) -> Worker:
    grants.require_login_for_own(actor, worker_id)
    worker = records.load(Worker, worker_id)
    grants.require_covers_role(actor, worker.role)
    return worker


def _issue(worker: Worker) -> None:
    end_on_devices(worker)
    worker.badge_nonce = secrets.token_hex(SECRET_BYTES)
    worker.badge_digest = _digest(_secret(worker.badge_nonce))
    worker.badge_issued_at = clock.now()


def _secret(nonce: str) -> str:
    """Return the secret of a badge, in letters and digits that scanners type well."""
    made = bytes.fromhex(runtime.current().tokens.fingerprint(f"badge/{nonce}"))
    return base64.b32encode(made[:SECRET_BYTES]).decode().rstrip("=")


def _digest(secret: str) -> str:
    return runtime.current().tokens.fingerprint(f"badge digest/{secret}")
