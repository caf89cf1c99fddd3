"""The REST client: HTTP requests, retries, and the login of one worker."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field, replace
from typing import Any

import requests

REQUEST_TIMEOUT_S = 30
OUTAGE_TIMEOUT_S = 90
RETRY_PAUSE_S = 0.2
MAX_TRIES = 8
OUTCOME_UNKNOWN = frozenset({502, 503, 504})  # the change may or may not be stored
# 409 with this message: nothing was stored, and the same request may succeed later.
BUSY_MESSAGE = "Somebody else is changing the same record"
Record = dict[str, Any]


class NoResponse(Exception):
    """The request got no usable response; its change may or may not be stored."""


class RequestRefused(Exception):
    """The service refused a request that the demo depends on."""

    def __init__(self, method: str, path: str, response: Response) -> None:
        detail = response.body.get("errors") or ""
        super().__init__(
            f"{method} {path} returned {response.status}: {response.message} {detail}"
        )
        self.response = response


@dataclass(frozen=True)
class Response:
    """One response: the status and the envelope."""

    status: int
    body: dict[str, Any]

    @property
    def ok(self) -> bool:
        """True if the service accepted the request."""
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
        """The error code of a refusal, or the empty string."""
        errors = self.body.get("errors")
        return str(errors.get("code", "")) if isinstance(errors, dict) else ""


@dataclass
class HttpClient:
    """The HTTP connections that several logins share, one session a thread.

    `busy_retries` counts repeated requests after a 409, `outages` the waits for a
    service that did not respond.
    """

    busy_retries: int = 0
    outages: int = 0
    _local: threading.local = field(default_factory=threading.local)

    def request(
        self, method: str, url: str, body: Any, query: dict[str, Any], token: str
    ) -> Response:
        """Send one request; raises `NoResponse`."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            response = self._session().request(
                method,
                url,
                json=body,
                params=query,
                headers=headers,
                timeout=REQUEST_TIMEOUT_S,
            )
            envelope = response.json()
        except requests.RequestException as error:
            raise NoResponse(f"{method} {url} got no response: {error}") from error
        return Response(response.status_code, envelope)

    def _session(self) -> requests.Session:
        if not hasattr(self._local, "session"):
            session = requests.Session()
            session.trust_env = False  # never through a proxy from the environment
            self._local.session = session
        return self._local.session  # type: ignore[no-any-return]


@dataclass
class Api:
    """One login: sends requests as that worker and reads the envelope.

    Reads are repeated until the service responds. A write raises `NoResponse` if its
    outcome is unknown; `send_until_known` finds it out.
    """

    url: str
    http: HttpClient = field(default_factory=HttpClient)
    worker: Record = field(default_factory=dict)
    token: str = ""

    @classmethod
    def login(
        cls, url: str, username: str, password: str, http: HttpClient | None = None
    ) -> Api:
        """Log in; raises `RequestRefused` if the service rejects the credentials."""
        api = cls(url.rstrip("/"), http or HttpClient())
        credentials = {"username": username, "password": password}
        data = api.send_until_answered("POST", "/api/auth/login", credentials).data
        api.token, api.worker = data["token"], data["worker"]
        return api

    @property
    def id(self) -> str:
        """The worker's id."""
        return str(self.worker["_id"])

    def send(self, method: str, path: str, body: Any = None, **query: Any) -> Response:
        """Send one request and return the response, accepted or refused.

        Raises `NoResponse`, also for a gateway error or an unavailable service.
        """
        response = self.http.request(method, self.url + path, body, query, self.token)
        if response.status in OUTCOME_UNKNOWN:
            raise NoResponse(f"{method} {path} returned {response.status}")
        return response

    def send_retrying(self, method: str, path: str, body: Any = None) -> Response:
        """Send a request, and repeat it while another request locks the record."""
        for attempt in range(MAX_TRIES):
            response = self.send(method, path, body)
            if response.status != 409 or not response.message.startswith(BUSY_MESSAGE):
                break
            self.http.busy_retries += 1
            time.sleep(RETRY_PAUSE_S * (attempt + 1))
        return response

    def send_until_answered(
        self, method: str, path: str, body: Any = None, **query: Any
    ) -> Response:
        """Send an idempotent request until it is answered; raises `RequestRefused`."""
        while True:
            try:
                response = self.send(method, path, body, **query)
            except NoResponse:
                self.wait_until_ready()
                continue
            if not response.ok:
                raise RequestRefused(method, path, response)
            return response

    def send_until_known(self, method: str, path: str, body: Any = None) -> Response:
        """Send a change of a record until it is answered.

        If an answer was lost, the repetition may be refused because the change is made:
        then the response is the record, or 204 if the record is deleted.
        """
        lost = False
        while True:
            try:
                response = self.send_retrying(method, path, body)
            except NoResponse:
                self.wait_until_ready()
                lost = True
                continue
            if lost and method == "DELETE" and response.status == 404:
                return replace(response, status=204)
            if lost and response.status in (400, 409):
                return self.send_until_answered("GET", path)
            return response

    def send_until_refused(self, method: str, path: str, body: Any) -> Response:
        """Send a change that must be refused; repeat it until it is answered."""
        while True:
            try:
                return self.send_retrying(method, path, body)
            except NoResponse:
                self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait for the service; raises `NoResponse` after `OUTAGE_TIMEOUT_S`."""
        self.http.outages += 1
        deadline = time.monotonic() + OUTAGE_TIMEOUT_S
        while True:
            try:
                self.send("GET", "/api/health/ready")
            except NoResponse:
                if time.monotonic() > deadline:
                    raise
                time.sleep(RETRY_PAUSE_S)
            else:
                return

    def get(self, path: str, **query: Any) -> Any:
        """Read the ``data`` of a path."""
        return self.send_until_answered("GET", path, None, **query).data

    def post(self, path: str, **body: Any) -> Any:
        """Send a POST and return its ``data``; raises `RequestRefused`."""
        response = self.send_retrying("POST", path, body)
        if not response.ok:
            raise RequestRefused("POST", path, response)
        return response.data

    def patch(self, path: str, **body: Any) -> Any:
        """Send a PATCH and return its ``data``; raises `RequestRefused`."""
        response = self.send_until_known("PATCH", path, body)
        if not response.ok:
            raise RequestRefused("PATCH", path, response)
        return response.data

    def list_all(self, path: str, **query: Any) -> list[Record]:
        """Read every page of a list."""
        rows: list[Record] = []
        page = 1
        while True:
            response = self.send_until_answered(
                "GET", path, None, page=page, limit=100, **query
            )
            rows += response.data
            if page >= response.body["pagination"]["totalPages"]:
                return rows
            page += 1
