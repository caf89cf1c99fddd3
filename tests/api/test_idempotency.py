"""`Idempotency-Key`: a POST that is sent again is carried out once and answered alike."""

import base64
import hashlib
import json
from functools import partial

import pytest
from mongoengine.connection import get_db

import cutting_api
from clients import Api
from concurrency import create_clients, run_concurrently
from glassflow import blueprints
from glassflow.core.access import idempotency_store
from glassflow.core.process.json import canonical
from glassflow.core.store import lease
from glassflow.domain.errors import Busy, Contention, Stale, TooManyAttempts
from glassflow.models import ALL
from glassflow.services import webhooks
from glassflow.services.auth import identity
from glassflow.services.deletion.restore import KINDS
from glassflow.services.labels import network_printers
from lookups import pane_actions, pane_of
from mailed_quotes import policy
from pictures import photo, to_data_url
from retention import retention_s
from scenarios import RESOURCES, order_with_panes, pass_station, valid_bodies
from stock_api import create_lot
from webhook_receiver import parked_delivery

CUSTOMERS = "/api/customers"
DAY_S = 24 * 3600
RESTORED = [one.name for one in blueprints.RESOURCES if one.model.__name__ in KINDS]
MALFORMED = {"Idempotency-Key": "Must be 1 to 128 printable ASCII characters"}


def send(api, path, body, key="k1", headers=None, **options):
    sent = {"Idempotency-Key": key, **(headers or {})}
    return api.post(path, body, headers=sent, **options)


def was_replayed(answer):
    return answer.headers.get("Idempotency-Replayed") == "true"


def stored():
    """All stored records."""
    return {
        model.__name__: list(model.collection().find().sort("_id")) for model in ALL
    }


def count_customers(admin):
    return admin.get(CUSTOMERS).body["pagination"]["total"]


def deleted(admin, name, body):
    """The id of a record that was deleted, with other names than those of the body."""
    own = {one: f"{body[one]}x" for one in ("code", "name", "username") if one in body}
    record = admin.post(f"/api/{name}", {**body, **own}).data["_id"]
    assert admin.delete(f"/api/{name}/{record}").status == 200
    return record


def quote(admin, workshop, action):
    """The id of a draft for `send`, and of a sent quote for an answer or a revision."""
    pane = {"dimensions": {"width": 500, "height": 500}, "unitPrice": 1}
    body = {"customer": str(workshop.customer().pk), "panes": [pane]}
    made = admin.post("/api/quotes", body).data["_id"]
    if action != "send":
        assert admin.post(f"/api/quotes/{made}/send", {}).status == 200
    return made


def accepted_request(admin, workshop):
    """The id of the request of an accepted quote."""
    path = f"/api/quotes/{quote(admin, workshop, 'accept')}/accept"
    return admin.post(path, {}).data["request"]


def delivery(admin, workshop, action):
    """The path and the body of an action on a delivery with one finished pane."""
    job = order_with_panes(admin, workshop, steps=1)
    pass_station(admin, job.numbers[0], job.stations[0])
    body = {"customer": job.customer, "panes": [job.panes[0]["_id"]]}
    path = f"/api/deliveries/{admin.post('/api/deliveries', body).data['_id']}"
    handed_over = {"paneNumbers": job.numbers, "receivedBy": "สมชาย"}
    if action == "undo":
        assert admin.post(f"{path}/hand-over", handed_over).status == 200
        return f"{path}/undo", {}
    return f"{path}/{action}", handed_over if action == "hand-over" else {
        "paneNumbers": job.numbers
    }


def billing_entry(admin, workshop):
    """The id of what is owed for a delivery."""
    path, body = delivery(admin, workshop, "hand-over")
    delivered = admin.post(path, body).data["_id"]
    [found] = admin.get("/api/billing-entries", delivery=delivered).data
    return found["_id"]


def billed_entry(admin, workshop):
    """The id of an entry that is on an invoice."""
    entry = billing_entry(admin, workshop)
    admin.patch(f"/api/billing-entries/{entry}", {"adjustment": 100})
    body = {"ids": [entry], "invoiceNumber": "INV-9"}
    assert admin.post("/api/billing-entries/bill", body).status == 200
    return entry


