"""Lists: paging, sorting, filters, search and field selection."""

from datetime import datetime

import pytest

from glassflow.services.lists import page as list_page
from scenarios import order_with_panes

NOON = datetime(2026, 3, 1, 12)


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


def test_pages_never_overlap_when_all_values_are_equal(admin, workshop):
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


@pytest.fixture
def work_of_two_customers(admin, workshop):
    """A pane each of the customers B and A, with deadlines, and one without an order."""
    jobs = {}
    for name, day, width in (("B", 2, 300), ("A", 1, 1200)):
        size = {"dimensions": {"width": width, "height": 500}}
        customer = str(workshop.customer(name=name).pk)
        job = order_with_panes(admin, workshop, pane=size, customer=customer)
        deadline = f"2026-03-0{day}T00:00:00Z"
        changed = admin.patch(
            f"/api/requests/{job.request['_id']}",
            {"deadline": deadline, "deadlineChangeReason": "agreed"},
        )
        assert changed.status == 200, changed
        jobs[name] = job.numbers[0]
    alone = admin.post(
        "/api/panes", {"dimensions": {"width": 700, "height": 10}, "routing": []}
    )
    return [jobs["A"], jobs["B"], alone.data["paneNumber"]]


def test_list_is_sorted_by_fields_of_other_records_and_by_members_of_objects(
    admin, work_of_two_customers
):
    a, b, alone = work_of_two_customers

    def numbers(sort, **query):
        found = admin.get("/api/panes", sort=sort, **query)
        assert found.status == 200, (sort, found)
        return [pane["paneNumber"] for pane in found.data]

    # a pane without an order has no customer, and nothing comes first, as everywhere
    assert numbers("order.customer.name") == [alone, a, b]
    assert numbers("-order.customer.name") == [b, a, alone]
    assert numbers("request.deadline") == [alone, a, b]
    assert numbers("laminateRole,-order.orderNumber") == [a, b, alone]
    assert numbers("dimensions.width") == [b, alone, a]
    assert numbers("-dimensions.area") == [a, b, alone]
    pages = [numbers("order.customer.name", limit=2, page=page) for page in (1, 2, 3)]
    assert pages == [[alone, a], [b], []]
    found = admin.get("/api/panes", sort="request.deadline", limit=2)
    assert found.body["pagination"] == {
        "page": 1, "limit": 2, "total": 3, "totalPages": 2,
    }  # fmt: skip
    assert numbers("order.customer.name", search=b) == [b]


def test_equal_values_of_other_records_are_paged_without_overlap(admin, workshop):
    customer = str(workshop.customer().pk)
    job = order_with_panes(admin, workshop, panes=7, customer=customer)
    for sort in ("order.customer.name", "-request.deadline", "material.name,-version"):
        pages = [
            admin.get("/api/panes", sort=sort, limit=3, page=page).data
            for page in (1, 2, 3)
        ]
        found = [pane["paneNumber"] for page in pages for pane in page]
        assert sorted(found) == sorted(job.numbers), sort


@pytest.mark.parametrize(
    "sort",
    [
        "customer.nothing", "customer.", ".name", "details.nothing", "notes.name",
        "stations.name", "request.attachments", "customer.name.first", "details.type.x",
        "assignedTo.passwordHash", "claim.order.customer.name", "_id.name",
        "name,customer.name",
    ],
)  # fmt: skip
def test_sort_by_what_is_no_single_value_of_a_record_is_refused(admin, sort):
    assert set(admin.get("/api/orders", sort=sort).faults) == {"sort"}


def test_sort_by_what_the_caller_may_not_read_is_refused(
    admin, client_with_keys, work_of_two_customers
):
    floor = client_with_keys("panes:view")
    # these are shown with a pane to everyone who may read it
    for sort in ("request.deadline", "order.orderNumber", "currentStation.name"):
        assert floor.get("/api/panes", sort=sort).status == 200, sort
    for sort in ("order.customer.name", "request.status", "currentStation.position"):
        assert floor.get("/api/panes", sort=sort).status == 403, sort
    office = client_with_keys("panes:view", "customers:view", "orders:view")
    assert office.get("/api/panes", sort="order.customer.name").status == 200
    people = client_with_keys("orders:view", "workers:view")
    assert people.get("/api/orders", sort="assignedTo.name").status == 200
    assert people.get("/api/orders", sort="assignedTo.lastLogin").status in (400, 403)
    assert people.get("/api/orders", sort="assignedTo.isActive").status == 403


def test_sort_by_other_records_has_no_cursors_and_is_refused_for_too_many_rows(
    admin, work_of_two_customers, monkeypatch
):
    for sort in ("order.customer.name", "dimensions.width"):
        found = admin.get("/api/panes", sort=sort, cursor="*")
        assert set(found.faults) == {"cursor"}, sort
    monkeypatch.setattr(list_page, "MAX_UNINDEXED_SORT", 2)
    for sort in ("dimensions.width", "createdAt,order.customer.name"):
        assert set(admin.get("/api/panes", sort=sort).faults) == {"sort"}, sort


def test_page_beyond_every_range_is_empty_with_the_true_total(
    admin, customers, setting
):
    setting(MAX_PAGE_SIZE=1000)
    for page in ("1000000", "9" * 18, "9" * 25):
        for query in ({}, {"discount": 5}):
            answer = admin.get("/api/customers", page=page, limit=1000, **query)
            assert answer.data == []
            assert answer.body["pagination"]["total"] == (3 if query else 7)


@pytest.mark.parametrize(
    "query",
    ["name[$ne]=x", "$where=1", "name[$regex]=.*", "search[$ne]=1", "_id[$gt]=0",
     "name=%00", "search=%00", "fields=%00", "sort=name%00", "populate=%00,$x",
     "name=a&name=b", "discount=1&discount=x", "_ne=1", "_gte=1", "page=1&page=2"],
)  # fmt: skip
def test_unusual_queries_are_ignored_or_refused(admin, customers, query):
    answer = admin.call("GET", f"/api/customers?{query}")
    assert answer.status in (200, 400), answer


def test_fields_parameter_selects_and_ignores_unknown_names(admin, customers):
    found = admin.get("/api/customers", fields="name, nothing").data
    assert all(set(one) == {"_id", "name"} for one in found)
    one = admin.get(f"/api/customers/{customers[0].pk}", fields="discount").data
    assert one == {"_id": str(customers[0].pk), "discount": 5}


def test_new_panes_come_first_at_once_where_all_others_are_completed(admin, workshop):
    """Records without the date come before those that have it."""
    done = [workshop.make("Pane", pane_number=n, completed_at=NOON) for n in "abc"]

    def pane_ids():
        answer = admin.get("/api/panes", sort="completedAt")
        return [one["_id"] for one in answer.data]

    assert pane_ids() == [str(pane.pk) for pane in done]
    new = order_with_panes(admin, workshop, panes=2).panes
    expected = sorted(pane["_id"] for pane in new) + [str(pane.pk) for pane in done]
    assert pane_ids() == expected
