"""Two applications with different settings in one process, and the runtime itself."""

from collections import Counter
from contextlib import ExitStack
from itertools import cycle
from types import SimpleNamespace

import gevent
import pytest
import requests

from clients import Api
from concurrency import run_concurrently
from glassflow import runtime
from glassflow.app import create_app
from glassflow.runtime import Policy, Runtime
from glassflow.settings import load_settings
from greenlets import spawn
from lookups import claim_of
from pictures import load, picture
from scenarios import claim_under_order, order_with_panes
from screens import Screen
from server import serve

TIMEOUT_S = 30
MATERIAL = {"unit": "sheet", "reorderPoint": 0}
SETTINGS = {
    "first": {
        "QR_PREFIX": "FIRST:",
        "SCAN_POLICY": "guided",
        "DELETE_POLICY": "restrict",
    },
    "second": {
        "QR_PREFIX": "SECOND:",
        "SCAN_POLICY": "lenient",
        "DELETE_POLICY": "cascade",
    },
}


@pytest.fixture(scope="module")
def applications(app, store_settings):
    """Two served applications on one store: `(name, app, url)` of each."""
    with ExitStack() as stack:
        served = []
        for name, settings in SETTINGS.items():
            env = {"JWT_SECRET": name * 10} | store_settings | settings
            made = create_app(load_settings("testing", env=env))
            stack.callback(made.extensions["realtime"].stop)
            url, stop = serve(made)
            stack.callback(stop)
            served.append((name, made, url))
        yield served
    runtime.set_default(app.extensions["runtime"])


@pytest.fixture
def admins(applications, workshop):
    """An administrator at each application, with a token of that application."""
    made = {}
    for name, app, url in applications:
        worker = workshop.worker_with("admin")
        token = app.extensions["runtime"].tokens.issue(worker.pk)
        made[name] = Api(url, token, worker)
    return SimpleNamespace(**made)


def qr_prefix(api, customer):
    """Create a pane, and return the prefix of its QR code."""
    details = {"type": "window", "quantity": 1}
    body = {"customer": customer, "details": details, "panes": [{}]}
    request = api.post("/api/requests", body).data
    (pane,) = api.get("/api/panes", request=request["_id"]).data
    return pane["qrCode"].removesuffix(pane["paneNumber"])


def test_each_application_has_its_own_qr_prefix(admins, workshop):
    customer = str(workshop.customer().pk)
    for _ in range(2):
        assert qr_prefix(admins.first, customer) == "FIRST:"
        assert qr_prefix(admins.second, customer) == "SECOND:"


def test_each_application_signs_its_own_links(admins, workshop):
    job = order_with_panes(admins.first, workshop)
    made = claim_under_order(admins.first, job, photos=[picture()[0]])
    (link,) = made["photos"]
    assert load(admins.first, link).status_code == 200
    assert load(admins.second, link).status_code == 403
    (other,) = claim_of(admins.second, made)["photos"]
    assert load(admins.second, other).status_code == 200


def test_each_application_has_its_own_scan_policy(admins, workshop):
    customer = str(workshop.customer().pk)
    stations = [str(one.pk) for one in workshop.stations(2)]
    details = {"type": "window", "quantity": 1}
    panes = {"details": details, "panes": [{"routing": stations}]}
    request = admins.first.post("/api/requests", {"customer": customer, **panes}).data
    order = {"customer": customer, "material": str(workshop.material().pk)}
    order |= {"quantity": 1, "request": request["_id"]}
    assert admins.first.post("/api/orders", order).status == 201
    (pane,) = admins.first.get("/api/panes", request=request["_id"]).data
    jump = {"action": "scan_in", "station": stations[1]}
    path = f"/api/panes/{pane['paneNumber']}/scan"
    refused = admins.first.post(path, jump)
    assert (refused.status, refused.errors["code"]) == (400, "WRONG_STATION")
    assert admins.second.post(path, jump).status == 200


def test_each_application_has_its_own_delete_policy(admins, workshop):
    customer = str(workshop.customer().pk)
    qr_prefix(admins.first, customer)
    assert admins.first.delete(f"/api/customers/{customer}").status == 409
    assert admins.second.delete(f"/api/customers/{customer}").status == 200


def test_a_token_of_one_application_is_refused_by_the_other(admins):
    for own, other in (
        (admins.first, admins.second),
        (admins.second, admins.first),
    ):
        assert own.get("/api/auth/me").status == 200
        answer = Api(other.url, own.token).get("/api/auth/me")
        assert (answer.status, answer.message) == (401, "Invalid or expired token")