def pane_on_rack(admin, workshop):
    """Make a rack with a pane on it; return the id of the rack and the number."""
    rack = admin.post("/api/racks", {"name": "A"}).data["_id"]
    number = order_with_panes(admin, workshop).numbers[0]
    admin.post(f"/api/racks/{rack}/put", {"paneNumbers": [number]})
    return rack, number


def plan_for(act, admin, workshop):
    """The id of a cutting plan to which this can be done."""
    job = cutting_api.job_to_cut(admin, workshop)
    make = cutting_api.released if act in ("cut", "undo") else cutting_api.planned
    plan = make(admin, job)
    if act == "undo":
        assert cutting_api.cut(admin, plan, 1).status == 200
    return plan["_id"]


def called(admin, workshop, *, taken=False):
    """The id of a call, to which somebody goes already if need be."""
    body = {"station": str(workshop.station().pk), "kind": "machine"}
    id = admin.post("/api/calls", body).data["_id"]
    if taken:
        admin.post(f"/api/calls/{id}/take", {})
    return id


def payment(admin, workshop):
    """The id of a payment."""
    body = {"customer": str(workshop.customer().pk), "amount": 1}
    return admin.post("/api/payments", body).data["_id"]


def lost_pane(admin, workshop):
    """The id of a cancelled pane that a price was agreed for."""
    details = {"type": "a", "quantity": 1, "estimatedPrice": 500}
    body = {"customer": str(workshop.customer().pk), "details": details, "panes": [{}]}
    made = admin.post("/api/requests", body).data["panes"][0]["_id"]
    admin.patch(f"/api/panes/{made}", {"currentStatus": "cancelled"})
    return {"panes": [made], "reason": "ตัดแล้ว"}


def charged_pane(admin, workshop):
    """The id of what is charged for a cancelled pane."""
    return admin.post("/api/billing-entries", lost_pane(admin, workshop)).data["_id"]


