"""Twenty equal requests at once: one does it, the others are told that it is done."""

from functools import partial

import pytest

from billing_scenarios import PATH as ENTRIES
from billing_scenarios import PRICES, bill, deliver, entry_of, finished
from concurrency import run_concurrently
from lookups import dangling_references
from mailed_quotes import sent_quote
from scenarios import order_with_panes

pytestmark = [pytest.mark.long, pytest.mark.slow]
QUOTES, DELIVERIES = "/api/quotes", "/api/deliveries"


def of_a_quote(action, body=None):
    def prepare(admin, workshop):
        return "POST", f"{QUOTES}/{sent_quote(admin, workshop)['_id']}/{action}", body

    return prepare


def accept_with_order(admin, workshop):
    body = {"order": {"material": str(workshop.material().pk)}}
    return of_a_quote("accept", body)(admin, workshop)


def hand_over(admin, workshop):
    job = finished(admin, workshop)
    body = {"customer": job.customer, "panes": [one["_id"] for one in job.panes]}
    planned = admin.post(DELIVERIES, body).data
    done = {"paneNumbers": job.numbers, "receivedBy": "สมชาย"}
    return "POST", f"{DELIVERIES}/{planned['_id']}/hand-over", done


def undo_hand_over(admin, workshop):
    done = deliver(admin, finished(admin, workshop), 0)
    return "POST", f"{DELIVERIES}/{done['_id']}/undo", {}


def bill_entry(admin, workshop):
    entry = entry_of(admin, deliver(admin, finished(admin, workshop), 0))
    return "POST", f"{ENTRIES}/bill", {"ids": [entry["_id"]], "invoiceNumber": "INV-1"}


def unbill_entry(admin, workshop):
    entry = entry_of(admin, deliver(admin, finished(admin, workshop), 0))
    assert bill(admin, entry).status == 200
    return "POST", f"{ENTRIES}/unbill", {"ids": [entry["_id"]]}


def restore(admin, workshop):
    path = f"/api/customers/{workshop.customer().pk}"
    assert admin.delete(path).status == 200
    return "POST", f"{path}/restore", {}


def delete_many(admin, workshop):
    ids = [str(workshop.customer().pk) for _ in range(10)]
    return "DELETE", "/api/customers", {"ids": ids}


def set_order(status):
    def prepare(admin, workshop):
        path = f"/api/orders/{order_with_panes(admin, workshop).order['_id']}"
        if status != "cancelled":
            assert admin.patch(path, {"status": "cancelled"}).status == 200
        return "PATCH", path, {"status": status}

    return prepare


@pytest.mark.parametrize(
    ("prepare", "answers"),
    [
        (of_a_quote("link"), [200] * 20),  # the last link is the one that opens
        (of_a_quote("accept", {}), [200] + [409] * 19),
        (accept_with_order, [200] + [409] * 19),
        (of_a_quote("revise"), [201] + [409] * 19),
        (hand_over, [200] + [409] * 19),
        (undo_hand_over, [200] + [409] * 19),
        (bill_entry, [200] + [409] * 19),
        (unbill_entry, [200] * 20),  # a repetition changes nothing
        (restore, [201] + [409] * 19),
        (delete_many, [200] + [404] * 19),
        (set_order("cancelled"), [200] * 20),
        (set_order("pending"), [200] * 20),
    ],
)
def test_equal_requests_at_once(admin, admin_clients, workshop, prepare, answers):
    assert admin.put("/api/pricing-settings", PRICES).status == 200
    method, path, body = prepare(admin, workshop)
    replies = run_concurrently(
        partial(api.call, method, path, json=body) for api in admin_clients
    )
    assert sorted(one.status for one in replies) == answers, replies
    assert dangling_references() == []
