"""The rate limits on logins, on identifying on a shared device, and on customers' links."""

import math
from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Network, ip_address
from urllib.parse import quote

from bson import ObjectId
from cachetools import FIFOCache
from flask import Flask, current_app, request

from glassflow.core.access import rate_limits
from glassflow.core.process import clock, metrics
from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual
from glassflow.domain.errors import TooManyAttempts
from glassflow.domain.unicode_text import as_username

WINDOW = timedelta(minutes=1)
KNOWN_FOR = timedelta(days=90)  # an address after the last login of a username there
LET_IN_FOR = timedelta(minutes=15)  # a username, after its password was set by hand
MAX_REFUSED = 10_000  # keys whose refusal is remembered


class Throttle:
    """Refuses attempts beyond a limit, which all processes count together in the store.

    Refusals are remembered in this process, so that a crowd of refused attempts asks the
    store for nothing.
    """

    def __init__(self) -> None:
        self._refused: FIFOCache[str, datetime] = FIFOCache(MAX_REFUSED)

    def hit(self, key: str, limit: int) -> int | None:
        """Count an attempt; return the seconds to wait if the limit is exceeded."""
        until = self._refused.get(key)
        if until is None or until <= clock.now():
            self._refused.pop(key, None)
            window = rate_limits.count(key, WINDOW)
            if window.attempts <= limit:
                return None
            until = window.until
            self._refused[key] = until
        return max(1, math.ceil((until - clock.now()).total_seconds()))


def init_app(app: Flask) -> None:
    """Create the login throttle."""
    app.extensions["login_throttle"] = Throttle()


def count_login(username: str) -> None:
    """Count an attempt to prove this username's password, from the client's address.

    Raises `TooManyAttempts` beyond one of the settings LOGIN_ATTEMPTS_…. What one limit
    refuses is not counted by those after it: a single address cannot use up what others
    may try for a username. All addresses together can, so an address from which this
    username has logged in before (`note_login`) has what it may try for itself, and so
    has each address after `let_in`.
    """
    name, address = _login_keys(username)
    _count(
        texts.TOO_MANY_LOGINS,
        ("LOGIN_ATTEMPTS_PER_ADDRESS", f"address/{address}"),
        ("LOGIN_ATTEMPTS_PER_MINUTE", f"username at address/{name}/{address}"),
    )
    setting = "LOGIN_ATTEMPTS_PER_USERNAME"
    seconds = _hit(setting, f"username/{name}")
    # the limits before this one bound how often the store is asked
    if seconds is not None and not (
        rate_limits.is_remembered(_known(name, address))
        or rate_limits.is_remembered(_let_in(name))
    ):
        raise _refused(texts.TOO_MANY_LOGINS, setting, seconds)


def note_login(username: str) -> None:
    """Note that this username has logged in from the client's address."""
    name, address = _login_keys(username)
    rate_limits.remember(_known(name, address), KNOWN_FOR)


def let_in(username: str) -> None:
    """Let this username log in from any address for a while, whoever guesses at it.

    For who operates the service and has just set its password. The limits of an address
    stay. Needs no request.
    """
    rate_limits.remember(_let_in(_name_key(username)), LET_IN_FOR)


def count_offer() -> None:
    """Count an attempt to open the link of a customer, from the client's address.

    Raises `TooManyAttempts` beyond the setting LOGIN_ATTEMPTS_PER_ADDRESS, which counts
    logins apart from these.
    """
    key = f"offers at address/{_network(request.remote_addr)}"
    _count(texts.TOO_MANY_ATTEMPTS, ("LOGIN_ATTEMPTS_PER_ADDRESS", key))


def _login_keys(username: str) -> tuple[str, str]:
    """Return a username and the client's address as parts of keys."""
    return _name_key(username), _network(request.remote_addr)


def _name_key(username: str) -> str:
    return quote(as_username(username)[:64], safe="")


def _known(name: str, address: str) -> str:
    return f"known address/{name}/{address}"


def _let_in(name: str) -> str:
    return f"let in/{name}"


def count_own_password(worker: ObjectId, username: str) -> None:
    """Count an attempt to prove the caller's own password; raises as `count_login`.

    It counts for the worker besides: another username, which one may give oneself without
    a password, begins no new count.
    """
    _count(
        texts.TOO_MANY_LOGINS, ("LOGIN_ATTEMPTS_PER_MINUTE", f"password of/{worker}")
    )
    count_login(username)


def _network(address: str | None) -> str:
    """Return the address that attempts are counted for.

    Of IPv6 the network of 64 bits, all addresses of which one client may use.
    """
    try:
        found = ip_address((address or "").partition("%")[0])
    except ValueError:
        return address or ""
    if isinstance(found, IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, 64), strict=False).network_address)


def count_identification(device: ObjectId, worker: ObjectId | None = None) -> None:
    """Count an attempt to identify on a shared device, with a worker's PIN if one is named.

    Raises `TooManyAttempts` beyond one of the settings DEVICE_ATTEMPTS_PER_MINUTE and
    PIN_ATTEMPTS_PER_MINUTE.
    """
    limits = [("DEVICE_ATTEMPTS_PER_MINUTE", f"device/{device}")]
    if worker is not None:
        limits.append(("PIN_ATTEMPTS_PER_MINUTE", f"pin on device/{worker}/{device}"))
    _count(texts.TOO_MANY_ATTEMPTS, *limits)


def _count(refusal: Bilingual, *limits: tuple[str, str]) -> None:
    """Count an attempt for each of these settings and keys, up to the first refusal."""
    for setting, key in limits:
        seconds = _hit(setting, key)
        if seconds is not None:
            raise _refused(refusal, setting, seconds)


def _hit(setting: str, key: str) -> int | None:
    """Count an attempt; return the seconds to wait beyond the limit of the setting."""
    throttle: Throttle = current_app.extensions["login_throttle"]
    return throttle.hit(key, current_app.config[setting])


def _refused(refusal: Bilingual, setting: str, seconds: int) -> TooManyAttempts:
    metrics.throttled.labels(setting).inc()
    return TooManyAttempts(refusal, retry_after=seconds)
