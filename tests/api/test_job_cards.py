"""The job card of an order: a PDF on A4 with its facts, its route and its panes."""

import io
from datetime import datetime

import pypdfium2
import pytest

from glassflow.models.request import Request
from glassflow.services.labels import job_cards
from label_pictures import codes_in
from scenarios import order_with_panes, order_with_units

PDF = "application/pdf"


def card_of(api, order):
    path = f"/api/orders/{order['_id']}/job-card"
    answer = api.session.get(api.url + path)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, PDF)
    return pypdfium2.PdfDocument(io.BytesIO(answer.content))


def text_of(card):
    """The text of all pages, as a viewer copies it."""
    return " ".join(page.get_textpage().get_text_range() for page in card)


@pytest.fixture
def job(admin, workshop):
    job = order_with_panes(admin, workshop, panes=3, notes="fragile 77")
    holes = [
        {"id": "h1", "x": 80, "y": 100, "diameter": 12},
        {"id": "h2", "type": "custom", "x": 0, "y": 0, "vertices": [
            {"x": 1, "y": 1}, {"x": 90, "y": 1}, {"x": 50, "y": 90}]},
    ]  # fmt: skip
    size = {"width": 1234, "height": 567, "thickness": 6}
    edges = [{"side": "top", "edgeProfile": "flat_polish"}]
    change = {"dimensions": size, "holes": holes, "edgeTasks": edges}
    for number in job.numbers[:2]:
        assert admin.patch(f"/api/panes/{number}", change).status == 200
    return job


def test_job_card_shows_the_order_and_its_panes(admin, job):
    card = card_of(admin, job.order)
    assert len(card) == 1
    assert [round(side) for side in card[0].get_size()] == [595, 842]  # A4 in points
    text = text_of(card)
    for shown in (job.order["orderNumber"], *job.numbers, "1234", "567", "Ø12"):
        assert shown in text, shown
    assert "flat polish" in text
    assert "fragile 77" in text
    assert text.count("1234 × 567") == 1  # alike panes are shown once
    never = datetime(9999, 12, 31, 23, 59, 59)  # as earlier releases took it
    Request.objects(pk=job.request["_id"]).update(set__deadline=never)
    assert "31/12/9999" in text_of(card_of(admin, job.order))


def test_job_card_says_which_limits_of_making_panes_are_beyond(admin, job):
    assert "Check before work" in text_of(card_of(admin, job.order))  # a hole at x 1
    size = {"width": 1234, "height": 567, "thickness": 6}
    for number in job.numbers:
        admin.patch(f"/api/panes/{number}", {"dimensions": size, "holes": []})
    assert "Check before work" not in text_of(card_of(admin, job.order))


def test_code_of_a_job_card_opens_the_page_of_the_order(admin, job):
    picture = card_of(admin, job.order)[0].render(scale=3).to_pil()
    address = f"{admin.url}/floor/office/orders/{job.order['_id']}"
    assert codes_in(picture) == [address]


def test_job_card_of_units_names_their_sheets(admin, workshop):
    job = order_with_units(admin, workshop, sheets=3, count=2)
    text = text_of(card_of(admin, job.order))
    assert all(f"{parent} A B C" in text for parent in job.parents)


def test_job_card_shows_the_materials_and_routes_that_panes_have_of_their_own(
    admin, client_with_keys, workshop
):
    job = order_with_panes(admin, workshop, panes=4)
    admin.patch(f"/api/materials/{job.material}", {"name": "Clear 77"})
    names = {}
    for n, station in enumerate(job.stations):
        names[n] = f"Step-{n}"
        admin.patch(f"/api/stations/{station}", {"name": names[n]})
    assert text_of(card_of(admin, job.order)).count(names[0]) == 1  # of all panes
    green = str(workshop.material(name="Green 88").pk)
    change = {"material": green, "routing": job.stations[:1]}
    for number in job.numbers[:2]:
        assert admin.patch(f"/api/panes/{number}", change).status == 200
    text = text_of(card_of(admin, job.order))
    assert (text.count("Clear 77"), text.count("Green 88")) == (1, 1)
    assert (text.count(names[0]), text.count(names[1])) == (2, 1)
    assert text.count("2 แผ่น") == 2
    less = client_with_keys("orders:view", "panes:view")
    assert "Green 88" not in text_of(card_of(less, job.order))


