"""Every kind of answer has the headers that docs/security.md names."""

import pytest
import requests

from glassflow.blueprints import job_types
from glassflow.host.common_headers import COMMON_HEADERS
from pictures import load, photo
from scenarios import order_with_panes
from waiting import REQUEST_TIMEOUT_S

# Answers that are pages, or below them, and run scripts.
PAGES = {"/floor/", "/api/docs", "login of a page"}
PLAIN = COMMON_HEADERS.keys() - {"Content-Security-Policy", "Cache-Control"}


@pytest.fixture
def answers(admin, server, workshop, setting, monkeypatch):
    """One answer of each kind, by what it is."""
    job = order_with_panes(admin, workshop)
    one = f"/api/orders/{job.order['_id']}"
    attached = admin.post(
        f"/api/requests/{job.request['_id']}/attachments",
        {"name": "plan.jpg", "file": photo()},
    )
    setting(LOGIN_ATTEMPTS_PER_MINUTE=0)
    credentials = {"username": "not-let-in", "password": "password-1"}

    def breaks(*_, **__):
        raise RuntimeError

    monkeypatch.setattr(job_types.resource.schema.__class__, "read", breaks)
    token = {"Authorization": f"Bearer {admin.token}"}

    def ask(method, path, headers=token, **options):
        options |= {"timeout": REQUEST_TIMEOUT_S, "allow_redirects": False}
        return requests.request(method, server + path, headers=headers, **options)

    tag = ask("GET", one).headers["ETag"]
    stream = ask(
        "GET", "/api/events", token | {"Accept": "text/event-stream"}, stream=True
    )
    stream.close()
    return {
        "record": ask("GET", one),
        "unchanged record": ask("GET", one, token | {"If-None-Match": tag}),
        "head": ask("HEAD", one),
        "created": ask("POST", "/api/customers", json={"name": "Nida"}),
        "invalid": ask("POST", "/api/customers", json={}),
        "failed": ask("POST", "/api/job-types", json={"name": "Door"}),
        "throttled": ask("POST", "/api/auth/login", {}, json=credentials),
        "no JSON": ask("POST", "/api/customers", data=b"{"),
        "too large": ask("POST", "/api/customers", data=b"x" * 2_000_000),
        "no token": ask("GET", one, {}),
        "no path": ask("GET", "/api/nothing"),
        "no method": ask("PUT", one),
        "doubled slash": ask("GET", "/api//orders"),
        "preflight": ask("OPTIONS", one),
        "health": ask("GET", "/api/health", {}),
        "csv": ask("GET", "/api/orders/export.csv"),
        "xlsx": ask("GET", "/api/orders/export.xlsx"),
        "pdf": ask("GET", f"{one}/job-card"),
        "stream": stream,
        "uploaded file": load(admin, attached.data["attachments"][0]["url"]),
        "metrics": ask("GET", "/metrics", {}),
        "description": ask("GET", "/api/openapi.json", {}),
        "/api/docs": ask("GET", "/api/docs", {}),
        "/floor/": ask("GET", "/floor/", {}),
        "way to the pages": ask("GET", "/", {"Accept": "text/html"}),
        "login of a page": ask("POST", "/floor/session", {}, json={}),
        "polling": ask("GET", "/api/socket-entry/?EIO=4&transport=polling", {}),
        "refused polling": ask("GET", "/api/socket-entry/?EIO=2", {}),
    }


def test_every_kind_of_answer_has_the_headers(answers):
    for name, answer in answers.items():
        found = {header: answer.headers.get(header) for header in COMMON_HEADERS}
        assert {h: found[h] for h in PLAIN} == {h: COMMON_HEADERS[h] for h in PLAIN}, (
            name
        )
        policy = found["Content-Security-Policy"]
        if name in PAGES:
            assert policy.startswith("default-src 'none'; script-src 'self'"), name
            assert "frame-ancestors 'none'" in policy, name
        elif name == "uploaded file":
            assert policy == "default-src 'none'; sandbox"
        else:
            assert policy == COMMON_HEADERS["Content-Security-Policy"], name
        assert found["Cache-Control"], name
    statuses = {answer.status_code for answer in answers.values()}
    assert {200, 201, 303, 304, 308, 400, 401, 404, 405, 413, 429, 500} <= statuses
    assert [
        answers[name].status_code
        for name in ("failed", "throttled", "uploaded file", "metrics")
    ] == [500, 429, 200, 200]
