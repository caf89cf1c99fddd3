"""Confirmations of requests: what the customer confirms is what is made and charged."""

from functools import partial

import pypdfium2
import pytest
from bson import ObjectId

from api.test_offers import make_link
from api.test_offers import read as read_offer
from api.test_quotes import PANE, PRICES
from concurrency import run_concurrently

QUOTES = "/api/quotes"
PATH = f"{QUOTES}/confirmations"
HOLE = {"id": "h1", "type": "circle", "x": 60, "y": 170, "diameter": 20}
LARGER = {**PANE["dimensions"], "width": 1486.448}  # 8 ft²


@pytest.fixture(autouse=True)
def _prices(admin):
    assert admin.put("/api/pricing-settings", PRICES).status == 200


@pytest.fixture
def job(admin, workshop):
    """The request of an accepted quote: two panes at 400 and one agreed at 1,000 baht."""
    customer = str(workshop.customer(name="Aek").pk)
    panes = [{**PANE, "quantity": 2}, {**PANE, "holes": [HOLE], "unitPrice": 1000}]
    values = {"project": "Lobby", "leadTime": "7 days", "conditions": "cash"}
    body = {"customer": customer, "panes": panes, **values}
    quote = f"{QUOTES}/{admin.post(QUOTES, body).data['_id']}"
    assert admin.post(f"{quote}/send", {}).status == 200
    return admin.get(f"/api/requests/{admin.post(f'{quote}/accept', {}).data['request']}").data  # fmt: skip


def panes_of(admin, job):
    return admin.get("/api/panes", request=job["_id"], sort="paneNumber").data


def change_of(admin, job, **more):
    """A change of all kinds: 400 more for a larger pane, 400 less, 800 for two new ones."""
    first, second, _ = panes_of(admin, job)
    return {
        "change": [{"panes": [first["_id"]], "values": {"dimensions": LARGER}}],
        "cancel": [second["_id"]],
        "add": [{**PANE, "quantity": 2}],
        "reason": "customer called",
        **more,
    }


def confirmation(api, job, change=None, **values):
    if change is None:
        made = api.post(PATH, {"request": job["_id"], **values})
    else:
        path, body = f"/api/requests/{job['_id']}/changes", {**change, "waits": True}
        version = api.get(f"/api/requests/{job['_id']}").data["version"]
        headers = {"Idempotency-Key": str(ObjectId()), "If-Match": f'"{version}"'}
        made = api.call("POST", path, json=body, headers=headers)
    assert made.status == 201, made
    return made.data if change is None else made.data["confirmation"]


def agreed(admin, job):
    return admin.get(f"/api/requests/{job['_id']}").data["details"]["estimatedPrice"]


def accept(api, link, **body):
    path, headers = link
    return api.call("POST", f"{path}/accept", json={"name": "Somsri", **body}, headers=headers)  # fmt: skip


def text_of(api, made, language="en"):
    answer = api.session.get(
        f"{api.url}{QUOTES}/{made['_id']}/pdf?language={language}", timeout=60
    )
    assert answer.status_code == 200, answer.text
    document = pypdfium2.PdfDocument(answer.content)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def test_confirmation_shows_the_request_as_it_stands(admin, job):
    assert admin.post(f"/api/requests/{job['_id']}/changes", change_of(admin, job)).status == 201  # fmt: skip
    made = confirmation(admin, job, notes="as you said on the telephone")
    assert made["quoteNumber"] == f"{job['requestNumber']}-C1"
    assert (made["kind"], made["status"], made["waits"]) == ("confirmation", "sent", False)  # fmt: skip
    assert (made["request"], made["customer"]) == (job["_id"], job["customer"])
    wanted = {"leadTime": "7 days", "conditions": "cash", "project": "Lobby"}
    assert {name: made[name] for name in wanted} == wanted
    rows = [(one["quantity"], one["unitPrice"]) for one in made["panes"]]
    # the larger pane, the agreed one, two new ones: as the panes have their prices
    assert sorted(rows) == [(1, 800), (1, 1000), (2, 400)]
    assert made["amount"] == agreed(admin, job) == 2600
    assert made["price"]["vat"] == "182.00"
    (change,) = made["changes"]
    assert change["reason"] == "customer called"
    mail = admin.get(f"{QUOTES}/{made['_id']}/mail").data
    assert mail["subject"].startswith(f"ใบยืนยันคำสั่งซื้อ {made['quoteNumber']}")
    english, thai = text_of(admin, made), text_of(admin, made, "th")
    for words in (
        "Order confirmation",
        "2,782.00",
        "Changes since the quotation",
        "Added: 2 × Clear 6 mm",
        "Size 200 × 500 → 1486.448 × 500",
        "as you said on the telephone",
        "Drawing confirmed by the customer",
    ):
        assert words in english, words
    for words in ("ใบยืนยันคำสั่งซื้อ", "รายการที่เปลี่ยนจากใบเสนอราคา"):
        assert words.replace("ำ", "") in thai.replace("ำ", "").replace(" ", ""), words


