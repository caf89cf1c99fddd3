"""References: written as ids, read as ids, expanded where it is asked for."""

import gevent
import pytest
from pymongo.collection import Collection

from stories import line

PERSON = {"_id", "name", "username", "position"}


@pytest.fixture
def day(admin, manager, workshop):
    return line(admin, workshop, panes=3, assignedTo=manager.id)


def test_references_are_ids_unless_expanded(admin, day):
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert (order["customer"], order["request"]) == (day.customer, day.request["_id"])
    for no in ("false", "nothing", "quantity", ""):
        path = f"/api/orders/{day.order['_id']}"
        assert admin.get(path, populate=no).data == order


def test_the_usual_references_of_an_order(admin, manager, day):
    path = f"/api/orders/{day.order['_id']}"
    order = admin.get(path, populate="true").data
    assert order["customer"]["_id"] == day.customer
    assert order["material"]["unit"] == "sheet"
    assert order["request"]["customer"] == day.customer  # its own stay ids
    assert set(order["assignedTo"]) == PERSON
    assert order["claim"] is None


def test_the_usual_references_of_a_pane_show_only_their_fields(admin, day):
    pane = admin.get(f"/api/panes/{day.numbers[0]}", populate="true").data
    assert set(pane["order"]) == {
        "_id",
        "orderNumber",
        "priority",
        "customer",
        "material",
    }
    assert set(pane["request"]) == {"_id", "requestNumber", "deadline"}
    assert set(pane["material"]) == {"_id", "name"}
    assert [set(step) for step in pane["routing"]] == [{"_id", "name"}] * 2
    assert pane["currentStation"]["_id"] == day.stations[0]


def test_a_list_of_names_expands_just_these_and_one_level_deeper(admin, day):
    path = f"/api/panes/{day.numbers[0]}"
    pane = admin.get(path, populate="order.customer,material,nothing,order.x.y").data
    assert pane["order"]["customer"]["_id"] == day.customer
    assert pane["material"]["_id"] == day.material
    assert pane["request"] == day.request["_id"]
    order = admin.get(path, populate="order").data["order"]
    assert order["customer"] == day.customer


def test_a_worker_is_never_shown_more_of(admin, day):
    path = f"/api/orders/{day.order['_id']}"
    for names in ("assignedTo", "assignedTo.role", "true"):
        assert set(admin.get(path, populate=names).data["assignedTo"]) == PERSON


def test_a_workers_role_is_an_id_but_whole_where_it_is_asked_for(admin):
    path = f"/api/workers/{admin.id}"
    assert isinstance(admin.get(path).data["role"], str)
    role = admin.get(path, populate="role").data["role"]
    assert role["permissions"] == ["*"]
    assert admin.get("/api/auth/me").data["role"]["slug"] == "admin"


def test_answers_to_writes_are_expanded_too(admin, day):
    path = f"/api/orders/{day.order['_id']}?populate=customer"
    changed = admin.patch(path, {"notes": "x"}).data
    assert changed["customer"]["_id"] == day.customer
    scan = f"/api/panes/{day.numbers[0]}/scan?populate=order"
    found = admin.post(scan, {"action": "scan_in"}).data
    assert found["pane"]["order"]["orderNumber"] == day.order["orderNumber"]


def test_a_setting_makes_expansion_usual(admin, day, setting):
    setting(EXPAND_REFERENCES=True)
    path = f"/api/orders/{day.order['_id']}"
    assert admin.get(path).data["customer"]["_id"] == day.customer
    assert admin.get(path, populate="false").data["customer"] == day.customer


def test_what_is_gone_reads_as_null(admin, workshop):
    gone = workshop.customer()
    request = workshop.make(
        "Request",
        request_number="REQ-9001",
        customer=gone.pk,
        details={"type": "a", "quantity": 1},
    )
    gone.delete()
    path = f"/api/requests/{request.pk}"
    assert admin.get(path).data["customer"] == str(gone.pk)
    assert admin.get(path, populate="customer").data["customer"] is None


def test_each_referenced_collection_is_read_once_however_many_rows(
    admin, day, monkeypatch
):
    read, find = [], Collection.find

    def counting(self, *args, **kwargs):
        if getattr(gevent.getcurrent(), "name", "") != "background":
            read.append(self.name)
        return find(self, *args, **kwargs)

    monkeypatch.setattr(Collection, "find", counting)
    found = admin.get("/api/panes", populate="true", limit=20).data
    monkeypatch.undo()
    assert len(found) == 3
    assert {name: read.count(name) for name in read if name != "panes"} == {
        "workers": 1,  # who is asking
        "roles": 1,
        "orders": 1,
        "requests": 1,
        "materials": 1,
        "stations": 1,
    }
