"""Records deleted in the very moment in which others come to point at them.

Without the ties (`core.ties`) about every third round leaves an orphan.
"""

from functools import partial
from itertools import cycle

import pytest
from mongoengine.connection import get_db

from crowd import at_once
from glassflow.core import ties
from glassflow.models import ALL, BY_NAME
from glassflow.services import references
from stories import line

pytestmark = pytest.mark.slow
ROUNDS = 5
LOGS = ("PaneLog", "MaterialLog", "ProductionLog")  # they outlive what they tell of


def by_turns(judges, *calls):
    """Have them make these calls by turns, all at the same time."""
    return at_once(
        partial(api.call, method, path, json=body)
        for api, (method, path, body) in zip(judges, cycle(calls), strict=False)
    )


def orphans():
    """List the references of live records that lead nowhere."""
    found = []
    for model in ALL:
        if model.__name__ in LOGS:
            continue
        for row in model._get_collection().find():
            values = {name: row.get(f.db_field) for name, f in model._fields.items()}
            for mention in references.mentions(model, values):
                there = BY_NAME[mention.model]._get_collection()
                for one in mention.ids:
                    if not there.find_one({"_id": one}):
                        found.append((model.__name__, mention.field, one))
    return found


def race(judges, delete, make):
    """Let half of the judges delete a record while the other half point at it."""
    answers = by_turns(judges, ("DELETE", delete, None), make)
    gone, made = answers[::2], answers[1::2]
    assert {one.status for one in gone} <= {200, 404, 409}, gone
    assert {one.status for one in made} <= {200, 201, 400, 404, 409}, made
    assert orphans() == []
    deleted = [one for one in gone if one.status == 200]
    stored = [one for one in made if one.status in (200, 201)]
    assert len(deleted) <= 1
    assert bool(deleted) != bool(stored), answers  # never both, never neither
    return bool(deleted)


def test_customers_go_or_are_ordered_for(judges, workshop):
    material = str(workshop.material().pk)
    went = []
    for _ in range(ROUNDS):
        customer = str(workshop.customer().pk)
        body = {"customer": customer, "material": material, "quantity": 1}
        make = ("POST", "/api/orders", body)
        went.append(race(judges, f"/api/customers/{customer}", make))
    print("customers deleted in", sum(went), "of", ROUNDS, "rounds")


def test_templates_go_or_have_stations_made_of_them(judges, workshop):
    for _ in range(ROUNDS):
        template = str(workshop.template().pk)
        make = ("POST", "/api/stations", {"name": "a", "templateId": template})
        race(judges, f"/api/station-templates/{template}", make)


def test_stations_go_or_are_on_the_routes_of_panes(judges, workshop):
    for _ in range(ROUNDS):
        station = str(workshop.station().pk)
        make = ("POST", "/api/panes", {"routing": [station]})
        race(judges, f"/api/stations/{station}", make)


def test_a_changed_reference_counts_as_a_new_one(judges, workshop):
    for _ in range(ROUNDS):
        old, new = workshop.template(), str(workshop.template().pk)
        station = workshop.station(template=old).pk
        make = ("PATCH", f"/api/stations/{station}", {"templateId": new})
        race(judges, f"/api/station-templates/{new}", make)


def test_materials_go_or_have_lots(judges, workshop):
    for _ in range(ROUNDS):
        material = str(workshop.material().pk)
        lot = {"material": material, "stockType": "Raw", "quantity": 1, "location": "A"}
        race(judges, f"/api/materials/{material}", ("POST", "/api/inventories", lot))


def test_an_order_goes_with_its_pane_or_the_pane_is_scanned(admin, judges, workshop):
    for _ in range(ROUNDS):
        day = line(admin, workshop)
        order, (number,) = day.order["_id"], day.numbers
        scan = ("POST", f"/api/panes/{number}/scan", {"action": "scan_in"})
        went = race(judges, f"/api/orders/{order}", scan)
        assert bool(admin.get("/api/panes", order=order).data) != went


def test_of_twenty_who_delete_one_record_one_does(judges, workshop):
    for kind in ("customer", "station"):
        made = [str(getattr(workshop, kind)().pk) for _ in range(2)]
        one = by_turns(judges, ("DELETE", f"/api/{kind}s/{made[0]}", None))
        assert sorted(answer.status for answer in one) == [200] + [404] * 19
        many = by_turns(judges, ("DELETE", f"/api/{kind}s", {"ids": [made[1]]}))
        assert sorted(answer.status for answer in many) == [200] + [404] * 19


def test_nothing_is_held_when_all_is_over(admin, judges, workshop):
    day = line(admin, workshop)
    customer = f"/api/customers/{day.customer}"
    by_turns(judges, ("DELETE", customer, None))  # refused, all of them
    slots = list(get_db()[ties.COLLECTION].find())
    assert len(slots) == ties.SLOTS
    assert [slot["going"] for slot in slots] == [{}] * ties.SLOTS
    assert admin.patch(f"/api/requests/{day.request['_id']}", {}).status == 200
    body = {"customer": day.customer, "material": day.material, "quantity": 1}
    assert admin.post("/api/orders", body).status == 201


def test_what_a_dead_process_was_deleting_can_be_used_in_the_end(
    admin, workshop, monkeypatch, usual_patience
):
    customer = workshop.customer()
    body = {"customer": str(customer.pk), "details": {"type": "a", "quantity": 1}}
    held = ties.going([ties.name("Customer", customer.pk)])
    with held:
        answer = admin.post("/api/requests", body)
        assert (answer.status, answer.message) == (
            409,
            "Somebody else is changing the same record; please try again",
        )
        monkeypatch.setattr(ties, "BELIEVED", -1.0)  # long ago
        assert admin.post("/api/requests", body).status == 201
