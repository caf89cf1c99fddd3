"""A REST client as a user would write one: real HTTP, JSON both ways."""

import requests


class Answer:
    """An answer with its envelope at hand."""

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
        """The `data` of an answer that has to be a success."""
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


class Api:
    """Calls the service with the token of one worker, or with none."""

    def __init__(self, url, token=None, worker=None):
        self.url, self.token, self.worker = url, token, worker
        self.session = requests.Session()
        if token:
            self.session.headers["Authorization"] = f"Bearer {token}"

    @property
    def id(self):
        return str(self.worker.pk)

    def call(self, method, path, **options):
        options.setdefault("timeout", 20)
        return Answer(self.session.request(method, self.url + path, **options))

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

    def scan(self, number, action, **said):
        return self.post(f"/api/panes/{number}/scan", {"action": action, **said})
