"""Filters and search of lists, by the types of the fields."""

from datetime import datetime, timedelta

import pytest

from factories import save
from glassflow.models import BY_NAME
from glassflow.models.customer import Customer
from scenarios import order_with_panes


def test_filters_support_comparison_lists_and_null(admin, customers):
    def count(**query):
        return admin.get("/api/customers", **query).body["pagination"]["total"]

    assert count(discount=5) == 3
    assert count(discount="0,10") == 2
    assert count(discount_ne=5) == 4
    assert count(discount_gte=5, discount_lt=10) == 4
    assert count(name="a") == 2
    assert count(name="a", discount=10) == 1
    assert count(nothing=1, page=1) == 7
    assert count(address="null") == 7
    assert count(address_ne="null") == 0
    assert count(version=1) == 7


def test_dates_can_be_filtered_by_range(admin, customers):
    middle = Customer.objects[3].created_at
    early = middle - timedelta(days=2)
    Customer.objects(name="a").update(set__created_at=early)

    def count(**query):
        return admin.get("/api/customers", **query).body["pagination"]["total"]

    cut = (middle - timedelta(days=1)).isoformat()
    assert count(createdAt_lt=cut) == 2
    assert count(createdAt_gte=cut + "Z") == 5
    assert count(createdAt_gte=cut + "+00:00") == 5
    assert count(createdAt_gt="0001-01-01", createdAt_lt="9999-12-31T23:59:59Z") == 7


def test_date_in_a_filter_is_a_day_of_the_workshop(admin, workshop):
    """In Bangkok, seven hours ahead of UTC."""
    times = {
        "a": datetime(2026, 11, 25, 16, 59, 59, 999_000),
        "b": datetime(2026, 11, 25, 17),
        "c": datetime(2026, 11, 26, 16, 59, 59, 999_000),
        "d": datetime(2026, 11, 26, 17),
        "e": None,
    }
    for n, (notes, moment) in enumerate(times.items()):
        number = f"PNE-900{n}"
        workshop.make("Pane", pane_number=number, notes=notes, started_at=moment)

    def found(suffix, value):
        query = {f"startedAt{suffix}": value}
        rows = admin.get("/api/panes", **query, sort="paneNumber").data
        return "".join(one["notes"] for one in rows)

    day = "2026-11-26"
    assert found("_gte", day) == "bcd"
    assert found("_gt", day) == "d"
    assert found("_lte", day) == "abc"
    assert found("_lt", day) == "a"
    assert found("", day) == "bc"
    assert found("_ne", day) == "ade"
    assert found("", f"{day},2026-11-25") == "abc"
    assert found("_ne", f"{day},2026-11-25") == "de"
    assert found("", f"null,{day}") == "bce"
    assert found("_ne", f"null,{day}") == "ad"
    assert found("", f"{day},2026-11-26T17:00:00Z") == "bcd"


def test_filter_refuses_buddhist_years_and_takes_the_ends_of_time_as_no_bound(
    admin, customers
):
    asked = {"createdAt_gte": "2569-11-26", "createdAt_ne": "2500-01-01T09:00:00+07:00"}
    assert admin.get("/api/customers", **asked).faults == {
        "createdAt_gte": "The year 2569 seems to be a Buddhist year: was 2026 meant?",
        "createdAt_ne": "The year 2500 seems to be a Buddhist year: was 1957 meant?",
    }
    for first in ("0001-01-01", "1970-01-01"):
        asked = {"createdAt_gte": first, "createdAt_lte": "9999-12-31"}
        assert len(admin.get("/api/customers", **asked).data) == 7


@pytest.mark.parametrize(
    "query",
    [
        {"discount": "cheap"}, {"discount": "1e5"}, {"discount_gte": "x"},
        {"discount": "NaN"}, {"createdAt_gte": "yesterday"}, {"_id": "x"},
        {"createdAt_lt": "2026-13-01"}, {"version": "1_0"}, {"name": "a\x1ab"},
    ],
)  # fmt: skip
def test_invalid_filter_is_refused(admin, customers, query):
    assert set(admin.get("/api/customers", **query).faults) == set(query)


@pytest.mark.parametrize("number", ["9223372036854775808", "-1" + "0" * 19, "9" * 400])
def test_filter_beyond_64_bits_is_refused_with_the_range(admin, customers, number):
    faults = admin.get("/api/customers", discount=number, version_lt=number).faults
    message = "Must be a finite number between -2^63 and 2^63"
    assert faults == {"discount": message, "version_lt": message}
    assert admin.get("/api/customers", version="9223372036854775807").data == []


@pytest.mark.parametrize("value", ["", " ", ",", " , "])
def test_empty_filter_value_is_as_if_the_parameter_were_absent(
    admin, customers, workshop, value
):
    filters = ("name", "discount", "discount_gte", "discount_ne", "createdAt_lt")
    others = ("search", "fields", "populate", "sort", "page")
    query = dict.fromkeys(others, "") | dict.fromkeys(filters, value)
    assert admin.get("/api/customers", **query).data == admin.get("/api/customers").data
    workshop.make("Pane", pane_number="PNE-9001", current_status="merged_into")
    for name in ("status", "status_ne", "station", "laminateRole", "isWithdrawn"):
        assert admin.get("/api/panes", **{name: value}).data == []


