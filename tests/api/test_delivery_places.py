"""Where deliveries go: panes for two places are two deliveries, unless an address is given."""

import json
from functools import partial

import pytest

from concurrency import run_concurrently
from scenarios import order_with_panes
from tables_api import import_rows

PATH = "/api/deliveries"
HOME = {"name": "ไซต์", "address": "9 ถ.สุขุมวิท", "contact": "ช่างเอก", "phone": "081"}


def ids(*panes):
    return [pane["_id"] for pane in panes]


@pytest.fixture
def customer(workshop):
    made = workshop.customer(
        name="ร้านกระจกใส", contact="คุณแดง", phone="02", delivery_addresses=[HOME]
    )
    return str(made.pk)


@pytest.fixture
def job_at(admin, workshop, customer):
    """Make an order of two panes whose request names a place."""

    def make(place):
        job = order_with_panes(admin, workshop, customer=customer, panes=2)
        if place:
            move(admin, job, place)
        return job

    return make


def move(api, job, place):
    path = f"/api/requests/{job.request['_id']}"
    assert api.patch(path, {"deliveryLocation": place}).status == 200


def plan(api, *jobs, **values):
    panes = [pane["_id"] for job in jobs for pane in job.panes]
    return api.post(PATH, {"customer": jobs[0].customer, "panes": panes, **values})


def refused_places(reply):
    assert (reply.status, reply.errors["code"]) == (409, "SEVERAL_PLACES"), reply.body
    return {one["address"]: ids(*one["panes"]) for one in reply.errors["places"]}


def test_panes_for_two_places_are_refused_without_an_address(admin, job_at):
    north, south, home = job_at("NORTH"), job_at(" South  1"), job_at("")
    refused = plan(admin, north, south)
    assert refused_places(refused) == {
        "NORTH": ids(*north.panes),
        "South  1": ids(*south.panes),
    }
    assert "NORTH / South 1" in refused.body["message"].replace("  ", " ")
    assert list(refused_places(plan(admin, north, home))) == ["NORTH", HOME["address"]]
    same = job_at("south 1")
    planned = plan(admin, south, same)
    assert (planned.status, planned.data["address"]) == (201, "South  1")
    both = plan(admin, north, home, address="ข้างตลาด")
    assert (both.status, both.data["address"]) == (201, "ข้างตลาด")


def test_panes_of_another_place_are_added_with_an_address_only(admin, job_at):
    north, same, south = job_at("NORTH"), job_at("north"), job_at("SOUTH")
    path = f"{PATH}/{plan(admin, north).data['_id']}"
    assert admin.patch(path, {"panes": ids(*north.panes, *same.panes)}).status == 200
    again = job_at("North")
    more = {"panes": ids(*north.panes, *same.panes, *south.panes, *again.panes)}
    assert refused_places(admin.patch(path, more)) == {
        "NORTH": ids(*again.panes),
        "SOUTH": ids(*south.panes),
    }
    assert admin.patch(path, {**more, "address": "NORTH"}).status == 200


def test_panes_go_along_with_those_of_their_request_to_an_address_that_was_given(
    admin, job_at
):
    north, home = job_at("NORTH"), job_at("")
    first, second = ids(*home.panes)
    body = {"customer": home.customer, "address": "ข้างตลาด"}
    made = admin.post(PATH, {**body, "panes": [*ids(*north.panes), first]})
    more = {"panes": [*ids(*north.panes), first, second]}
    assert admin.patch(f"{PATH}/{made.data['_id']}", more).status == 200


def test_rows_of_an_import_are_refused_like_other_deliveries(admin, job_at):
    north, south = job_at("NORTH"), job_at("SOUTH")
    panes = json.dumps(ids(*north.panes, *south.panes))
    row = {"customer": north.customer, "panes": panes}
    refused = import_rows(admin, "deliveries", [row])
    assert "NORTH / SOUTH" in str(refused.errors), refused.body
    given = import_rows(admin, "deliveries", [{**row, "address": "ข้างตลาด"}])
    assert given.status == 200, given.body


def test_contact_and_telephone_are_of_the_address_else_of_the_customer(admin, job_at):
    elsewhere, home = plan(admin, job_at("NORTH")), plan(admin, job_at("9  ถ.สุขุมวิท"))
    typed = plan(admin, job_at(""), address=HOME["address"], phone="089")
    shown = [
        [one.data[name] for name in ("recipient", "contact", "phone")]
        for one in (elsewhere, home, typed)
    ]
    assert shown == [
        ["ร้านกระจกใส", "คุณแดง", "02"],
        ["ร้านกระจกใส", "ช่างเอก", "081"],
        ["ร้านกระจกใส", "ช่างเอก", "089"],
    ]


def test_place_that_changes_after_the_plan_is_shown_until_the_address_is_confirmed(
    admin, worker, client_with_keys, job_at
):
    job = job_at("NORTH")
    planned = plan(admin, job).data
    path = f"{PATH}/{planned['_id']}"

    def changed(api):
        return api.get(f"{path}/checklist").data["changedPlaces"]

    assert changed(admin) == []
    move(admin, job, "SOUTH")
    number = job.request["requestNumber"]
    expected = [{"requestNumber": number, "before": "NORTH", "now": "SOUTH"}]
    assert changed(admin) == changed(worker) == expected
    assert changed(client_with_keys("orders:view")) == []
    opened = {one["_id"]: one for one in worker.get(f"{PATH}/open").data}
    assert opened[planned["_id"]]["changedPlaces"] == expected
    assert admin.patch(path, {"notes": "โทรก่อน"}).status == 200
    assert changed(admin) == expected
    back = [{"paneNumber": one, "reason": "absent"} for one in job.numbers]
    returned = {"paneNumbers": [], "left": back}
    assert admin.post(f"{path}/hand-over", returned).status == 200
    assert changed(admin) == expected  # for the delivery of the rest
    assert admin.post(f"{path}/undo", {}).status == 200
    assert admin.patch(path, {"address": "SOUTH"}).status == 200
    assert changed(admin) == []
    assert admin.patch(path, {"address": "WEST"}).status == 200
    move(admin, job, "west")  # where the delivery goes
    assert changed(admin) == []
    move(admin, job, "")
    expected = [{"requestNumber": number, "before": "SOUTH", "now": ""}]
    assert changed(admin) == expected


def test_place_that_changes_while_a_delivery_is_planned_is_in_it_or_shown(
    admin, job_at
):
    job = job_at("NORTH")
    [planned, _] = run_concurrently(
        [partial(plan, admin, job), partial(move, admin, job, "SOUTH")]
    )
    checklist = admin.get(f"{PATH}/{planned.data['_id']}/checklist").data
    shown = [one["now"] for one in checklist["changedPlaces"]]
    assert (planned.data["address"], shown) in (("SOUTH", []), ("NORTH", ["SOUTH"]))
