"""API keys: by which programs act as a worker, with a part of the worker's rights.

A key is `gf_<prefix>_<secret>_<checksum>`. The worker's record has its prefix, by which it
is found and named, and a digest: a copy of the store contains no key that works. So a key
ends like a token does, with its worker, and at once where it is revoked.
"""

import hashlib
import hmac
import re
import secrets
import string
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bson import ObjectId
from cachetools import FIFOCache

from glassflow import runtime
from glassflow.core.access import logins
from glassflow.core.access.logins import Client, LoginKind
from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import permissions, texts
from glassflow.domain.aliases import Raw
from glassflow.domain.errors import (
    FieldFault,
    Forbidden,
    Invalid,
    NotFound,
    Refusal,
    Unauthenticated,
)
from glassflow.models.worker import Worker
from glassflow.services import records
from glassflow.services.auth import grants, identity
from glassflow.services.auth.login import require_own_login, require_still_proven
from glassflow.services.records import caches

BEGINNING = "gf_"
PREFIX_LENGTH = 8
SECRET_BYTES = 32
MAX_KEYS = 20  # of one worker
MAX_KNOWN = 4096  # prefixes whose worker is remembered
_FORM = re.compile(r"gf_([0-9A-Za-z]{8})_[0-9A-Za-z_-]{43}_([0-9a-f]{8})")

# The worker of a prefix, which never changes.
_owners: FIFOCache[str, ObjectId] = FIFOCache(MAX_KNOWN)


@dataclass(frozen=True, slots=True)
class NewKey:
    """An API key as it is stored, and in full, which is stored nowhere."""

    stored: Raw
    secret: str


def is_api_key(token: str) -> bool:
    """Return whether what a caller presents is meant as an API key."""
    return token.startswith(BEGINNING)


def identify(token: str) -> Identity:
    """Return the identity of a worker, with the keys that role and scopes both allow.

    Raises `Unauthenticated` for a key that is malformed, unknown, revoked or expired,
    and for a worker who is deactivated.
    """
    form = _FORM.fullmatch(token)
    if form is None or form[2] != _checksum(token[: form.start(2) - 1]):
        raise Unauthenticated(texts.TOKEN_REFUSED)
    worker = _owner_of(form[1])
    key = _key_of(worker, form[1])
    if worker is None or key is None or not worker.get("isActive", True):
        raise Unauthenticated(texts.TOKEN_REFUSED)
    digest = _digest(token)
    if not hmac.compare_digest(key["digest"], digest) or is_expired(key):
        raise Unauthenticated(texts.TOKEN_REFUSED)
    return identity.identity_of_key(worker, key, digest)


def list_of(worker_id: ObjectId, actor: Identity) -> list[dict[str, Any]]:
    """Return the API keys of a worker, the newest first, each with its `lastUsedAt`.

    Raises `NotFound`, and `Forbidden` for a worker who exceeds the actor's keys.
    """
    worker = records.read_raw(Worker, worker_id)
    grants.require_covers_role(actor, worker["role"])
    return of_worker(worker)


def of_worker(worker: Raw) -> list[dict[str, Any]]:
    """Return the API keys of a stored worker; as `list_of`."""
    keys = worker.get("apiKeys") or []
    used = logins.last_seen(key["prefix"] for key in keys)
    return [{**key, "lastUsedAt": used.get(key["prefix"])} for key in reversed(keys)]


def create(
    *,
    worker_id: ObjectId,
    values: Raw,
    actor: Identity,
    client: Client,
    proven: str | None = None,
) -> NewKey:
    """Create an API key of a worker: its `name`, `scopes` and, if it ends, `expires_at`.

    `proven` is the hash of the current password, where the key is the actor's own. Raises
    `Invalid`, `NotFound`, `Forbidden` for scopes or a worker that exceed the actor's keys,
    and for an API key, which would live on in those that it makes, or a person on a shared
    device; `Refusal` for more keys than a worker may have.
    """
    require_own_login(actor)
    _require_valid(values["scopes"], values.get("expires_at"))
    return _create(worker_id, values, actor, client, proven)


def create_for_operator(*, worker_id: ObjectId, values: Raw) -> NewKey:
    """Create an API key for who operates the service; raises as `create`.

    Scopes that exceed the worker's role allow nothing more.
    """
    _require_valid(values["scopes"], values["expires_at"])
    return _create(worker_id, values, None, Client(), None)


