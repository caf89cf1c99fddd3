"""A pane has its price: from the agreement on, wherever it goes, until it is charged."""

from functools import partial

import pytest

from billing_scenarios import (
    PANE,
    PATH,
    PRICES,
    bill,
    deliver,
    entry_of,
    finished,
    hand_over,
)
from concurrency import run_concurrently
from scenarios import claim_pane, order_with_units, pass_station

REMAKE = {"status": "approved", "decision": "destroy", "remake": True}
NO_REMAKE = {**REMAKE, "remake": False}


@pytest.fixture(autouse=True)
def _prices(admin):
    assert admin.put("/api/pricing-settings", PRICES).status == 200


@pytest.fixture
def job(admin, workshop):
    """An order of five finished panes, agreed at 2,368.05 baht: 473.61 each."""
    return finished(admin, workshop, agreed=2368.05, panes=5)


def prices(admin, request):
    rows = admin.get("/api/panes", request=request, sort="paneNumber").data
    return [one["agreedPrice"] for one in rows]


def request_of(admin, job):
    return admin.get(f"/api/requests/{job.request['_id']}").data


def agreed(admin, job):
    return request_of(admin, job)["details"]["estimatedPrice"]


def price_of(admin, number):
    return admin.get(f"/api/panes/{number}").data["agreedPrice"]


def cancel(admin, job, index):
    pane = job.panes[index]["_id"]
    answer = admin.patch(f"/api/panes/{pane}", {"currentStatus": "cancelled"})
    assert answer.status == 200, answer.body


def remake(admin, job, index, **decision):
    claim = claim_pane(admin, job.panes[index]["paneNumber"]).data
    answer = admin.patch(f"/api/claims/{claim['_id']}", {**REMAKE, **decision})
    assert answer.status == 200, answer.body
    return answer.data["remadePane"]


def charge_lost(admin, job, *indices, reason="ตัดแล้ว"):
    panes = [job.panes[one]["_id"] for one in indices]
    return admin.post(PATH, {"panes": panes, "reason": reason})


def accepted(admin, workshop, rows, **values):
    """A request of a quote that is sent and accepted."""
    body = {"customer": str(workshop.customer().pk), "panes": rows, **values}
    made = admin.post("/api/quotes", body)
    assert made.status == 201, made.body
    path = f"/api/quotes/{made.data['_id']}"
    assert admin.post(f"{path}/send", {}).status == 200
    answer = admin.post(f"{path}/accept", {})
    assert answer.status == 200, answer.body
    return made.data, answer.data["request"]


def test_panes_of_a_quote_have_its_rows_prices_with_their_share_of_the_rest(
    admin, workshop
):
    rows = [{**PANE, "unitPrice": 5000}, {**PANE, "quantity": 3}]
    quote, request = accepted(admin, workshop, rows)
    assert prices(admin, request) == [5000, 1000, 1000, 1000]
    assert quote["amount"] == 8000
    quote, request = accepted(admin, workshop, rows, discountPercent=12.345)
    found = prices(admin, request)
    assert round(sum(found), 2) == quote["amount"] == 7012.4
    assert found == [4382.75, 876.55, 876.55, 876.55]


def test_a_free_quote_makes_free_panes_and_no_entry(admin, workshop):
    for free in ({"discountPercent": 100}, {}):
        row = {**PANE, "routing": [], **({} if free else {"unitPrice": 0})}
        _, request = accepted(admin, workshop, [{**row, "quantity": 2}], **free)
        assert prices(admin, request) == [0, 0]
        panes = admin.get("/api/panes", request=request).data
        customer = admin.get(f"/api/requests/{request}").data["customer"]
        delivered = hand_over(admin, customer, panes)
        assert admin.get(PATH, delivery=delivered["_id"]).data == []


@pytest.mark.parametrize("order", ["before", "between", "after"])
def test_a_cancelled_pane_takes_its_price_with_it(admin, workshop, order):
    """Whether it is cancelled before, between or after the deliveries of the others."""
    job = finished(admin, workshop, agreed=0, panes=3)
    extra = add_panes(admin, job, 2)
    share(admin, job, 2368.05)
    charged = []

    def cancel_extra():
        for one in extra:
            admin.patch(f"/api/panes/{one['_id']}", {"currentStatus": "cancelled"})

    steps = [partial(charged_with, admin, job, charged, *one) for one in ([0], [1, 2])]
    steps.insert(["before", "between", "after"].index(order), cancel_extra)
    for step in steps:
        step()
    assert charged == [473.61, 947.22]
    assert agreed(admin, job) == 1420.83


