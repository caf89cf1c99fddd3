"""API keys: programs act as a worker, with a part of the worker's rights, until revoked."""

import time
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import gevent

from clients import Api
from concurrency import run_concurrently
from factories import PASSWORD
from glassflow.core.process import clock
from glassflow.models.worker import Worker
from glassflow.realtime import token_watch
from glassflow.services.auth import api_keys
from page_client import outcome
from screens import Screen, refused_handshake

OWN = "/api/auth/api-keys"
INVALID = (401, "Invalid or expired token")
FORBIDDEN = (403, "Not authorized for this action")


def create(owner, *scopes, **fields):
    body = {"name": "ERP", "scopes": list(scopes), "currentPassword": PASSWORD}
    return owner.post(OWN, body | fields)


def program(server, owner, *scopes, **fields):
    """A client of the API with a new key of a worker."""
    answer = create(owner, *scopes, **fields)
    assert answer.status == 201, answer
    return Api(server, answer.data["key"])


def test_key_may_do_what_both_role_and_scopes_allow_now(
    server, admin, manager, workshop
):
    role = f"/api/roles/{manager.worker.role}"
    made = create(manager, "panes:view", "customers:manage")
    assert made.data["scopes"] == ["customers:manage", "panes:view"]
    erp = Api(server, made.data["key"])
    assert erp.get("/api/panes").status == 200
    customer = erp.post("/api/customers", {"name": "กระจกใส", "phone": "1"})
    assert customer.status == 201
    (change,) = erp.get(f"/api/customers/{customer.data['_id']}/history").data
    assert (change["by"], change["via"]) == (manager.id, "key")
    assert change["viaName"] == made.data["key"].split("_")[1]
    given = admin.get(f"/api/workers/{manager.id}/history").data[0]
    assert given["hidden"] == ["apiKeyPrefixes", "apiKeys"]
    assert given["changes"] == []
    assert outcome(erp.get("/api/orders")) == FORBIDDEN
    screen, own = Screen(erp), Screen(manager)
    assert screen.call("join_pane")["ok"]
    refused = screen.call("join_order")
    assert (refused["ok"], refused["error"]) == (False, FORBIDDEN[1])
    # the worker's notifications need a scope, too
    notice = {"recipient": manager.id, "type": "x", "title": "x", "priority": "low"}
    assert admin.post("/api/notifications", notice).status == 201
    own.wait_for(lambda: "notification" in own.event_names())
    kept = {"permissions": ["orders:view", "customers:view"]}
    assert admin.patch(role, kept).status == 200
    assert outcome(erp.get("/api/panes")) == FORBIDDEN
    screen.wait_for(lambda: not screen.call("join_pane")["ok"])
    assert screen.event_names() == []
    assert erp.get("/api/customers").status == 200
    assert outcome(erp.get("/api/orders")) == FORBIDDEN
    (listed,) = manager.get(OWN).data
    shown = {name: value for name, value in made.data.items() if name != "key"}
    assert listed == {**shown, "lastUsedAt": listed["lastUsedAt"]}
    assert listed["lastUsedAt"]
    screen.close()
    own.close()


def test_key_that_is_revoked_ends_at_once_with_its_sockets(server, admin, worker):
    made = create(worker, "panes:view")
    erp = Api(server, made.data["key"])
    screen = Screen(erp)
    assert worker.get(OWN).data[0]["lastUsedAt"]  # by its socket
    path = f"{OWN}/{made.data['_id']}"
    uses = [lambda: erp.get("/api/panes")] * 6
    revokes = [lambda: worker.call("DELETE", path)] * 2
    answers = run_concurrently([*uses[:3], *revokes, *uses[3:]])
    assert sorted(one.status for one in answers[3:5]) == [200, 404]
    assert {one.status for one in answers[:3] + answers[5:]} <= {200, 401}
    assert outcome(erp.get("/api/panes")) == INVALID
    screen.wait_for(lambda: not screen.socket.connected)
    (error,) = refused_handshake(server, {"token": erp.token})
    assert error["message"] == INVALID[1]
    assert worker.get(OWN).data == []


