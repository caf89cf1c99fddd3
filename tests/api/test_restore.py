"""Deleted records are restored from the history, with what was deleted with them."""

import pytest
from bson import ObjectId
from mongoengine.connection import get_db

from billing_scenarios import deliver, finished
from clients import Api
from concurrency import (
    FEW_ROUNDS,
    count_refusals,
    create_clients,
    run_concurrently,
    successes,
)
from factories import PASSWORD
from glassflow.models import BY_NAME
from glassflow.services import daily_figures, history
from lookups import dangling_references, order_of
from mailed_quotes import ask, policy, sent_quote
from pdf_text import text_of_pdf
from pictures import photo
from scenarios import order_with_panes, order_with_units
from stock_api import create_lot

UNKNOWN = "0123456789abcdef01234567"
CHANGING = ("updatedAt", "version")


def restore(api, resource, record, **options):
    return api.post(f"/api/{resource}/{record}/restore", {}, **options)


def warnings(answer):
    return answer.body.get("warnings", [])


def kept(row):
    return {name: value for name, value in row.items() if name not in CHANGING}


def deleted(admin, resource, record):
    """Delete a record; return what it was."""
    before = admin.get(f"/api/{resource}/{record}").data
    assert admin.delete(f"/api/{resource}/{record}").status == 200
    assert admin.get(f"/api/{resource}/{record}").status == 404
    return before


def stored(kind, record):
    return BY_NAME[kind].collection().find_one({"_id": ObjectId(record["_id"])})


def refused(answer, code, message):
    assert (answer.status, answer.message) == (409, message), answer
    assert answer.errors["code"] == code


@pytest.mark.parametrize(
    ("resource", "made"),
    [
        ("customers", {"name": "สมพงษ์กระจก", "phone": "081", "discount": 2.5}),
        ("price-lists", {"name": "contractors", "percent": -8}),
        ("materials", {"name": "Clear", "unit": "sheet", "reorderPoint": 1}),
        ("job-types", {"name": "Tempered", "code": "T", "sheetsPerPane": 2}),
        ("station-templates", {"name": "Cutting", "uiSchema": {"panels": []}}),
        ("sticker-templates", {"name": "small", "width": 60, "height": 40}),
        ("roles", {"name": "Packer", "permissions": ["panes:view"]}),
    ],
)
def test_deleted_record_is_restored_under_its_id(admin, resource, made):
    record = admin.post(f"/api/{resource}", made).data["_id"]
    before = deleted(admin, resource, record)
    answer = restore(admin, resource, record)
    assert (answer.status, warnings(answer)) == (201, [])
    assert answer.headers["Location"] == f"/api/{resource}/{record}"
    after = admin.get(f"/api/{resource}/{record}").data
    assert answer.data == after
    assert kept(after) == kept(before)
    assert after["version"] == before["version"] + 1
    actions = [
        one["action"] for one in admin.get(f"/api/{resource}/{record}/history").data
    ]
    assert actions == ["restored", "deleted", "created"]
    assert [one["_id"] for one in admin.get(f"/api/{resource}").data].count(record) == 1
    # it is a record as any other again: changed, found, deleted
    assert admin.patch(f"/api/{resource}/{record}", {"name": "again"}).status == 200
    assert admin.delete(f"/api/{resource}/{record}").status == 200
    assert restore(admin, resource, record).data["name"] == "again"


def test_restored_customer_can_be_referred_to_at_once(admin, workshop):
    customer = str(workshop.customer().pk)
    deleted(admin, "customers", customer)
    assert restore(admin, "customers", customer).status == 201
    body = {"customer": customer, "details": {"type": "a", "quantity": 1}}
    assert admin.post("/api/requests", body).status == 201


