"""The REST side of a logged-in worker: one HTTP session, one token."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from demo.line import NO_WORD, Answer, Line, NoAnswer

__all__ = ["Answer", "Api", "NoAnswer", "Refused"]

BUSY = "Somebody else is changing the same record"  # 409: nothing was done, try again
TRIES = 8
PAUSE = 0.2
AWAY_SECONDS = 90
Record = dict[str, Any]


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
    """One login. Sends requests as that worker and reads the envelope.

    Reads are repeated until the service answers. What writes raises `NoAnswer` where
    nobody can say whether it was stored; `make` and `certainly` then look it up.
    """

    url: str
    line: Line = field(default_factory=Line)
    worker: Record = field(default_factory=dict)
    token: str = ""

    @classmethod
    def login(
        cls, url: str, username: str, password: str, line: Line | None = None
    ) -> Api:
        """Log in; raises `Refused` when the service does not know the pair."""
        api = cls(url.rstrip("/"), line or Line())
        said = {"username": username, "password": password}
        data = api.certainly("POST", "/api/auth/login", said).data
        api.token, api.worker = data["token"], data["worker"]
        return api

    @property
    def id(self) -> str:
        """The worker's id."""
        return str(self.worker["_id"])

    def may(self, key: str) -> bool:
        """Whether the worker's role has a key."""
        return not {"*", key}.isdisjoint(self.worker["role"]["permissions"])

    def send(self, method: str, path: str, body: Any = None, **query: Any) -> Answer:
        """Send one request and hand back whatever was answered.

        Raises `NoAnswer`, for an answer that the service is not able to work too.
        """
        answer = self.line.ask(method, self.url + path, body, query, self.token)
        if answer.status in NO_WORD:
            raise NoAnswer(f"{method} {path} answered {answer.status}")
        return answer

    def insist(self, method: str, path: str, body: Any = None) -> Answer:
        """Send a request again, after a pause, while somebody else has the record."""
        for attempt in range(TRIES):
            answer = self.send(method, path, body)
            if answer.status != 409 or not answer.message.startswith(BUSY):
                break
            self.line.busy += 1
            time.sleep(PAUSE * (attempt + 1))
        return answer

    def certainly(
        self, method: str, path: str, body: Any = None, **query: Any
    ) -> Answer:
        """Send what may be sent twice, until it is answered; raises `Refused`."""
        while True:
            try:
                answer = self.send(method, path, body, **query)
            except NoAnswer:
                self.wait_until_back()
                continue
            if not answer.ok:
                raise Refused(method, path, answer)
            return answer

    def wait_until_back(self) -> None:
        """Wait for a service that is away; raises `NoAnswer` when it stays away."""
        self.line.outages += 1
        deadline = time.monotonic() + AWAY_SECONDS
        while True:
            try:
                self.send("GET", "/api/health/ready")
            except NoAnswer:
                if time.monotonic() > deadline:
                    raise
                time.sleep(PAUSE)
            else:
                return

    def get(self, path: str, **query: Any) -> Any:
        """Read ``data`` of a path."""
        return self.certainly("GET", path, None, **query).data

    def post(self, path: str, **body: Any) -> Any:
        """Create or act; hand back ``data``."""
        return self._data("POST", path, body)

    def patch(self, path: str, **body: Any) -> Any:
        """Change a record; hand back ``data``."""
        return self._data("PATCH", path, body)

    def make(self, path: str, body: Record, find: Callable[[], list[Record]]) -> Record:
        """Create a record, once: where no answer came, `find` tells whether it is there.

        `find` looks for it by something that only this record has.
        """
        while True:
            try:
                return self._data("POST", path, body)  # type: ignore[no-any-return]
            except NoAnswer:
                self.wait_until_back()
                time.sleep(PAUSE)  # what was under way meanwhile is through
                for found in find():
                    return found

    def all(self, path: str, **query: Any) -> list[Record]:
        """Read every page of a list."""
        rows: list[Record] = []
        page = 1
        while True:
            answer = self.certainly("GET", path, None, page=page, limit=100, **query)
            rows += answer.data
            if page >= answer.body["pagination"]["totalPages"]:
                return rows
            page += 1

    def _data(self, method: str, path: str, body: Any) -> Any:
        answer = self.insist(method, path, body)
        if not answer.ok:
            raise Refused(method, path, answer)
        return answer.data
