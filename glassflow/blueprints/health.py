"""Health checks: liveness and readiness."""

import time
from collections.abc import Callable
from threading import Condition
from typing import Any

from cachetools import TLRUCache, cached
from flask import Blueprint, Response, current_app
from flask.sansio.blueprints import BlueprintSetupState
from mongoengine.connection import get_connection
from pymongo.errors import PyMongoError
from redis import Redis
from redis.exceptions import RedisError

from glassflow.core.process import clock, deadlines, disk
from glassflow.core.process.json import iso
from glassflow.core.store import migrations
from glassflow.core.store.mongo_check import Lack, lack
from glassflow.domain import texts
from glassflow.schemas.answers.reports import HEALTH, READINESS
from glassflow.services.backups import records
from glassflow.web.auth import public
from glassflow.web.envelope import failure, reply
from glassflow.web.gate import unlimited
from glassflow.web.operation import describe

Found = dict[str, str]  # what was looked at, and how it was found

DISK_FAULTS = {"read-only": disk.is_read_only, "nearly full": disk.is_full}
STARTED = time.monotonic()  # when this process loaded the application

blueprint = Blueprint("health", __name__, url_prefix="/api/health")


@blueprint.get("")
@public
@unlimited
@describe("get_health", answer=HEALTH)
def live() -> Response:
    """Report that the process answers, and for how many seconds it has been up."""
    uptime_s = round(time.monotonic() - STARTED, 3)
    now = iso(clock.now())
    return reply({"status": "healthy", "uptime": uptime_s, "timestamp": now}, "Healthy")


@blueprint.get("/ready")
@public
@unlimited
@describe("get_readiness", answer=READINESS)
def ready() -> Response:
    """Report whether database, transactions and queue work: 200 or 503."""
    found: Found = current_app.extensions["readiness"]()
    if not {"unreachable", *Lack}.isdisjoint(found.values()):
        return failure(texts.NOT_READY, 503, errors=found)
    return reply({"status": "ready", **found}, "Ready")


@blueprint.record_once
def _share_looks(state: BlueprintSetupState) -> None:
    """Look once for all requests at the same time.

    They need no token and no gate limits them: a look for each of them would take all
    connections of the driver's pool.
    """
    state.app.extensions["readiness"] = shared_look()


def shared_look() -> Callable[[], Found]:
    """Return a look at the dependencies that is kept for `READINESS_KEPT_S`."""
    kept: TLRUCache[Any, Found] = TLRUCache(
        1, ttu=lambda _key, _found, now: now + deadlines.READINESS_KEPT_S
    )
    return cached(kept, condition=Condition())(_look)


def _look() -> Found:
    found = {"database": _database(), "queue": _queue(), "disk": _disk()}
    if not {"unreachable", *Lack}.isdisjoint(found.values()):
        return found
    # These change no status: this release reads data that no migration has reached yet.
    try:
        return {**found, "migrations": _migrations(), "backup": _backup()}
    except PyMongoError:
        return {**found, "database": "unreachable"}


def _database() -> str:
    try:
        missing = lack(get_connection(), current_app.config["MONGODB_DB"])
    except PyMongoError:
        return "unreachable"
    return missing or "reachable"


def _migrations() -> str:
    done = migrations.done()
    if migrations.is_newer(done):
        return "of a newer release"
    pending = migrations.pending(done)
    return f"pending: {', '.join(pending)}" if pending else "done"


def _backup() -> str:
    every_s = current_app.config["BACKUP_EVERY"]
    if not every_s:
        return "not scheduled"
    return "late" if records.is_late(records.last(), every_s) else "in time"


def _disk() -> str:
    """Return whether a disk takes no more; changes no status: reads still work."""
    folders = disk.directories(current_app.config)
    for words, is_so in DISK_FAULTS.items():
        if names := [name for name, folder in folders.items() if is_so(folder)]:
            return f"{words}: {', '.join(names)}"
    return "has space"


def _queue() -> str:
    url = current_app.config["REDIS_URL"]
    if not url:
        return "in the store"
    try:
        Redis.from_url(url, socket_timeout=deadlines.READINESS_TIMEOUT_S).ping()
    except RedisError:
        return "unreachable"
    return "reachable"
