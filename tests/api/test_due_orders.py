"""Open orders by the deadlines of their requests."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from glassflow.core.process import clock
from glassflow.domain import calendar
from tables_api import exported_rows

DUE = "/api/orders/due"
DEADLINES_H = {"late": -30, "later": -1, "soon": 47, "far": 49, "none": None}


@pytest.fixture
def make_order(workshop):
    """Stores an order, whose name is its note, with a request that has a deadline."""
    customer, material = workshop.customer(), workshop.material()

    def make(name, deadline, status="pending"):
        request = workshop.make(
            "Request", customer=customer.pk, deadline=deadline,
            details={"type": "window", "quantity": 1},
        )  # fmt: skip
        return workshop.make(
            "Order", customer=customer.pk, material=material.pk, quantity=1,
            request=request.pk, notes=name, status=status,
        )  # fmt: skip

    return make


@pytest.fixture
def orders(make_order):
    """An order for each of `DEADLINES_H`, and closed ones."""
    for name, hours in reversed(DEADLINES_H.items()):
        due = None if hours is None else clock.now() + timedelta(hours=hours)
        make_order(name, due)
    for status in ("completed", "cancelled"):
        make_order(status, clock.now() - timedelta(hours=50), status)


def names(answer):
    assert answer.status == 200, answer
    return [row["notes"] for row in answer.data]


def test_open_orders_are_listed_nearest_deadline_first(admin, orders):
    assert names(admin.get(DUE)) == list(DEADLINES_H)
    assert names(admin.get(DUE, due="late")) == ["late", "later"]
    assert names(admin.get(DUE, due="soon")) == ["soon"]


def test_order_without_a_request_has_no_deadline(admin, workshop, orders):
    workshop.make(
        "Order", customer=workshop.customer().pk, material=workshop.material().pk,
        quantity=1, notes="own",
    )  # fmt: skip
    assert set(names(admin.get(DUE))[-2:]) == {"none", "own"}


def test_pages_have_the_counts_of_every_tab(admin, orders):
    answer = admin.get(DUE, limit=2, page=2)
    assert names(answer) == ["soon", "far"]
    assert answer.body["pagination"] == {
        "page": 2,
        "limit": 2,
        "total": 5,
        "totalPages": 3,
        "counts": {"late": 2, "today": 0, "soon": 1, "open": 5, "all": 7},
    }


def test_filters_and_references_are_those_of_the_list(admin, workshop, orders):
    customer = workshop.customer()
    workshop.make(
        "Order", customer=customer.pk, material=workshop.material().pk, quantity=1,
        notes="other",
    )  # fmt: skip
    answer = admin.get(DUE, customer=str(customer.pk), populate="customer")
    assert names(answer) == ["other"]
    assert answer.data[0]["customer"]["name"] == customer.name
    counts = answer.body["pagination"]["counts"]
    assert counts == {"late": 0, "today": 0, "soon": 0, "open": 1, "all": 1}


def test_search_is_that_of_the_list_and_the_tabs_count_what_it_finds(admin, orders):
    answer = admin.get(DUE, search="LATE")
    assert names(answer) == ["late", "later"]
    counts = answer.body["pagination"]["counts"]
    assert counts == {"late": 2, "today": 0, "soon": 0, "open": 2, "all": 2}
    assert names(admin.get(DUE, due="soon", search="late")) == []
    assert names(admin.get(DUE, search="cancelled")) == []  # it is closed


def test_list_and_its_export_have_the_orders_that_are_due(admin, orders):
    for due in ("late", "soon", "open"):
        listed = {row["_id"] for row in admin.get("/api/orders/due", due=due).data}
        assert listed
        assert {row["_id"] for row in admin.get("/api/orders", due=due).data} == listed
        assert {row["_id"] for row in exported_rows(admin, "orders", due=due)} == listed
    assert admin.get("/api/orders", due="someday").status == 400


@pytest.mark.parametrize("zone", ["Asia/Bangkok", "America/St_Johns"])
def test_orders_of_today_are_due_until_midnight_of_the_time_zone(
    admin, make_order, set_policy, clock_at, zone
):
    set_policy(timezone=ZoneInfo(zone))
    now = clock_at(0)
    midnight = calendar.day_start(now, ZoneInfo(zone), 1)
    instant = timedelta(milliseconds=1)
    make_order("tomorrow", midnight)
    make_order("last", midnight - instant)
    make_order("now", now)
    make_order("late", now - instant)
    make_order("cancelled", now, "cancelled")
    answer = admin.get(DUE, due="today")
    assert names(answer) == ["now", "last"]
    counts = answer.body["pagination"]["counts"]
    assert counts == {"late": 1, "today": 2, "soon": 3, "open": 4, "all": 5}
    assert set(names(admin.get("/api/orders", due="today"))) == {"now", "last"}
    assert len(exported_rows(admin, "orders", due="today")) == 2


def test_unknown_due_is_refused(admin):
    assert admin.get(DUE, due="x").faults == {
        "due": "Must be one of: late, today, soon, open."
    }


def test_deadlines_need_the_key_of_requests(client_with_keys):
    assert client_with_keys("orders:view").get(DUE).status == 403
    assert client_with_keys("orders:view", "requests:view").get(DUE).data == []
