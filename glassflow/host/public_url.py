"""The address under which customers open the service: what `PUBLIC_URL` means.

`settings.py` checks it, also in the parent process, which loads no domain.
"""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

_PUBLIC_URL = re.compile(
    r"https?://(\w[\w.-]*|\[[\da-f:.]+\])(:\d{1,5})?/?", re.ASCII | re.IGNORECASE
)
_PORT = re.compile(r":\d*\Z")
# Names of one network, or of the machine itself (RFC 6761, 6762, 8375, and ICANN's .internal).
LOCAL_ENDINGS = (".localhost", ".local", ".lan", ".internal", ".home.arpa")


def read_public_url(text: str) -> str:
    """Return an address such as `https://glass.example:8443`, without a slash at its end.

    Raises `ValueError` for another scheme, and for a path, query or login.
    """
    if not _PUBLIC_URL.fullmatch(text):
        raise ValueError(text)
    parts = urlsplit(text)
    if parts.port == 0:  # reading one above 65535 raises ValueError
        raise ValueError(text)
    return f"{parts.scheme}://{parts.netloc.lower()}"


def host_of(url: str) -> str:
    """Return the host of an address without its port: `glass.example`, or `[::1]`."""
    return _PORT.sub("", urlsplit(url).netloc)


def is_loopback(host: str) -> bool:
    """Return whether `host`, with or without a port, is the device itself that opens it."""
    name = _name(host)
    ip = _ip(name)
    if ip:
        return ip.is_loopback or ip.is_unspecified
    return f".{name}".endswith(".localhost")


def is_local(host: str) -> bool:
    """Return whether `host`, with or without a port, is reached in one network only."""
    name = _name(host)
    ip = _ip(name)
    if ip:
        return not ip.is_global
    return "." not in name or name.endswith(LOCAL_ENDINGS)


def _name(host: str) -> str:
    return _PORT.sub("", host).strip("[]").rstrip(".").lower()


def _ip(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None
