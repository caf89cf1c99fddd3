"""Where workers are logged in, and their API keys: one's own, and for who manages workers."""

from collections.abc import Mapping
from typing import Any

from bson import ObjectId
from flask import Blueprint, Response

from glassflow.core.identity import Identity
from glassflow.domain import error_codes
from glassflow.domain.errors import Forbidden
from glassflow.models.worker import Worker
from glassflow.schemas.answers.accounts import (
    API_KEYS,
    NEW_API_KEY,
    SESSIONS,
)
from glassflow.schemas.auth import ApiKeySchema, OwnApiKeySchema
from glassflow.schemas.shapes import NULL
from glassflow.services import records
from glassflow.services.auth import api_keys, sessions
from glassflow.services.auth.api_keys import NewKey
from glassflow.services.auth.login import (
    require_current_password,
    require_own_login,
    username_of,
)
from glassflow.web.auth import any_worker, current_identity, require
from glassflow.web.body import read_body
from glassflow.web.client_info import current_client
from glassflow.web.envelope import reply
from glassflow.web.idempotency import takes_no_key
from glassflow.web.operation import describe
from glassflow.web.throttle import count_own_password

KEY, OWN_KEY = ApiKeySchema(), OwnApiKeySchema()
CODES = tuple(error_codes.API_KEYS)

own = Blueprint("sessions", __name__, url_prefix="/api/auth")
managed = Blueprint("worker_sessions", __name__, url_prefix="/api/workers")


@own.get("/sessions")
@any_worker
@describe("list_own_sessions", answer=SESSIONS)
def list_own_sessions() -> Response:
    """List where the caller is logged in now, the newest first."""
    return _sessions(_own_login().worker_id)


@own.delete("/sessions")
@any_worker
@describe("end_other_sessions", answer=NULL)
def end_other_sessions() -> Response:
    """End all sessions of the caller but the one of this request."""
    sessions.end_others(actor=_own_login())
    return reply(None, "Sessions ended")


@own.delete("/sessions/<session_id>")
@any_worker
@describe("end_own_session", answer=NULL)
def end_own_session(session_id: str) -> Response:
    """End one of the caller's sessions, with its tokens and sockets."""
    return _end(_own_login().worker_id, session_id)


@own.get("/api-keys")
@any_worker
@describe("list_own_api_keys", answer=API_KEYS)
def list_own_api_keys() -> Response:
    """List the API keys of the caller, the newest first."""
    return _keys(_own_login().worker_id)


@own.post("/api-keys")
@any_worker
@takes_no_key
@describe(
    "create_own_api_key",
    body=OWN_KEY,
    answer=NEW_API_KEY,
    status=201,
    errors=(429,),
    codes=CODES,
)
def create_own_api_key() -> Response:
    """Create an API key of the caller; it is shown in this answer only."""
    actor, values = _own_login(), read_body(OWN_KEY)
    count_own_password(actor.worker_id, username_of(actor))
    proven = require_current_password(actor, values.pop("current_password"))
    return _create(actor.worker_id, values, proven)


@own.delete("/api-keys/<prefix>")
@any_worker
@describe("revoke_own_api_key", answer=NULL)
def revoke_own_api_key(prefix: str) -> Response:
    """End one of the caller's API keys at once."""
    return _revoke(_own_login().worker_id, prefix)


@managed.get("/<oid:record_id>/sessions")
@require("workers:manage")
@describe("list_sessions", answer=SESSIONS)
def list_sessions(record_id: str) -> Response:
    """List where a worker is logged in now, the newest first."""
    return _sessions(_id(record_id))


@managed.delete("/<oid:record_id>/sessions/<session_id>")
@require("workers:manage")
@describe("end_session", answer=NULL)
def end_session(record_id: str, session_id: str) -> Response:
    """End one session of a worker, with its tokens and sockets."""
    return _end(_id(record_id), session_id)


@managed.get("/<oid:record_id>/api-keys")
@require("workers:manage")
@describe("list_api_keys", answer=API_KEYS)
def list_api_keys(record_id: str) -> Response:
    """List the API keys of a worker, the newest first."""
    return _keys(_id(record_id))


@managed.post("/<oid:record_id>/api-keys")
@require("workers:manage")
@takes_no_key
@describe("create_api_key", body=KEY, answer=NEW_API_KEY, status=201, codes=CODES)
def create_api_key(record_id: str) -> Response:
    """Create an API key of another worker; it is shown in this answer only."""
    worker_id = _id(record_id)
    if worker_id == current_identity().worker_id:
        raise Forbidden()  # one's own needs the password
    records.read_raw(Worker, worker_id)
    return _create(worker_id, read_body(KEY))


@managed.delete("/<oid:record_id>/api-keys/<prefix>")
@require("workers:manage")
@describe("revoke_api_key", answer=NULL)
def revoke_api_key(record_id: str, prefix: str) -> Response:
    """End one API key of a worker at once."""
    return _revoke(_id(record_id), prefix)


def _own_login() -> Identity:
    """Return the caller; raises `Forbidden` for an API key and on a shared device."""
    actor = current_identity()
    require_own_login(actor)
    return actor


def _id(record_id: str) -> ObjectId:
    return records.object_id(record_id, Worker.label)


def _sessions(worker_id: ObjectId) -> Response:
    actor = current_identity()
    rows = sessions.list_of(worker_id, actor)
    return reply([_session(row, actor) for row in rows], "Sessions")


def _session(row: Mapping[str, Any], actor: Identity) -> dict[str, Any]:
    device = row["deviceAccount"]
    return {
        "_id": row["_id"],
        "kind": row["kind"],
        "startedAt": row["startedAt"],
        "lastSeenAt": row["lastSeenAt"],
        "expiresAt": row["expiresAt"],
        "address": row["address"],
        "agent": row["agent"],
        "device": device and {"_id": str(device["_id"]), "name": device["name"]},
        "current": row["_id"] == actor.login,
    }


def _end(worker_id: ObjectId, session_id: str) -> Response:
    sessions.end(worker_id=worker_id, session_id=session_id, actor=current_identity())
    return reply(None, "Session ended")


def _keys(worker_id: ObjectId) -> Response:
    rows = api_keys.list_of(worker_id, current_identity())
    return reply([_key(row) for row in rows], "API keys")


def _key(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "_id": row["prefix"],
        "name": row["name"],
        "scopes": row["scopes"],
        "createdAt": row["createdAt"],
        "expiresAt": row["expiresAt"],
        "lastUsedAt": row.get("lastUsedAt"),
        "isExpired": api_keys.is_expired(row),
    }


def _create(
    worker_id: ObjectId, values: Mapping[str, Any], proven: str | None = None
) -> Response:
    new: NewKey = api_keys.create(
        worker_id=worker_id,
        values=values,
        actor=current_identity(),
        client=current_client(),
        proven=proven,
    )
    return reply({**_key(new.stored), "key": new.secret}, "API key created", status=201)


def _revoke(worker_id: ObjectId, prefix: str) -> Response:
    api_keys.revoke(worker_id=worker_id, prefix=prefix, actor=current_identity())
    return reply(None, "API key revoked")
