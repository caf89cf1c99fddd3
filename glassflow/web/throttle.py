"""How often somebody may try to log in."""

import logging
import math
import time
from urllib.parse import quote

from flask import Flask, current_app, request
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import FixedWindowRateLimiter
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from glassflow.domain.errors import TooManyAttempts

log = logging.getLogger(__name__)

PATIENCE = 0.5  # seconds for Redis to answer
AGAIN_AFTER = 5.0  # seconds for which a Redis that did not is left alone


class Throttle:
    """Counts attempts in Redis, or in this process while Redis is away.

    Nobody waits for Redis longer than a moment: with several processes and no Redis a
    name may be tried once more in each of them.
    """

    def __init__(self, url: str) -> None:
        self._here = FixedWindowRateLimiter(MemoryStorage())
        self._shared = FixedWindowRateLimiter(_redis(url)) if url else None
        self._left_alone_until = 0.0

    def hit(self, limit: RateLimitItem, *who: str) -> int | None:
        """Count an attempt; give the seconds to wait if it is one too many."""
        if self._shared and time.monotonic() >= self._left_alone_until:
            try:
                return _hit(self._shared, limit, who)
            except RedisError as error:
                self._left_alone_until = time.monotonic() + AGAIN_AFTER
                log.warning("logins are counted without Redis for now: %s", error)
        return _hit(self._here, limit, who)


def init_app(app: Flask) -> None:
    """Count in Redis where there are several processes, else in this one."""
    app.extensions["login_throttle"] = Throttle(app.config["REDIS_URL"])


def count_login(username: str) -> None:
    """Count an attempt for this name from this address.

    Raises `TooManyAttempts` beyond LOGIN_ATTEMPTS_PER_MINUTE of them.
    """
    throttle: Throttle = current_app.extensions["login_throttle"]
    limit = RateLimitItemPerMinute(current_app.config["LOGIN_ATTEMPTS_PER_MINUTE"])
    name = quote(username.strip().lower()[:64])
    seconds = throttle.hit(limit, name, request.remote_addr or "")
    if seconds is not None:
        raise TooManyAttempts(
            "Too many login attempts; please wait a moment", retry_after=seconds
        )


def _redis(url: str) -> RedisStorage:
    return RedisStorage(
        url,
        socket_timeout=PATIENCE,
        socket_connect_timeout=PATIENCE,
        retry=Retry(NoBackoff(), 0),
    )


def _hit(
    limiter: FixedWindowRateLimiter, limit: RateLimitItem, who: tuple[str, ...]
) -> int | None:
    if limiter.hit(limit, *who):
        return None
    reset = limiter.get_window_stats(limit, *who).reset_time
    return max(1, math.ceil(reset - time.time()))
