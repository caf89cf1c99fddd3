"""References: written and read as ids, populated on request."""

import gevent
import pytest
from pymongo.collection import Collection

from factories import PASSWORD, delete
from glassflow.core.process import deadlines, record_cache
from lookups import order_of
from scenarios import order_with_panes

PERSON = {"_id", "name", "username", "position"}


@pytest.fixture
def job(admin, manager, workshop):
    return order_with_panes(admin, workshop, panes=3, assignedTo=manager.id)


def test_references_are_ids_unless_populated(admin, job):
    order = order_of(admin, job.order)
    assert (order["customer"], order["request"]) == (job.customer, job.request["_id"])
    for no in ("false", "nothing", "quantity", ""):
        path = f"/api/orders/{job.order['_id']}"
        assert admin.get(path, populate=no).data == order


def test_populate_true_expands_the_default_references_of_an_order(admin, manager, job):
    path = f"/api/orders/{job.order['_id']}"
    order = admin.get(path, populate="true").data
    assert order["customer"]["_id"] == job.customer
    assert order["material"]["unit"] == "sheet"
    assert order["request"]["customer"] == job.customer  # its own stay ids
    assert set(order["assignedTo"]) == PERSON
    assert order["claim"] is None


def test_populated_references_of_a_pane_have_only_selected_fields(admin, job):
    pane = admin.get(f"/api/panes/{job.numbers[0]}", populate="true").data
    assert set(pane["order"]) == {
        "_id",
        "orderNumber",
        "priority",
        "customer",
        "material",
        "paneCount",
    }
    assert set(pane["request"]) == {"_id", "requestNumber", "deadline"}
    assert set(pane["material"]) == {"_id", "name"}
    assert [set(step) for step in pane["routing"]] == [{"_id", "name"}] * 2
    assert pane["currentStation"]["_id"] == job.stations[0]


def test_populate_list_expands_the_named_references_and_one_level_deeper(admin, job):
    path = f"/api/panes/{job.numbers[0]}"
    pane = admin.get(path, populate="order.customer,material,nothing,order.x.y").data
    assert pane["order"]["customer"]["_id"] == job.customer
    assert pane["material"]["_id"] == job.material
    assert pane["request"] == job.request["_id"]
    order = admin.get(path, populate="order").data["order"]
    assert order["customer"] == job.customer


def test_reference_that_is_named_deeper_is_added_to_the_selected_fields(admin, job):
    path = f"/api/panes/{job.numbers[0]}"
    order = admin.get(path, populate="order.request").data["order"]
    selected = {"_id", "orderNumber", "priority", "customer", "material", "paneCount"}
    assert set(order) == selected | {"request"}
    assert order["request"]["requestNumber"] == job.request["requestNumber"]
    assert order["customer"] == job.customer
    (listed, *_) = admin.get("/api/panes", populate="order.request,order").data
    assert listed["order"] == order


def test_own_role_is_populated_without_a_key_and_that_of_others_with_it(
    client_with_keys, anonymous
):
    clerk = client_with_keys("workers:view")
    assert clerk.get("/api/auth/me").data["role"]["permissions"] == ["workers:view"]
    login = {"username": clerk.worker.username, "password": PASSWORD}
    worker = anonymous.post("/api/auth/login", login).data["worker"]
    assert worker["role"]["permissions"] == ["workers:view"]
    changed = clerk.patch("/api/auth/me", {"name": "x"}).data
    assert changed["role"]["permissions"] == ["workers:view"]
    found = clerk.get(f"/api/workers/{clerk.id}", populate="role").data
    assert found["role"] == str(clerk.worker.role)


def test_answers_to_writes_show_no_more_than_the_caller_may_read(
    admin, job, client_with_keys
):
    clerk = client_with_keys("orders:manage", "panes:scan", "panes:manage")
    path = f"/api/orders/{job.order['_id']}?populate=true"
    changed = clerk.patch(path, {"notes": "x"}).data
    assert changed["customer"] == job.customer
    assert changed["assignedTo"] == job.order["assignedTo"]
    assert changed["request"] == job.request["_id"]
    body = {name: job.order[name] for name in ("customer", "material", "quantity")}
    made = clerk.post("/api/orders?populate=customer,material", body).data
    assert (made["customer"], made["material"]) == (job.customer, job.material)
    scan = f"/api/panes/{job.numbers[0]}/scan?populate=order.customer,request.customer"
    pane = clerk.post(scan, {"action": "scan_in"}).data["pane"]
    assert pane["order"]["customer"] == job.customer
    assert set(pane["request"]) == {"_id", "requestNumber", "deadline"}


def test_populated_worker_has_only_public_fields(admin, job):
    path = f"/api/orders/{job.order['_id']}"
    for names in ("assignedTo", "assignedTo.role", "true"):
        assert set(admin.get(path, populate=names).data["assignedTo"]) == PERSON


def test_role_of_a_worker_is_an_id_unless_populated(admin):
    path = f"/api/workers/{admin.id}"
    assert isinstance(admin.get(path).data["role"], str)
    role = admin.get(path, populate="role").data["role"]
    assert role["permissions"] == ["*"]
    assert admin.get("/api/auth/me").data["role"]["slug"] == "admin"


def test_answers_to_writes_can_be_populated(admin, job):
    path = f"/api/orders/{job.order['_id']}?populate=customer"
    changed = admin.patch(path, {"notes": "x"}).data
    assert changed["customer"]["_id"] == job.customer
    scan = f"/api/panes/{job.numbers[0]}/scan?populate=order"
    found = admin.post(scan, {"action": "scan_in"}).data
    assert found["pane"]["order"]["orderNumber"] == job.order["orderNumber"]


def test_setting_populates_by_default(admin, job, setting):
    setting(EXPAND_REFERENCES=True)
    path = f"/api/orders/{job.order['_id']}"
    assert admin.get(path).data["customer"]["_id"] == job.customer
    assert admin.get(path, populate="false").data["customer"] == job.customer


def test_populated_reference_to_a_deleted_record_is_null(admin, workshop):
    gone = workshop.customer()
    request = workshop.make(
        "Request",
        request_number="REQ-9001",
        customer=gone.pk,
        details={"type": "a", "quantity": 1},
    )
    delete(gone)
    path = f"/api/requests/{request.pk}"
    assert admin.get(path).data["customer"] == str(gone.pk)
    assert admin.get(path, populate="customer").data["customer"] is None


def test_each_referenced_collection_is_read_once_for_all_rows(admin, job, monkeypatch):
    read, find = [], Collection.find

    def counting(self, *args, **kwargs):
        if getattr(gevent.getcurrent(), "name", "") != "background":
            read.append(self.name)
        return find(self, *args, **kwargs)

    monkeypatch.setattr(Collection, "find", counting)
    monkeypatch.setattr(deadlines, "RECORD_CACHE_S", 1e6)
    record_cache.clear_all()
    found = admin.get("/api/panes", populate="true", limit=20).data
    first, read[:] = list(read), []
    admin.get("/api/panes", populate="true", limit=20)
    monkeypatch.undo()
    assert len(found) == 3
    assert {name: first.count(name) for name in first if name != "panes"} == {
        "workers": 1,  # who is asking
        "roles": 1,
        "orders": 1,
        "requests": 1,
        "materials": 1,
        "stations": 1,
    }
    assert set(read) == {"panes", "orders", "requests"}  # the others are cached