def test_change_waits_for_the_customer(admin, anonymous, job):
    before = panes_of(admin, job)
    made = confirmation(admin, job, change=change_of(admin, job))
    assert (made["amount"], made["waits"]) == (2600, True)
    # the panes that are to be added come last
    rows = [(one["quantity"], one["unitPrice"]) for one in made["panes"]]
    assert rows == [(1, 800), (1, 1000), (2, 400)]
    assert (panes_of(admin, job), agreed(admin, job)) == (before, 1800)
    assert "to be made once you confirm" in text_of(admin, made)
    link = make_link(admin, made)
    shown = read_offer(anonymous, link).data
    assert (shown["kind"], shown["net"]) == ("confirmation", "2600.00")
    (change,) = shown["changes"]
    assert (change["difference"], change["waits"]) == ("800.00", True)
    assert [one["difference"] for one in change["lines"]] == ["400.00", "-400.00", "800.00"]  # fmt: skip
    assert accept(anonymous, link, note="call before").status == 200

    became = admin.get(f"{QUOTES}/{made['_id']}").data
    assert (became["status"], became["acceptedName"]) == ("accepted", "Somsri")
    (note,) = became["customerNotes"]
    assert (note["kind"], note["text"]) == ("note", "call before")
    now = panes_of(admin, job)
    assert [one["currentStatus"] for one in now] == ["pending", "cancelled", *["pending"] * 3]  # fmt: skip
    assert (now[0]["dimensions"]["width"], agreed(admin, job)) == (1486.448, 2600)
    (kept,) = admin.get(f"/api/requests/{job['_id']}").data["changes"]
    assert kept["reason"] == "customer called"
    notices = [one["type"] for one in admin.get("/api/notifications").data]
    assert notices == ["quote_accepted"]
    assert accept(anonymous, link).status == 409
    assert len(panes_of(admin, job)) == 5


def test_declined_change_is_not_made(admin, anonymous, job):
    made = confirmation(admin, job, change=change_of(admin, job))
    path, headers = make_link(admin, made)
    body = {"name": "Somsri", "note": "too dear"}
    assert anonymous.call("POST", f"{path}/decline", json=body, headers=headers).status == 200  # fmt: skip
    assert agreed(admin, job) == 1800
    assert admin.post(f"{QUOTES}/{made['_id']}/accept", {}).status == 409


def test_confirmation_of_a_request_that_has_changed_is_refused_and_told(
    admin, anonymous, job
):
    made = confirmation(admin, job, change=change_of(admin, job))
    link = make_link(admin, made)
    other = {"add": [PANE], "reason": "one more"}
    assert admin.post(f"/api/requests/{job['_id']}/changes", other).status == 201
    refused = accept(anonymous, link)
    assert (refused.status, refused.errors["code"]) == (409, "REQUEST_CHANGED")
    assert agreed(admin, job) == 2200
    (notice,) = admin.get("/api/notifications").data
    assert notice["type"] == "acceptance_refused"
    # the next one takes its place, and the office may record the answer
    again = confirmation(admin, job)
    assert again["quoteNumber"] == f"{job['requestNumber']}-C2"
    assert admin.get(f"{QUOTES}/{made['_id']}").data["status"] == "superseded"
    accepted = admin.post(f"{QUOTES}/{again['_id']}/accept", {})
    assert (accepted.status, accepted.data["order"]) == (200, None)
    assert len(admin.get("/api/requests").data) == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"deadline": "2030-01-05T00:00:00.000Z"}, "REQUEST_CHANGED"),
        ({"deliveryLocation": "Bang Na"}, "REQUEST_CHANGED"),
        ({"details": {"estimatedPrice": 1700}}, "REQUEST_CHANGED"),
        ({"status": "cancelled"}, "REQUEST_CANCELLED"),
        ({"notes": "by truck"}, None),  # which no customer reads
    ],
)
def test_what_is_confirmed_is_what_the_request_still_is(admin, job, change, code):
    made = confirmation(admin, job)
    assert admin.patch(f"/api/requests/{job['_id']}", change).status == 200
    reply = admin.post(f"{QUOTES}/{made['_id']}/accept", {})
    assert (reply.status == 200) == (code is None), reply
    assert code is None or reply.errors["code"] == code