def test_cancelled_panes_are_not_on_the_job_card(admin, job):
    gone, *left = job.numbers
    admin.patch(f"/api/panes/{gone}", {"currentStatus": "cancelled"})
    text = text_of(card_of(admin, job.order))
    assert gone not in text
    assert all(number in text for number in left)


def test_job_card_shows_what_its_reader_may_see(admin, client_with_keys, job):
    request = f"/api/requests/{job.request['_id']}"
    admin.patch(request, {"referenceId": "PO-88", "deliveryLocation": "Gate 9"})
    admin.patch(f"/api/customers/{job.customer}", {"name": "น้ำใส ที่หนึ่ง"})
    own = {"PO-88", "Gate 9", "น้ำใส ที่หนึ่ง"}
    seen = text_of(card_of(admin, job.order))
    assert {one for one in own if one in seen} == own
    less = text_of(card_of(client_with_keys("orders:view", "panes:view"), job.order))
    assert {one for one in own if one in less} == set()
    assert job.numbers[0] in less
    path = f"/api/orders/{job.order['_id']}/job-card"
    for keys in (["orders:view"], ["panes:view"]):
        assert client_with_keys(*keys).get(path).status == 403


def test_long_job_card_goes_on_on_further_pages(admin, workshop):
    job = order_with_panes(admin, workshop, panes=60, notes="long " * 1500)
    for n, number in enumerate(job.numbers[:8]):
        size = {"width": 500 + n, "height": 900}
        admin.patch(f"/api/panes/{number}", {"dimensions": size})
    card = card_of(admin, job.order)
    text = text_of(card)
    assert len(card) > 2
    assert all(number in text for number in job.numbers)
    assert f"{len(card)}/{len(card)}" in text


def test_job_card_of_an_order_without_panes_or_with_a_wrong_id(admin, job):
    assert (
        admin.delete("/api/panes", {"ids": [p["_id"] for p in job.panes]}).status == 200
    )
    assert job.order["orderNumber"] in text_of(card_of(admin, job.order))
    assert admin.get(f"/api/orders/{'0' * 24}/job-card").status == 404


def test_job_cards_of_several_orders_are_one_document(
    admin, job, workshop, monkeypatch
):
    other = order_with_panes(admin, workshop, panes=60)  # more than one page
    ids = [other.order["_id"], job.order["_id"], other.order["_id"]]
    path = f"{admin.url}/api/orders/job-cards"
    answer = admin.session.get(path, params={"ids": ",".join(ids)})
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, PDF)
    cards = pypdfium2.PdfDocument(io.BytesIO(answer.content))
    single = [len(card_of(admin, one.order)) for one in (other, job)]
    assert len(cards) == sum(single)  # each order once, on pages of its own
    text = text_of(cards)
    assert text.index(other.numbers[0]) < text.index(job.numbers[0])
    assert f"{job.order['orderNumber']} · 1/{single[1]}" in text

    path = "/api/orders/job-cards"
    assert list(admin.get(path).faults) == ["ids"]
    assert admin.get(path, ids=f"{ids[0]},{'0' * 24}").status == 404
    many = admin.get(path, ids=",".join(f"{n:024x}" for n in range(51)))
    assert (many.status, many.errors["code"]) == (400, "TOO_MANY")
    monkeypatch.setattr(job_cards, "MAX_LABELS", 62)
    assert admin.get(path, ids=",".join(ids)).errors["code"] == "TOO_MANY"