def test_request_is_restored_with_its_orders_and_panes(admin, worker, workshop):
    job = order_with_panes(admin, workshop, panes=3, assignedTo=worker.id)
    other = order_with_panes(admin, workshop, panes=1)
    order = order_of(admin, job.order)
    numbers = [job.request["_id"], other.request["_id"]]
    before = admin.get(f"/api/requests/{job.request['_id']}").data
    panes = admin.get("/api/panes", request=job.request["_id"], sort="paneNumber").data
    # with another one, in the same unit of work
    assert admin.delete("/api/requests", {"ids": numbers}).data == {"deletedCount": 2}
    answer = restore(admin, "requests", job.request["_id"])
    assert (answer.status, warnings(answer)) == (201, [])
    assert kept(answer.data) == kept(before)
    assert [one["_id"] for one in admin.get("/api/requests").data] == numbers[:1]
    assert kept(order_of(admin, job.order)) == kept(order)
    found = admin.get("/api/panes", sort="paneNumber").data
    assert list(map(kept, found)) == list(map(kept, panes))
    assert dangling_references() == []
    # the work goes on, and new numbers are new
    assert worker.scan(job.numbers[0], "scan_in", station=job.stations[0]).status == 200
    assert order_of(admin, job.order)["status"] == "in_progress"
    added = admin.post("/api/panes", {"request": job.request["_id"]}).data
    assert added["paneNumber"] > max(*job.numbers, *other.numbers)


def test_order_is_restored_with_its_units(admin, workshop):
    job = order_with_units(admin, workshop, sheets=2, count=2)
    numbers = sorted([*job.parents, *(one for unit in job.sheets for one in unit)])
    before = deleted(admin, "orders", job.order["_id"])
    assert restore(admin, "orders", job.order["_id"]).status == 201
    panes = admin.get("/api/panes", includeMerged="true", sort="paneNumber").data
    assert [one["paneNumber"] for one in panes] == numbers
    assert kept(order_of(admin, job.order)) == kept(before)
    assert dangling_references() == []


def test_pane_that_was_deleted_earlier_stays_deleted(admin, workshop):
    job = order_with_panes(admin, workshop, panes=2)
    deleted(admin, "panes", job.panes[0]["_id"])
    deleted(admin, "requests", job.request["_id"])
    assert restore(admin, "requests", job.request["_id"]).status == 201
    assert [one["_id"] for one in admin.get("/api/panes").data] == [job.panes[1]["_id"]]
    assert restore(admin, "panes", job.panes[0]["_id"]).status in (404, 405)


def test_what_is_gone_meanwhile_is_left_out_and_named(admin, worker, workshop):
    job = order_with_panes(admin, workshop, panes=1, assignedTo=worker.id)
    deleted(admin, "requests", job.request["_id"])
    station = admin.get(f"/api/stations/{job.stations[0]}").data
    deleted(admin, "stations", job.stations[0])
    deleted(admin, "workers", worker.id)
    answer = restore(admin, "requests", job.request["_id"])
    assert answer.status == 201
    told = {one["field"]: one["message"] for one in warnings(answer)}
    assert (
        told["routing"] == f"Station {station['name']} is deleted, so it was left out"
    )
    assert told["assignedTo"].startswith("Worker ")
    (pane,) = admin.get("/api/panes").data
    assert pane["routing"] == job.stations[1:]
    assert pane["currentStation"] == job.stations[1]
    order = order_of(admin, job.order)
    assert order["assignedTo"] is None
    assert order["stationBreakdown"] == {job.stations[1]: 1}
    assert dangling_references() == []


def test_order_without_panes_loses_stations_that_are_gone(admin, workshop):
    stations = [str(one.pk) for one in workshop.stations(2)]
    body = {"customer": str(workshop.customer().pk), "stations": stations,
            "material": str(workshop.material().pk), "quantity": 1}  # fmt: skip
    order = admin.post("/api/orders", body).data["_id"]
    deleted(admin, "orders", order)
    deleted(admin, "stations", stations[0])
    answer = restore(admin, "orders", order)
    assert [one["field"] for one in warnings(answer)] == ["stations"]
    assert answer.data["stations"] == stations[1:]


