"""Deliveries in the office: planned, changed, seen handed over, and undone; by a browser."""

import pytest

from browser.pages import choose, follow, see, texts, unexpected, value
from glassflow.core.process import clock
from glassflow.models.delivery import Delivery
from pictures import photo
from scenarios import order_with_panes, pass_station
from waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

PATH = "/api/deliveries"
SAVE = ".card form > .form-buttons .main-button"
DIALOG = "dialog .main-button"
WHOLE = ".choice-groups > li > .row-check input"
COUNT = "#choose-panes b"
UNDO = ".facts-card button:has-text('Undo the hand-over')"
UNDONE = "[aria-labelledby=hand-over-1]"
ADDRESSES = [
    {"name": "Site A", "address": "9 Rama 9", "contact": "Aek", "phone": "081"},
    {"name": "Site B", "address": "7 New Road", "contact": "Tho", "phone": "082"},
]


def head(name):
    """A button or a link beside the number of the delivery."""
    return f".head :is(button, a):has-text('{name}')"


def pane(number):
    """The box of a pane in the choice of panes."""
    return f".choice-groups details label:has-text('{number}') input"


@pytest.fixture
def job(admin, workshop):
    """An order of three panes, of which two are finished, for a customer with two sites."""
    customer = workshop.customer(name="Aek Glass", delivery_addresses=ADDRESSES)
    made = order_with_panes(
        admin, workshop, steps=1, panes=3, customer=str(customer.pk)
    )
    reference = {"referenceId": "PO-7"}
    admin.patch(f"/api/requests/{made.request['_id']}", reference)
    for number in made.numbers[:2]:
        assert pass_station(admin, number, made.stations[0]).status == 200
    return made