def test_empty_parts_of_a_filter_list_are_ignored(admin, customers):
    assert len(admin.get("/api/customers", name="a,,c,").data) == 3


def test_null_finds_unset_texts_lists_references_and_times(admin, workshop):
    station = workshop.station().pk
    empty = workshop.make("Pane", pane_number="PNE-9001")
    place = {"routing": [station], "current_station": station}
    started = datetime(2026, 1, 1)
    workshop.make(
        "Pane", pane_number="PNE-9002", notes="x", started_at=started, **place
    )
    collection = empty.collection()
    old = collection.insert_one({"paneNumber": "PNE-9003", "listed": True}).inserted_id
    for name in ("notes", "routing", "currentStation", "startedAt"):
        found = admin.get("/api/panes", **{name: "null"}, sort="paneNumber").data
        assert [one["_id"] for one in found] == [str(empty.pk), str(old)], name
        (other,) = admin.get("/api/panes", **{f"{name}_ne": "null"}).data
        assert other["paneNumber"] == "PNE-9002"


def test_unknown_value_of_an_enumeration_is_refused_with_the_known_ones(admin):
    for value in ("nonsense", "online,nonsense", "ONLINE"):
        faults = admin.get("/api/stations", status=value, status_ne=value).faults
        known = "Must be one of: online, offline, maintenance."
        assert faults == {"status": known, "status_ne": known}


NUMBERED = (
    ("Request", "requests", "requestNumber", "REQ-9001"),
    ("Order", "orders", "orderNumber", "ORD-9001"),
    ("Claim", "claims", "claimNumber", "CLM-9001"),
    ("Withdrawal", "withdrawals", "withdrawalNumber", "WDW-9001"),
    ("Inventory", "inventories", "inventoryNumber", "INV-9001"),
    ("Pane", "panes", "paneNumber", "PNE-9001-A"),
)


@pytest.mark.undescribed  # stores records without what they need
def test_record_numbers_are_filtered_in_any_letter_case(admin, workshop):
    for kind, name, field, number in NUMBERED:
        BY_NAME[kind].collection().insert_one({field: number, "listed": True})
        for typed in (number, number.lower(), number.title(), f" {number.lower()} "):
            (found,) = admin.get(f"/api/{name}", **{field: typed}).data
            assert found[field] == number
            assert admin.get(f"/api/{name}", **{f"{field}_ne": typed}).data == []


def test_panes_are_filtered_by_qr_payload_and_by_several_numbers(admin, workshop):
    for n in range(3):
        workshop.make("Pane", pane_number=f"PNE-900{n}")
    found = admin.get("/api/panes", paneNumber="stdplus:pne-9001,PNE-9002").data
    assert {one["paneNumber"] for one in found} == {"PNE-9001", "PNE-9002"}


@pytest.mark.parametrize(
    ("text", "found"),
    [("A", 3), ("a.c*", 1), (".*", 0), ("น้ำ", 1), ("note 3", 1), ("10", 1), ("(", 0),
     ("  b ", 2), ("2.5", 1), ("", 7)],
)  # fmt: skip
def test_search_matches_texts_and_numbers_literally(admin, customers, text, found):
    answer = admin.get("/api/customers", search=text)
    assert answer.body["pagination"]["total"] == found, answer


def test_hidden_fields_are_neither_searched_nor_filtered_nor_selected(admin, workshop):
    workshop.worker(name="somebody")
    assert admin.get("/api/workers", search="argon2").data == []
    everybody = len(admin.get("/api/workers").data)
    assert len(admin.get("/api/workers", passwordHash="x").data) == everybody
    found = admin.get("/api/workers", fields="passwordHash,name").data[0]
    assert set(found) == {"_id", "name"}


def test_booleans_and_enums_and_references_are_filtered(admin, workshop):
    first, second = workshop.stations(2)
    second.is_laminate_station, second.status = True, "online"
    save(second)

    def ids(**query):
        return [one["_id"] for one in admin.get("/api/stations", **query).data]

    assert ids(isLaminateStation="true") == [str(second.pk)]
    assert ids(isLaminateStation="0") == [str(first.pk)]
    assert ids(status="offline") == [str(first.pk)]
    assert len(ids(status="offline,online")) == 2
    assert ids(status_ne="offline") == [str(second.pk)]
    assert len(ids(templateId=str(first.template_id))) == 2
    assert ids(templateId="0" * 24) == []
    assert set(admin.get("/api/stations", isLaminateStation="maybe").faults) == {
        "isLaminateStation"
    }