def test_a_login_gives_a_token_of_the_application_that_was_asked(admins):
    for own, other in (
        (admins.first, admins.second),
        (admins.second, admins.first),
    ):
        body = {"username": own.worker.username, "password": "correct horse 9"}
        token = Api(own.url).post("/api/auth/login", body).data["token"]
        assert Api(own.url, token).get("/api/auth/me").status == 200
        assert Api(other.url, token).get("/api/auth/me").status == 401


def test_concurrent_requests_see_their_own_application(admins, workshop):
    customer = str(workshop.customer().pk)
    both = [api for api, _ in zip(cycle([admins.first, admins.second]), range(16))]
    prefixes = run_concurrently(
        [lambda api=api: qr_prefix(Api(api.url, api.token), customer) for api in both]
    )
    assert prefixes == ["FIRST:", "SECOND:"] * 8
    swapped = {admins.first.url: admins.second.token}
    swapped[admins.second.url] = admins.first.token
    statuses = run_concurrently(
        [
            lambda url=url, token=token: Api(url, token).get("/api/auth/me").status
            for url, token in swapped.items()
        ]
        * 8
    )
    assert Counter(statuses) == {401: 16}


def test_an_open_socket_is_authorized_by_its_own_application(admins):
    for api in (admins.first, admins.second):
        screen = Screen(api).join("join_inventory")
        # The change makes the log tail's greenlet authorize the socket again.
        changed = api.patch(f"/api/workers/{api.id}", {"name": "Renamed"})
        assert changed.status == 200
        material = api.post("/api/materials", {"name": "heard", **MATERIAL}).data["_id"]
        with gevent.Timeout(TIMEOUT_S):
            while material not in ids_heard(screen):
                gevent.sleep(0.01)
        assert screen.socket.connected
        screen.close()


def ids_heard(screen):
    return [(data or {}).get("data", {}).get("_id") for _, data in screen.received]


def test_a_stream_is_authorized_by_its_own_application(admins):
    for api in (admins.first, admins.second):
        headers = {"Authorization": f"Bearer {api.token}"}
        headers["Accept"] = "text/event-stream"
        with requests.get(
            f"{api.url}/api/events", headers=headers, stream=True, timeout=TIMEOUT_S
        ) as stream:
            lines = stream.iter_lines(chunk_size=1)
            assert next(lines) == b": listening"
            body = {"name": "streamed", **MATERIAL}
            assert api.post("/api/materials", body).status == 201
            assert any(b'"streamed"' in line for line in lines)


def make_runtime():
    parts = dict.fromkeys(
        (
            *("tokens", "passwords", "links"),
            *("event_retention", "history_retention", "archive_folder"),
        )
    )
    return Runtime(policy=Policy(), **parts)


def test_without_any_application_there_is_no_runtime(monkeypatch):
    monkeypatch.setattr(runtime, "_last_created", None)
    with pytest.raises(RuntimeError, match="No application has been created"):
        runtime.current()


def test_the_default_is_used_only_where_no_runtime_is_active(monkeypatch):
    default, outer, inner = make_runtime(), make_runtime(), make_runtime()
    monkeypatch.setattr(runtime, "_last_created", default)
    assert runtime.current() is default
    with runtime.active(outer):
        assert runtime.current() is outer
        with runtime.active(inner):
            assert runtime.current() is inner
        assert runtime.current() is outer
    assert runtime.current() is default


def test_a_new_greenlet_needs_a_bound_function(monkeypatch):
    default, own = make_runtime(), make_runtime()
    monkeypatch.setattr(runtime, "_last_created", default)
    with runtime.active(own):
        unbound = spawn(runtime.current)
        bound = spawn(runtime.bind(runtime.current))
    assert (unbound.get(), bound.get()) == (default, own)


def test_a_detached_call_keeps_only_the_runtime(monkeypatch):
    default, own = make_runtime(), make_runtime()
    monkeypatch.setattr(runtime, "_last_created", default)
    assert runtime.run_detached(runtime.current) is default
    with runtime.active(own):
        assert runtime.run_detached(runtime.current) is own


def test_a_bound_iterator_runs_each_step_with_its_runtime(monkeypatch):
    default, own = make_runtime(), make_runtime()
    monkeypatch.setattr(runtime, "_last_created", default)

    def steps():
        for _ in range(2):
            yield runtime.current()

    with runtime.active(own):
        bound = runtime.bind_iterator(steps())
    seen = [(one, runtime.current()) for one in bound]
    assert seen == [(own, default), (own, default)]
