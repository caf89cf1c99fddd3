"""Customers: created, found, changed and deleted."""

import pytest

from tables_api import import_rows

PATH = "/api/customers"
UNKNOWN = "0123456789abcdef01234567"


def test_customer_is_created_with_defaults(admin):
    answer = admin.post(PATH, {"name": "  ร้านกระจกช่างเอก "})
    assert answer.status == 201
    made = answer.data
    assert made["name"] == "ร้านกระจกช่างเอก"
    assert (made["discount"], made["address"], made["notes"]) == (0, "", "")
    assert made["version"] == 1
    assert made["createdAt"] == made["updatedAt"]
    assert made["createdAt"].endswith("Z")
    assert admin.get(f"{PATH}/{made['_id']}").data == made


def test_change_keeps_the_other_fields(admin):
    made = admin.post(PATH, {"name": "Aek", "phone": "02-1", "discount": 5}).data
    path = f"{PATH}/{made['_id']}"
    changed = admin.patch(path, {"discount": 12.5}).data
    assert (changed["phone"], changed["discount"]) == ("02-1", 12.5)
    assert changed["version"] == 2
    assert admin.get(path).data == changed


def test_empty_text_is_stored_as_empty(admin):
    made = admin.post(PATH, {"name": "Aek", "notes": "pays late"}).data
    path = f"{PATH}/{made['_id']}"
    assert admin.patch(path, {"notes": ""}).data["notes"] == ""
    assert admin.get(path).data["notes"] == ""
    assert admin.get(PATH).data[0]["notes"] == ""


def test_null_restores_the_default(admin):
    made = admin.post(PATH, {"name": "Aek", "notes": None, "discount": 5}).data
    assert made["notes"] == ""
    path = f"{PATH}/{made['_id']}"
    assert admin.patch(path, {"discount": None}).data["discount"] == 0


def test_customers_are_listed_searched_sorted_and_paged(admin):
    for name, discount in (("Beta", 10), ("Alpha", 0), ("Gamma", 5)):
        admin.post(PATH, {"name": name, "discount": discount})
    answer = admin.get(PATH, sort="name", limit=2)
    assert [row["name"] for row in answer.data] == ["Alpha", "Beta"]
    assert answer.body["pagination"] == {
        "page": 1,
        "limit": 2,
        "total": 3,
        "totalPages": 2,
    }
    assert [row["name"] for row in admin.get(PATH).data] == ["Gamma", "Alpha", "Beta"]
    assert [row["name"] for row in admin.get(PATH, search="alph").data] == ["Alpha"]
    found = admin.get(PATH, discount_gte=5, sort="-discount").data
    assert [row["name"] for row in found] == ["Beta", "Gamma"]


def test_customer_is_deleted_once(admin):
    made = admin.post(PATH, {"name": "Aek"}).data
    assert admin.delete(f"{PATH}/{made['_id']}").status == 200
    assert admin.get(f"{PATH}/{made['_id']}").status == 404
    assert admin.delete(f"{PATH}/{made['_id']}").status == 404


def test_bulk_deletion_deletes_all_or_none(admin, workshop):
    ids = [str(workshop.customer().pk) for _ in range(3)]
    assert admin.delete(PATH, {"ids": [*ids, UNKNOWN]}).status == 404
    assert len(admin.get(PATH).data) == 3
    assert admin.delete(PATH, {"ids": ids[:2]}).data == {"deletedCount": 2}
    assert [row["_id"] for row in admin.get(PATH).data] == ids[2:]


def test_customer_with_orders_cannot_be_deleted(admin, workshop):
    customer = workshop.customer()
    material = workshop.material()
    workshop.make("Order", customer=customer.pk, material=material.pk, quantity=1)
    answer = admin.delete(f"{PATH}/{customer.pk}")
    assert answer.status == 409
    assert answer.message == "Customer has 1 order"


@pytest.mark.parametrize("path", ["nonsense", UNKNOWN])
def test_unknown_customer_is_not_found(admin, path):
    for answer in (
        admin.get(f"{PATH}/{path}"),
        admin.patch(f"{PATH}/{path}", {"name": ""}),
        admin.delete(f"{PATH}/{path}"),
    ):
        assert answer.status == 404
        assert answer.message == "Customer not found"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "   "}, "name"),
        ({"name": None}, "name"),
        ({"name": 3}, "name"),
        ({"discount": -0.1}, "discount"),
        ({"discount": 100.1}, "discount"),
        ({"discount": "5"}, "discount"),
        ({"discount": True}, "discount"),
        ({"notes": ["a"]}, "notes"),
        ({"phone": "02\u0000"}, "phone"),
    ],
)
def test_bad_input_is_refused(admin, change, field):
    answer = admin.post(PATH, {"name": "Aek", **change})
    assert answer.message == "Validation failed"
    assert list(answer.faults) == [field]
    assert admin.get(PATH).data == []


def test_all_validation_errors_are_in_one_answer(admin):
    answer = admin.post(PATH, {"discount": 101, "notes": 1})
    assert set(answer.faults) == {"name", "discount", "notes"}


@pytest.mark.parametrize("discount", [0, 100, 33.3])
def test_bounds_of_a_discount_are_allowed(admin, discount):
    made = admin.post(PATH, {"name": "Aek", "discount": discount}).data
    assert made["discount"] == discount


