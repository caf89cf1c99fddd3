"""Whether the service lives, and whether it can work."""

from flask import Blueprint, Response, current_app
from mongoengine.connection import get_connection
from pymongo.errors import PyMongoError
from redis import Redis
from redis.exceptions import RedisError

from glassflow.core.store_check import why_without_transactions
from glassflow.web.auth import public
from glassflow.web.envelope import failure, reply

blueprint = Blueprint("health", __name__, url_prefix="/api/health")
PATIENCE = 2.0  # seconds for the queue to answer


@blueprint.get("")
@public
def live() -> Response:
    """Tell that the process answers."""
    return reply({"status": "live"}, "Live")


@blueprint.get("/ready")
@public
def ready() -> Response:
    """Tell whether database (with transactions) and queue can be used: 200 or 503."""
    found = {"database": _database(), "queue": _queue()}
    if not {"unreachable", "without transactions"}.isdisjoint(found.values()):
        return failure("Not ready", 503, errors=found)
    return reply({"status": "ready", **found}, "Ready")


def _database() -> str:
    try:
        without = why_without_transactions(get_connection())
    except PyMongoError:
        return "unreachable"
    return "without transactions" if without else "reachable"


def _queue() -> str:
    url = current_app.config["REDIS_URL"]
    if not url:
        return "in this process"
    try:
        Redis.from_url(url, socket_timeout=PATIENCE).ping()
    except RedisError:
        return "unreachable"
    return "reachable"
