"""A change of a request after a price was agreed: one act, with what it costs."""

from functools import partial

import pytest

from api.test_labels import TEMPLATE
from billing_scenarios import PANE, PRICES, deliver, entry_of, finished
from concurrency import run_concurrently
from scenarios import order_with_panes, order_with_units, pass_station

WIDER = {"dimensions": {"width": 2 * 929.03}}  # 20 ft²: 2,000 baht, 1,000 more


@pytest.fixture(autouse=True)
def _prices(admin):
    assert admin.put("/api/pricing-settings", PRICES).status == 200


@pytest.fixture
def job(admin, workshop):
    """An order of three panes that are not begun, agreed at 3,600 baht: 1,200 each."""
    made = order_with_panes(admin, workshop, steps=1, panes=3, pane=PANE)
    details = {"estimatedPrice": 3600}
    admin.patch(f"/api/requests/{made.request['_id']}", {"details": details})
    return made


def path_of(job):
    return f"/api/requests/{job.request['_id']}/changes"


def ids(job, *indices):
    return [job.panes[one]["_id"] for one in indices]


def change(api, job, **body):
    return api.post(path_of(job), {"reason": "ลูกค้าโทรมา", **body})


def request_of(api, job):
    return api.get(f"/api/requests/{job.request['_id']}").data


def prices(api, job):
    rows = api.get("/api/panes", request=job.request["_id"], sort="paneNumber").data
    return {
        one["paneNumber"]: one["agreedPrice"]
        for one in rows
        if one["currentStatus"] != "cancelled"
    }


def messages(answer):
    return " | ".join(one["message"] for one in answer.body.get("warnings", ()))


def test_a_change_is_one_act_with_its_price_and_is_kept_with_the_request(admin, job):
    body = {
        "add": [{**PANE, "quantity": 2}],
        "order": job.order["_id"],
        "cancel": ids(job, 0),
        "change": [{"panes": ids(job, 1), "values": WIDER}],
        "deadline": "2026-12-24T10:00:00Z",
    }
    before = admin.get("/api/panes", request=job.request["_id"]).data
    # a key would keep what is stored in its transaction: a preview stores nothing
    key = {"Idempotency-Key": "preview"}
    shown = admin.call("POST", f"{path_of(job)}/preview", json=body, headers=key)
    assert shown.status == 200, shown.body
    assert admin.get("/api/panes", request=job.request["_id"]).data == before
    assert request_of(admin, job)["changes"] == []

    done = change(admin, job, **body)
    assert done.status == 201, done.body
    assert len(done.data["panes"]) == 2
    # 3,600 and 2,000 for two new panes, 1,000 for the wider one, 1,200 less
    assert request_of(admin, job)["details"]["estimatedPrice"] == 5400
    assert "+1,800.00" in messages(done)
    assert "+1,800.00" in messages(shown)
    numbers = [one["paneNumber"] for one in done.data["panes"]]
    assert prices(admin, job) == {
        job.numbers[1]: 2200,
        job.numbers[2]: 1200,
        numbers[0]: 1000,
        numbers[1]: 1000,
    }
    [kept] = request_of(admin, job)["changes"]
    told = {"number": 1, "before": 3600, "after": 5400, "reason": "ลูกค้าโทรมา"}
    assert kept.items() >= told.items()
    assert kept["by"]
    by_kind = {one["kind"]: one for one in kept["lines"]}
    assert by_kind["added"]["panes"] == numbers
    assert by_kind["added"]["difference"] == 2000
    assert by_kind["cancelled"]["difference"] == -1200
    [field] = by_kind["changed"]["fields"]
    assert (field["from"]["width"], field["to"]["width"]) == (929.03, 2 * 929.03)
    preview = {**shown.data["change"], "reason": kept["reason"]}
    assert [one["difference"] for one in preview["lines"]] == [
        one["difference"] for one in kept["lines"]
    ]
    request = request_of(admin, job)
    assert request["deadline"].startswith("2026-12-24")
    assert request["details"]["quantity"] == 5
    order = admin.get(f"/api/orders/{job.order['_id']}").data
    assert order["paneCount"] == 4