@pytest.fixture
def posts(admin, workshop, set_policy):
    """A path and a body for each POST route of the API, by its rule."""
    set_policy(mail=policy("smtp://127.0.0.1:1"))
    bodies = {each[0]: each[1] for each in valid_bodies(workshop).values()}
    job = order_with_panes(admin, workshop, panes=4)
    lost = order_with_panes(admin, workshop, panes=2)
    lot = create_lot(admin, workshop.material(), 5)
    claim = {"source": "worker", "description": "ร้าว", "reportedBy": admin.id}
    claim["photos"] = [to_data_url(b"\x89PNG\r\n\x1a\n" + bytes(2**20))]
    quiet = {"url": "https://example.com/", "events": ["*"], "isActive": False}
    hook = admin.post("/api/webhooks", quiet).data["_id"]
    own = {
        "/api/webhooks/<oid:record_id>/secret": (f"/api/webhooks/{hook}/secret", {}),
        "/api/webhooks/<oid:record_id>/deliveries/<oid:delivery_id>/resend": (
            f"/api/webhooks/{hook}/deliveries/{parked_delivery(hook)}/resend",
            {},
        ),
        "/api/panes/<number>/scan": (
            f"/api/panes/{job.numbers[0]}/scan",
            {"action": "scan_in"},
        ),
        "/api/panes/<number>/undo": (  # of the scan above
            f"/api/panes/{job.numbers[0]}/undo",
            {"reason": "ผิดแผ่น"},
        ),
        "/api/panes/batch-scan": (
            "/api/panes/batch-scan",
            {"action": "scan_in", "paneNumbers": job.numbers[1:3]},
        ),
        "/api/panes/batch-fail": (
            "/api/panes/batch-fail",
            {"reason": "broken", "paneNumbers": lost.numbers},
        ),
        "/api/panes/batch-undo": (  # of the loss above
            "/api/panes/batch-undo",
            {"paneNumbers": lost.numbers},
        ),
        "/api/orders/<order_id>/claims": (
            f"/api/orders/{job.order['_id']}/claims",
            {**claim, "material": job.material, "pane": job.panes[2]["_id"]},
        ),
        "/api/claims/from-pane": (
            "/api/claims/from-pane",
            {**claim, "paneNumber": job.numbers[3]},
        ),
        "/api/labels": ("/api/labels", {"panes": [job.numbers[0]], "format": "zpl"}),
        "/api/labels/print": ("/api/labels/print", {"panes": [job.numbers[0]]}),
        "/api/attachments": ("/api/attachments", {"photo": photo()}),
        "/api/inventories/<record_id>/move": (
            f"/api/inventories/{lot['_id']}/move",
            {"quantity": 2, "toLocation": "B"},
        ),
        "/api/inventories/<record_id>/move/preview": (
            f"/api/inventories/{lot['_id']}/move/preview",
            {"quantity": 2, "toLocation": "C"},
        ),
        "/api/withdrawals/preview": (
            "/api/withdrawals/preview",
            {"material": lot["material"], "quantity": 1, "stockType": lot["stockType"]},
        ),
        "/api/sticker-templates/preview": (
            "/api/sticker-templates/preview",
            {"width": 60, "height": 40},
        ),
        "/api/requests/<oid:record_id>/attachments": (
            f"/api/requests/{job.request['_id']}/attachments",
            {"name": "sketch", "file": photo()},
        ),
        "/api/requests/<oid:record_id>/panes": (
            f"/api/requests/{job.request['_id']}/panes",
            {"panes": [{}], "order": job.order["_id"]},
        ),
        "/api/requests/<oid:record_id>/changes": (
            f"/api/requests/{job.request['_id']}/changes",
            {"add": [{}], "reason": "a"},
        ),
        "/api/requests/<oid:record_id>/changes/preview": (
            f"/api/requests/{job.request['_id']}/changes/preview",
            {"add": [{}]},
        ),
        "/api/customers/<oid:record_id>/merge": (
            f"/api/customers/{workshop.customer().pk}/merge",
            {"customers": [str(workshop.customer().pk)]},
        ),
        **{
            f"/api/{name}/<oid:record_id>/restore": (
                f"/api/{name}/{deleted(admin, name, bodies[name])}/restore",
                {},
            )
            for name in RESTORED
        },
        "/api/setup/labels": ("/api/setup/labels", {}),
        "/api/notifications/read": ("/api/notifications/read", None),
        "/api/requests/price": ("/api/requests/price", {"panes": []}),
        "/api/quotes/price": ("/api/quotes/price", {"panes": []}),
        **{
            f"/api/quotes/<oid:record_id>/{action}": (
                f"/api/quotes/{quote(admin, workshop, action)}/{action}",
                {},
            )
            for action in ("send", "accept", "reject", "revise")
        },
        "/api/quotes/confirmations": (
            "/api/quotes/confirmations",
            {"request": accepted_request(admin, workshop)},
        ),
        **{
            f"/api/deliveries/<oid:record_id>/{action}": delivery(
                admin, workshop, action
            )
            for action in ("load", "unload", "hand-over", "undo")
        },
        **{
            f"/api/billing-entries/{action}": (
                f"/api/billing-entries/{action}",
                {"ids": [billing_entry(admin, workshop)], "invoiceNumber": "INV-1"},
            )
            for action in ("bill", "unbill")
        },
        "/api/billing-entries/accounts": ("/api/billing-entries/accounts", {}),
        "/api/billing-entries": ("/api/billing-entries", lost_pane(admin, workshop)),
        "/api/billing-entries/<oid:record_id>/void": (
            f"/api/billing-entries/{charged_pane(admin, workshop)}/void",
            {},
        ),
        "/api/billing-entries/<oid:record_id>/credit": (
            f"/api/billing-entries/{billed_entry(admin, workshop)}/credit",
            {"amount": 1, "reason": "รอย"},
        ),
        "/api/calls": (
            "/api/calls",
            {"station": str(workshop.station().pk), "kind": "question"},
        ),
        **{
            f"/api/calls/<oid:record_id>/{act}": (
                f"/api/calls/{called(admin, workshop, taken=act == 'release')}/{act}",
                {},
            )
            for act in ("take", "release", "end")
        },
        "/api/racks": ("/api/racks", {"name": "A"}),
        **{
            f"/api/racks/<oid:record_id>/{act}": (
                f"/api/racks/{rack}/{act}",
                {"paneNumbers": [number], **body},
            )
            for act, body in (
                ("put", {}),
                ("take-off", {}),
                ("scan", {"action": "scan_in"}),
            )
            for rack, number in [pane_on_rack(admin, workshop)]
        },
        "/api/cutting-plans": (
            "/api/cutting-plans",
            {"material": bodies["cutting-plans"]["material"]},
        ),
        **{
            f"/api/cutting-plans/<oid:record_id>/{act}": (
                f"/api/cutting-plans/{plan_for(act, admin, workshop)}/{act}",
                {},
            )
            for act in ("improve", "stop", "release", "cancel")
        },
        **{
            f"/api/cutting-plans/<oid:record_id>/sheets/<int:number>/{act}": (
                f"/api/cutting-plans/{plan_for(act, admin, workshop)}/sheets/1/{act}",
                {},
            )
            for act in ("cut", "undo")
        },
        "/api/payments": (
            "/api/payments",
            {"customer": str(workshop.customer().pk), "amount": 1},
        ),
        "/api/payments/<oid:record_id>/void": (
            f"/api/payments/{payment(admin, workshop)}/void",
            {"reason": "เช็คคืน"},
        ),
        "/api/quotes/<oid:record_id>/mail": (
            f"/api/quotes/{quote(admin, workshop, 'mail')}/mail",
            {"to": ["ann@customer.example"]},
        ),
        "/api/quotes/<oid:record_id>/forecast": (
            f"/api/quotes/{quote(admin, workshop, 'forecast')}/forecast",
            {},
        ),
        "/api/requests/<oid:record_id>/forecast": (
            f"/api/requests/{job.request['_id']}/forecast",
            {},
        ),
        "/api/makeability/check": ("/api/makeability/check", {"panes": []}),
        "/api/saved-exports": (
            "/api/saved-exports",
            {"name": "ค้าง", "resource": "panes"},
        ),
        "/api/workers/badges": ("/api/workers/badges", {"ids": [admin.id]}),
        "/api/workers/<oid:record_id>/badge": (f"/api/workers/{admin.id}/badge", {}),
        "/api/workers/<oid:record_id>/logout": (
            f"/api/workers/{workshop.worker().pk}/logout",
            {},
        ),
    }
    return {f"/api/{name}": (f"/api/{name}", bodies[name]) for name in RESOURCES} | own


