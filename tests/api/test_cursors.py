"""Lists by cursor, capped counts, totals, and sorts that need an index."""

from base64 import urlsafe_b64encode

import pytest

from glassflow.services.lists import page as list_page


def walk(api, **query):
    """Follow the cursors of the customers; return the pages."""
    pages, cursor = [], "*"
    while cursor:
        answer = api.get("/api/customers", cursor=cursor, **query)
        assert answer.status == 200, answer
        pages.append(answer)
        cursor = answer.body["pagination"]["next"]
    return pages


def test_pages_by_cursor_are_the_list_in_its_order(admin, customers):
    for sort in ("-createdAt", "createdAt", "name", "-discount,name", "_id"):
        whole = admin.get("/api/customers", sort=sort).data
        pages = walk(admin, sort=sort, limit=3)
        assert [len(page.data) for page in pages] == [3, 3, 1]
        assert [one for page in pages for one in page.data] == whole
        assert {page.body["pagination"]["total"] for page in pages} == {7}
        assert "page" not in pages[0].body["pagination"]


def test_rows_that_come_and_go_between_pages_move_no_other_row(
    admin, customers, workshop
):
    first = admin.get("/api/customers", cursor="*", limit=3)
    workshop.customer(name="new")
    admin.delete(f"/api/customers/{first.data[0]['_id']}")
    cursor = first.body["pagination"]["next"]
    second = admin.get("/api/customers", cursor=cursor, limit=3)
    third = admin.get(
        "/api/customers", cursor=second.body["pagination"]["next"], limit=3
    )
    seen = [one["_id"] for page in (first, second, third) for one in page.data]
    assert seen == [str(one.pk) for one in reversed(customers)]
    assert third.body["pagination"]["next"] is None


def encoded(text):
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "cursor",
    ["x", "**", "ä", "=" * 9, encoded("{}"), encoded("[1]"), encoded("null"),
     encoded('{"sort": "-createdAt,-_id", "at": [{"$date": 1}]}'),
     encoded('{"sort": "-createdAt,-_id", "at": "xx"}'),
     encoded('{"sort": "-createdAt,-_id", "at": ["x", {"$oid": "%s"}]}' % ("0" * 24)),
     encoded('{"sort": "-createdAt,-_id", "at": [{"$gt": 1}, {"$oid": "%s"}]}'
             % ("0" * 24))],
)  # fmt: skip
def test_what_is_no_cursor_is_refused(admin, customers, cursor):
    assert set(admin.get("/api/customers", cursor=cursor).faults) == {"cursor"}


def test_cursor_of_another_sort_and_sort_by_a_list_are_refused(admin, customers):
    cursor = admin.get("/api/customers", cursor="*", limit=1).body["pagination"]["next"]
    for sort in ("name", "createdAt"):
        faults = admin.get("/api/customers", cursor=cursor, sort=sort).faults
        assert "another sort" in faults["cursor"]
    assert set(admin.get("/api/panes", cursor="*", sort="routing").faults) == {"cursor"}


def test_capped_count_stops_at_its_limit(admin, customers, monkeypatch):
    def pagination(**query):
        return admin.get("/api/customers", limit=2, **query).body["pagination"]

    assert pagination(count="capped") == {
        "page": 1, "limit": 2, "total": 7, "totalPages": 4, "more": False,
    }  # fmt: skip
    monkeypatch.setattr(list_page, "CAPPED", 4)
    found = pagination(count="capped")
    assert (found["total"], found["totalPages"], found["more"]) == (4, 2, True)
    assert pagination(count="capped", page=3)["total"] == 6
    assert pagination(count="capped", page=4) == {
        "page": 4, "limit": 2, "total": 7, "totalPages": 4, "more": False,
    }  # fmt: skip
    assert "more" not in pagination(count="exact")
    assert set(admin.get("/api/customers", count="some").faults) == {"count"}


def test_sort_by_a_field_without_an_index_is_refused_for_many_records(
    admin, customers, monkeypatch
):
    monkeypatch.setattr(list_page, "MAX_UNINDEXED_SORT", 6)
    faults = admin.get("/api/customers", sort="-discount").faults
    assert faults == {
        "sort": "More than 6 records can be sorted only by a field with an index: "
        "_id, createdAt, name, priceList"
    }
    assert admin.get("/api/customers", sort="-discount", name="a").status == 200
    assert admin.get("/api/customers", sort="-name").status == 200
