"""Entity tags: ETag, If-Match and If-None-Match of records and lists."""

from functools import partial
from typing import NamedTuple

import gevent
import pytest
from gevent.event import Event

from clients import Api
from concurrency import create_clients, run_concurrently
from factories import PASSWORD
from glassflow.domain.working_time import WEEKDAYS
from glassflow.models.cutting_settings import row_shape
from glassflow.services.auth import identity
from greenlets import spawn
from pictures import to_data_url
from scenarios import claim_pane, order_with_panes
from stock_api import create_lot
from waiting import wait_until

ALWAYS = {day: [{"start": "00:00", "end": "00:00"}] for day in WEEKDAYS}
SIX = {**row_shape(), "thickness": 6}
PATH = "/api/customers"
READERS, CHANGES = 3, 10
PDF = b"%PDF-1.4\n1 0 obj\nendobj\ntrailer\n%%EOF\n"


@pytest.fixture
def customer(admin):
    return admin.post(PATH, {"name": "a"}).data


@pytest.fixture
def path(customer):
    return f"{PATH}/{customer['_id']}"


def get(client, path, tag):
    return client.call("GET", path, headers={"If-None-Match": tag})


def test_record_that_the_client_has_is_not_sent_again(admin, path):
    first = admin.get(path)
    tag = first.headers["ETag"]
    assert tag == f'"{first.data["version"]}"'
    assert first.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in first.headers["Vary"]
    same = get(admin, path, tag)
    assert (same.status, same.text, same.headers["ETag"]) == (304, "", tag)
    admin.patch(path, {"name": "b"})
    assert get(admin, path, tag).data["name"] == "b"


def test_tag_of_an_expanded_record_changes_with_what_it_refers_to(admin, workshop):
    worker = workshop.worker(role=workshop.role(name="Cutter"))
    path = f"/api/workers/{worker.pk}?populate=role"
    first = admin.get(path)
    version, _, digest = first.headers["ETag"].strip('"').partition(".")
    assert version == str(first.data["version"])
    assert len(digest) == 8
    assert get(admin, path, first.headers["ETag"]).status == 304
    admin.patch(f"/api/roles/{first.data['role']['_id']}", {"name": "another"})
    again = get(admin, path, first.headers["ETag"])
    assert again.data["role"]["name"] == "another"
    # the worker is the same version, which is what a change is compared with
    body, tag = {"position": "x"}, {"If-Match": first.headers["ETag"]}
    assert admin.patch(f"/api/workers/{worker.pk}", body, headers=tag).status == 200


def test_tag_of_selected_fields_is_not_that_of_the_record(admin, path):
    whole, part = admin.get(path), admin.get(path, fields="name")
    assert whole.headers["ETag"] != part.headers["ETag"]


def test_tag_of_a_record_that_the_caller_may_not_read_is_refused(
    server, workshop, admin, path
):
    role = workshop.role(permissions=[])
    worker = workshop.worker(role=role)
    other = Api(server, identity.issue(worker.pk), worker)
    assert get(other, path, admin.get(path).headers["ETag"]).status == 403


def test_list_that_the_client_has_is_not_sent_again(admin, path):
    first = admin.get(PATH)
    tag = first.headers["ETag"]
    assert tag.startswith('W/"')
    same = get(admin, PATH, tag)
    assert (same.status, same.text, same.headers["ETag"]) == (304, "", tag)
    admin.patch(path, {"name": "b"})
    assert get(admin, PATH, tag).data[0]["name"] == "b"


class Read(NamedTuple):
    """A read of a list: the last change before it, the change that it shows, its status."""

    before: int
    shown: int
    status: int


