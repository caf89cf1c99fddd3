"""Requests whose times count: alone, or several at once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode

from demo.client import Api, RequestRefused

MAX_TRIES = 10
REPEATABLE = frozenset({409, 429, 503})  # the service is busy: the same may succeed
Request = tuple[str, str, Any]  # method, path, body


def send_at_once(api: Api, requests: Sequence[Request], count: int) -> list[float]:
    """Send the requests, so many at once, in equal shares; return their times in ms."""
    return send_shares(api, [requests[n::count] for n in range(count)])


def send_shares(api: Api, shares: Sequence[Sequence[Request]]) -> list[float]:
    """Send all shares at once, each on a connection; return the times in ms."""

    def send(share: Sequence[Request]) -> list[float]:
        return [timed_ms(api, *request) for request in share]

    with ThreadPoolExecutor(len(shares)) as threads:
        return [ms for times in threads.map(send, shares) for ms in times]


def download(api: Api, path: str, **query: str) -> bytes:
    """Return a file; raises `RuntimeError` if it is refused, and `NoResponse`."""
    headers = {"Authorization": f"Bearer {api.token}"}
    target = f"{path}?{urlencode(query)}"
    answer, content = api.http.exchange("GET", target, None, headers)
    if answer.status != 200:
        raise RuntimeError(f"GET {target} returned {answer.status}: {content!r:.500}")
    return content


def timed_ms(api: Api, method: str, path: str, body: Any = None) -> float:
    """Send a request without a key, and return what it took, in ms.

    A request that is refused as busy is repeated at once, and its time is that of all its
    tries. Raises `RequestRefused` and `NoResponse`.
    """
    started = time.perf_counter()
    for _ in range(MAX_TRIES):
        response = api.send_once(method, path, body)
        if response.status not in REPEATABLE:
            break
    if not response.ok:
        raise RequestRefused(method, path, response)
    return (time.perf_counter() - started) * 1000