def test_every_post_is_carried_out_once_for_its_key(app, admin, posts):
    rules = {
        rule.rule
        for rule in app.url_map.iter_rules()
        if "POST" in rule.methods
        and app.view_functions[rule.endpoint].permission != "public"
    }
    # these take files: tests/api/test_imports.py repeats imports
    files = {one for one in rules if one.endswith(("/import", "/cells"))}
    without = {
        "/api/auth/logout",
        "/api/auth/badge",
        "/api/auth/pin",
        # their answers hold secrets, which are not kept
        "/api/auth/api-keys",
        "/api/workers/<oid:record_id>/api-keys",
        "/api/workers/<oid:record_id>/reset-password",
        "/api/quotes/<oid:record_id>/link",
        # is for a workshop without stations: tests/api/test_setup.py repeats it
        "/api/setup/stations",
    }
    assert rules - without - files == set(posts)
    for rule, (path, body) in posts.items():
        first = send(admin, path, body, key=rule)
        assert first.status in (200, 201), (rule, first)
        assert not was_replayed(first)
        before = stored()
        again = send(admin, path, body, key=rule)
        assert was_replayed(again), rule
        assert (again.status, again.text) == (first.status, first.text)
        assert again.headers["Content-Type"] == first.headers["Content-Type"]
        assert stored() == before, rule


def test_logout_with_a_key_logs_out_and_needs_a_token_again(worker):
    assert send(worker, "/api/auth/logout", None).status == 200
    again = send(worker, "/api/auth/logout", None)
    assert (again.status, was_replayed(again)) == (401, False)


def test_login_takes_no_key(anonymous, worker):
    credentials = {"username": worker.worker.username, "password": "wrong password"}
    for key in ("k1", ""):
        answer = send(anonymous, "/api/auth/login", credentials, key=key)
        assert (answer.status, was_replayed(answer)) == (401, False)


def test_refusal_is_kept_although_the_request_would_now_be_accepted(admin, workshop):
    job = order_with_panes(admin, workshop)
    path = f"/api/panes/{job.numbers[0]}/scan"
    refused = send(admin, path, {"action": "scan_out"})
    assert refused.status == 400
    for action in ("scan_in", "complete"):
        assert admin.scan(job.numbers[0], action).status == 200
    again = send(admin, path, {"action": "scan_out"})
    assert (again.status, again.text) == (400, refused.text)
    assert was_replayed(again)
    assert pane_actions(admin, job.numbers[0]) == ["scan_in", "complete"]
    assert send(admin, path, {"action": "scan_out"}, key="k2").status == 200