def test_a_quote_prices_what_changes_by_its_terms(admin, workshop):
    rows = [
        {**PANE, "quantity": 2},
        {**PANE, "unitPrice": 5000},
    ]
    body = {"customer": str(workshop.customer().pk), "panes": rows}
    quote = admin.post("/api/quotes", {**body, "discountPercent": 10}).data
    assert admin.post(f"/api/quotes/{quote['_id']}/send", {}).status == 200
    accepted = admin.post(f"/api/quotes/{quote['_id']}/accept", {}).data
    request = f"/api/requests/{accepted['request']}"
    dearer = {"Clear": {"6mm": {"pricePerSqFt": 300, "grindingRate": 0}}}
    admin.put("/api/pricing-settings", {"glassPrices": dearer})
    [agreed] = [
        one
        for one in admin.get("/api/panes", request=accepted["request"]).data
        if one["agreedPrice"] == 4500
    ]
    wider = {"panes": [agreed["_id"]], "values": WIDER}
    done = admin.post(
        f"{request}/changes", {"add": [PANE], "change": [wider], "reason": "a"}
    )
    assert done.status == 201, done.body
    assert done.data["details"]["estimatedPrice"] == 2 * 900 + 4500 + 900 + 900
    assert admin.get(f"/api/panes/{agreed['_id']}").data["agreedPrice"] == 5400


def test_a_change_by_single_requests_has_the_same_price_and_is_kept_too(admin, job):
    added = admin.post(f"/api/requests/{job.request['_id']}/panes", {"panes": [PANE]})
    assert "+1,000.00" in messages(added)
    wider = admin.patch(f"/api/panes/{ids(job, 0)[0]}", WIDER)
    assert "+1,000.00" in messages(wider)
    reason = {"correctionReason": "ลูกค้ายกเลิก"}
    gone = {"currentStatus": "cancelled", **reason}
    back = {"currentStatus": "pending", "currentStation": job.stations[0]}
    cancelled = admin.patch(f"/api/panes/{ids(job, 1)[0]}", gone)
    assert "\u22121,200.00" in messages(cancelled)
    assert "+1,200.00" in messages(admin.patch(f"/api/panes/{ids(job, 1)[0]}", back))
    posted = {**PANE, "request": job.request["_id"]}
    assert "+1,000.00" in messages(admin.post("/api/panes", posted))
    request = request_of(admin, job)
    assert request["details"]["estimatedPrice"] == 6600
    kinds = [one["kind"] for each in request["changes"] for one in each["lines"]]
    assert kinds == ["added", "changed", "cancelled", "restored", "added"]
    assert request["changes"][2]["reason"] == "ลูกค้ายกเลิก"
    for one, after in zip(
        request["changes"], (4600, 5600, 4400, 5600, 6600), strict=True
    ):
        assert one["after"] == after


def test_a_caller_who_is_not_shown_prices_reads_no_amount(job, client_with_keys):
    floor = client_with_keys("panes:manage", "requests:view")
    answer = floor.patch(f"/api/panes/{ids(job, 0)[0]}", WIDER)
    assert answer.status == 200
    assert messages(answer) == ""
    assert "changes" not in request_of(floor, job)


def test_what_is_not_priced_keeps_its_price_and_says_so(admin, job, workshop):
    unknown = {"rawGlass": {"glassType": "Ice"}}
    done = change(
        admin,
        job,
        add=[{**PANE, **unknown}],
        change=[{"panes": ids(job, 0), "values": unknown}],
    )
    assert done.data["details"]["estimatedPrice"] == 3600
    assert job.numbers[0] in messages(done)
    # without any agreement panes have no price before they are handed over
    plain = order_with_panes(admin, workshop, steps=1, panes=1, pane=PANE)
    done = change(
        admin, plain, add=[PANE], change=[{"panes": ids(plain, 0), "values": WIDER}]
    )
    assert set(prices(admin, plain).values()) == {None}
    assert len(request_of(admin, plain)["changes"]) == 1


def test_cancelled_panes_are_charged_nevertheless_if_that_is_wanted(
    admin, job, client_with_keys
):
    done = change(admin, job, cancel=ids(job, 0, 1), charge=True)
    assert done.status == 201, done.body
    assert done.data["details"]["estimatedPrice"] == 3600
    [entry] = admin.get("/api/billing-entries").data
    assert (entry["net"], entry["reason"]) == (2400, "ลูกค้าโทรมา")
    office = client_with_keys("requests:manage", "panes:manage")
    assert change(office, job, cancel=ids(job, 2), charge=True).status == 403
    assert change(office, job, cancel=ids(job, 2)).status == 201


def test_begun_panes_and_old_labels_are_named(admin, job):
    assert admin.post("/api/sticker-templates", TEMPLATE).status == 201
    admin.scan(job.numbers[0], "start", station=job.stations[0])
    labels = {"panes": [job.numbers[1]]}
    assert admin.post("/api/labels/print", labels).status in (200, 201)
    done = change(admin, job, change=[{"panes": ids(job, 0, 1), "values": WIDER}])
    assert request_of(admin, job)["changes"][0]["begun"] == [job.numbers[0]]
    said = [one["message"] for one in done.body["warnings"]]
    assert any(job.numbers[0] in one for one in said)
    assert any(job.numbers[1] in one for one in said)


