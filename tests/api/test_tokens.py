"""Access tokens: which ones are accepted, over REST and sockets, cached or not."""

import base64
import time

import jwt
import pytest
from cachetools import FIFOCache

from clients import Api
from glassflow import runtime
from glassflow.domain.errors import Unauthenticated
from glassflow.services.auth import identity
from glassflow.web import tokens
from greenlets import spawn
from screens import Screen, refused_handshake

NOT_AUTHENTICATED = (401, "Not authenticated")
INVALID = (401, "Invalid or expired token")


@pytest.fixture
def sign(app, worker):
    """Signs a token for `worker` that ends in a minute: `sign(nbf=...)` adds claims."""

    def sign(*without, algorithm="HS256", key=app.config["JWT_SECRET"], **claims):
        payload = {"id": worker.id, "exp": time.time() + 60, **claims}
        payload = {k: v for k, v in payload.items() if k not in without}
        return jwt.encode(payload, key, algorithm=algorithm)

    return sign


def status_and_message(server, token):
    answer = Api(server, token).get("/api/auth/me")
    return (answer.status, answer.message)


def nested_token():
    """A token whose header is nested deeper than the JSON parser goes."""
    header = base64.urlsafe_b64encode(b"[" * 3000).rstrip(b"=").decode()
    return f"{header}.e30.c2ln"


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer  ", "Basic abc", "abc", "Token abc"]
)
def test_request_without_bearer_token_is_not_authenticated(anonymous, header):
    answer = anonymous.call("GET", "/api/auth/me", headers={"Authorization": header})
    assert (answer.status, answer.message) == NOT_AUTHENTICATED
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert answer.body["success"] is False


def test_scheme_may_be_written_in_any_letter_case(anonymous, worker):
    for scheme in ("bearer", "BEARER", "Bearer"):
        headers = {"Authorization": f"{scheme} {worker.token}"}
        assert anonymous.call("GET", "/api/auth/me", headers=headers).status == 200


def refused_tokens(sign, app):
    """Tokens that must be refused, by what is wrong with them."""
    now = time.time()
    return {
        "no token": "senseless",
        "three dots": "a.b.c",
        "deeply nested": nested_token(),
        "no signature": sign(algorithm="none", key=None),
        "other secret": sign(key="x" * 40),
        "other algorithm": sign(
            algorithm="HS512", key=app.config["JWT_SECRET"] + "x" * 40
        ),
        "same secret, other algorithm": sign(algorithm="HS384"),
        "expired": sign(exp=now - tokens.LEEWAY_S - 2),
        "endless": sign("exp"),
        "infinite": sign(exp=float("inf")),
        "no number": sign(exp=float("nan")),
        "expiry as text": sign(exp=str(int(now) + 60)),
        "expiry as Boolean": sign(exp=True),
        "expiry as list": sign(exp=[now]),
        "issued in the future": sign(iat=now + 60),
        "issue time as text": sign(iat=str(int(now))),
        "not valid yet": sign(nbf=now + 60),
        "subject as number": sign(sub=1),
        "refresh token": sign(type="refresh"),
        "other type": sign(type="invitation"),
        "no worker": sign("id"),
        "unknown worker": sign(id="0" * 24),
        "worker as query": sign(id={"$ne": None}),
    }


@pytest.mark.filterwarnings("ignore:The HMAC key is")
def test_invalid_tokens_are_refused_over_rest_and_sockets(app, server, sign, worker):
    for fault, token in refused_tokens(sign, app).items():
        assert status_and_message(server, token) == INVALID, fault
        with pytest.raises(Unauthenticated, match=INVALID[1]):
            identity.identify(token)
    for token in (nested_token(), sign(exp=True), sign(type="refresh")):
        (error,) = refused_handshake(server, {"token": token})
        assert error["message"] == INVALID[1]


def test_token_of_the_replaced_service_is_valid(app, server, worker, sign):
    token = sign(iat=int(time.time()), exp=int(time.time()) + 3600)
    assert Api(server, token).get("/api/auth/me").data["_id"] == worker.id
    Screen(Api(server, token)).close()
    assert identity.identify(token).worker_id == worker.worker.pk


def test_issued_token_names_the_worker_and_has_an_id_of_its_own(app, worker):
    issued = [identity.issue(worker.worker.pk) for _ in range(2)]
    key = app.config["JWT_SECRET"]
    first, second = (jwt.decode(one, key, algorithms=["HS256"]) for one in issued)
    assert first["id"] == worker.id
    assert first["exp"] - first["iat"] == pytest.approx(7 * 24 * 3600, abs=1)
    assert first["jti"] != second["jti"]
    assert "sub" not in first


def test_clocks_may_differ_by_five_seconds(server, sign):
    now = time.time()
    for claims in ({"exp": now - 2}, {"iat": now + 3}, {"nbf": now + 3}):
        assert Api(server, sign(**claims)).get("/api/auth/me").status == 200, claims


def test_token_is_verified_once_while_it_is_cached(server, sign, monkeypatch):
    verified, decode = [], tokens._decode

    def counting(token):
        verified.append(token)
        return decode(token)

    monkeypatch.setattr(tokens, "_decode", counting)
    token = sign()
    for _ in range(3):
        assert Api(server, token).get("/api/auth/me").status == 200
    assert verified == [token]


def test_cached_token_expires(server, sign, setting, monkeypatch):
    token = sign(exp=time.time() - 2)
    assert Api(server, token).get("/api/auth/me").status == 200
    monkeypatch.setattr(tokens, "LEEWAY_S", 1)  # as if some seconds had passed
    setting(JWT_DECODE_LEEWAY=1)
    assert status_and_message(server, token) == INVALID


def test_cached_token_ends_with_its_worker(server, sign, worker, admin):
    token = sign()
    assert Api(server, token).get("/api/auth/me").status == 200
    assert admin.delete(f"/api/workers/{worker.id}").status == 200
    assert status_and_message(server, token) == INVALID


def test_logged_out_token_stays_revoked_until_it_is_not_accepted(server, sign):
    # as long as the leeway accepts it, another logout must not forget it
    token, other = sign(exp=time.time() - 2), sign(jti="other")
    for one in (token, other):
        assert Api(server, one).post("/api/auth/logout").status == 200
    assert status_and_message(server, token) == INVALID


def test_cache_keeps_a_bounded_number_of_valid_tokens(app, sign, monkeypatch):
    issuer = app.extensions["tokens"]
    monkeypatch.setattr(issuer, "_cache", FIFOCache(2))
    valid = [sign(jti=str(number)) for number in range(3)]
    for token in (*valid, "senseless", sign(exp=True)):
        try:
            identity.identify(token)
        except Unauthenticated:
            assert token not in valid
    assert list(issuer._cache) == valid[1:]


def test_token_is_identified_in_a_greenlet_without_an_application_context(sign, worker):
    found = spawn(runtime.bind(identity.identify), sign()).get()
    assert found.worker_id == worker.worker.pk
