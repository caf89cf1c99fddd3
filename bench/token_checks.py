"""What the check of a token costs a request, without the reads of worker and role."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import jwt
from bson import ObjectId
from flask import Flask
from flask_jwt_extended import verify_jwt_in_request

from bench.figures import number, table
from bench.section import Measured
from glassflow.web.tokens import Tokens, bearer_token

MAX_CACHED_US = 20.0  # a request's check of a token that was verified before
WHOLE, QUICK = 2000, 50  # calls in a series
REPEATS = 7  # series
CACHED = "`Tokens.verify`, cached"
SETTINGS = {
    "JWT_SECRET": "f3a9c1e07b5d42868e1f9a6c3d7b0245",
    "JWT_EXPIRES_IN": 604800,
}


def section(quick: bool) -> Measured:
    """Measure each way to check a token."""
    app = Flask("bench")
    app.config.update(SETTINGS)
    tokens = Tokens(app)
    token = tokens.issue(ObjectId())
    headers = {"Authorization": f"Bearer {token}"}
    rounds = QUICK if quick else WHOLE
    with app.test_request_context(headers=headers):
        checks = _checks(tokens, token).items()
        measured = {name: _microseconds(check, rounds) for name, check in checks}
    rows = [[name, number(microseconds)] for name, microseconds in measured.items()]
    lines = list(table(("check of a token", "microseconds"), rows))
    return Measured(lines, faults=_faults(measured[CACHED]))


def _faults(cached_us: float) -> list[str]:
    """Return what is slower than it may be."""
    if cached_us <= MAX_CACHED_US:
        return []
    return [f"a cached check takes {cached_us:.1f} µs, more than {MAX_CACHED_US:g}"]


def _checks(tokens: Tokens, token: str) -> dict[str, Callable[[], Any]]:
    secret = SETTINGS["JWT_SECRET"]

    def uncached() -> None:
        tokens._cache.clear()
        tokens.verify(bearer_token())

    def by_the_library() -> None:
        verify_jwt_in_request(skip_revocation_check=True)

    # the library's own way looks the worker up in the store: left out
    _without_user_lookup(tokens)
    return {
        "PyJWT alone": lambda: jwt.decode(
            token, secret, algorithms=["HS256"], options={"require": ["id", "exp"]}
        ),
        "Flask-JWT-Extended: `verify_jwt_in_request`": by_the_library,
        "`Tokens.verify`, not cached": uncached,
        CACHED: lambda: tokens.verify(bearer_token()),
    }


def _without_user_lookup(tokens: Tokens) -> None:
    manager = tokens._app.extensions["flask-jwt-extended"]
    manager._user_lookup_callback = None


def _microseconds(check: Callable[[], Any], rounds: int) -> float:
    """Return the time of a call: the best of some series, so without other load."""
    best = float("inf")
    for _ in range(REPEATS):
        begin = time.perf_counter()
        for _ in range(rounds):
            check()
        best = min(best, time.perf_counter() - begin)
    return best / rounds * 1e6
