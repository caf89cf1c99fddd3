"""Who is asking: tokens given at login, verified at every request and handshake."""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
from bson import ObjectId

from glassflow.core import clock
from glassflow.domain import permissions
from glassflow.domain.errors import Forbidden, Unauthenticated
from glassflow.models.role import Role
from glassflow.models.worker import Worker

ALGORITHM = "HS256"
REFUSED = "Invalid or expired token"


@dataclass(frozen=True, slots=True)
class Identity:
    """A worker who is known to be asking, and what their role lets them do.

    `token_digest` names the token without being it; `expires_at` is in epoch seconds.
    """

    worker_id: ObjectId
    name: str
    role_id: ObjectId
    keys: frozenset[str]
    token_digest: str = ""
    expires_at: float = 0.0

    def may(self, key: str) -> bool:
        """Tell whether the worker holds a key, directly or by implication."""
        return permissions.holds(self.keys, key)

    def demand(self, key: str) -> None:
        """Raise `Forbidden` unless the worker holds the key."""
        if not self.may(key):
            raise Forbidden()


class Tokens:
    """Signs and reads the tokens of one service; `lifetime` is in seconds."""

    def __init__(self, secret: str, lifetime: float) -> None:
        self.secret = secret
        self.lifetime = lifetime

    def issue(self, worker_id: ObjectId) -> str:
        """Sign a token: `{id}` and the standard iat, exp and jti (spec, payload)."""
        issued = time.time()
        payload = {
            "id": str(worker_id),
            "iat": issued,
            "exp": issued + self.lifetime,
            "jti": str(ObjectId()),
        }
        return jwt.encode(payload, self.secret, algorithm=ALGORITHM)

    def read(self, token: str) -> Mapping[str, Any]:
        """Give a token's payload; raises `Unauthenticated` if it is not a good one."""
        try:
            payload: dict[str, Any] = jwt.decode(
                token,
                self.secret,
                algorithms=[ALGORITHM],
                options={"require": ["id", "exp"]},
            )
        except (jwt.InvalidTokenError, ValueError):
            raise Unauthenticated(REFUSED) from None
        return payload


_tokens: list[Tokens] = []


def configure(tokens: Tokens) -> None:
    """Set the key and lifetime that this process signs and reads tokens with."""
    _tokens[:] = [tokens]


def issue(worker_id: ObjectId) -> str:
    """Sign a token for a worker who has just proved who they are."""
    return _tokens[0].issue(worker_id)


def digest(token: str) -> str:
    """Name a token without being it, for the list of revoked ones."""
    return hashlib.sha256(token.encode()).hexdigest()[:32]


def identify(token: str) -> Identity:
    """Tell who a token belongs to, as of now: two reads, worker and role.

    Raises `Unauthenticated` for a token that is malformed, expired or revoked, and for
    a worker who is gone or deactivated.
    """
    payload = _tokens[0].read(token)
    name = digest(token)
    worker = _worker(payload["id"])
    if worker is None or not _accepted(worker, name, payload):
        raise Unauthenticated(REFUSED)
    role = Role._get_collection().find_one({"_id": worker["role"]}) or {}
    return Identity(
        worker_id=worker["_id"],
        name=worker["name"],
        role_id=worker["role"],
        keys=permissions.expand(role.get("permissions", ())),
        token_digest=name,
        expires_at=float(payload["exp"]),
    )


def _worker(worker_id: Any) -> dict[str, Any] | None:
    if not isinstance(worker_id, str) or not ObjectId.is_valid(worker_id):
        return None
    found: dict[str, Any] | None = Worker._get_collection().find_one(
        {"_id": ObjectId(worker_id)}
    )
    return found


def _accepted(worker: Mapping[str, Any], name: str, payload: Mapping[str, Any]) -> bool:
    """Whether the worker still honours this token."""
    if not worker.get("isActive", True):
        return False
    if any(gone["digest"] == name for gone in worker.get("revokedTokens", ())):
        return False
    valid_from: datetime | None = worker.get("tokensValidFrom")
    if valid_from is None or name == worker.get("keptToken"):
        return True
    issued = payload.get("iat", 0)
    return bool(issued >= valid_from.replace(tzinfo=UTC).timestamp())


def revoke(worker: Worker, who: Identity) -> None:
    """Put a token on its worker's list until it expires; the caller saves."""
    until = datetime.fromtimestamp(who.expires_at, UTC).replace(tzinfo=None)
    live = [t for t in worker.revoked_tokens if t["expiresAt"] > clock.now()]
    worker.revoked_tokens = [*live, {"digest": who.token_digest, "expiresAt": until}]


def end_all_tokens(worker: Worker, but: Identity | None = None) -> None:
    """End every token given so far, but the one named; the caller saves."""
    worker.tokens_valid_from = clock.now() + timedelta(milliseconds=1)
    worker.kept_token = but.token_digest if but else None
