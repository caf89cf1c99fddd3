"""An order takes over the panes that were chosen; what is left can be ordered later."""

from functools import partial

import pytest

from concurrency import run_concurrently
from scenarios import order_with_panes


@pytest.fixture
def request_of_four(admin, workshop):
    """The path of a request of four panes without an order, and what an order needs."""
    customer, station = str(workshop.customer().pk), str(workshop.station().pk)
    details = {"type": "a", "quantity": 4}
    panes = [{"routing": [station], "quantity": 4}]
    made = admin.post(
        "/api/requests", {"customer": customer, "details": details, "panes": panes}
    ).data
    order = {
        "request": made["_id"],
        "customer": customer,
        "material": str(workshop.material().pk),
        "quantity": 4,
    }
    return order, [one["_id"] for one in made["panes"]]


def order(api, body, *panes, **values):
    return api.post("/api/orders", {**body, "panes": list(panes), **values})


def orders_of(api, panes):
    return [api.get(f"/api/panes/{one}").data["order"] for one in panes]


def test_an_order_takes_the_chosen_panes_and_the_next_one_the_others(
    admin, request_of_four
):
    body, panes = request_of_four
    first = order(admin, body, panes[0], panes[2], quantity=2)
    assert first.status == 201, first.body
    assert first.data["paneCount"] == 2
    of_first = first.data["_id"]
    assert orders_of(admin, panes) == [of_first, None, of_first, None]
    second = admin.post("/api/orders", {**body, "quantity": 2})
    assert second.data["paneCount"] == 2
    refused = admin.post("/api/orders", body)
    assert (refused.status, refused.errors["code"]) == (400, "NO_PANES_LEFT")
    assert (
        admin.get("/api/orders", request=body["request"]).body["pagination"]["total"]
        == 2
    )
    cancelled = admin.post("/api/orders", {**body, "status": "cancelled"})
    assert cancelled.status == 201, cancelled.body  # it takes over none


def test_panes_that_cannot_be_taken_are_named_and_nothing_is_made(
    admin, request_of_four, workshop
):
    body, panes = request_of_four
    other = order_with_panes(admin, workshop, panes=1)
    admin.patch(f"/api/panes/{panes[3]}", {"currentStatus": "cancelled"})
    for chosen, field in (
        ([panes[0], other.panes[0]["_id"]], "panes.1"),
        ([panes[3]], "panes.0"),
        ([body["customer"]], "panes.0"),
        ([], "panes"),
    ):
        refused = order(admin, body, *chosen)
        assert (refused.status, refused.errors[0]["field"]) == (400, field)
    without = {name: body[name] for name in ("customer", "material", "quantity")}
    assert order(admin, without, panes[0]).errors[0]["field"] == "panes.0"
    assert orders_of(admin, panes) == [None] * 4


def test_a_laminated_pane_is_taken_as_a_whole(admin, request_of_four, workshop):
    body, _ = request_of_four
    press = str(workshop.station(is_laminate_station=True).pk)
    unit = {"routing": [press], "rawGlass": {"sheetsPerPane": 2}, "quantity": 2}
    details = {"type": "a", "quantity": 2}
    made = admin.post(
        "/api/requests",
        {"customer": body["customer"], "details": details, "panes": [unit]},
    ).data
    sheet = next(one for one in made["panes"] if one["laminateRole"] == "sheet")
    made = order(admin, {**body, "request": made["_id"]}, sheet["_id"], quantity=1)
    assert made.data["paneCount"] == 1
    taken = admin.get("/api/panes", order=made.data["_id"]).data
    assert {one["parentPane"] or one["_id"] for one in taken} == {sheet["parentPane"]}
    assert len(taken) == 3


def test_of_two_orders_at_once_each_pane_is_in_one(admin, request_of_four):
    body, panes = request_of_four
    chosen = (panes[:3], panes[1:])
    answers = run_concurrently([partial(order, admin, body, *one) for one in chosen])
    assert sorted(one.status for one in answers) == [201, 400]
    everything = [partial(admin.post, "/api/orders", body)] * 3
    answers = run_concurrently(everything)
    assert sorted(one.status for one in answers) == [201, 400, 400]
    assert None not in orders_of(admin, panes)


def test_a_request_that_never_had_panes_is_ordered_by_its_quantity(
    admin, request_of_four
):
    body, _ = request_of_four
    details = {"type": "a", "quantity": 4}
    empty = admin.post(
        "/api/requests", {"customer": body["customer"], "details": details}
    ).data
    for _ in range(2):
        made = admin.post("/api/orders", {**body, "request": empty["_id"]})
        assert (made.status, made.data["paneCount"]) == (201, 4)