def test_order_is_delivered_in_parts_and_a_hand_over_is_undone(
    open_office, chromium, admin, worker, workshop, job
):
    first, second, unfinished = job.numbers
    tab = open_office(admin.worker, f"orders/{job.order['_id']}")
    tab.click(".summary a:has-text('Plan a delivery')")
    see(tab, "h1", "Plan a delivery")
    # the finished panes of the order are chosen
    see(tab, COUNT, "2")
    see(tab, ".choice-groups summary", "PO-7 2 of 3 finished 2 selected")
    assert texts(tab, ".choice-groups details label")[0].endswith("Finished")
    tab.click(WHOLE)
    see(tab, COUNT, "3")
    tab.click("button:has-text('Only the finished ones')")
    see(tab, COUNT, "2")
    tab.click(pane(unfinished))
    tab.select("#field-address ~ select", "1")
    tab.fill("#field-vehicle", "70-1234")
    choose(tab, "#field-driver", worker.worker.name)
    assert value(tab, "#field-contact") == "Tho"
    tab.click(SAVE)
    see(tab, "h1", "DLV-")
    (planned,) = admin.get(PATH).data
    shown = [planned[name] for name in ("recipient", "address", "phone", "vehicle")]
    assert shown == ["Aek Glass", "7 New Road", "082", "70-1234"]
    assert (planned["driver"], len(planned["panes"])) == (worker.id, 3)
    see(tab, ".group", f"Ready to hand over 2 Pane Order Glass Size Status {first}")
    see(tab, ".group", "Not finished yet 1")

    # a pane is taken off, while another one is loaded
    tab.click("button:has-text('Add or remove panes')")
    tab.wait(pane(second))
    tab.click(pane(second))
    path = f"{PATH}/{planned['_id']}"
    assert worker.post(f"{path}/load", {"paneNumbers": [first]}).status == 200
    see(tab, ".group", "Loaded")
    tab.click(SAVE)
    see(tab, ".card .form-buttons [role=status]", "Saved")
    (changed,) = admin.get(PATH).data
    assert changed["loadedPanes"] == [job.panes[0]["_id"]]
    assert changed["panes"] == [job.panes[0]["_id"], job.panes[2]["_id"]]

    attached = [
        worker.post("/api/attachments", {"photo": photo(kind)}).data["_id"]
        for kind in ("image/png", "image/jpeg")
    ]
    proof = {"signature": attached[0], "photos": attached[1:], "remark": "at the gate"}
    left = [{"paneNumber": unfinished, "reason": "later"}]
    body = {"paneNumbers": [first], "receivedBy": "Somchai", **proof, "left": left}
    assert worker.post(f"{path}/hand-over", body).status == 200
    see(tab, ".head .status", "Handed over in part")
    see(tab, ".facts-card", "1 of 2 handed over")
    for words in (worker.worker.name, "Somchai", "at the gate"):
        see(tab, ".facts-card", words)
    tab.wait(".facts-card img.signature")
    tab.wait(".facts-card .gallery img")
    see(tab, ".left-panes", f"Comes later {unfinished}")
    heads = "Pane Order Glass Size Status"
    see(tab, ".group", f"Came back, waiting 1 {heads} {unfinished}")
    see(tab, ".group", "· Comes later")
    see(tab, ".group + .group", f"Handed over 1 {heads} {first}")
    assert tab.count(SAVE) == tab.count(head("Delete")) == 0

    tab.click(head("Plan the rest"))
    see(tab, COUNT, "1")
    see(tab, ".rest", f"Chosen below 1 {unfinished} Comes later")
    assert value(tab, "#field-address") == "7 New Road"
    tab.click(SAVE)
    see(tab, ".group", f"{unfinished}")
    assert len(admin.get(PATH, status="planned").data) == 1

    follow(tab, f"office/orders/{job.order['_id']}")
    see(tab, ".summary", "1 of 3 delivered")
    see(tab, ".order-deliveries", "1 handed over")  # the other pane is planned again
    assert tab.count(".order-deliveries li") == 2
    follow(tab, f"office/requests/{job.request['_id']}")
    see(tab, "section[aria-labelledby=orders]", "1 of 3 delivered")

    # who has handed over may undo it, as well as those who manage orders
    path, number = f"deliveries/{planned['_id']}", planned["deliveryNumber"]
    own = open_office(worker.worker, path, chromium.second_profile)
    own.wait(UNDO)
    assert own.count(head("Plan the rest")) == 0
    # later order managers only, with a reason
    an_hour_ago = {"$set": {"handOvers.0.undoableUntil": clock.now()}}
    Delivery.collection().update_one({"deliveryNumber": number}, an_hour_ago)
    own.reload()
    see(own, ".head .status", "Handed over")
    assert own.count(UNDO) == 0
    follow(tab, f"office/{path}")
    tab.wait(UNDO)
    # what the page knew of the delivery was before the rest was planned
    wait_until(lambda: tab.count(head("Plan the rest")) == 0)
    tab.click(UNDO)
    see(tab, "dialog", "The signature and the photos stay below.")
    tab.click(DIALOG)
    see(tab, "dialog .field-fault", "After an hour, undoing a hand-over needs a reason")
    tab.fill("dialog textarea", "wrong site")
    tab.click(DIALOG)
    for page in (tab, own):
        see(page, ".head .status", "Planned")
        wait_until(lambda page=page: page.count(UNDO) == 0)
    see(tab, ".group", f"Ready to hand over 1 Pane Order Glass Size Status {first}")
    for words in ("wrong site", admin.worker.name, "Somchai", "at the gate"):
        see(tab, UNDONE, words)
    tab.wait(f"{UNDONE} img.signature")
    tab.wait(f"{UNDONE} .gallery img")
    tab.click(head("Delete"))
    tab.click("dialog .danger")
    see(tab, "h1", "Deliveries")
    assert unexpected(chromium) == []


