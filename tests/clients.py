"""A REST client as a user would write one: real HTTP, JSON in both directions."""

import gzip
import json

import requests
from requests.models import RequestEncodingMixin
from requests.structures import CaseInsensitiveDict

from demo.client import HttpClient, NoResponse
from waiting import REQUEST_TIMEOUT_S

#: Options of requests that a plain exchange needs.
PLAIN_OPTIONS = {"headers", "json", "params"}
REDIRECTS = {301, 302, 303, 307, 308}


class PlainResponse:
    """A response of `http.client` with the names that requests has for its parts."""

    def __init__(self, response, content):
        self.status_code = response.status
        self.headers = CaseInsensitiveDict(response.headers)
        if self.headers.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        self.text = content.decode("utf-8", "replace")

    def json(self):
        return json.loads(self.text)


class Answer:
    """A response with the parts of its envelope as attributes."""

    def __init__(self, response):
        self.status = response.status_code
        self.headers = response.headers
        self.text = response.text
        is_json = response.headers.get("Content-Type", "").startswith(
            "application/json"
        )
        self.body = response.json() if is_json else None

    def __repr__(self):
        return f"<{self.status} {self.text[:500]}>"

    @property
    def data(self):
        """The `data` of an answer that must be a success."""
        assert self.status in (200, 201), self
        assert self.body["success"], self
        return self.body["data"]

    @property
    def message(self):
        return self.body["message"]

    @property
    def errors(self):
        return self.body.get("errors")

    @property
    def faults(self):
        """Validation errors as `{field: message}`."""
        assert self.status == 400, self
        return {fault["field"]: fault["message"] for fault in self.errors}


def encode(body):
    """Return a body as JSON, as requests sends it."""
    return json.dumps(body, allow_nan=False).encode()


class Api:
    """Calls the service with the token of one worker, or with none."""

    keeps_cookies = False

    def __init__(self, url, token=None, worker=None):
        self.url, self.token, self.worker = url, token, worker
        self.session = requests.Session()
        self.session.trust_env = False  # it would look for proxies at every request
        if token:
            self.session.headers["Authorization"] = f"Bearer {token}"
        self.http = HttpClient(url, timeout_s=REQUEST_TIMEOUT_S)

    @property
    def id(self):
        return str(self.worker.pk)

    def call(self, method, path, **options):
        if options.keys() <= PLAIN_OPTIONS and not self.keeps_cookies:
            response = self._exchange(method, path, **options)
            if response.status_code not in REDIRECTS:
                return Answer(response)
        options.setdefault("timeout", REQUEST_TIMEOUT_S)
        return Answer(self.session.request(method, self.url + path, **options))

    def _exchange(self, method, path, *, json=None, params=None, headers=None):
        """Send a request without requests, which takes thrice as much processor time."""
        sent, body = {**self.session.headers, **(headers or {})}, None
        if json is not None:
            body = encode(json)
            sent.setdefault("Content-Type", "application/json")
        if params:
            query = RequestEncodingMixin._encode_params(params)
            path = f"{path}{'&' if '?' in path else '?'}{query}"
        path = requests.utils.requote_uri(path)
        try:
            return PlainResponse(*self.http.exchange(method, path, body, sent))
        except NoResponse as error:
            raise requests.ConnectionError(error) from error

    def get(self, path, **params):
        return self.call("GET", path, params=params)

    def post(self, path, body=None, **options):
        return self.call("POST", path, json=body, **options)

    def patch(self, path, body, **options):
        return self.call("PATCH", path, json=body, **options)

    def put(self, path, body, **options):
        return self.call("PUT", path, json=body, **options)

    def delete(self, path, body=None):
        return self.call("DELETE", path, json=body)

    def scan(self, number, action, **fields):
        return self.post(f"/api/panes/{number}/scan", {"action": action, **fields})