def test_record_whose_needed_reference_is_deleted_is_refused(admin, workshop):
    job = order_with_panes(admin, workshop)
    name = admin.get(f"/api/customers/{job.customer}").data["name"]
    deleted(admin, "requests", job.request["_id"])
    deleted(admin, "customers", job.customer)
    answer = restore(admin, "requests", job.request["_id"])
    message = f"Request needs Customer {name}, which is deleted: restore that first"
    refused(answer, "REFERENCE_DELETED", message)
    assert answer.errors["record"] == job.customer
    for kind in ("requests", "orders", "panes"):
        assert admin.get(f"/api/{kind}").data == []
    assert restore(admin, "customers", job.customer).status == 201
    assert restore(admin, "requests", job.request["_id"]).status == 201


def test_request_of_a_merged_customer_belongs_to_the_one_that_stays(admin, workshop):
    job, customer = order_with_panes(admin, workshop), str(workshop.customer().pk)
    deleted(admin, "requests", job.request["_id"])
    merged = {"customers": [job.customer]}
    assert admin.post(f"/api/customers/{customer}/merge", merged).status == 200
    answer = restore(admin, "requests", job.request["_id"])
    assert answer.data["customer"] == customer
    assert order_of(admin, job.order)["customer"] == customer
    name = admin.get(f"/api/customers/{customer}").data["name"]
    refused(
        restore(admin, "customers", job.customer),
        "WAS_MERGED",
        f"Customer was merged into {name}, which has all that belonged to it",
    )


def test_taken_value_is_refused_with_its_field(admin, workshop):
    first = admin.post("/api/job-types", {"name": "a", "code": "T"}).data["_id"]
    deleted(admin, "job-types", first)
    admin.post("/api/job-types", {"name": "b", "code": "T"})
    answer = restore(admin, "job-types", first)
    refused(answer, "VALUE_TAKEN", "code T belongs to another record by now")
    assert answer.errors["field"] == "code"


def test_record_that_exists_or_was_never_deleted_is_refused(admin, workshop):
    customer = workshop.customer().pk
    refused(
        restore(admin, "customers", customer), "NOT_DELETED", "Customer is not deleted"
    )
    for unknown in (UNKNOWN, "nonsense"):
        assert restore(admin, "customers", unknown).status == 404
    deleted(admin, "customers", customer)
    # an id of another kind is no customer's
    assert restore(admin, "materials", customer).status == 404


def test_references_that_the_deletion_emptied_are_set_again(admin, workshop):
    one, other = (str(one.pk) for one in workshop.stations(2))
    material = str(workshop.material().pk)
    bodies = [
        {"name": code, "code": code, "defaultRouting": [one, other],
         "defaultMaterial": material}
        for code in ("A", "B")
    ]  # fmt: skip
    kept_type, changed = (
        admin.post("/api/job-types", one).data["_id"] for one in bodies
    )
    deleted(admin, "stations", one)
    deleted(admin, "materials", material)
    admin.patch(f"/api/job-types/{changed}", {"defaultRouting": []})
    answer = restore(admin, "stations", one)
    told = "Job type B was changed since, so it was not changed back"
    assert [warning["message"] for warning in warnings(answer)] == [told]
    assert warnings(restore(admin, "materials", material)) == []
    rows = admin.get("/api/job-types", sort="code").data
    assert [row["defaultRouting"] for row in rows] == [[one, other], []]
    assert [row["defaultMaterial"] for row in rows] == [material] * 2
    assert rows[0]["_id"] == kept_type


def test_reference_to_what_stays_deleted_is_not_set_again(admin, workshop):
    one, other = (str(one.pk) for one in workshop.stations(2))
    body = {"name": "A", "code": "A", "defaultRouting": [one, other]}
    job_type = admin.post("/api/job-types", body).data["_id"]
    assert admin.delete("/api/stations", {"ids": [one, other]}).status == 200
    assert restore(admin, "stations", other).status == 201
    assert admin.get(f"/api/job-types/{job_type}").data["defaultRouting"] == [other]
    assert dangling_references() == []


