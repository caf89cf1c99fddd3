"""Lists: paging, sorting, filters, search and field selection."""

from datetime import datetime

import pytest

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