@pytest.mark.parametrize(
    ("body", "status"), [({}, 400), ({"name": "admin", "permissions": []}, 409)]
)
def test_invalid_and_duplicate_records_are_refused_alike(admin, body, status):
    body = body and {**body, "slug": "admin"}
    first, again = send(admin, "/api/roles", body), send(admin, "/api/roles", body)
    assert (first.status, again.status) == (status, status)
    assert (again.text, was_replayed(again)) == (first.text, True)


def test_key_with_another_request_is_refused(admin):
    made = send(admin, CUSTOMERS, {"name": "a", "phone": "1"})
    for path, body in (
        (CUSTOMERS, {"name": "b", "phone": "1"}),
        (f"{CUSTOMERS}?populate=false", {"name": "a", "phone": "1"}),
        ("/api/materials", {"name": "a", "phone": "1"}),
    ):
        answer = send(admin, path, body)
        assert answer.status == 409
        assert answer.errors == {"code": "IDEMPOTENCY_KEY_REUSED"}
    assert count_customers(admin) == 1
    again = send(admin, CUSTOMERS, {"phone": "1", "name": "a"})
    assert again.text == made.text  # the order of the members is no difference


def test_stored_fingerprint_tells_nobody_what_the_body_was(admin, setting):
    body = {"name": "Aek", "phone": "081-2345678"}
    first = send(admin, CUSTOMERS, body)
    key = idempotency_store.answer_id(admin.worker.pk, "k1")
    guessed = [b"POST", CUSTOMERS.encode(), b"", canonical(json.dumps(body).encode())]
    digest = hashlib.sha256(b"\0".join(guessed)).hexdigest()
    assert digest not in idempotency_store.find(key).fingerprint
    # what another secret has made cannot be compared: the answer is sent again
    setting(JWT_SECRET="another secret of more than thirty-two characters")
    again = send(admin, CUSTOMERS, body)
    assert (was_replayed(again), again.data) == (True, first.data)
    of_earlier_release = {"$set": {"fingerprint": digest}}
    get_db()[idempotency_store.COLLECTION].update_one({"_id": key}, of_earlier_release)
    assert was_replayed(send(admin, CUSTOMERS, body))
    assert count_customers(admin) == 1


def test_body_that_is_no_json_has_its_answer_kept(admin):
    options = {"data": "{", "headers": {"Idempotency-Key": "k1"}}
    for content_type, status in (("application/json", 400), ("text/plain", 415)):
        options["headers"]["Content-Type"] = content_type
        options["headers"]["Idempotency-Key"] = content_type
        answers = [admin.call("POST", CUSTOMERS, **options) for _ in range(2)]
        assert [one.status for one in answers] == [status, status]
        assert [was_replayed(one) for one in answers] == [False, True]


def test_eight_at_once_with_one_key_are_carried_out_once(admin, workshop):
    job = order_with_panes(admin, workshop)
    scan = partial(
        send, path=f"/api/panes/{job.numbers[0]}/scan", body={"action": "scan_in"}
    )
    create = partial(send, path=CUSTOMERS, body={"name": "one"}, key="k2")
    for call in (scan, create):
        clients = [Api(admin.url, admin.token, admin.worker) for _ in range(8)]
        answers = run_concurrently([partial(call, client) for client in clients])
        assert len({one.text for one in answers}) == 1, answers
        assert {one.status for one in answers} <= {200, 201}
        assert [was_replayed(one) for one in answers].count(False) == 1
    assert pane_actions(admin, job.numbers[0]) == ["scan_in"]
    assert len(admin.get(CUSTOMERS, name="one").data) == 1


def test_eight_with_their_own_keys_are_all_carried_out(admin, workshop, server):
    job = order_with_panes(admin, workshop, panes=8)
    clients = create_clients(server, workshop, count=8)
    answers = run_concurrently(
        [
            partial(send, client, f"/api/panes/{number}/scan", {"action": "scan_in"})
            for client, number in zip(clients, job.numbers, strict=True)
        ]
    )
    assert [one.status for one in answers] == [200] * 8


