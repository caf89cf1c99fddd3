"""Webhooks: which addresses may be called, how messages are signed, when to try again."""

import base64
import binascii
import hashlib
import hmac
import random
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
)
from urllib.parse import urlsplit

from glassflow.domain import texts
from glassflow.domain.bilingual import Bilingual

Network = IPv4Network | IPv6Network
Address = IPv4Address | IPv6Address

ALL_EVENTS = "*"
MAX_URL = 2000  # characters
SECRET_PREFIX = "whsec_"
MIN_SECRET_BYTES, MAX_SECRET_BYTES = 24, 64  # of the Standard Webhooks specification
NEW_SECRET_BYTES = 32
# Of no host, though some versions of Python take most of it as public.
_PROTOCOL_ASSIGNMENTS = IPv4Network("192.0.0.0/24")
# Private networks of IPv6 before fc00::/7; Python takes them as public.
_SITE_LOCAL = IPv6Network("fec0::/10")
# Networks of IPv6 whose addresses end with one of IPv4, which is where they lead.
_WITH_IPV4_AT_END = tuple(map(IPv6Network, ("::/96", "64:ff9b::/96", "64:ff9b:1::/48")))


class DeliveryStatus(StrEnum):
    """What has become of the delivery of an event to a webhook.

    `queued` is one that somebody asked to send again; `lost` are events that had expired
    before they were delivered.
    """

    RETRYING = "retrying"
    DELIVERED = "delivered"
    PARKED = "parked"
    QUEUED = "queued"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class WebhookPolicy:
    """What the settings say about webhooks.

    `networks` may be called although they are not public. An event is tried for
    `retry_for_s`; a webhook that has failed for `disable_after_s` is disabled.
    """

    networks: tuple[Network, ...] = ()
    allow_http: bool = True
    max_webhooks: int = 20
    retry_for_s: float = 86_400.0
    disable_after_s: float = 3 * 86_400.0


def url_fault(url: str, policy: WebhookPolicy) -> Bilingual | None:
    """Return what is wrong with the URL of a webhook, None if nothing is.

    Whether a name leads to an address that may be called shows when it is resolved.
    """
    if len(url) > MAX_URL:
        return texts.WEBHOOK_URL_LONG.format(maximum=MAX_URL)
    if not re.fullmatch(r"[!-~]+", url):  # printable ASCII without spaces
        return texts.WEBHOOK_URL
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return texts.WEBHOOK_URL
    if parts.scheme not in ("http", "https") or not host or port == 0:
        return texts.WEBHOOK_URL
    if parts.username is not None or parts.password is not None or "#" in url:
        return texts.WEBHOOK_URL
    if parts.scheme == "http" and not policy.allow_http:
        return texts.WEBHOOK_URL_HTTPS
    try:
        literal = ip_address(host)
    except ValueError:
        return None
    may_call = is_allowed(str(literal), policy.networks)
    return None if may_call else texts.WEBHOOK_ADDRESS_PRIVATE


def is_allowed(address: str, networks: Iterable[Network]) -> bool:
    """Return whether webhooks may call an address: a public one, or one of the networks.

    An IPv6 address that leads to one of IPv4 is judged by that one. Text that is no
    address is not allowed.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    known = tuple(networks)
    return all(_is_public(one) or _is_in(one, known) for one in _meant(found))


def _meant(address: Address) -> list[Address]:
    """Return the address, or the IPv4 addresses to which one of IPv6 leads."""
    if isinstance(address, IPv4Address):
        return [address]
    inner = [one for one in (address.ipv4_mapped, address.sixtofour) if one]
    inner += address.teredo or ()
    is_special = int(address) <= 1  # `::` and `::1`
    if not is_special and any(address in one for one in _WITH_IPV4_AT_END):
        inner.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return [*inner] or [address]


def _is_public(address: Address) -> bool:
    is_special = address.is_multicast or address.is_reserved
    is_wrongly_global = address in _PROTOCOL_ASSIGNMENTS or address in _SITE_LOCAL
    return address.is_global and not is_special and not is_wrongly_global


def _is_in(address: Address, networks: Iterable[Network]) -> bool:
    return any(address in network for network in networks)


def new_secret() -> str:
    """Return a random secret."""
    key = secrets.token_bytes(NEW_SECRET_BYTES)
    return SECRET_PREFIX + base64.b64encode(key).decode()


def secret_key(secret: str) -> bytes:
    """Return the key that a secret stands for; raises `ValueError` if it is none."""
    if not secret.startswith(SECRET_PREFIX):
        raise ValueError("no prefix")
    try:
        key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except binascii.Error:
        raise ValueError("no base64") from None
    if not MIN_SECRET_BYTES <= len(key) <= MAX_SECRET_BYTES:
        raise ValueError("too short or too long")
    return key


def signed_headers(
    secrets: Iterable[str], message_id: str, timestamp: int, body: bytes
) -> dict[str, str]:
    """Return the headers of Standard Webhooks, with a signature by each secret.

    `timestamp` is when the message is sent, in epoch seconds.
    """
    signed = f"{message_id}.{timestamp}.".encode() + body
    signatures = (_signature(secret_key(one), signed) for one in secrets)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }


def _signature(key: bytes, signed: bytes) -> str:
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    return "v1," + base64.b64encode(digest).decode()


def retry_delay_s(failures: int, *, first_s: float, longest_s: float) -> float:
    """Return how long to wait after so many failures in a row: twice as long each time.

    Up to half of it is left to chance, so that many webhooks of one receiver do not all
    come back at once.
    """
    full = min(longest_s, first_s * 2.0 ** min(failures - 1, 30))
    return full * random.uniform(0.5, 1.0)