def test_withdrawal_lists_the_panes_that_come_back_with_their_request(admin, workshop):
    material = str(workshop.material().pk)
    create_lot(admin, material, 5)
    body = {"customer": str(workshop.customer().pk),
            "details": {"type": "a", "quantity": 2}, "panes": [{}, {}]}  # fmt: skip
    request = admin.post("/api/requests", body).data
    panes = [pane["_id"] for pane in request["panes"]]
    body = {"material": material, "quantity": 1, "stockType": "Raw", "panes": panes}
    path = f"/api/withdrawals/{admin.post('/api/withdrawals', body).data['_id']}"
    deleted(admin, "requests", request["_id"])
    assert admin.get(path).data["panes"] == []
    assert restore(admin, "requests", request["_id"]).status == 201
    assert admin.get(path).data["panes"] == panes
    found = admin.get("/api/panes").data
    assert [pane["isWithdrawn"] for pane in found] == [True, True]


def test_restored_worker_needs_a_new_password(server, admin, worker):
    deleted(admin, "workers", worker.id)
    answer = restore(admin, "workers", worker.id)
    assert answer.status == 201
    assert [one["field"] for one in warnings(answer)] == ["password"]
    assert answer.data["badgeIssuedAt"] is answer.data["pinSetAt"] is None
    # neither the old token nor the old password is valid
    assert worker.get("/api/auth/me").status == 401
    login = {"username": answer.data["username"], "password": PASSWORD}
    assert Api(server).post("/api/auth/login", login).status == 401
    new = {"password": "another-password-1"}
    assert admin.patch(f"/api/workers/{worker.id}", new).status == 200
    assert Api(server).post("/api/auth/login", {**login, **new}).status == 200


def test_worker_or_role_that_holds_more_than_the_caller_stays_deleted(
    server, admin, client_with_keys
):
    clerk = client_with_keys("workers:manage", "roles:manage", "workers:view")
    chief = {"name": "Chief", "permissions": ["*"]}
    role = admin.post("/api/roles", chief).data["_id"]
    body = {"name": "a", "username": "chief", "password": PASSWORD, "role": role,
            "position": "x"}  # fmt: skip
    worker = admin.post("/api/workers", body).data["_id"]
    deleted(admin, "workers", worker)
    assert restore(clerk, "workers", worker).status == 403
    deleted(admin, "roles", role)
    assert restore(clerk, "roles", role).status == 403
    # without the key of the resource, and without a login
    assert restore(clerk, "customers", UNKNOWN).status == 403
    assert restore(Api(server), "customers", UNKNOWN).status == 401
    answer = restore(admin, "workers", worker)
    message = "Worker needs Role Chief, which is deleted: restore that first"
    refused(answer, "REFERENCE_DELETED", message)


def test_order_is_not_restored_into_a_cancelled_request(admin, workshop):
    job = order_with_panes(admin, workshop)
    deleted(admin, "orders", job.order["_id"])
    cancel = {"status": "cancelled", "cancelReason": "x"}
    assert admin.patch(f"/api/requests/{job.request['_id']}", cancel).status == 200
    answer = restore(admin, "orders", job.order["_id"])
    assert (answer.status, answer.errors["code"]) == (400, "REQUEST_CANCELLED")
    assert admin.get("/api/panes").data == []


def test_restored_work_counts_on_the_day_of_its_creation_again(
    admin, workshop, own_history, clock_at
):
    # the clock stands: a second may end between the arrival and the creation of a pane
    job = order_with_panes(admin, workshop, panes=2)
    history.update()
    before = daily_figures.stored()
    deleted(admin, "requests", job.request["_id"])
    history.update()
    assert daily_figures.stored() != before
    assert restore(admin, "requests", job.request["_id"]).status == 201
    history.update()
    assert daily_figures.stored() == before
    assert history.verify().is_whole


