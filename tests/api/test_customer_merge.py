"""Customers that were entered twice are merged into one, with all that refers to them."""

import pytest
from bson import ObjectId

from glassflow.core.events import event_log
from glassflow.core.process import clock
from glassflow.models.fields import Ref
from glassflow.models.order import Order
from glassflow.models.request import Request
from glassflow.services.records.references import fields_naming
from lookups import dangling_references
from scenarios import order_with_panes

PATH = "/api/customers"
UNKNOWN = "0123456789abcdef01234567"


def merge(api, kept, *others, **options):
    body = {"customers": [str(one) for one in others]}
    return api.post(f"{PATH}/{kept}/merge", body, **options)


@pytest.fixture
def twins(admin, workshop):
    """A customer with a pane's order, and another with one of their own."""
    jobs = [order_with_panes(admin, workshop) for _ in range(2)]
    assert jobs[0].customer != jobs[1].customer
    return jobs


def test_merged_customer_leaves_its_work_to_the_one_that_stays(admin, workshop, twins):
    kept, gone = (job.customer for job in twins)
    third = workshop.customer(phone="02-3").pk
    before = admin.get(f"{PATH}/{kept}").data
    admin.patch(f"{PATH}/{kept}", {"phone": "", "notes": "pays late", "discount": 5})
    admin.patch(f"{PATH}/{gone}", {"phone": "081", "notes": "other", "discount": 9})
    answer = merge(admin, kept, gone, third)
    assert answer.status == 200
    stays = admin.get(f"{PATH}/{kept}").data
    assert answer.data == stays
    assert stays["name"] == before["name"]
    assert (stays["phone"], stays["notes"], stays["discount"]) == (
        "081",
        "pays late",
        5,
    )
    for one in (gone, third):
        assert admin.get(f"{PATH}/{one}").status == 404
    for kind in ("requests", "orders"):
        of_kept = admin.get(f"/api/{kind}", customer=kept).data
        assert len(of_kept) == 2
        moved = next(one for one in of_kept if one["_id"] in ids_of(twins[1]))
        (change,) = admin.get(f"/api/{kind}/{moved['_id']}/history").data[0]["changes"]
        assert change == {"field": "customer", "from": gone, "to": kept}
    assert dangling_references() == []
    # the work goes on as before
    scan = {"action": "scan_in", "station": str(twins[1].stations[0])}
    assert admin.post(f"/api/panes/{twins[1].numbers[0]}/scan", scan).status == 200


def test_merge_fills_tax_data_as_a_whole_and_keeps_all_delivery_addresses(
    admin, workshop
):
    yard, site = {"address": "Yard"}, {"name": "Site", "address": "Rama IX"}
    contractors = admin.post("/api/price-lists", {"name": "contractors"}).data["_id"]
    thai = {"taxId": "0107544000108", "branch": "1", "priceList": contractors}
    lao = {"taxId": "LA 1", "country": "Laos", "contact": "Noy", "email": "a@b.co"}
    bodies = [
        {"deliveryAddresses": [yard]},
        {**thai, "deliveryAddresses": [yard, site]},
        {**lao, "deliveryAddresses": [site]},
    ]
    made = [admin.post(PATH, {"name": "a", **body}).data for body in bodies]
    kept = merge(admin, *(one["_id"] for one in made)).data
    filled = {"branch": "00001", "country": "", "contact": "Noy"}
    assert kept == kept | thai | filled
    assert kept["deliveryAddresses"] == made[1]["deliveryAddresses"]
    # what stays has tax data of its own: a Thai branch does not go to a company in Laos
    other = admin.post(PATH, {"name": "b", "country": "Laos"}).data
    kept = merge(admin, other["_id"], kept["_id"]).data
    assert (kept["taxId"], kept["branch"], kept["country"]) == ("", "", "Laos")
    assert kept["email"] == "a@b.co"


def ids_of(job):
    return {job.request["_id"], job.order["_id"]}