def charged_with(admin, job, charged, *panes):
    charged.append(entry_of(admin, deliver(admin, job, *panes))["net"])


def add_panes(admin, job, count):
    path = f"/api/requests/{job.request['_id']}/panes"
    route = {"routing": job.stations}
    added = admin.post(path, {"panes": [{**PANE, **route, "quantity": count}]})
    assert added.status == 201, added.body
    return added.data["panes"]


def share(admin, job, amount):
    path = f"/api/requests/{job.request['_id']}"
    return admin.patch(path, {"details": {"estimatedPrice": amount}})


def test_added_panes_are_charged_what_they_cost(admin, workshop):
    job = finished(admin, workshop, agreed=1500, panes=2)
    added = add_panes(admin, job, 1)
    assert (added[0]["agreedPrice"], agreed(admin, job)) == (1000, 2500)
    pass_station(admin, added[0]["paneNumber"], job.stations[0])
    job.panes.append(added[0])
    entry = entry_of(admin, deliver(admin, job, 0, 1, 2))
    assert (entry["net"], entry["unpricedPanes"]) == (2500, 0)
    # it keeps that price, and so does the request
    assert price_of(admin, added[0]["paneNumber"]) == 1000
    assert agreed(admin, job) == 2500


def test_another_price_is_shared_out_among_the_panes_that_are_not_handed_over(
    admin, job
):
    charged = []
    charged_with(admin, job, charged, 0)
    answer = share(admin, job, 3000)
    assert [one["field"] for one in answer.body["warnings"]] == [
        "details.estimatedPrice"
    ] * 2
    assert "2,526.39" in answer.body["warnings"][0]["message"]
    assert "473.61" in answer.body["warnings"][1]["message"]
    charged_with(admin, job, charged, 1, 2, 3, 4)
    assert charged == [473.61, 2526.39]
    # nothing is open: less is no price any more, and more waits for panes
    assert share(admin, job, 2000).data["details"]["estimatedPrice"] == 3000
    raised = share(admin, job, 3500).data
    assert raised["unsharedPrice"] == 500
    added = add_panes(admin, job, 2)
    assert [one["agreedPrice"] for one in added] == [250, 250]


def test_0_is_no_agreement_where_nothing_was_agreed_and_free_where_something_was(
    admin, job, workshop
):
    assert share(admin, job, 0).data["details"]["estimatedPrice"] == 0
    assert prices(admin, job.request["_id"]) == [0] * 5
    unpriced = finished(admin, workshop, agreed=0, panes=1)
    assert prices(admin, unpriced.request["_id"]) == [None]
    assert entry_of(admin, deliver(admin, unpriced, 0))["net"] == 1000


def test_a_price_without_panes_waits_and_is_taken_by_those_that_come(admin, workshop):
    customer = str(workshop.customer().pk)
    details = {"type": "a", "quantity": 3, "estimatedPrice": 1000}
    request = admin.post("/api/requests", {"customer": customer, "details": details})
    request = request.data["_id"]
    path = f"/api/requests/{request}"
    made = run_concurrently(
        [partial(admin.post, "/api/panes", {**PANE, "request": request})] * 2
    )
    assert [one.status for one in made] == [201, 201]
    assert sorted(prices(admin, request)) == [333.33, 333.34]
    assert admin.get(path).data["unsharedPrice"] == 333.33
    moved = admin.post("/api/panes", PANE).data
    admin.patch(f"/api/panes/{moved['_id']}", {"request": request})
    assert round(sum(prices(admin, request)), 2) == 1000
    assert admin.get(path).data["details"]["estimatedPrice"] == 1000
    more = admin.post("/api/panes", {**PANE, "request": request}).data
    assert more["agreedPrice"] == 1000
    assert admin.get(path).data["details"]["estimatedPrice"] == 2000