def test_cancelled_order_is_restored_so_that_this_can_be_taken_back(admin, workshop):
    customer = str(workshop.customer().pk)
    body = {
        "customer": customer,
        "material": str(workshop.material().pk),
        "quantity": 2,
    }
    order = admin.post("/api/orders", body).data
    admin.patch(f"/api/orders/{order['_id']}", {"status": "cancelled"})
    deleted(admin, "orders", order["_id"])
    assert restore(admin, "orders", order["_id"]).data["status"] == "cancelled"
    back = admin.patch(f"/api/orders/{order['_id']}", {"status": "pending"})
    assert (back.status, back.data["status"]) == (200, "pending")


def test_order_of_a_cancelled_request_is_taken_back_with_it(admin, workshop):
    customer = str(workshop.customer().pk)
    details = {"type": "a", "quantity": 2}
    request = admin.post(
        "/api/requests", {"customer": customer, "details": details}
    ).data
    body = {"customer": customer, "request": request["_id"], "quantity": 2,
            "material": str(workshop.material().pk)}  # fmt: skip
    order = admin.post("/api/orders", body).data
    path = f"/api/requests/{request['_id']}"
    admin.patch(path, {"status": "cancelled", "cancelReason": "x"})
    deleted(admin, "requests", request["_id"])
    assert restore(admin, "requests", request["_id"]).data["status"] == "cancelled"
    assert order_of(admin, order)["status"] == "cancelled"
    assert admin.patch(path, {"status": "pending"}).status == 200
    assert order_of(admin, order)["status"] == "pending"


def test_quote_comes_back_with_its_paper_but_without_its_link_and_its_mail(
    admin, workshop, set_policy
):
    set_policy(mail=policy("smtp://127.0.0.1:25"), delete_policy="cascade")
    quote = sent_quote(admin, workshop, deliveryAddress="หน้างาน")
    path = f"/api/quotes/{quote['_id']}"
    assert ask(admin, quote, linkTo="https://glass.example").status == 200
    admin.post(f"{path}/link", {})
    changed = {"name": "another name"}
    assert admin.patch(f"/api/customers/{quote['customer']}", changed).status == 200
    before = stored("Quote", quote)
    assert before["hasLink"]
    text = text_of_pdf(admin, f"{path}/pdf")
    assert "another name" not in text
    deleted(admin, "quotes", quote["_id"])
    answer = restore(admin, "quotes", quote["_id"])
    assert answer.status == 201, answer
    assert [one["field"] for one in warnings(answer)] == ["hasLink", "mail"]
    assert text_of_pdf(admin, f"{path}/pdf") == text
    after = stored("Quote", quote)
    assert (after["parties"], after["terms"]) == (before["parties"], before["terms"])
    assert not {"linkDigest", "linkNonce"} & after.keys()
    assert answer.data["hasLink"] is False
    mail = answer.data["mail"]
    assert (mail["to"], mail["nextAttemptAt"]) == (["ann@customer.example"], None)
    # the history shows nothing of what it has kept for this, and has no secret
    assert before["parties"]["buyer"]["name"] not in admin.get(f"{path}/history").text
    rows = str(list(get_db()["history"].find({"record": before["_id"]})))
    assert before["linkNonce"] not in rows
    assert before["linkDigest"] not in rows


def test_cancelled_panes_are_taken_back_to_where_they_were_before_the_deletion(
    admin, workshop, set_policy
):
    set_policy(delete_policy="cascade")
    job = order_with_panes(admin, workshop, panes=2)
    assert admin.scan(job.numbers[0], "scan_in", station=job.stations[0]).status == 200
    path = f"/api/requests/{job.request['_id']}"
    before = [admin.get(f"/api/panes/{number}").data for number in job.numbers]
    admin.patch(path, {"status": "cancelled", "cancelReason": "x"})
    deleted(admin, "requests", job.request["_id"])
    assert restore(admin, "requests", job.request["_id"]).data["status"] == "cancelled"
    assert admin.patch(path, {"status": "pending"}).status == 200
    after = [admin.get(f"/api/panes/{number}").data for number in job.numbers]
    places = ("currentStatus", "currentStation")
    assert [[one[name] for name in places] for one in after] == [
        [one[name] for name in places] for one in before
    ]
    assert order_of(admin, job.order)["status"] == "in_progress"