def test_confirmation_is_no_quote_for_prices_figures_and_revisions(admin, job):
    admin.put("/api/workshop", {"maximumDiscount": 0})
    before = admin.get(f"{QUOTES}/figures").data
    made = confirmation(admin, job)
    assert admin.get(f"{QUOTES}/figures").data == before
    assert [one["kind"] for one in admin.get(QUOTES, kind_ne="confirmation").data] == ["quote"]  # fmt: skip
    for action in ("revise", "send"):
        assert admin.post(f"{QUOTES}/{made['_id']}/{action}", {}).status == 409
    assert admin.patch(f"{QUOTES}/{made['_id']}", {"notes": "x"}).status == 409
    # added panes are priced by the terms of the quote, not by those of its confirmation
    dearer = {"glassPrices": {"Clear": {"6mm": {"pricePerSqFt": 200}}}}
    admin.put("/api/pricing-settings", dearer)
    admin.post(f"/api/requests/{job['_id']}/panes", {"panes": [PANE]})
    assert agreed(admin, job) == 2200


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"reason": "nothing"}, ""),
        ({"add": [PANE]}, "reason"),
        ({"add": [PANE], "reason": "x", "language": "de"}, "language"),
        ({"cancel": ["0" * 24], "reason": "x"}, "cancel.0"),
    ],
)
def test_impossible_changes_do_not_wait(admin, job, change, field):
    path = f"/api/requests/{job['_id']}/changes"
    refused = admin.post(path, {**change, "waits": True})
    faults = [one["field"] for one in refused.body["errors"]]
    assert (refused.status, faults) == (400, [field])
    assert admin.get(QUOTES, kind="confirmation").data == []


def test_request_without_panes_or_prices_or_a_key_has_no_confirmation(
    admin, client_with_keys, job, workshop
):
    details = {"type": "a", "quantity": 1}
    body = {"customer": str(workshop.customer().pk), "details": details}
    empty = admin.post("/api/requests", body).data
    assert admin.post(PATH, {"request": empty["_id"]}).status == 400
    unknown = {**body, "panes": [{"dimensions": {"width": 200}}]}
    unpriced = admin.post("/api/requests", unknown).data
    refused = admin.post(PATH, {"request": unpriced["_id"]})
    assert refused.errors["code"] == "NOT_PRICED"
    seller = client_with_keys("pricing:view", "requests:view")
    assert seller.post(PATH, {"request": job["_id"]}).status == 403
    admin.patch(f"/api/requests/{job['_id']}", {"status": "cancelled"})
    refused = admin.post(PATH, {"request": job["_id"]})
    assert refused.errors["code"] == "REQUEST_CANCELLED"


def test_rest_of_the_agreed_price_is_a_row(admin, job):
    """A cancelled pane that is charged nevertheless, and a price that waits for panes."""
    *_, dear = panes_of(admin, job)
    change = {"cancel": [dear["_id"]], "charge": True, "reason": "was cut already"}
    assert admin.post(f"/api/requests/{job['_id']}/changes", change).status == 201
    made = confirmation(admin, job)
    assert made["amount"] == agreed(admin, job) == 1800
    assert sorted(one["unitPrice"] for one in made["panes"]) == [400, 1000]


@pytest.mark.parametrize("second", ["confirm", "change"])
def test_of_a_confirmation_and_another_act_at_once_each_is_whole(
    admin, anonymous, job, second
):
    made = confirmation(admin, job, change=change_of(admin, job))
    link = make_link(admin, made)
    other = {"add": [PANE], "reason": "one more"}
    acts = {
        "confirm": partial(accept, anonymous, link),
        "change": partial(admin.post, f"/api/requests/{job['_id']}/changes", other),
    }
    replies = run_concurrently([partial(accept, anonymous, link), acts[second]])
    confirmed = [one for one in replies if one.status == 200]
    panes = [one for one in panes_of(admin, job) if one["currentStatus"] != "cancelled"]
    assert agreed(admin, job) == sum(one["agreedPrice"] for one in panes)
    changes = admin.get(f"/api/requests/{job['_id']}").data["changes"]
    status = admin.get(f"{QUOTES}/{made['_id']}").data["status"]
    assert (status == "accepted") == bool(confirmed) == ("customer called" in [one["reason"] for one in changes])  # fmt: skip
    assert len(confirmed) <= 1


def test_of_two_confirmations_at_once_the_last_one_waits(admin, job):
    replies = run_concurrently([partial(confirmation, admin, job)] * 2)
    numbers = [one["quoteNumber"] for one in replies]
    assert sorted(numbers) == [f"{job['requestNumber']}-C{n}" for n in (1, 2)]
    found = admin.get(QUOTES, kind="confirmation", sort="quoteNumber").data
    assert [one["status"] for one in found] == ["superseded", "sent"]