def test_request_under_way_outside_of_a_transaction_is_not_begun_again(
    admin, posts, monkeypatch
):
    admin.post(*posts["/api/sticker-templates"])
    path, body = posts["/api/labels/print"]
    nested, mark = [], network_printers.mark_labelled

    def mark_meanwhile(panes):
        nested.append(send(admin, path, body))
        return mark(panes)

    monkeypatch.setattr(network_printers, "mark_labelled", mark_meanwhile)
    first = send(admin, path, body)
    assert (first.status, was_replayed(first)) == (200, False)
    [meanwhile] = nested
    assert (meanwhile.status, meanwhile.headers["Retry-After"]) == (409, "1")
    assert meanwhile.errors == {"code": "IDEMPOTENCY_IN_PROGRESS"}
    again = send(admin, path, body)
    assert (again.text, was_replayed(again), len(nested)) == (first.text, True, 1)


def test_request_outside_of_a_transaction_waits_for_that_of_another_process(
    admin, posts
):
    admin.post(*posts["/api/sticker-templates"])
    path, body = posts["/api/labels/print"]
    answer_id = idempotency_store.answer_id(admin.id, "k1")
    with lease.held(f"answer {answer_id}", on_wait=pytest.fail):
        meanwhile = send(admin, path, body)
    assert (meanwhile.status, meanwhile.headers["Retry-After"]) == (409, "1")
    assert meanwhile.errors == {"code": "IDEMPOTENCY_IN_PROGRESS"}
    assert pane_of(admin, *body["panes"])["labelledAt"] is None
    assert send(admin, path, body).status == 200


def test_one_key_of_two_workers_is_two_keys(admin, manager):
    first, second = (send(one, CUSTOMERS, {"name": "a"}) for one in (admin, manager))
    assert first.data["_id"] != second.data["_id"]


def test_quotes_around_a_key_do_not_count(admin):
    made = send(admin, CUSTOMERS, {"name": "a"}, key='"k1"')
    assert send(admin, CUSTOMERS, {"name": "a"}, key="k1").text == made.text


@pytest.mark.parametrize("key", ["", '""', "x" * 129, "ก".encode(), b"a\x01b", b"\xff"])
def test_malformed_key_is_refused(admin, key):
    assert send(admin, CUSTOMERS, {"name": "a"}, key=key).faults == MALFORMED
    assert count_customers(admin) == 0


def test_longest_key_is_accepted(admin):
    assert send(admin, CUSTOMERS, {"name": "a"}, key="~" * 128).status == 201


def test_other_methods_ignore_the_key(admin):
    record = admin.post(CUSTOMERS, {"name": "a"}).data["_id"]
    headers = {"Idempotency-Key": ""}
    path = f"{CUSTOMERS}/{record}"
    for name in ("b", "c"):
        answer = admin.patch(path, {"name": name}, headers=headers)
        assert (answer.data["name"], was_replayed(answer)) == (name, False)
    assert admin.call("GET", path, headers=headers).status == 200


@pytest.mark.undescribed
@pytest.mark.parametrize(
    ("error", "status"),
    [
        (TooManyAttempts("later", retry_after=3), 429),
        (Contention(), 409),
        (Busy(), 503),
        (RuntimeError("broken on purpose"), 500),
    ],
)
def test_answer_that_depends_on_the_moment_is_not_kept(
    admin, monkeypatch, error, status
):
    def fail(*_, **__):
        raise error

    with monkeypatch.context() as failing:
        failing.setattr("glassflow.services.records.references.require_exist", fail)
        answer = send(admin, CUSTOMERS, {"name": "a"})
        assert answer.status == status
        assert ("Retry-After" in answer.headers) == (status != 500)
    answer = send(admin, CUSTOMERS, {"name": "a"})
    assert (answer.status, was_replayed(answer)) == (201, False)
    assert count_customers(admin) == 1