def test_list_is_never_304_after_a_change_whose_event_is_still_being_published(
    server, workshop, admin
):
    templates = "/api/station-templates"
    record = f"{templates}/{admin.post(templates, {'name': '0'}).data['_id']}"
    changed, end = [0], Event()
    reads = [[] for _ in range(READERS)]

    def read_until_the_end(client, reads):
        tag, shown = "", -1
        while not end.is_set():
            before = changed[-1]
            answer = get(client, templates, tag)
            if answer.status == 200:
                tag, shown = answer.headers["ETag"], int(answer.data[0]["name"])
            reads.append(Read(before, shown, answer.status))

    def all_have(number):
        last = [of_one[-1] for of_one in reads if of_one]
        known = [one for one in last if (one.before, one.status) == (number, 304)]
        return len(known) == READERS

    clients = create_clients(server, workshop, role="admin", count=READERS)
    running = [
        spawn(read_until_the_end, *one) for one in zip(clients, reads, strict=True)
    ]
    for number in range(1, CHANGES + 1):
        assert admin.patch(record, {"name": str(number)}).status == 200
        changed.append(number)
        # all have the tag of this change when the next one comes
        wait_until(partial(all_have, number))
    end.set()
    gevent.joinall(running, raise_error=True)
    outdated = [one for of_one in reads for one in of_one if one.shown < one.before]
    assert outdated == []


@pytest.mark.parametrize("header", ["*", '"1"', '"9", "1"', '"1.0123abcd"'])
def test_change_of_the_expected_version_is_stored(admin, path, header):
    changed = admin.patch(path, {"name": "b"}, headers={"If-Match": header})
    assert changed.data["name"] == "b"
    assert changed.headers["ETag"] == '"2"'


@pytest.mark.parametrize("header", ['"2"', 'W/"1"', "", "1", '"a"', '"9" "1"', '""'])
def test_change_of_another_version_is_refused(admin, path, customer, header):
    answer = admin.patch(path, {"name": "b"}, headers={"If-Match": header})
    assert answer.status == 412, answer
    assert answer.message == (
        "Somebody else has changed this record; please read it again"
    )
    assert admin.get(path).data == customer


def test_missing_record_and_invalid_body_are_reported_before_the_version(admin, path):
    stale = {"If-Match": '"7"'}
    assert admin.patch(path, {"name": 1}, headers=stale).status == 400
    admin.delete(path)
    assert admin.patch(path, {"name": "b"}, headers=stale).status == 404


def test_of_several_changes_of_one_version_one_succeeds(server, workshop, path):
    clients = create_clients(server, workshop, role="admin", count=6)
    tag = {"If-Match": '"1"'}
    answers = run_concurrently(
        [
            lambda one=one, n=n: one.patch(path, {"name": f"n{n}"}, headers=tag)
            for n, one in enumerate(clients)
        ]
    )
    assert sorted(one.status for one in answers) == [200] + [412] * 5
    [stored] = [one.data for one in answers if one.status == 200]
    assert clients[0].get(path).data == stored


def test_of_several_deletions_and_changes_of_one_version_one_succeeds(
    server, workshop, path
):
    clients = create_clients(server, workshop, role="admin", count=6)
    tag = {"If-Match": '"1"'}

    def change(one, number):
        return one.patch(path, {"name": f"n{number}"}, headers=tag)

    def delete(one):
        return one.call("DELETE", path, headers=tag)

    answers = run_concurrently(
        [
            partial(delete, one) if number % 2 else partial(change, one, number)
            for number, one in enumerate(clients)
        ]
    )
    statuses = [one.status for one in answers]
    assert statuses.count(200) == 1, statuses
    deleted = statuses.index(200) % 2 == 1
    assert set(statuses) - {200} <= ({404, 412} if deleted else {412})
    assert clients[0].get(path).status == (404 if deleted else 200)


def test_of_several_changes_of_one_price_list_one_succeeds(server, workshop):
    clients = create_clients(server, workshop, role="admin", count=6)
    path = "/api/pricing-settings"
    tag = {"If-Match": clients[0].get(path).headers["ETag"]}
    answers = run_concurrently(
        [
            partial(one.put, path, {"notchPrice": number}, headers=tag)
            for number, one in enumerate(clients, start=50)
        ]
    )
    assert sorted(one.status for one in answers) == [200] + [412] * 5
    [stored] = [one.data for one in answers if one.status == 200]
    assert clients[0].get(path).data["notchPrice"] == stored["notchPrice"]