def test_panes_can_be_filtered_by_aliases(admin, workshop):
    here, there = workshop.stations(2)
    made = [
        workshop.make(
            "Pane", pane_number=f"PNE-900{n}", qr_code="x", **values
        ).pane_number
        for n, values in enumerate(
            [
                {"current_station": here.pk},
                {"current_station": there.pk, "current_status": "in_progress"},
                {"current_status": "merged_into"},
                {"laminate_role": "sheet"},
            ]
        )
    ]

    def numbers(**query):
        found = admin.get("/api/panes", sort="paneNumber", **query).data
        return [made.index(one["paneNumber"]) for one in found]

    assert numbers() == [0, 1, 3]
    assert numbers(includeMerged="true") == [0, 1, 2, 3]
    assert numbers(status="merged_into") == [2]
    assert numbers(status_ne="pending") == [1, 2]
    assert numbers(station=str(here.pk)) == [0]
    assert numbers(station=f"{here.pk},{there.pk}") == [0, 1]
    assert numbers(station="null", laminateRole="sheet") == [3]
    assert numbers(isWithdrawn="true") == []


def test_orders_and_logs_can_be_filtered_by_aliases(admin, workshop):
    one, two = workshop.stations(2)
    material, customer = workshop.material(), workshop.customer()
    for n, route in enumerate(([one.pk], [one.pk, two.pk])):
        workshop.make("Order", order_number=f"ORD-900{n}", customer=customer.pk,
                      material=material.pk, quantity=1, stations=route)  # fmt: skip
    assert len(admin.get("/api/orders", stationId=str(one.pk)).data) == 2
    assert len(admin.get("/api/orders", stationId=str(two.pk)).data) == 1
    pane = workshop.make("Pane", pane_number="PNE-9001", qr_code="x")
    workshop.make("PaneLog", pane=pane.pk, action="scan_in", material=material.pk)
    for name, value in (("paneId", pane.pk), ("materialId", material.pk)):
        assert len(admin.get("/api/pane-logs", **{name: str(value)}).data) == 1
        assert admin.get("/api/pane-logs", **{name: "0" * 24}).data == []
    assert isinstance(one.created_at, datetime)


UNKNOWN = "The list has no such parameter or filter"


@pytest.mark.parametrize(
    "name", ["stauts", "dimensions.width_gt", "currentStatus_gt", "page_size", "_ne"]
)
def test_filter_that_a_list_does_not_have_is_named(admin, workshop, name):
    order_with_panes(admin, workshop)
    answer = admin.get("/api/panes", **{name: "1"})
    assert answer.status == 200
    (warning,) = answer.body["warnings"]
    assert warning == {"field": name, "message": f"{UNKNOWN}, ignored"}
    strict = {"Prefer": "handling=strict"}
    refused = admin.call("GET", "/api/panes", params={name: "1"}, headers=strict)
    assert (refused.status, refused.faults) == (400, {name: UNKNOWN})


@pytest.mark.parametrize(
    ("path", "own"),
    [
        ("/api/orders/due", {"due": "soon"}),
        ("/api/materials/stock", {"low": "true"}),
        ("/api/materials/{material}/book", {"stockType": "Raw"}),
        ("/api/panes/export.csv", {"includeMerged": "true"}),
    ],
)
def test_lists_of_another_shape_and_exports_refuse_unknown_filters_if_strict(
    admin, workshop, path, own
):
    path = path.format(material=workshop.material().pk)
    strict = {"Prefer": "handling=strict"}
    known = admin.call("GET", path, params=own, headers=strict)
    assert known.status == 200
    refused = admin.call("GET", path, params={**own, "stauts": "1"}, headers=strict)
    assert (refused.status, refused.faults) == (400, {"stauts": UNKNOWN})
    if not path.endswith(".csv"):
        answer = admin.get(path, **own, stauts="1")
        assert answer.body["warnings"] == [
            {"field": "stauts", "message": f"{UNKNOWN}, ignored"}
        ]


def test_saved_export_with_a_misspelt_filter_is_stored_with_a_warning(admin):
    body = {"name": "late", "resource": "panes", "format": "csv", "odd": 1}
    made = admin.post("/api/saved-exports", body | {"query": "stauts=pending"})
    assert made.status == 201
    assert [one["field"] for one in made.body["warnings"]] == ["odd", "stauts"]


def test_parameters_that_a_list_has_cause_no_warning(admin, workshop):
    order_with_panes(admin, workshop)
    usual = {
        "page": 1,
        "limit": 5,
        "sort": "paneNumber",
        "search": "PNE",
        "count": "exact",
    }
    filters = {"station_ne": "null", "createdAt_gte": "2020-01-01", "status": "pending"}
    more = {"includeMerged": "true", "fields": "paneNumber", "populate": "false"}
    strict = {"Prefer": "handling=strict"}
    answer = admin.call(
        "GET", "/api/panes", params=usual | filters | more, headers=strict
    )
    assert answer.status == 200
    assert "warnings" not in answer.body