def test_history_of_a_merged_customer_names_the_one_that_stays(admin, twins):
    kept, gone = (job.customer for job in twins)
    assert merge(admin, kept, gone).status == 200
    last = admin.get(f"{PATH}/{gone}/history").data[0]
    assert last["action"] == "deleted"
    into = [one for one in last["changes"] if one["field"] == "replacedBy"]
    assert into == [{"field": "replacedBy", "from": None, "to": kept}]
    shown = admin.get(f"{PATH}/{gone}/history", populate="true").data[0]["changes"]
    assert [one["to"]["_id"] for one in shown if one["field"] == "replacedBy"] == [kept]


def test_every_reference_to_a_customer_is_moved(admin, workshop, twins):
    fields = list(fields_naming("Customer"))
    assert {(model, name) for model, name in fields} >= {
        (Request, "customer"),
        (Order, "customer"),
    }
    kept, gone = (job.customer for job in twins)
    for customer in (kept, gone):
        admin.post("/api/payments", {"customer": customer, "amount": 1})
        for path in ("/api/quotes", "/api/deliveries"):
            made = admin.post(path, {"customer": customer})
            assert made.status == 201
        workshop.make(
            "BillingEntry",
            customer=ObjectId(customer),
            delivery=ObjectId(made.data["_id"]),
            delivered_at=clock.now(),
        )
    assert merge(admin, kept, gone).status == 200
    for model, name in fields:
        assert isinstance(model._fields[name], Ref), "a list needs other code"
        found = [str(one[name]) for one in model.objects]
        assert gone not in found
        assert kept in found


def test_each_moved_record_has_its_event(admin, app, twins):
    kept, gone = (job.customer for job in twins)
    app.extensions["realtime"].flush()
    before = event_log.last()
    assert merge(admin, kept, gone).status == 200
    app.extensions["realtime"].flush()
    told = [
        (event["event"], event["data"]["data"]["_id"])
        for event in admin.get("/api/events", after=before).data
    ]
    moved = twins[1]
    assert sorted(told) == [
        ("order:updated", moved.order["_id"]),
        ("request:updated", moved.request["_id"]),
    ]


@pytest.mark.parametrize(
    ("others", "status"),
    [
        (["itself"], 400),
        (["other", "itself"], 400),
        (["other", "other"], 400),
        ([], 400),
        ([UNKNOWN], 404),
        (["other", UNKNOWN], 404),
    ],
)
def test_refused_merge_changes_nothing(admin, twins, others, status):
    kept, gone = (job.customer for job in twins)
    before = [admin.get(path).data for path in (PATH, "/api/orders", "/api/requests")]
    ids = [{"itself": kept, "other": gone}.get(one, one) for one in others]
    answer = merge(admin, kept, *ids)
    assert answer.status == status
    if status == 400:
        assert list(answer.faults) == ["customers"]
    assert merge(admin, UNKNOWN, gone).status == 404
    stale = merge(admin, kept, gone, headers={"If-Match": '"99"'})
    assert stale.status == 412
    after = [admin.get(path).data for path in (PATH, "/api/orders", "/api/requests")]
    assert before == after


def test_merge_needs_the_keys_of_all_that_it_changes(client_with_keys, twins):
    kept, gone = (job.customer for job in twins)
    keys = ["customers:manage", "requests:manage", "orders:manage"]
    for missing in keys:
        held = [one for one in keys if one != missing]
        assert merge(client_with_keys(*held), kept, gone).status == 403
    assert merge(client_with_keys(*keys), kept, gone).status == 200


@pytest.mark.slow
def test_customer_with_a_thousand_requests_is_merged(admin, workshop):
    kept, gone = (workshop.customer().pk for _ in range(2))
    rows = [Request(customer=gone, details={}, version=1) for _ in range(1000)]
    Request.collection().insert_many([dict(one.to_mongo()) for one in rows])
    assert merge(admin, kept, gone).status == 200
    assert Request.objects(customer=kept).count() == 1000