@unit_of_work
def _create(
    worker_id: ObjectId,
    values: Raw,
    actor: Identity | None,
    client: Client,
    proven: str | None,
) -> NewKey:
    worker = records.load(Worker, worker_id)
    require_still_proven(worker, proven)
    if actor is not None:
        grants.require_covers_role(actor, worker.role)
        grants.require_covers(actor, values["scopes"])
    if not worker.is_active:
        raise Forbidden()
    if len(worker.api_keys) >= MAX_KEYS:
        raise Refusal(
            texts.API_KEYS_TOO_MANY.format(maximum=MAX_KEYS), code="TOO_MANY_API_KEYS"
        )
    secret = new_key()
    key = {
        "prefix": prefix_of(secret),
        "digest": _digest(secret),
        "name": values["name"],
        "scopes": sorted(set(values["scopes"])),
        "createdAt": clock.now(),
        "expiresAt": values.get("expires_at"),
    }
    _store(worker, [*worker.api_keys, key])
    records.store(worker)
    logins.store_login(
        key["prefix"],
        worker.pk,
        LoginKind.API_KEY,
        client=client,
        started_at=key["createdAt"],
        expires_at=key["expiresAt"],
    )
    return NewKey(key, secret)


@unit_of_work
def revoke(*, worker_id: ObjectId, prefix: str, actor: Identity) -> None:
    """End an API key at once, and close its sockets; raises as `list_of`, and `NotFound`."""
    worker = records.load(Worker, worker_id)
    grants.require_covers_role(actor, worker.role)
    _revoke(worker, prefix)


@unit_of_work
def revoke_for_operator(*, worker_id: ObjectId, prefix: str) -> None:
    """End an API key for who operates the service; raises `NotFound`."""
    _revoke(records.load(Worker, worker_id), prefix)


def _revoke(worker: Worker, prefix: str) -> None:
    kept = [key for key in worker.api_keys if key["prefix"] != prefix]
    if len(kept) == len(worker.api_keys):
        raise NotFound(texts.API_KEY_UNKNOWN)
    _store(worker, kept)
    logins.end(prefix)
    records.store(worker)


def revoke_all(worker: Worker) -> None:
    """End all API keys of a worker, inside a unit of work; the caller saves the worker."""
    if worker.api_keys:
        logins.end(*worker.api_key_prefixes)
        _store(worker, [])


def new_key() -> str:
    """Return a new key in full."""
    letters = string.ascii_letters + string.digits
    prefix = "".join(secrets.choice(letters) for _ in range(PREFIX_LENGTH))
    begun = f"{BEGINNING}{prefix}_{secrets.token_urlsafe(SECRET_BYTES)}"
    return f"{begun}_{_checksum(begun)}"


def prefix_of(secret: str) -> str:
    """Return the part of a key by which it is found and named."""
    return secret[len(BEGINNING) :][:PREFIX_LENGTH]


def is_expired(key: Raw) -> bool:
    """Return whether a stored key has expired."""
    expires_at: datetime | None = key["expiresAt"]
    return expires_at is not None and expires_at <= clock.now()


def _store(worker: Worker, keys: Sequence[Raw]) -> None:
    worker.api_keys = list(keys)
    worker.api_key_prefixes = [key["prefix"] for key in keys]


def _owner_of(prefix: str) -> Raw | None:
    """Return the stored worker of a key, from the cache unless the key is missing there.

    A key that another process has created just now may be missing in the cache.
    """
    owner = _owners.get(prefix)
    known = caches.WORKERS.get(owner) if owner else None
    if _key_of(known, prefix) is not None:
        return known
    found = Worker.collection().find_one({"apiKeyPrefixes": prefix})
    if found is not None:
        _owners[prefix] = found["_id"]
    return found


def _key_of(worker: Raw | None, prefix: str) -> Raw | None:
    keys: Sequence[Raw] = (worker or {}).get("apiKeys") or ()
    return next((key for key in keys if key["prefix"] == prefix), None)


def _require_valid(scopes: Sequence[str], expires_at: datetime | None) -> None:
    """Raise `Invalid` for scopes that are no permission keys, and for an end that is over."""
    policy = runtime.current().policy
    faults: list[FieldFault] = [
        {
            "field": f"scopes.{index}",
            "message": texts.UNKNOWN_PERMISSION_KEY.format(key=key),
        }
        for index, key in enumerate(scopes)
        if not permissions.is_known(key, policy.permission_sets)
    ]
    if expires_at is not None and expires_at <= clock.now():
        faults.append({"field": "expiresAt", "message": texts.API_KEY_ENDED})
    if faults:
        raise Invalid(faults)


def _digest(secret: str) -> str:
    # a fast hash is enough: nobody can guess 256 random bits
    return hashlib.sha256(secret.encode()).hexdigest()


def _checksum(begun: str) -> str:
    """Return a checksum by which a mistyped key is recognized without the store."""
    return f"{zlib.crc32(begun.encode()):08x}"
