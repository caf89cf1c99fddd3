"""How often somebody may try to log in."""

import math
import time
from urllib.parse import quote

from flask import Flask, current_app, request
from limits import RateLimitItem, RateLimitItemPerMinute
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import FixedWindowRateLimiter

from glassflow.domain.errors import TooManyAttempts


def init_app(app: Flask) -> None:
    """Count in Redis where there are several processes, else in this one."""
    url = app.config["REDIS_URL"]
    storage = RedisStorage(url) if url else MemoryStorage()
    app.extensions["login_throttle"] = FixedWindowRateLimiter(storage)


def count_login(username: str) -> None:
    """Count an attempt for this name from this address.

    Raises `TooManyAttempts` beyond LOGIN_ATTEMPTS_PER_MINUTE of them.
    """
    limiter: FixedWindowRateLimiter = current_app.extensions["login_throttle"]
    limit = RateLimitItemPerMinute(current_app.config["LOGIN_ATTEMPTS_PER_MINUTE"])
    who = (quote(username.strip().lower()[:64]), request.remote_addr or "")
    if not limiter.hit(limit, *who):
        raise TooManyAttempts(
            "Too many login attempts; please wait a moment",
            retry_after=_seconds_left(limiter, limit, who),
        )


def _seconds_left(
    limiter: FixedWindowRateLimiter, limit: RateLimitItem, who: tuple[str, str]
) -> int:
    reset = limiter.get_window_stats(limit, *who).reset_time
    return max(1, math.ceil(reset - time.time()))
