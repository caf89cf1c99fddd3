"""The line to the service: HTTP as it is sent, and what came of it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any

import requests

TIMEOUT = 30
NO_WORD = frozenset({502, 503, 504})  # nobody says whether it was done


@dataclass(frozen=True)
class Answer:
    """What came back: the status, the envelope and how long it took."""

    status: int
    body: dict[str, Any]
    millis: float

    @property
    def ok(self) -> bool:
        """True for a request that the service accepted."""
        return self.status < 400

    @property
    def data(self) -> Any:
        """The envelope's ``data``."""
        return self.body.get("data")

    @property
    def message(self) -> str:
        """The envelope's ``message``."""
        return str(self.body.get("message", ""))

    @property
    def code(self) -> str:
        """What a refusal is called, if it has a name."""
        errors = self.body.get("errors")
        return str(errors.get("code", "")) if isinstance(errors, dict) else ""


class NoAnswer(Exception):
    """The service answered nothing, or nothing that can be read."""


@dataclass
class Line:
    """What all of the day's people send through; `busy` and `outages` are counted.

    Connections are kept, one for each thread.
    """

    busy: int = 0
    outages: int = 0
    own: threading.local = field(default_factory=threading.local)

    def ask(
        self, method: str, url: str, body: Any, query: dict[str, Any], token: str
    ) -> Answer:
        """Send one request; raises `NoAnswer`."""
        started = time.perf_counter()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            response = self._session().request(
                method, url, json=body, params=query, headers=headers, timeout=TIMEOUT
            )
            envelope = response.json()
        except requests.RequestException as error:
            raise NoAnswer(f"{method} {url} got no answer: {error}") from error
        millis = (time.perf_counter() - started) * 1000
        return Answer(response.status_code, envelope, millis)

    def _session(self) -> requests.Session:
        if not hasattr(self.own, "session"):
            self.own.session = requests.Session()
            self.own.session.trust_env = (
                False  # a proxy in the environment is not meant
            )
        return self.own.session  # type: ignore[no-any-return]