def test_a_laminated_pane_changes_and_goes_with_its_sheets(admin, workshop):
    job = order_with_units(admin, workshop, before=1, after=0, count=2)
    request = job.request["_id"]
    admin.patch(f"/api/requests/{request}", {"details": {"estimatedPrice": 2000}})
    parents = [
        one
        for one in admin.get("/api/panes", request=request, sort="paneNumber").data
        if one["laminateRole"] == "parent"
    ]
    wider = {"panes": [parents[0]["_id"]], "values": WIDER}
    done = change(admin, job, change=[wider], cancel=[parents[1]["_id"]])
    assert done.status == 201, done.body
    rows = admin.get("/api/panes", request=request).data
    of_first = [
        one for one in rows if parents[0]["_id"] in (one["_id"], one["parentPane"])
    ]
    assert {one["dimensions"]["width"] for one in of_first} == {2 * 929.03}
    of_second = [
        one for one in rows if parents[1]["_id"] in (one["_id"], one["parentPane"])
    ]
    assert {one["currentStatus"] for one in of_second} == {"cancelled"}
    order = admin.get(f"/api/orders/{job.order['_id']}").data
    assert order["paneCount"] == 1
    sheet = next(one for one in of_first if one["laminateRole"] == "sheet")
    refused = change(admin, job, cancel=[sheet["_id"]])
    assert refused.errors["code"] == "SHEET_OF_UNIT"
    admin.scan(sheet["paneNumber"], "start", station=sheet["currentStation"])
    refused = change(admin, job, cancel=[parents[0]["_id"]])
    assert (refused.status, refused.errors["code"]) == (400, "UNIT_BEGUN")
    assert refused.errors["panes"] == [sheet["paneNumber"]]


def test_one_wrong_part_stores_nothing(admin, job, workshop):
    other = order_with_panes(admin, workshop, steps=1, panes=1, pane=PANE)
    pass_station(admin, job.numbers[2], job.stations[0])
    handed = deliver(admin, job, 2)
    for body, status, told in (
        ({"cancel": ids(job, 0) + ids(other, 0)}, 400, "cancel.1"),
        (
            {
                "cancel": ids(job, 0),
                "change": [{"panes": ids(job, 0), "values": WIDER}],
            },
            400,
            "change.0.panes.0",
        ),
        ({"add": [PANE], "cancel": ids(job, 2)}, 409, handed["deliveryNumber"]),
        (
            {"change": [{"panes": ids(job, 0, 2), "values": WIDER}]},
            409,
            handed["deliveryNumber"],
        ),
        ({"cancel": ids(job, 0), "reason": " "}, 400, "reason"),
        ({"reason": "a"}, 400, ""),
        ({"add": [PANE], "order": other.order["_id"]}, 400, "order"),
        ({"add": [{**PANE, "quantity": 501}]}, 400, "panes"),
    ):
        before = request_of(admin, job)
        refused = change(admin, job, **body)
        assert refused.status == status, refused.body
        assert told in str(refused.body)
        assert request_of(admin, job) == before
    assert entry_of(admin, handed)["net"] == 1200


def test_a_change_and_a_hand_over_at_once_are_one_after_the_other(admin, workshop):
    job = finished(admin, workshop, agreed=3600, panes=3)
    body = {"customer": job.customer, "panes": ids(job, 0, 1, 2)}
    planned = admin.post("/api/deliveries", body).data["_id"]
    handed, changed = run_concurrently(
        [
            partial(
                admin.post,
                f"/api/deliveries/{planned}/hand-over",
                {"paneNumbers": job.numbers, "receivedBy": "a"},
            ),
            partial(change, admin, job, add=[PANE]),
        ]
    )
    assert (handed.status, changed.status) == (200, 201)
    [entry] = admin.get("/api/billing-entries").data
    assert entry["net"] == 3600
    assert request_of(admin, job)["details"]["estimatedPrice"] == 4600


def test_two_changes_at_once_are_both_kept(admin, job):
    answers = run_concurrently(
        [partial(change, admin, job, cancel=ids(job, one)) for one in (0, 1)]
        + [partial(change, admin, job, cancel=ids(job, 0))]
    )
    assert sorted(one.status for one in answers) == [201, 201, 409]
    request = request_of(admin, job)
    assert request["details"]["estimatedPrice"] == 1200
    assert [one["number"] for one in request["changes"]] == [1, 2]