def test_key_ends_by_its_time_with_its_worker_and_with_a_reset(
    server, admin, worker, monkeypatch
):
    soon = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    erp = program(server, worker, "panes:view", expiresAt=soon)
    lasting = program(server, worker, "panes:view")
    assert erp.get("/api/panes").status == lasting.get("/api/panes").status == 200
    with monkeypatch.context() as patched:
        later = clock.now() + timedelta(hours=2)
        patched.setattr(api_keys.clock, "now", lambda: later)
        assert outcome(erp.get("/api/panes")) == INVALID
        assert lasting.get("/api/panes").status == 200
    past = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    assert create(worker, "panes:view", expiresAt=past).faults == {
        "expiresAt": "The end of the key must be in the future"
    }
    path = f"/api/workers/{worker.id}"
    assert admin.patch(path, {"isActive": False}).status == 200
    assert outcome(lasting.get("/api/panes")) == INVALID
    assert admin.patch(path, {"isActive": True}).status == 200
    assert outcome(lasting.get("/api/panes")) == INVALID  # as tokens do not come back
    body = {"name": "x", "scopes": ["panes:view"]}
    assert admin.post(f"{path}/api-keys", body).status == 201
    (left,) = admin.get(f"{path}/api-keys").data
    assert admin.post(f"{path}/reset-password").status == 200
    assert admin.get(f"{path}/api-keys").data == []
    assert left["name"] == "x"


def test_open_socket_is_closed_when_its_key_ends_by_its_time(
    server, worker, monkeypatch
):
    soon = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    ending, lasting = (
        Screen(program(server, worker, "panes:view", **more))
        for more in ({"expiresAt": soon}, {})
    )
    assert ending.call("join_pane")["ok"]
    hours = 2 * 3600
    later = SimpleNamespace(time=lambda: time.time() + hours, monotonic=time.monotonic)
    monkeypatch.setattr(token_watch, "time", later)
    ending.wait_for(lambda: not ending.socket.connected)
    assert lasting.call("join_pane")["ok"]
    lasting.close()


def test_nobody_gives_a_key_more_than_they_hold(
    server, admin, worker, workshop, client_with_keys
):
    assert outcome(create(worker, "workers:manage")) == FORBIDDEN
    assert outcome(create(worker, "*")) == FORBIDDEN
    assert create(worker, "panes:fly").faults == {
        "scopes.0": "Unknown permission key: panes:fly"
    }
    assert list(create(worker).faults) == ["scopes"]
    wrong = create(worker, "panes:view", currentPassword="not this one")
    assert list(wrong.faults) == ["currentPassword"]
    clerk = client_with_keys("workers:manage")
    body = {"name": "x", "scopes": ["workers:view"]}
    boss, equal = (
        admin.worker,
        workshop.worker(role=workshop.role(permissions=["workers:view"])),
    )
    path = "/api/workers/{}/api-keys"
    assert outcome(clerk.post(path.format(boss.pk), body)) == FORBIDDEN
    assert outcome(clerk.get(path.format(boss.pk))) == FORBIDDEN
    assert outcome(clerk.post(path.format(clerk.id), body)) == FORBIDDEN
    assert outcome(worker.post(path.format(equal.pk), body)) == FORBIDDEN
    made = clerk.post(path.format(equal.pk), body)
    assert made.status == 201
    theirs = Api(server, made.data["key"])
    assert theirs.get("/api/workers").status == 200
    one = f"{path.format(equal.pk)}/{made.data['_id']}"
    assert worker.call("DELETE", f"{OWN}/{made.data['_id']}").status == 404
    assert clerk.call("DELETE", one).status == 200
    assert outcome(theirs.get("/api/workers")) == INVALID