def test_what_came_back_is_shown_with_its_reasons_and_the_rest_is_planned(
    open_office, chromium, admin, worker, workshop
):
    """Two phones at one delivery; one pane is broken at the door."""
    customer = str(workshop.customer(name="Aek Glass").pk)
    job = order_with_panes(admin, workshop, steps=1, panes=4, customer=customer)
    for number in job.numbers:
        assert pass_station(admin, number, job.stations[0]).status == 200
    one, two, broken, absent = job.numbers
    body = {"customer": job.customer, "panes": [each["_id"] for each in job.panes]}
    planned = admin.post(PATH, body).data
    path, page = f"{PATH}/{planned['_id']}", f"deliveries/{planned['_id']}"
    number = planned["deliveryNumber"]
    picture = worker.post("/api/attachments", {"photo": photo("image/png")}).data["_id"]
    nobody = {"paneNumber": absent, "reason": "absent"}
    cracked = {"paneNumber": broken, "reason": "broken", "note": "left corner"}

    def hand_over(api, *numbers, **values):
        answer = api.post(f"{path}/hand-over", {"paneNumbers": numbers, **values})
        assert answer.status == 200, answer.body

    tab = open_office(workshop.worker_with("admin"), page)
    see(tab, ".head .status", "Planned")
    back = [{"paneNumber": each, "reason": "absent"} for each in job.numbers]
    hand_over(worker, left=back)
    see(tab, ".head .status", "Not handed over")
    see(tab, ".facts-card", "0 of 4 handed over")
    see(tab, ".left-panes", "Nobody there")
    follow(tab, "office/dashboard")
    see(tab, ".came-back a", "1 delivery, 4 panes")
    see(tab, ".came-back li", f"{number} Aek Glass Nobody there 4 4 panes")

    # two phones later
    later = [cracked | {"photos": [picture]}, nobody]
    hand_over(
        worker, one, receivedBy="Somchai", left=[{**nobody, "paneNumber": two}, *later]
    )
    hand_over(admin, one, two, receivedBy="Malee")
    [claim] = admin.get("/api/claims").data
    claim = claim["claimNumber"]
    see(tab, ".came-back li", "Broken 1 · Nobody there 1 2 panes")
    tab.click(".came-back li a")
    see(tab, ".head .status", "Handed over in part")
    see(tab, ".group", "Came back, waiting 2")
    see(tab, "[aria-labelledby=hand-over-2]", "Somchai")
    see(
        tab,
        "[aria-labelledby=hand-over-3]",
        f"Handed over before, recorded again {one}",
    )
    claimed = "[aria-labelledby=hand-over-2] .left-panes"
    see(tab, claimed, f"{broken} left corner Claim {claim}")
    tab.wait(f"{claimed} .gallery img")
    assert tab.count(UNDO) == 3
    follow(tab, "office/deliveries?waiting=true")
    see(tab, ".deliveries .table-row", "2 of 4 handed over")
    tab.click(".deliveries .table-row")
    tab.click(head("Plan the rest"))
    see(tab, ".rest", f"Chosen below 1 {absent} Nobody there")
    why = f"Broken its claim is not decided {claim}"
    see(tab, ".rest", f"Left out, cannot be delivered 1 {broken} {why}")
    see(tab, COUNT, "1")
    tab.click(SAVE)
    see(tab, "h1", "DLV-")
    follow(tab, f"office/{page}")
    see(tab, ".group", "Came back, waiting 1")

    tab.click(f"[aria-labelledby=hand-over-3] {UNDO.removeprefix('.facts-card ')}")
    see(tab, "dialog", "The other hand-overs stay")
    tab.click(DIALOG)
    see(tab, ".group", "Came back, waiting 2")
    see(tab, "[aria-labelledby=hand-over-3]", "Undone hand-over")
    notices = open_office(admin.worker, "notifications", chromium.second_profile)
    notices.click(f".notices a:has-text('{number}')")
    see(notices, "h1", number)
    notices.click(f"{claimed} a:has-text('{claim}')")
    see(notices, ".about", "left corner")
    notices.wait(".gallery img")
    assert unexpected(chromium) == []


def test_pane_that_another_delivery_has_taken_is_refused_and_taken_off(
    open_office, chromium, admin, workshop, job
):
    tab = open_office(admin.worker, "deliveries")
    see(tab, ".empty", "A delivery is what a customer gets on one day at one address")
    tab.click("a.new")
    see(tab, ".pane-choice", "Choose the customer first")
    workshop.customer(name="Bird Glass")
    choose(tab, "#field-customer", "Bird Glass")
    see(tab, ".pane-choice", "There are no panes to deliver to this customer.")
    tab.fill("#field-address", "of Bird")
    choose(tab, "#field-customer", "Aek Glass")
    tab.wait(WHOLE)
    assert value(tab, "#field-address") == ""
    tab.click(SAVE)
    see(tab, ".pane-choice .field-fault", "Choose at least one pane")
    tab.click(WHOLE)
    body = {"customer": job.customer, "panes": [job.panes[0]["_id"]]}
    other = admin.post(PATH, body).data
    see(tab, ".gone-panes", "1 chosen pane cannot be delivered any more")
    tab.click(SAVE)
    see(tab, ".refused-panes li", f"{job.numbers[0]} is on {other['deliveryNumber']}")
    tab.click(".gone-panes button")
    see(tab, COUNT, "2")
    assert tab.count(".refused-panes") == 0
    see(tab, ".pane-choice", "1 pane is on other planned deliveries.")
    tab.click(SAVE)
    see(tab, "h1", "DLV-")
    follow(tab, "office/deliveries?status=planned")
    wait_until(lambda: len(texts(tab, ".deliveries .table-row")) == 2)
    rows = texts(tab, ".deliveries .table-row")
    assert sorted(row.count("2 panes") for row in rows) == [0, 1]
    assert all("409" in one for one in unexpected(chromium))


