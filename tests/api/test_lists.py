"""Lists: paged, sorted, filtered, searched and selected alike everywhere."""

from datetime import datetime, timedelta

import pytest

from glassflow.models.customer import Customer


@pytest.fixture
def customers(workshop):
    """Seven customers, of whom some share a name and a discount."""
    return [
        workshop.customer(name=name, discount=discount, notes=f"note {index}")
        for index, (name, discount) in enumerate(
            [
                ("b", 5),
                ("a", 5),
                ("c", 0),
                ("a", 10),
                ("b", 5),
                ("a.c*", 2.5),
                ("น้ำ", 7),
            ]
        )
    ]


def names(answer):
    return [one["name"] for one in answer.data]


@pytest.mark.parametrize(
    ("query", "page", "limit"),
    [
        ({}, 1, 20),
        ({"page": 0, "limit": 0}, 1, 1),
        ({"page": -7, "limit": -7}, 1, 1),
        ({"page": "x", "limit": "y"}, 1, 20),
        ({"page": "2.5", "limit": ""}, 1, 20),
        ({"limit": 1000}, 1, 100),
        ({"page": "9" * 40, "limit": "9" * 5000}, 1_000_000, 100),
        ({"page": "-" + "9" * 40}, 1, 20),
        ({"page": "٣"}, 1, 20),
    ],
)
def test_page_and_limit_are_clamped_and_never_refused(
    admin, customers, query, page, limit
):
    found = admin.get("/api/customers", **query).body["pagination"]
    assert (found["page"], found["limit"], found["total"]) == (page, limit, 7)
    assert found["totalPages"] == -(-7 // limit)


def test_pages_never_overlap_though_all_have_the_same_value(admin, workshop):
    for _ in range(9):
        workshop.customer(name="same")
    for sort in ("name", "-name", "discount,-name"):
        pages = [
            admin.get("/api/customers", sort=sort, limit=2, page=page).data
            for page in range(1, 6)
        ]
        ids = [one["_id"] for page in pages for one in page]
        assert len(set(ids)) == len(ids) == 9


def test_several_sorts_apply_in_turn_and_an_unknown_one_is_refused(admin, customers):
    found = admin.get("/api/customers", sort="-discount,name", limit=5)
    assert names(found) == ["a", "น้ำ", "a", "b", "b"]
    for sort in ("nothing", "name,nothing", "-", ",", "$where", "passwordHash"):
        assert set(admin.get("/api/customers", sort=sort).faults) == {"sort"}, sort
    assert set(admin.get("/api/workers", sort="passwordHash").faults) == {"sort"}


def test_filters_compare_take_lists_and_know_null(admin, customers):
    def count(**query):
        return admin.get("/api/customers", **query).body["pagination"]["total"]

    assert count(discount=5) == 3
    assert count(discount="0,10") == 2
    assert count(discount_ne=5) == 4
    assert count(discount_gte=5, discount_lt=10) == 4
    assert count(name="a") == 2
    assert count(name="a", discount=10) == 1
    assert count(nothing=1, page=1) == 7
    assert count(address="null") == 0
    assert count(version=1) == 7


def test_dates_take_ranges(admin, customers):
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


@pytest.mark.parametrize(
    "query",
    [
        {"discount": "cheap"}, {"discount": "1e5"}, {"discount_gte": "x"},
        {"discount": "NaN"}, {"createdAt_gte": "yesterday"}, {"_id": "x"},
        {"createdAt_lt": "2026-13-01"}, {"version": ""},
    ],
)  # fmt: skip
def test_a_filter_that_makes_no_sense_is_refused(admin, customers, query):
    assert set(admin.get("/api/customers", **query).faults) == set(query)


@pytest.mark.parametrize(
    "query",
    ["name[$ne]=x", "$where=1", "name[$regex]=.*", "search[$ne]=1", "_id[$gt]=0",
     "name=%00", "search=%00", "fields=%00", "sort=name%00", "populate=%00,$x",
     "name=a&name=b", "discount=1&discount=x", "_ne=1", "_gte=1", "page=1&page=2"],
)  # fmt: skip
def test_strange_queries_are_ignored_or_refused_and_never_fail(admin, customers, query):
    answer = admin.call("GET", f"/api/customers?{query}")
    assert answer.status in (200, 400), answer


@pytest.mark.parametrize(
    ("text", "found"),
    [("A", 3), ("a.c*", 1), (".*", 0), ("น้ำ", 1), ("note 3", 1), ("10", 1), ("(", 0),
     ("  b ", 2), ("2.5", 1), ("", 7)],
)  # fmt: skip
def test_search_looks_in_texts_and_numbers_and_takes_them_literally(
    admin, customers, text, found
):
    answer = admin.get("/api/customers", search=text)
    assert answer.body["pagination"]["total"] == found, names(answer)


def test_hidden_fields_are_neither_searched_nor_filtered_nor_selected(admin, workshop):
    workshop.worker(name="somebody")
    assert admin.get("/api/workers", search="argon2").data == []
    everybody = len(admin.get("/api/workers").data)
    assert len(admin.get("/api/workers", passwordHash="x").data) == everybody
    found = admin.get("/api/workers", fields="passwordHash,name").data[0]
    assert set(found) == {"_id", "name"}


def test_fields_select_and_ignore_what_is_not_there(admin, customers):
    found = admin.get("/api/customers", fields="name, nothing").data
    assert all(set(one) == {"_id", "name"} for one in found)
    one = admin.get(f"/api/customers/{customers[0].pk}", fields="discount").data
    assert one == {"_id": str(customers[0].pk), "discount": 5}


def test_booleans_and_enums_and_references_are_filtered(admin, workshop):
    first, second = workshop.stations(2)
    second.is_laminate_station, second.status = True, "online"
    second.save()

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


def test_panes_are_found_by_the_names_that_screens_use(admin, workshop):
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


def test_orders_and_logs_have_their_aliases(admin, workshop):
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