def test_changes_by_routes_of_their_own_are_compared_with_the_version_too(
    admin, workshop
):
    job = order_with_panes(admin, workshop)
    claim = claim_pane(admin, job.numbers[0]).data
    request = f"/api/requests/{job.request['_id']}"
    file = {"name": "a.pdf", "file": to_data_url(PDF, "application/pdf")}
    assert admin.post(f"{request}/attachments", file).status == 201
    export = {"name": "a", "resource": "customers", "format": "csv"}
    saved = f"/api/saved-exports/{admin.post('/api/saved-exports', export).data['_id']}"
    hook = {"url": "https://example.org/", "events": ["pane:updated"]}
    webhook = f"/api/webhooks/{admin.post('/api/webhooks', hook).data['_id']}"
    stale = {"If-Match": '"99"'}
    for method, path, body in (
        ("PATCH", f"/api/claims/{claim['_id']}", {"description": "other"}),
        ("DELETE", f"{request}/attachments/0", None),
        ("PATCH", saved, {"name": "b"}),
        ("DELETE", saved, None),
        ("POST", f"{webhook}/secret", {}),
    ):
        answer = admin.call(method, path, json=body, headers=stale)
        assert (answer.status, answer.errors["code"]) == (412, "STALE"), path
        current = {"If-Match": answer.headers["ETag"]}
        answer = admin.call(method, path, json=body, headers=current)
        assert answer.status == 200, (path, answer)


def test_changes_of_an_account_are_compared_with_its_version(server, admin, workshop):
    account = workshop.worker_with("worker")
    path, own = f"/api/workers/{account.pk}", "/api/auth/me"
    stale, me = {"If-Match": '"99"'}, Api(server, identity.issue(account.pk), account)
    pin = {"pin": "2580"}
    for client, method, of, body in (
        (admin, "PUT", f"{path}/pin", pin),
        (admin, "DELETE", f"{path}/pin", None),
        (admin, "POST", f"{path}/badge", {}),
        (admin, "DELETE", f"{path}/badge", None),
        (me, "PATCH", own, {"name": "Nok"}),
        (me, "PUT", f"{own}/pin", pin | {"currentPassword": PASSWORD}),
        (me, "DELETE", f"{own}/pin", {"currentPassword": PASSWORD}),
        (admin, "POST", f"{path}/logout", {}),
    ):
        before = admin.get(path).data
        answer = client.call(method, of, json=body, headers=stale)
        assert (answer.status, answer.errors["code"]) == (412, "STALE"), of
        assert admin.get(path).data == before
        tag = client.get(own if client is me else path).headers["ETag"]
        answer = client.call(method, of, json=body, headers={"If-Match": tag})
        assert answer.status == 200, (of, answer)
        version = answer.headers["ETag"].strip('"').partition(".")[0]
        assert version == str(admin.get(path).data["version"])


@pytest.fixture
def extended(admin, workshop):
    """Paths below a record that add to it, or take from it: (path, body) by their last word."""
    job = order_with_panes(admin, workshop)
    request = f"/api/requests/{job.request['_id']}"
    lot = create_lot(admin, job.material, 5)
    pdf = to_data_url(PDF, "application/pdf")
    return {
        "attachments": (f"{request}/attachments", {"name": "a.pdf", "file": pdf}),
        "panes": (f"{request}/panes", {"panes": [{}], "order": job.order["_id"]}),
        "move": (
            f"/api/inventories/{lot['_id']}/move",
            {"quantity": 2, "toLocation": "B"},
        ),
        "reset-password": (f"/api/workers/{workshop.worker().pk}/reset-password", None),
    }