def test_a_remake_takes_the_price_over_and_gives_it_back(admin, workshop):
    job = order_with_units(admin, workshop, before=0, after=0, count=1)
    share(admin, job, 900)
    single = finished(admin, workshop, agreed=500, panes=1)
    number = single.numbers[0]
    admin.patch(f"/api/panes/{single.panes[0]['_id']}", {"currentStatus": "pending"})
    assert job.sheets[0]
    sheets = admin.get("/api/panes", request=job.request["_id"]).data
    by_role = {one["laminateRole"]: one["agreedPrice"] for one in sheets}
    assert by_role == {"parent": 900, "sheet": None}
    made = remake(admin, single, 0)
    assert price_of(admin, made) == 500
    assert agreed(admin, single) == 500
    assert number != made


def test_a_failed_check_that_is_undone_brings_the_price_back(admin, workshop):
    job = finished(admin, workshop, agreed=500, panes=1)
    pane, station = job.panes[0], job.stations[0]
    correction = {"currentStatus": "pending", "currentStation": station}
    admin.patch(f"/api/panes/{pane['_id']}", correction)
    number = pane["paneNumber"]
    admin.scan(number, "complete", station=station)
    failed = admin.scan(number, "qc_fail", station=station, reason="scratch")
    assert failed.status == 200, failed.body
    assert failed.data["remadePane"]["agreedPrice"] == 500
    share(admin, job, 600)
    assert admin.post(f"/api/panes/{number}/undo", {}).status == 200
    assert (price_of(admin, number), agreed(admin, job)) == (600, 600)


def test_undoing_a_hand_over_gives_the_price_to_the_remake(admin, job):
    delivered = deliver(admin, job, 0)
    made = admin.get(f"/api/panes/{remake(admin, job, 0)}").data
    assert (made["agreedPrice"], agreed(admin, job)) == (0, 2368.05)
    path = f"/api/deliveries/{delivered['_id']}/undo"
    assert admin.post(path, {}).status == 200
    assert price_of(admin, made["paneNumber"]) == 473.61
    assert agreed(admin, job) == 2368.05


def test_a_hand_over_stays_once_the_remake_was_handed_over_too(admin, job):
    delivered = deliver(admin, job, 0)
    made = admin.get(f"/api/panes/{remake(admin, job, 0)}").data
    pass_station(admin, made["paneNumber"], job.stations[0])
    job.panes.append(made)
    deliver(admin, job, 5)
    shown = admin.get(f"/api/requests/{job.request['_id']}/agreed-price").data
    assert shown["open"] == {"count": 4, "price": "1894.44"}  # the free one is done
    refused = admin.post(f"/api/deliveries/{delivered['_id']}/undo", {})
    assert (refused.status, refused.body["errors"]["code"]) == (409, "REMAKE_DELIVERED")
    assert refused.body["errors"]["remake"] == made["paneNumber"]


def test_a_lost_pane_is_charged_nevertheless_by_an_entry_of_its_own(admin, job):
    reopen = {"currentStatus": "pending", "currentStation": job.stations[0]}
    admin.patch(f"/api/panes/{job.panes[0]['_id']}", reopen)
    cancel(admin, job, 0)
    remake(admin, job, 1, remake=False)
    assert agreed(admin, job) == 1420.83
    path = f"/api/requests/{job.request['_id']}/agreed-price"
    lost = admin.get(path).data["lost"]
    assert (lost["count"], lost["price"]) == (2, "947.22")
    made = charge_lost(admin, job, 0, 1)
    assert made.status == 201, made.body
    entry = made.data
    assert (entry["net"], entry["paneCount"], entry["delivery"]) == (947.22, 2, None)
    assert entry["reason"] == "ตัดแล้ว"
    assert agreed(admin, job) == 2368.05
    shown = admin.get(path).data
    assert (shown["total"], shown["charged"]) == ("2368.05", "947.22")
    assert shown["open"] == {"count": 3, "price": "1420.83"}
    assert shown["lost"]["count"] == 0
    assert [one["reason"] for one in shown["charges"]] == ["ตัดแล้ว"]
    again = charge_lost(admin, job, 1)
    reasons = [one["reason"] for one in again.body["errors"]["panes"]]
    assert (again.status, reasons) == (409, ["charged"])
    # the customer wants it after all: it is charged once
    admin.patch(f"/api/panes/{job.panes[0]['_id']}", reopen)
    pass_station(admin, job.numbers[0], job.stations[0])
    assert entry_of(admin, deliver(admin, job, 0, 2))["net"] == 473.61
    refused = admin.post(f"{PATH}/{entry['_id']}/unbill", {})
    assert refused.status == 404
    voided = admin.post(f"{PATH}/{entry['_id']}/void", {})
    assert (voided.status, voided.data["status"]) == (200, "void")
    assert voided.data["net"] == 0