@pytest.mark.parametrize(
    ("resource", "rule"),
    [
        ("webhooks", "/api/webhooks/<oid:record_id>/secret"),
        ("workers", "/api/workers/<oid:record_id>/badge"),
        ("workers", "/api/workers/<oid:record_id>/logout"),
    ],
)
def test_refusal_of_a_version_is_not_kept_for_who_reads_the_record_again(
    admin, posts, setting, resource, rule
):
    path, body = posts[rule]
    record = path.rpartition("/")[0]
    before = admin.get(record).data
    setting(REQUIRE_IF_MATCH=[resource])
    for headers, status in (({"If-Match": '"99"'}, 412), ({}, 428)):
        for _ in range(2):
            refused = send(admin, path, body, headers=headers)
            assert (refused.status, was_replayed(refused)) == (status, False)
    assert admin.get(record).data == before
    current = {"If-Match": admin.get(record).headers["ETag"]}
    done = send(admin, path, body, headers=current)
    assert (done.status, was_replayed(done)) == (200, False)
    for headers in (current, {"If-Match": '"99"'}, {}):
        again = send(admin, path, body, headers=headers)
        assert (again.text, was_replayed(again)) == (done.text, True)


def test_version_that_the_same_request_has_changed_meanwhile_is_no_refusal(
    admin, posts, monkeypatch
):
    path, body = posts["/api/webhooks/<oid:record_id>/secret"]
    current = {"If-Match": admin.get(path.rpartition("/")[0]).headers["ETag"]}
    replace, nested = webhooks.replace_secret, []

    def be_overtaken(*arguments):
        monkeypatch.setattr(webhooks, "replace_secret", replace)
        nested.append(send(admin, path, body, headers=current))
        raise Stale(2)

    monkeypatch.setattr(webhooks, "replace_secret", be_overtaken)
    answer = send(admin, path, body, headers=current)
    [meanwhile] = nested
    assert (meanwhile.status, was_replayed(meanwhile)) == (200, False)
    assert (answer.text, was_replayed(answer)) == (meanwhile.text, True)


def test_answer_is_not_sent_to_who_may_not_send_the_request_any_more(
    server, workshop, client_with_keys
):
    api = client_with_keys("customers:manage")
    assert send(api, CUSTOMERS, {"name": "a"}).status == 201
    role = workshop.role(permissions=["customers:view"])
    api.worker.update(set__role=role.pk)
    limited = Api(server, identity.issue(api.worker.pk), api.worker)
    identity.caches.WORKERS.clear()
    assert send(limited, CUSTOMERS, {"name": "a"}).status == 403


def test_answer_expires_after_a_day(admin, clock_at):
    first = send(admin, CUSTOMERS, {"name": "a"}).data["_id"]
    clock_at(DAY_S - 60)
    assert send(admin, CUSTOMERS, {"name": "a"}).data["_id"] == first
    clock_at(DAY_S + 60)
    second = send(admin, CUSTOMERS, {"name": "a"})
    assert second.data["_id"] != first
    assert send(admin, CUSTOMERS, {"name": "a"}).text == second.text
    assert retention_s(idempotency_store.COLLECTION, "at") == DAY_S


def test_answer_to_an_expired_refusal_is_replaced(admin, clock_at):
    assert send(admin, CUSTOMERS, {}).status == 400
    clock_at(DAY_S + 60)
    answer = send(admin, CUSTOMERS, {})
    assert (answer.status, was_replayed(answer)) == (400, False)
    assert was_replayed(send(admin, CUSTOMERS, {}))


def test_lost_answer_of_the_store_to_the_commit_does_not_repeat_the_request(
    admin, lose_commit_answer
):
    lost = lose_commit_answer()
    assert send(admin, CUSTOMERS, {"name": "a"}).status == 201
    assert lost
    assert count_customers(admin) == 1


def test_warnings_are_part_of_the_kept_answer(admin):
    first, again = (send(admin, CUSTOMERS, {"name": "a", "x": 1}) for _ in range(2))
    assert first.body["warnings"][0]["field"] == "x"
    assert again.text == first.text


def test_answer_that_is_too_large_to_keep_is_refused(admin, monkeypatch):
    monkeypatch.setattr(idempotency_store, "MAX_BYTES", 20)
    with monkeypatch.context() as small:
        small.setattr(idempotency_store, "MAX_BYTES", 200)
        answer = send(
            admin, CUSTOMERS, {"name": base64.b85encode(bytes(range(256))).decode()}
        )
    assert answer.status == 400
    assert "too large to be kept" in answer.message
    assert count_customers(admin) == 0