@pytest.mark.parametrize("name", ["attachments", "panes", "move", "reset-password"])
def test_what_is_added_or_taken_is_compared_with_the_version_too(admin, extended, name):
    path, body = extended[name]
    record = path.rpartition("/")[0]
    before = admin.get(record)
    refused = admin.post(path, body, headers={"If-Match": '"99"'})
    assert (refused.status, refused.errors["code"]) == (412, "STALE")
    assert admin.get(record).text == before.text
    assert refused.headers["ETag"] == f'"{before.data["version"]}"'
    current = {"If-Match": before.headers["ETag"]}
    assert admin.post(path, body, headers=current).status in (200, 201)
    assert admin.get(record).data["version"] > before.data["version"]
    assert admin.post(path, body, headers=current).status == 412
    assert admin.post(path, body).status in (200, 201)


@pytest.mark.parametrize("name", ["attachments", "panes", "move", "reset-password"])
def test_of_several_additions_to_one_version_one_succeeds(
    server, workshop, extended, name
):
    path, body = extended[name]
    clients = create_clients(server, workshop, role="admin", count=6)
    tag = {"If-Match": clients[0].get(path.rpartition("/")[0]).headers["ETag"]}
    answers = run_concurrently(
        [partial(one.post, path, body, headers=tag) for one in clients]
    )
    statuses = sorted(one.status for one in answers)
    assert statuses[0] in (200, 201)
    assert statuses[1:] == [412] * 5


def test_setting_demands_a_version_where_something_is_replaced_only(
    admin, extended, setting
):
    setting(REQUIRE_IF_MATCH=["requests", "inventories", "workers"])
    statuses = {name: admin.post(*sent).status for name, sent in extended.items()}
    assert statuses == {
        "attachments": 201, "panes": 201, "move": 200, "reset-password": 428,
    }  # fmt: skip
    path, _ = extended["reset-password"]
    tag = {"If-Match": admin.get(path.rpartition("/")[0]).headers["ETag"]}
    reset = admin.post(path, headers=tag)
    version = admin.get(path.rpartition("/")[0]).data["version"]
    assert reset.headers["ETag"].startswith(f'"{version}.')


def test_own_record_that_the_client_has_is_not_sent_again(worker):
    tag = worker.get("/api/auth/me").headers["ETag"]
    assert get(worker, "/api/auth/me", tag).status == 304
    assert worker.patch("/api/auth/me", {"name": "Nok"}).status == 200
    assert get(worker, "/api/auth/me", tag).data["name"] == "Nok"


@pytest.mark.parametrize(
    "path", ["materials/stock", "materials/{}/stock", "materials/{}/book", "orders/due"]
)
def test_figures_and_due_orders_that_the_client_has_are_not_sent_again(
    admin, workshop, path
):
    job = order_with_panes(admin, workshop)
    path = f"/api/{path.format(job.material)}"
    first = admin.get(path)
    assert first.status == 200
    assert get(admin, path, first.headers["ETag"]).status == 304
    lot = {"material": job.material, "stockType": "Raw", "quantity": 9, "location": "Z"}
    assert admin.post("/api/inventories", lot).status == 201
    assert admin.patch(f"/api/orders/{job.order['_id']}", {"priority": 5}).status == 200
    assert get(admin, path, first.headers["ETag"]).status == 200


@pytest.mark.parametrize(
    ("path", "change", "other"),
    [
        ("/api/pricing-settings", {"notchPrice": 7}, {"notchPrice": 8}),
        ("/api/makeability", {"isStrict": True}, {"isStrict": False}),
        ("/api/cutting-rules", {"byThickness": [SIX]}, {"byThickness": []}),
        ("/api/workshop", {"quoteDays": 7}, {"quoteDays": 8}),
        ("/api/working-hours", {"week": ALWAYS}, {"week": None}),
    ],
)
def test_record_of_one_document_has_a_tag_too(admin, path, change, other):
    first = admin.get(path).headers["ETag"]
    assert get(admin, path, first).status == 304
    tag = {"If-Match": first}
    assert admin.put(path, change, headers=tag).status == 200
    assert admin.put(path, other, headers=tag).status == 412
    assert admin.get(path).data.items() >= change.items()