def test_unknown_fields_cause_a_warning_and_server_fields_do_not(admin):
    made = admin.post(PATH, {"name": "Aek", "rating": 5})
    assert [warning["field"] for warning in made.body["warnings"]] == ["rating"]
    again = admin.patch(f"{PATH}/{made.data['_id']}", made.data)
    assert "warnings" not in again.body
    strict = {"headers": {"Prefer": "handling=strict"}}
    answer = admin.post(PATH, {"name": "Aek", "rating": 5}, **strict)
    assert list(answer.faults) == ["rating"]


TAX_ID = "0107544000108"


def test_customer_has_tax_data_and_delivery_addresses(admin):
    site = {"name": "Site 2", "address": "12 Rama IX Rd.", "contact": "Somchai"}
    body = {
        "name": "Aek",
        "contact": "Nok",
        "email": "nok@aek.example.co.th",
        "taxId": "0 1075-44000-10-8",
        "branch": "0",
        "country": "TH",
        "deliveryAddresses": [site, {"address": "Yard"}],
    }
    made = admin.post(PATH, body).data
    assert made == made | body | {
        "taxId": TAX_ID,
        "branch": "00000",
        "deliveryAddresses": [
            {**site, "phone": ""},
            {"name": "", "address": "Yard", "contact": "", "phone": ""},
        ],
    }
    assert admin.get(f"{PATH}/{made['_id']}").data == made
    for text in (TAX_ID, "44000", "AEK.example"):
        assert [one["_id"] for one in admin.get(PATH, search=text).data] == [
            made["_id"]
        ]


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"taxId": "123"}, "taxId", "13 digits, this one has 3"),
        ({"taxId": "0107544000109"}, "taxId", "last digit does not fit"),
        ({"taxId": "x", "country": "ไทย"}, "taxId", "digits only"),
        ({"branch": "123456"}, "branch", "up to 5 digits"),
        ({"email": "nok"}, "email", "Not an e-mail address"),
        ({"email": "nok@localhost"}, "email", "Not an e-mail address"),
        ({"email": "@aek.com"}, "email", "Not an e-mail address"),
        ({"email": "n@k@aek.com"}, "email", "Not an e-mail address"),
        ({"email": "nok@aek..com"}, "email", "Not an e-mail address"),
        ({"email": "no k@aek.com"}, "email", "Not an e-mail address"),
        ({"deliveryAddresses": [{"name": "Yard"}]}, "deliveryAddresses.0.address", "required"),
        ({"deliveryAddresses": [{"address": ""}]}, "deliveryAddresses.0.address", "Length must be"),
    ],
)  # fmt: skip
def test_wrong_tax_data_and_addresses_are_refused(admin, change, field, words):
    answer = admin.post(PATH, {"name": "Aek", **change})
    assert answer.status == 400
    assert list(answer.faults) == [field]
    assert words in answer.faults[field]
    made = admin.post(PATH, {"name": "Aek"}).data
    assert list(admin.patch(f"{PATH}/{made['_id']}", change).faults) == [field]


def test_tax_id_and_branch_are_judged_with_the_stored_country(admin):
    abroad = {"name": "Lao", "country": "Laos", "taxId": "LA 1", "branch": "Main"}
    path = f"{PATH}/{admin.post(PATH, abroad).data['_id']}"
    assert admin.patch(path, {"taxId": "LA 2"}).data["taxId"] == "LA 2"
    answer = admin.patch(path, {"country": ""})
    assert (answer.status, set(answer.faults)) == (400, {"taxId", "branch"})
    moved = {"country": None, "taxId": TAX_ID, "branch": "7"}
    assert admin.patch(path, moved).data["branch"] == "00007"
    assert list(admin.patch(path, {"taxId": "LA 1"}).faults) == ["taxId"]
    assert list(admin.patch(path, {"branch": "Main"}).faults) == ["branch"]
    assert admin.patch(path, {"country": "Laos"}).data["taxId"] == TAX_ID
    assert admin.patch(path, {"taxId": None}).data["taxId"] == ""


def test_several_new_customers_are_judged_each(admin):
    items = [{"name": "a", "branch": "1"}, {"name": "b", "taxId": "1"}]
    answer = admin.post(PATH, {"items": items})
    assert (answer.status, list(answer.faults)) == (400, ["items.1.taxId"])
    assert admin.get(PATH).data == []
    items[1]["taxId"] = TAX_ID
    made = admin.post(PATH, {"items": items}).data
    assert [(one["branch"], one["taxId"]) for one in made] == [
        ("00001", ""),
        ("", TAX_ID),
    ]


def test_imported_tax_data_is_judged_in_each_row(admin):
    stored = admin.post(PATH, {"name": "Aek", "country": "Laos", "taxId": "LA 1"}).data
    contractors = admin.post("/api/price-lists", {"name": "contractors"}).data["_id"]
    rows = [
        {"_id": stored["_id"], "name": "Aek", "country": "TH", "taxId": "LA 1"},
        {"name": "Bee", "taxId": "0107544000109"},
        {"name": "Cee", "taxId": "0-1075-44000-10-8", "priceList.name": "contractors"},
    ]
    answer = import_rows(admin, "customers", rows)
    assert [(one["row"], one["field"]) for one in answer.errors] == [
        (2, "taxId"),
        (3, "taxId"),
    ]
    assert len(admin.get(PATH).data) == 1
    assert import_rows(admin, "customers", rows[2:]).status == 200
    (made,) = admin.get(PATH, name="Cee").data
    assert (made["taxId"], made["priceList"]) == (TAX_ID, contractors)
