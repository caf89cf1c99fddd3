"""The derived fields: set by every write, and seen by nobody."""

from bson import ObjectId

from factories import save
from glassflow.models import derived
from glassflow.models.customer import Customer


def stored(record):
    return type(record).collection().find_one({"_id": record.pk})


def test_text_has_every_text_and_number_in_the_form_of_a_search(workshop):
    row = stored(workshop.customer(name=" ÄRGER 4711 ", address="x", discount=5))
    parts = row["searchText"].split(derived.SEPARATOR)
    assert parts[:2] == ["ärger 4711", "x"]
    assert derived.number_mark(5.0) in parts
    assert derived.number_mark(1.0) not in parts, "the version"
    assert row["searchDigits"] == ["4711"]
    assert derived.digit_grams("a123456-12") == ["1234", "2345", "3456"]


def test_every_way_to_store_a_record_derives_its_fields(workshop):
    customer = Customer(pk=ObjectId(), name="one 1111")
    save(customer)
    assert stored(customer)["searchDigits"] == ["1111"]
    customer = Customer.objects.get(pk=customer.pk)
    customer.name = "two 2222"
    save(customer)
    assert stored(customer)["searchText"].startswith("two 2222")
    assert stored(customer)["searchDigits"] == ["2222"]
    customer.name = "three"
    save(customer)
    assert stored(customer)["searchDigits"] == []
    pane = workshop.make("Pane", pane_number="PNE-0001")
    assert stored(pane)["listed"] is True
    pane.current_status = "merged_into"
    save(pane)
    assert stored(pane)["listed"] is False


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