def test_panes_for_two_places_are_planned_as_two_deliveries_and_a_changed_place_is_taken_over(
    open_office, chromium, admin, workshop
):
    site = {"name": "", "address": "3 West Road", "contact": "Tho", "phone": "082"}
    own = {"contact": "Daeng", "phone": "02", "delivery_addresses": [site]}
    customer = str(workshop.customer(name="Two Sites", **own).pk)

    def move(job, place):
        path = f"/api/requests/{job.request['_id']}"
        assert admin.patch(path, {"deliveryLocation": place}).status == 200

    def job_at(place):
        made = order_with_panes(admin, workshop, customer=customer, panes=2)
        move(made, place)
        return made

    def planned():
        found = admin.get(PATH, customer=customer).data
        return {one["address"]: one["panes"] for one in found}

    def ids(*jobs):
        return [pane["_id"] for job in jobs for pane in job.panes]

    north, south, later = (job_at(one) for one in ("1 North", "2 South", "2 south"))
    tab = open_office(admin.worker, f"deliveries/new?customer={customer}")
    tab.wait(WHOLE)
    for job in (south, later, north):
        assert tab.count(".refused-panes") == 0
        tab.click(f'input[aria-label="All panes of {job.order["orderNumber"]}"]')
    see(tab, ".refused-panes", "These panes go to 2 places:")
    see(tab, ".refused-panes", "1 North 2 panes 2 South 4 panes")
    # what the page does not know yet is refused; what is planned stays so
    move(later, "")
    tab.click(".refused-panes .main-button")
    see(tab, ".refused-panes .fault", "2 South / 3 West Road")
    (number,) = (one["deliveryNumber"] for one in admin.get(PATH).data)
    see(tab, ".refused-panes", f"1 North 2 panes {number} 2 South 4 panes")
    see(tab, COUNT, "4")
    assert planned() == {"1 North": ids(north)}
    tab.click(SAVE)
    see(tab, ".refused-panes", "2 South 2 panes")
    see(tab, ".refused-panes", "3 West Road 2 panes")
    tab.click(".refused-panes .main-button")
    wait_until(lambda: len(texts(tab, ".deliveries .table-row")) == 3)
    assert planned() == {
        "1 North": ids(north),
        "2 South": ids(south),
        "3 West Road": ids(later),
    }

    # a place that changes is taken over with its contact, else with that of the customer
    tab.click(f".deliveries .table-row:has-text('{number}')")
    see(tab, "h1", number)
    before, request = "1 North", north.request["requestNumber"]
    for place, contact in (("3 West Road", "Tho"), ("4 East", "Daeng")):
        move(north, place)
        tab.reload()
        then = f"{request} now goes to {place} (when it was planned: {before})."
        see(tab, ".gone-panes", then)
        assert value(tab, "#field-address") == before
        tab.click(f"button:has-text('Deliver to {place}')")
        tab.click(DIALOG)
        wait_until(lambda: tab.count(".gone-panes") == 0)
        wait_until(lambda place=place: value(tab, "#field-address") == place)
        assert value(tab, "#field-contact") == contact
        before = place

    # panes of another place go along once that is said
    more = job_at("5 Far")
    tab.click("button:has-text('Add or remove panes')")
    tab.click(f'input[aria-label="All panes of {more.order["orderNumber"]}"]')
    tab.click(SAVE)
    see(tab, ".refused-panes", "4 East 5 Far 2 panes")
    tab.click(".refused-panes label:has-text('Deliver all panes to 4 East') input")
    tab.click(SAVE)
    see(tab, ".card .form-buttons [role=status]", "Saved")
    assert planned()["4 East"] == ids(north, more)
    assert tab.count(".refused-panes") == 0
    assert all("409" in one for one in unexpected(chromium))
