"""The derived fields: set by every write and for old records, seen by nobody."""

import pytest
from bson import ObjectId
from mongoengine.connection import get_db

from glassflow.core import kept
from glassflow.core.unit_of_work import unit_of_work
from glassflow.models import derived
from glassflow.models.customer import Customer
from glassflow.models.pane import Pane
from glassflow.services import records
from glassflow.services.records import derivation

ROW = {"name": "Ärger 4711", "address": "น้ำ", "discount": 2.5, "version": 1}


def stored(record):
    return type(record)._get_collection().find_one({"_id": record.pk})


def test_text_has_every_text_and_number_in_the_form_of_a_search(workshop):
    row = stored(workshop.customer(name=" ÄRGER 4711 ", address="x", discount=5))
    parts = row["searchText"].split(derived.SEPARATOR)
    assert parts[:2] == ["ärger 4711", "x"]
    assert derived.number_mark(5.0) in parts
    assert row["searchDigits"] == ["4711"]
    assert derived.digit_grams("a123456-12") == ["1234", "2345", "3456"]


def test_every_way_to_store_a_record_derives_its_fields(workshop):
    customer = Customer(pk=ObjectId(), name="one 1111")
    unit_of_work(records.insert_all)([customer])
    assert stored(customer)["searchDigits"] == ["1111"]
    customer = Customer.objects.get(pk=customer.pk)
    customer.name = "two 2222"
    unit_of_work(records.save_all)([customer])
    assert stored(customer)["searchText"].startswith("two 2222")
    assert stored(customer)["searchDigits"] == ["2222"]
    customer.name = "three"
    customer.save()
    assert stored(customer)["searchDigits"] == []
    pane = workshop.make("Pane", pane_number="PNE-0001")
    assert stored(pane)["listed"] is True
    pane.current_status = "merged_into"
    unit_of_work(records.save_all)([pane])
    assert stored(pane)["listed"] is False


@pytest.fixture
def old_records(workshop):
    """A customer and two panes as an earlier release has stored them."""
    customers, panes = Customer._get_collection(), Pane._get_collection()
    customers.insert_one(dict(ROW))
    for number, status in (("PNE-0107", "pending"), ("PNE-0108", "merged_into")):
        panes.insert_one({"paneNumber": number, "currentStatus": status, "version": 1})


def found(api):
    """What the lists show of the old records, in the ways that use derived fields."""
    texts = ("ärger", "4711", "2.5", "น้ำ", "nothing", "1")
    names = [
        [one["name"] for one in api.get("/api/customers", search=text).data]
        for text in texts
    ]
    numbers = [
        [one["paneNumber"] for one in api.get("/api/panes", **query).data]
        for query in ({}, {"search": "pne-0107"}, {"includeMerged": "true"})
    ]
    return names, numbers


def test_old_records_are_found_before_and_after_their_fields_are_set(
    admin, old_records
):
    before = found(admin)
    assert before[0] == [[ROW["name"]]] * 4 + [[], [ROW["name"]]]
    assert before[1][:2] == [["PNE-0107"], ["PNE-0107"]]
    assert sorted(before[1][2]) == ["PNE-0107", "PNE-0108"]
    batches = get_db()["outbox"].count_documents({})
    events = get_db()["event_log"].count_documents({})
    assert derivation.derive_all(Pane) == 2
    assert derivation.derive_all(Customer) == 1
    assert derivation.derive_all(Customer) == 0
    assert derivation.derive_all(Customer, again=True) == 1
    assert get_db()["outbox"].count_documents({}) == batches
    assert get_db()["event_log"].count_documents({}) == events
    assert all(row["version"] == 1 for row in Pane._get_collection().find())
    kept.clear()
    assert derivation.is_complete(Pane)
    assert found(admin) == before


def test_derived_fields_are_neither_sent_nor_filtered_nor_selected(admin, workshop):
    customer = workshop.customer(name="a 1234")
    path = f"/api/customers/{customer.pk}"
    shown = [
        admin.get(path).data,
        admin.get("/api/customers").data[0],
        admin.get("/api/customers", fields=",".join(derived.NAMES)).data[0],
        admin.patch(path, {"name": "b"}).data,
    ]
    for row in shown:
        assert not set(derived.NAMES) & set(row), row
    for name in derived.NAMES:
        assert set(admin.get("/api/customers", sort=name).faults) == {"sort"}
        assert len(admin.get("/api/customers", **{name: "x"}).data) == 1