def test_only_what_is_lost_is_charged_without_a_delivery(admin, job, workshop):
    replaced = finished(admin, workshop, agreed=100, panes=1)
    remake(admin, replaced, 0)
    unpriced = finished(admin, workshop, agreed=0, panes=1)
    remake(admin, unpriced, 0, remake=False)
    for of, reason in ((job, "live"), (replaced, "replaced"), (unpriced, "no_price")):
        refused = charge_lost(admin, of, 0)
        found = refused.body["errors"]["panes"][0]["reason"]
        assert (refused.status, found) == (409, reason)
    delivered = entry_of(admin, deliver(admin, job, 0))
    refused = admin.post(f"{PATH}/{delivered['_id']}/void", {})
    assert refused.body["errors"]["code"] == "ENTRY_OF_DELIVERY"
    for index in (1, 2):
        remake(admin, job, index, remake=False)
    replies = run_concurrently([partial(charge_lost, admin, job, 1, 2)] * 2)
    assert sorted(one.status for one in replies) == [201, 409]
    [made] = [one.data for one in replies if one.status == 201]
    bill(admin, made)
    refused = admin.post(f"{PATH}/{made['_id']}/void", {})
    assert refused.body["errors"]["code"] == "ALREADY_BILLED"


def test_cancelling_an_order_and_taking_it_back_keeps_the_prices(admin, workshop):
    job = finished(admin, workshop, agreed=0, panes=1)
    add = {**PANE, "routing": job.stations, "quantity": 2}
    body = {"panes": [add], "order": job.order["_id"]}
    path = f"/api/requests/{job.request['_id']}"
    assert admin.post(f"{path}/panes", body).status == 201
    share(admin, job, 900)
    for work in (f"/api/orders/{job.order['_id']}", path):
        assert admin.get(f"{work}/cancellation").data["price"] == "600.00"
        assert admin.patch(work, {"status": "cancelled"}).status == 200
        assert agreed(admin, job) == 300
        assert admin.patch(work, {"status": "pending"}).status == 200
        assert agreed(admin, job) == 900


def test_prices_of_panes_are_hidden_from_callers_without_a_key(
    admin, job, client_with_keys
):
    reader = client_with_keys("panes:view", "requests:view", "orders:view")
    pane = reader.get(f"/api/panes/{job.numbers[0]}").data
    assert "agreedPrice" not in pane
    request = reader.get(f"/api/requests/{job.request['_id']}").data
    assert "unsharedPrice" not in request
    assert "estimatedPrice" not in request["details"]
    path = f"/api/requests/{job.request['_id']}"
    assert reader.get(f"{path}/agreed-price").status == 403
    assert reader.get(f"{path}/cancellation").data["price"] is None
    assert reader.get("/api/panes", sort="agreedPrice").status == 403
    rows = reader.get(f"/api/panes/{job.panes[0]['_id']}/history").data
    assert "agreedPrice" not in str(rows)
    # a price is no text that a search finds, and hides none
    assert admin.get("/api/panes", search="473.61").data == []
    assert reader.get("/api/panes", search=job.numbers[0]).data


def test_changes_and_hand_overs_at_once_charge_each_pane_once(admin, workshop):
    job = finished(admin, workshop, agreed=3000, panes=3)
    run_concurrently(
        [
            partial(deliver, admin, job, 0),
            partial(deliver, admin, job, 1),
            partial(share, admin, job, 6000),
            partial(remake, admin, job, 2, remake=False),
        ]
    )
    shown = admin.get(f"/api/requests/{job.request['_id']}/agreed-price").data
    entries = admin.get(PATH).data
    nets = round(sum(one["net"] for one in entries), 2)
    assert float(shown["charged"]) == nets
    lines = [line["pane"] for one in entries for line in one["parts"][0]["panes"]]
    assert sorted(lines) == sorted(one["_id"] for one in job.panes[:2])
    parts = (shown["charged"], shown["open"]["price"], shown["waiting"])
    assert round(sum(map(float, parts)), 2) == float(shown["total"])
