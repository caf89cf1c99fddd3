"""The policy `cascade`: dependents go too, and what stays is left right."""

import pytest
from mongoengine.connection import get_db

from glassflow.models import ALL, BY_NAME
from glassflow.models.material_log import MaterialLog
from glassflow.services import policy, references
from stories import line, through, units

LOGS = ("PaneLog", "MaterialLog", "ProductionLog")


@pytest.fixture(autouse=True)
def cascade(app):
    before = policy.current()
    policy.configure(policy.Policy(delete_policy="cascade"))
    yield
    policy.configure(before)


def count(kind):
    return BY_NAME[kind].objects.count()


def stocked(admin, material, quantity=10):
    body = {"material": material, "stockType": "Raw", "location": "A"}
    return admin.post("/api/inventories", {**body, "quantity": quantity}).data["_id"]


def taken(admin, day, quantity=3, **said):
    body = {"material": day.material, "quantity": quantity, "stockType": "Raw", **said}
    return admin.post("/api/withdrawals", body).data["_id"]


def claimed(admin, day, pane):
    body = {
        "source": "worker",
        "material": day.material,
        "description": "แตก",
        "reportedBy": admin.id,
        "pane": pane,
    }
    return admin.post(f"/api/orders/{day.order['_id']}/claims", body).data["_id"]


def book():
    """Sum the stock book by lot."""
    sums = {}
    for entry in MaterialLog.objects(by_service=True):
        sums[entry.inventory] = sums.get(entry.inventory, 0) + entry.quantity_changed
    return {str(lot): total for lot, total in sums.items() if total}


def lots():
    found = BY_NAME["Inventory"].objects
    return {str(lot.pk): lot.quantity for lot in found if lot.quantity}


def orphans():
    """List the references of open live records that lead nowhere."""
    found = []
    for model in ALL:
        for row in () if model.__name__ in LOGS else model._get_collection().find():
            values = {name: row.get(f.db_field) for name, f in model._fields.items()}
            for mention in references.mentions(model, values):
                known = BY_NAME[mention.model].objects(pk__in=mention.ids).count()
                if known != len(set(mention.ids)):
                    found.append((model.__name__, mention.field))
    return found


@pytest.mark.slow
def test_a_customer_goes_with_all_that_was_made_for_them(admin, worker, workshop):
    day, other = line(admin, workshop, panes=2), line(admin, workshop)
    for number in (*day.numbers, *other.numbers):
        worker.scan(number, "scan_in")
    lot = stocked(admin, day.material)
    taken(admin, day, order=day.order["_id"])
    claimed(admin, day, day.panes[0]["_id"])
    logs = count("PaneLog")
    assert admin.delete(f"/api/customers/{day.customer}").data["_id"] == day.customer
    kinds = ("Request", "Order", "Pane", "Claim", "Withdrawal")
    assert [count(kind) for kind in kinds] == [1, 1, 1, 0, 0]
    assert lots() == book() == {lot: 10}
    assert count("PaneLog") == logs
    assert orphans() == []
    assert admin.get(f"/api/orders/{other.order['_id']}").data["paneCount"] == 1


def test_a_material_goes_with_its_stock_and_its_book_stays(admin, workshop):
    day = line(admin, workshop)
    stocked(admin, day.material)
    taken(admin, day, quantity=4)
    assert lots() == book() != {}
    entries = count("MaterialLog")
    assert admin.delete(f"/api/materials/{day.material}").status == 200
    assert lots() == book() == {}
    assert count("MaterialLog") > entries
    kinds = ("Inventory", "Withdrawal", "Order", "Pane", "Request")
    assert [count(kind) for kind in kinds] == [0, 0, 0, 0, 1]
    assert orphans() == []


def test_what_returns_to_no_lot_at_all_goes_with_the_material(admin, workshop):
    day = line(admin, workshop)
    lot = stocked(admin, day.material)
    taken(admin, day)
    assert admin.delete(f"/api/inventories/{lot}").status == 200
    assert lots() == book() == {}
    assert admin.delete(f"/api/materials/{day.material}").status == 200
    assert lots() == book() == {}
    assert count("Inventory") == 0


