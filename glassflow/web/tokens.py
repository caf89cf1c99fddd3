"""Access tokens, issued and verified by Flask-JWT-Extended, which only this file imports.

Requests, handshakes, open sockets and event streams are authenticated in the same way:
the token is verified, then the library's loaders ask the store whether it is revoked and
whose it is. The library answers refused requests through its loaders, too.
"""

import hmac
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import isfinite
from typing import Any

from bson import ObjectId
from cachetools import FIFOCache
from flask import Flask, Response, current_app, g, has_app_context, request
from flask_jwt_extended import JWTManager, create_access_token, decode_token
from flask_jwt_extended.exceptions import (
    JWTDecodeError,
    JWTExtendedException,
    NoAuthorizationError,
    UserLookupError,
)
from flask_jwt_extended.internal_utils import (
    custom_verification_for_token,
    user_lookup,
    verify_token_not_blocklisted,
    verify_token_type,
)
from flask_jwt_extended.utils import get_unverified_jwt_headers
from jwt.exceptions import InvalidTokenError

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import PasswordChangeRequired, Unauthenticated
from glassflow.services.auth import api_keys, identity
from glassflow.web.errors import refused

ALGORITHM = "HS256"
LEEWAY_S = 5  # how far the clocks of issuer and verifier may differ
MAX_CACHED = 4096  # verified tokens
# What the library lets through while it parses a token that is made to break parsers.
PARSER_ERRORS = (TypeError, ValueError, ArithmeticError, RecursionError)


@dataclass(frozen=True, slots=True)
class VerifiedToken:
    """The header and the claims of a token with a valid signature, and its digest."""

    header: dict[str, Any]
    claims: dict[str, Any]
    digest: str

    @property
    def is_expired(self) -> bool:
        """Whether the token has expired by now, as the library decides it."""
        return int(self.claims["exp"]) <= time.time() - LEEWAY_S


class Tokens:
    """Issues and verifies the tokens of one application.

    Verified tokens are cached, since a token does not change. Expiry is checked, and
    revocation, worker and role are read, at every use.
    """

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._cache: FIFOCache[str, VerifiedToken] = FIFOCache(MAX_CACHED)
        self.lifetime_s: float = app.config["JWT_EXPIRES_IN"]
        self._key: bytes = app.config["JWT_SECRET"].encode()
        app.config.update(_library_settings(app.config))
        _register_loaders(JWTManager(app))
        app.extensions["tokens"] = self

    def issue(
        self,
        worker_id: ObjectId,
        *,
        session_id: str = "",
        login_start: datetime | None = None,
        lifetime_s: float | None = None,
        device: tuple[ObjectId, str] | None = None,
    ) -> str:
        """Return a signed token with the claims `id`, `iat`, `since`, `exp` and `jti`.

        `session_id` is the claim `sid` of a page token. `device` is the account of a
        shared device and its login, on which the worker has identified. `since` is when the
        login began (UTC), now unless `login_start` is given: it is not the time of the
        token's issue, and after the clock was put back it may lie in the future.
        """
        since = clock.epoch_s(login_start or clock.now())
        claims: dict[str, Any] = {"since": since}
        if session_id:
            claims["sid"] = session_id
        if device:
            claims |= {"device": str(device[0]), "login": device[1]}
        lifetime = timedelta(seconds=lifetime_s or self.lifetime_s)
        with self._app_context():
            token: str = create_access_token(
                str(worker_id), additional_claims=claims, expires_delta=lifetime
            )
        return token

    def fingerprint(self, secret: str) -> str:
        """Return a digest of a secret that depends on the setting JWT_SECRET."""
        return hmac.digest(self._key, secret.encode(), "sha256").hex()

    def identify(self, token: str) -> Identity:
        """Return the identity behind a token, inside a request or outside.

        Raises `Unauthenticated` for a token that is invalid, expired or revoked, and
        for a worker who is deleted or deactivated, and `PasswordChangeRequired`.
        """
        with self._app_context():
            try:
                found = self.authenticate(token)
            except (JWTExtendedException, InvalidTokenError):
                raise Unauthenticated(texts.TOKEN_REFUSED) from None
        if found.must_change_password:
            raise PasswordChangeRequired()
        return found

    def authenticate(self, token: str) -> Identity:
        """Return the identity behind a token or an API key, in an application context.

        Raises the library's exceptions, which its loaders answer, and for an API key
        `Unauthenticated`.
        """
        if api_keys.is_api_key(token):
            return api_keys.identify(token)
        g.verified_token = verified = self.verify(token)
        verify_token_not_blocklisted(verified.header, verified.claims)
        found: Identity | None = user_lookup(verified.header, verified.claims)
        if found is None:
            raise UserLookupError("No such worker", verified.header, verified.claims)
        return found

    def verify(self, token: str) -> VerifiedToken:
        """Return a token whose signature and times are valid; raises as `authenticate`."""
        cached = self._cache.get(token)
        if cached is not None:
            if not cached.is_expired:
                return cached
            del self._cache[token]
        verified = _decode(token)
        self._cache[token] = verified
        return verified

    @contextmanager
    def _app_context(self) -> Iterator[None]:
        """Push the application's context where it is not the current one.

        The greenlets that check open sockets and event streams have none.
        """
        if has_app_context() and current_app == self._app:
            yield
        else:
            with self._app.app_context():
                yield


