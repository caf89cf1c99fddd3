"""The REST side of a logged-in worker: one HTTP session, one token."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import requests

TIMEOUT = 30


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


class NoAnswer(Exception):
    """The service answered nothing, or nothing that can be read."""


class Refused(Exception):
    """The service refused something that the day depends on."""

    def __init__(self, method: str, path: str, answer: Answer) -> None:
        detail = answer.body.get("errors") or ""
        super().__init__(
            f"{method} {path} answered {answer.status}: {answer.message} {detail}"
        )
        self.answer = answer


@dataclass
class Api:
    """One login. Sends requests as that worker and reads the envelope."""

    url: str
    token: str = ""
    worker: dict[str, Any] = field(default_factory=dict)
    session: requests.Session = field(default_factory=requests.Session)

    @classmethod
    def login(cls, url: str, username: str, password: str) -> Api:
        """Log in; raises `Refused` when the service does not know the pair."""
        api = cls(url.rstrip("/"))
        api.session.trust_env = False  # a proxy in the environment is not meant here
        data = api.post("/api/auth/login", username=username, password=password)
        api.token, api.worker = data["token"], data["worker"]
        api.session.headers["Authorization"] = f"Bearer {api.token}"
        return api

    @property
    def id(self) -> str:
        """The worker's id."""
        return str(self.worker["_id"])

    def send(self, method: str, path: str, body: Any = None, **query: Any) -> Answer:
        """Send one request and hand back whatever was answered."""
        started = time.perf_counter()
        try:
            response = self.session.request(
                method, self.url + path, json=body, params=query, timeout=TIMEOUT
            )
            envelope = response.json()
        except requests.RequestException as error:
            raise NoAnswer(f"{method} {path} got no answer: {error}") from error
        millis = (time.perf_counter() - started) * 1000
        return Answer(response.status_code, envelope, millis)

    def get(self, path: str, **query: Any) -> Any:
        """Read ``data`` of a path."""
        return self._data("GET", path, None, query)

    def post(self, path: str, **body: Any) -> Any:
        """Create or act; hand back ``data``."""
        return self._data("POST", path, body, {})

    def patch(self, path: str, **body: Any) -> Any:
        """Change a record; hand back ``data``."""
        return self._data("PATCH", path, body, {})

    def all(self, path: str, **query: Any) -> list[dict[str, Any]]:
        """Read every page of a list."""
        rows: list[dict[str, Any]] = []
        page = 1
        while True:
            answer = self.send("GET", path, None, page=page, limit=100, **query)
            if not answer.ok:
                raise Refused("GET", path, answer)
            rows += answer.data
            if page >= answer.body["pagination"]["totalPages"]:
                return rows
            page += 1

    def _data(self, method: str, path: str, body: Any, query: dict[str, Any]) -> Any:
        answer = self.send(method, path, body, **query)
        if not answer.ok:
            raise Refused(method, path, answer)
        return answer.data