def test_delivery_comes_back_with_the_note_that_its_customer_has_signed(
    admin, workshop, set_policy
):
    set_policy(delete_policy="cascade")
    job = finished(admin, workshop)
    delivery = deliver(admin, job, 0, 1)
    admin.patch(f"/api/customers/{job.customer}", {"name": "another name"})
    before = stored("Delivery", delivery)
    deleted(admin, "deliveries", delivery["_id"])
    assert restore(admin, "deliveries", delivery["_id"]).status == 201
    after = stored("Delivery", delivery)
    for name in ("noteFacts", "places", "nextPhoto"):
        assert after[name] == before[name]
    assert before["noteFacts"]


def test_what_the_same_request_deleted_in_another_unit_of_work_stays_deleted(
    admin, workshop
):
    """A client may send one request id with all that it sends."""
    header = {"X-Request-Id": "shift-1"}
    job = order_with_panes(admin, workshop, panes=2)
    for path in (f"panes/{job.numbers[0]}", f"requests/{job.request['_id']}"):
        assert admin.call("DELETE", f"/api/{path}", headers=header).status == 200
    assert restore(admin, "requests", job.request["_id"]).status == 201
    assert [one["_id"] for one in admin.get("/api/panes").data] == [job.panes[1]["_id"]]


def test_deletion_that_an_earlier_release_noted_is_restored_with_its_panes(
    admin, workshop, own_history
):
    job = order_with_panes(admin, workshop, panes=2)
    deleted(admin, "requests", job.request["_id"])
    history.update()
    rows = get_db()["history"]
    of_request = rows.find_one({"kind": "Request", "action": "deleted"})
    found = rows.find({"deletion": of_request["deletion"]})
    assert sorted(row["kind"] for row in found) == ["Order", "Pane", "Pane", "Request"]
    assert rows.count_documents({"deletion": {"$exists": True}}) == 4
    rows.update_many({}, {"$unset": {"deletion": 1}})
    assert restore(admin, "requests", job.request["_id"]).status == 201
    assert len(admin.get("/api/panes").data) == 2


def test_attachments_are_told_to_be_lost(admin, workshop):
    job = order_with_panes(admin, workshop)
    path = f"/api/requests/{job.request['_id']}/attachments"
    document = {"name": "plan.jpg", "file": photo()}
    assert admin.post(path, document).status == 201
    deleted(admin, "requests", job.request["_id"])
    answer = restore(admin, "requests", job.request["_id"])
    assert answer.data["attachments"] == []
    assert [one["field"] for one in warnings(answer)] == ["attachments"]
    assert admin.post(path, document).data["attachments"][0]["number"] == 1


@pytest.mark.parametrize("n", [2, 4])
def test_record_is_restored_once_whoever_races_for_it(server, admin, workshop, n):
    job = order_with_panes(admin, workshop, panes=2)
    deleted(admin, "requests", job.request["_id"])
    clients = create_clients(server, workshop, "manager", n)
    answers = run_concurrently(
        [
            lambda api=api: restore(api, "requests", job.request["_id"])
            for api in clients
        ]
    )
    assert len(successes(answers)) == 1
    assert count_refusals(answers) == {(409, "NOT_DELETED"): n - 1}
    assert len(admin.get("/api/panes").data) == 2


@pytest.mark.parametrize("_", range(FEW_ROUNDS))
def test_request_is_restored_or_its_customer_deleted_but_not_both(
    server, admin, workshop, _
):
    job = order_with_panes(admin, workshop)
    deleted(admin, "requests", job.request["_id"])
    one, other = create_clients(server, workshop, "admin", 2)
    path = f"/api/customers/{job.customer}"
    answers = run_concurrently(
        [
            lambda: restore(one, "requests", job.request["_id"]),
            lambda: other.delete(path),
        ]
    )
    assert len(successes(answers)) == 1, answers
    assert dangling_references() == []