def bearer_token() -> str:
    """Return the token of the `Authorization` header; "bearer" in any letter case.

    Raises `NoAuthorizationError`, which is answered with 401.
    """
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NoAuthorizationError(texts.NOT_AUTHENTICATED)
    return token.strip()


def _decode(token: str) -> VerifiedToken:
    try:
        claims = decode_token(token)
        header = get_unverified_jwt_headers(token)
    except PARSER_ERRORS as error:
        raise JWTDecodeError("Malformed token") from error
    verify_token_type(claims, refresh=False)
    custom_verification_for_token(header, claims)
    return VerifiedToken(header, claims, identity.digest(token))


def _library_settings(config: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "JWT_SECRET_KEY": config["JWT_SECRET"],
        "JWT_ACCESS_TOKEN_EXPIRES": timedelta(seconds=config["JWT_EXPIRES_IN"]),
        "JWT_ALGORITHM": ALGORITHM,
        "JWT_DECODE_ALGORITHMS": [ALGORITHM],
        "JWT_DECODE_LEEWAY": LEEWAY_S,
        "JWT_IDENTITY_CLAIM": "id",
        "JWT_ENCODE_NBF": False,
        "JWT_TOKEN_LOCATION": ["headers"],
    }


def _register_loaders(manager: JWTManager) -> None:
    """Let the library ask `services.auth.identity`, and answer in the envelope."""
    manager.unauthorized_loader(
        lambda reason: _unauthenticated(texts.NOT_AUTHENTICATED)
    )
    for register in (
        manager.invalid_token_loader,
        manager.expired_token_loader,
        manager.revoked_token_loader,
        manager.user_lookup_error_loader,
        manager.needs_fresh_token_loader,
        manager.token_verification_failed_loader,
    ):
        register(lambda *_: _unauthenticated(texts.TOKEN_REFUSED))
    manager.token_verification_loader(_has_valid_claims)
    manager.token_in_blocklist_loader(_is_revoked)
    manager.user_lookup_loader(_find_identity)


def _unauthenticated(message: Bilingual) -> Response:
    return refused(Unauthenticated(message))


def _has_valid_claims(header: Mapping[str, Any], claims: Mapping[str, Any]) -> bool:
    """Return whether a token ends, and is an access token; the library asks neither."""
    times = (claims.get("exp"), claims.get("iat", 0), claims.get("since", 0))
    return (
        claims["type"] == "access"
        and all(_is_time(value) for value in times)
        and isinstance(claims.get("sid", ""), str)
        and ("device" not in claims or isinstance(claims.get("login"), str))
    )


def _is_time(value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and isfinite(value)


def _is_revoked(header: Mapping[str, Any], claims: Mapping[str, Any]) -> bool:
    """Return whether a token is revoked; keeps what it reads for `_find_identity`."""
    worker = g.token_worker = identity.read_worker(claims["id"])
    g.token_device = None
    if "device" in claims:
        device = g.token_device = identity.read_worker(claims["device"])
        if not identity.is_accepted_on_device(device, claims):
            return True
    return worker is not None and not identity.is_accepted(
        worker, g.verified_token.digest, claims
    )


def _find_identity(
    header: Mapping[str, Any], claims: Mapping[str, Any]
) -> Identity | None:
    """Return the identity of the worker whom `_is_revoked` has read; None without one."""
    if g.token_worker is None:
        return None
    return identity.identity_of(
        g.token_worker,
        g.verified_token.digest,
        claims["exp"] + LEEWAY_S,
        claims,
        g.token_device,
    )