def test_a_deleted_pane_takes_its_claim_and_its_order_is_counted(admin, workshop):
    day = line(admin, workshop, panes=2)
    claimed(admin, day, day.panes[0]["_id"])
    said = {"panes": [pane["_id"] for pane in day.panes], "order": day.order["_id"]}
    stocked(admin, day.material)
    withdrawal = taken(admin, day, **said)
    assert admin.delete(f"/api/panes/{day.panes[0]['_id']}").status == 200
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert (order["paneCount"], count("Claim")) == (1, 0)
    left = admin.get(f"/api/withdrawals/{withdrawal}").data["panes"]
    assert left == [day.panes[1]["_id"]]
    assert orphans() == []


def test_a_deleted_claim_lets_its_pane_go(admin, worker, workshop):
    day = line(admin, workshop)
    worker.scan(day.numbers[0], "scan_in")
    claim = claimed(admin, day, day.panes[0]["_id"])
    assert admin.delete(f"/api/claims/{claim}").status == 200
    pane = admin.get(f"/api/panes/{day.numbers[0]}").data
    assert pane["currentStatus"] == "in_progress"


def test_a_remake_outlives_the_pane_that_it_replaces(admin, worker, workshop):
    day = line(admin, workshop)
    worker.scan(day.numbers[0], "complete")
    answer = worker.scan(day.numbers[0], "qc_fail", reason="broken").data
    assert admin.delete(f"/api/panes/{answer['pane']['_id']}").status == 200
    remade = admin.get(f"/api/panes/{answer['remadePane']['_id']}").data
    assert remade["remakeOf"] is None
    assert admin.get(f"/api/orders/{day.order['_id']}").data["paneCount"] == 1


def test_a_sheet_takes_its_unit_along(admin, workshop):
    day = units(admin, workshop, count=2)
    gone = admin.get(f"/api/panes/{day.sheets[0][0]}").data["_id"]
    assert admin.delete("/api/panes", {"ids": [gone]}).data == {"deletedCount": 1}
    assert count("Pane") == 3
    assert admin.get(f"/api/panes/{day.parents[0]}").status == 404
    assert admin.get(f"/api/orders/{day.order['_id']}").data["paneCount"] == 1


@pytest.mark.slow
def test_panes_at_a_station_that_goes_wait_at_their_next(admin, worker, workshop):
    day = line(admin, workshop, steps=3, panes=3)
    first, second, third = day.stations
    here, ahead, _ = day.numbers
    assert through(worker, here, first).status == 200
    worker.scan(here, "scan_in")
    for station in (first, second):
        assert through(worker, ahead, station).status == 200
    assert admin.delete(f"/api/stations/{second}").status == 200
    found = [admin.get(f"/api/panes/{number}").data for number in day.numbers]
    assert [pane["routing"] for pane in found] == [[first, third]] * 3
    places = [(pane["currentStation"], pane["routeIndex"]) for pane in found]
    assert places == [(third, 1), (third, 1), (first, 0)]
    assert {pane["currentStatus"] for pane in found} == {"pending"}
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert order["stationBreakdown"] == {third: 2, first: 1}
    logs = admin.get("/api/pane-logs", paneId=found[0]["_id"], limit=100).data
    log = next(one for one in logs if one["action"] == "correction")
    assert (log["before"]["currentStation"], log["reason"]) == (
        second,
        "station deleted",
    )
    for number in day.numbers[:2]:
        assert through(worker, number, third).status == 200
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert order["panesCompleted"] == 2


def test_a_pane_whose_last_station_goes_is_finished(admin, worker, workshop):
    day = line(admin, workshop, steps=2)
    assert through(worker, day.numbers[0], day.stations[0]).status == 200
    assert admin.delete(f"/api/stations/{day.stations[1]}").status == 200
    pane = admin.get(f"/api/panes/{day.numbers[0]}").data
    assert (pane["currentStatus"], pane["currentStation"]) == ("completed", None)
    order = admin.get(f"/api/orders/{day.order['_id']}").data
    assert (order["status"], order["progressPercent"]) == ("completed", 100)


def test_a_new_pane_whose_only_station_goes_stands_nowhere(admin, workshop):
    day = line(admin, workshop, steps=1)
    assert admin.delete(f"/api/stations/{day.stations[0]}").status == 200
    pane = admin.get(f"/api/panes/{day.numbers[0]}").data
    assert (pane["currentStatus"], pane["currentStation"]) == ("pending", None)
    assert pane["routing"] == []