def test_key_reads_its_account_and_changes_nothing_of_it(
    server, admin, worker, setting
):
    erp = program(server, admin, "*")
    own, other = f"/api/workers/{admin.id}", f"/api/workers/{worker.id}"
    assert erp.get("/api/auth/me").data["_id"] == admin.id
    assert erp.post("/api/webhooks", {}).status == 400  # it may do everything else
    for call in (
        lambda: erp.patch("/api/auth/me", {"name": "x"}),
        lambda: erp.put(
            "/api/auth/me/pin", {"pin": "2580", "currentPassword": PASSWORD}
        ),
        lambda: erp.delete("/api/auth/me/pin"),
        lambda: erp.post("/api/auth/logout"),
        lambda: create(erp, "panes:view"),
        lambda: erp.get(OWN),
        lambda: erp.get("/api/auth/sessions"),
        lambda: erp.call("DELETE", "/api/auth/sessions"),
        lambda: erp.post("/api/auth/badge", {"code": "x"}),
        # with the keys of who manages workers
        lambda: erp.patch(own, {"password": "mine now 1"}),
        lambda: erp.put(f"{own}/pin", {"pin": "2580"}),
        lambda: erp.delete(f"{own}/pin"),
        lambda: erp.post(f"{own}/badge"),
        lambda: erp.post("/api/workers/badges", {"ids": [admin.id]}),
        lambda: erp.post(f"{other}/api-keys", {"name": "x", "scopes": ["panes:view"]}),
    ):
        assert outcome(call()) == FORBIDDEN
    issued = erp.post("/api/workers/badges", {})
    assert admin.id not in [row["_id"] for row in issued.data]
    assert erp.patch(other, {"position": "Cutter"}).status == 200
    # its attempts do not count for the worker
    setting(LOGIN_ATTEMPTS_PER_MINUTE=1)
    guess = {"password": "mine now 1", "currentPassword": "guessed"}
    statuses = [erp.patch("/api/auth/me", guess).status for _ in range(2)]
    assert statuses == [403, 403]


def test_store_has_no_key_and_what_is_no_key_is_refused(server, admin, worker):
    key = create(worker, "panes:view").data["key"]
    raw = Worker.collection().find_one({"_id": worker.worker.pk})
    assert key.split("_", 2)[2][:43] not in str(raw)
    shown = admin.get(f"/api/workers/{worker.id}").text
    assert key[3:11] not in shown
    prefix, rest = key[:12], key[12:]
    other = api_keys.new_key()
    for wrong in (key[:-1], f"{key}0", key.upper(), other, prefix + other[12:], "gf_",
                  prefix + rest[1:] + rest[0]):  # fmt: skip
        assert outcome(Api(server, wrong).get("/api/panes")) == INVALID, wrong


def test_worker_has_a_limited_number_of_keys(worker, monkeypatch):
    monkeypatch.setattr(api_keys, "MAX_KEYS", 2)
    made = run_concurrently([lambda: create(worker, "panes:view")] * 4)
    assert sorted(one.status for one in made) == [201, 201, 400, 400]
    codes = {(one.errors or {}).get("code") for one in made if one.status == 400}
    assert codes == {"TOO_MANY_API_KEYS"}
    assert len(worker.get(OWN).data) == 2


def test_stream_of_events_follows_a_key(server, admin, worker):
    made = create(worker, "customers:view").data
    erp = Api(server, made["key"])
    stream = erp.session.get(
        f"{server}/api/events",
        headers={"Accept": "text/event-stream"},
        stream=True,
        timeout=60,
    )
    assert stream.status_code == 200
    lines = stream.iter_lines()
    assert next(lines) == b": listening"
    assert worker.call("DELETE", f"{OWN}/{made['_id']}").status == 200
    with gevent.Timeout(60):
        assert b"event:" not in b"".join(lines)


def test_scope_of_everything_is_all_that_the_role_allows(
    server, admin, client_with_keys
):
    limited = client_with_keys("orders:view")
    body = {"name": "x", "scopes": ["*"]}
    made = admin.post(f"/api/workers/{limited.id}/api-keys", body)
    erp = Api(server, made.data["key"])
    assert erp.get("/api/orders").status == 200
    assert outcome(erp.post("/api/orders", {})) == FORBIDDEN
    assert outcome(erp.get("/api/panes")) == FORBIDDEN