def test_a_claimed_pane_goes_back_to_the_next_station(admin, worker, workshop):
    day = line(admin, workshop, steps=2)
    worker.scan(day.numbers[0], "scan_in")
    claim = claimed(admin, day, day.panes[0]["_id"])
    assert admin.delete(f"/api/stations/{day.stations[0]}").status == 200
    rejected = admin.patch(f"/api/claims/{claim}", {"status": "rejected"})
    assert rejected.status == 200
    pane = admin.get(f"/api/panes/{day.numbers[0]}").data
    assert (pane["currentStatus"], pane["currentStation"], pane["routeIndex"]) == (
        "pending",
        day.stations[1],
        0,
    )


def test_an_order_moves_past_a_station_that_goes(admin, workshop):
    stations = [str(one.pk) for one in workshop.stations(3)]
    day = line(admin, workshop, stations=stations, currentStationIndex=1)
    path = f"/api/orders/{day.order['_id']}"
    for gone, index in ((stations[0], 0), (stations[1], 0), (stations[2], 0)):
        assert admin.delete(f"/api/stations/{gone}").status == 200
        order = admin.get(path).data
        assert gone not in order["stations"]
        assert order["currentStationIndex"] == index
    assert order["stations"] == []


def test_a_station_where_units_are_laminated_stays(admin, workshop):
    day = units(admin, workshop)
    answer = admin.delete(f"/api/stations/{day.press}")
    assert answer.status == 409
    assert answer.errors["code"] == "IN_USE"
    assert admin.get(f"/api/panes/{day.sheets[0][0]}").status == 200


def test_a_template_goes_with_its_stations(admin, workshop):
    day = line(admin, workshop, steps=2)
    template = admin.get(f"/api/stations/{day.stations[0]}").data["templateId"]
    assert admin.delete(f"/api/station-templates/{template}").status == 200
    assert admin.get("/api/stations").data == []
    assert admin.get(f"/api/panes/{day.numbers[0]}").data["routing"] == []


def test_a_worker_leaves_their_work_behind(admin, manager, workshop):
    day = line(admin, workshop, assignedTo=manager.id)
    lot = stocked(admin, day.material)
    withdrawal = taken(admin, day, withdrawnBy=manager.id)
    assert admin.delete(f"/api/workers/{manager.id}").status == 200
    assert admin.get(f"/api/orders/{day.order['_id']}").data["assignedTo"] is None
    found = admin.get(f"/api/withdrawals/{withdrawal}").data
    assert found["withdrawnBy"] == manager.id  # who it was does not change
    assert lots() == {lot: 7}


def test_roles_with_workers_system_roles_and_the_last_admin_stay(
    admin, manager, workshop
):
    role = workshop.role(permissions=["orders:view"])
    workshop.worker(role=role)
    answer = admin.delete(f"/api/roles/{role.pk}")
    assert (answer.status, answer.message) == (400, "Role has 1 worker")
    system = admin.delete(f"/api/roles/{workshop.roles['worker'].pk}")
    assert (system.status, system.errors["code"]) == (400, "SYSTEM_ROLE")
    last = admin.delete(f"/api/workers/{admin.id}")
    assert (last.status, last.errors["code"]) == (400, "LAST_ADMIN")
    assert admin.get("/api/workers").status == 200


@pytest.mark.slow
def test_a_failure_in_the_middle_leaves_everything(admin, workshop, monkeypatch):
    day = line(admin, workshop, panes=2)
    stocked(admin, day.material)
    taken(admin, day, order=day.order["_id"])
    claimed(admin, day, day.panes[0]["_id"])
    told = ("ties", "outbox", "event_log", "counters")  # go on by themselves
    names = [name for name in get_db().list_collection_names() if name not in told]
    before = {name: list(get_db()[name].find()) for name in names}

    def fail(*_):
        raise LookupError("in the very last step")

    monkeypatch.setattr(
        "glassflow.services.deletion.order_progress.recount_orders", fail
    )
    assert admin.delete(f"/api/customers/{day.customer}").status == 500
    monkeypatch.undo()
    assert {name: list(get_db()[name].find()) for name in names} == before
    assert lots() == book()
    assert admin.delete(f"/api/customers/{day.customer}").status == 200


@pytest.mark.slow
def test_a_big_cascade_is_a_few_round_trips(admin, workshop):
    day = line(admin, workshop, steps=2, panes=200)
    answer = admin.delete(f"/api/requests/{day.request['_id']}")
    assert answer.status == 200
    assert (count("Pane"), count("Order")) == (0, 0)
    body = {"routing": day.stations}  # and panes can be made again at once
    assert admin.post("/api/panes", body).status == 201
