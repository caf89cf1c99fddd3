"""Cutting plans: what waits to be cut, by material."""

from datetime import timedelta

import pytest

from glassflow.core.process import clock
from glassflow.models.material import Material
from scenarios import order_with_panes, order_with_units
from stock_api import create_lot

PATH = "/api/cutting-plans/waiting"
PANE = {"dimensions": {"width": 500, "height": 2000}}


def waiting(api):
    """Return what waits, with the materials by their names."""
    found = api.get(PATH).data
    return {**found, "materials": {one["name"]: one for one in found["materials"]}}


def cutting(admin, station):
    """Mark a station as one where glass is cut."""
    marked = admin.patch(f"/api/stations/{station}", {"isCuttingStation": True})
    assert marked.status == 200


@pytest.fixture
def job(admin, workshop):
    """An order of three panes that wait at a cutting station."""
    job = order_with_panes(admin, workshop, panes=3, pane=PANE)
    cutting(admin, job.stations[0])
    admin.patch(f"/api/materials/{job.material}", {"name": "Clear 6"})
    return job


def test_pending_panes_of_open_orders_wait_at_cutting_stations(admin, job):
    found = waiting(admin)
    assert [one["_id"] for one in found["stations"]] == [job.stations[0]]
    clear = found["materials"]["Clear 6"]
    assert (clear["panes"], clear["area"], clear["unplanned"]) == (3, 3.0, [])
    assert (clear["due"], clear["late"]) == (None, 0)
    assert found["noMaterial"] == {"count": 0, "area": 0, "panes": []}
    admin.scan(job.numbers[0], "scan_in", station=job.stations[0])
    assert waiting(admin)["materials"]["Clear 6"]["panes"] == 2
    order = f"/api/orders/{job.order['_id']}"
    admin.patch(order, {"status": "cancelled"})
    assert waiting(admin)["materials"] == {}
    admin.patch(
        order, {"status": "pending"}
    )  # taken back: what it cancelled waits again
    assert waiting(admin)["materials"]["Clear 6"]["panes"] == 2
    admin.patch(f"/api/stations/{job.stations[0]}", {"isCuttingStation": False})
    assert (waiting(admin)["stations"], waiting(admin)["materials"]) == ([], {})


def test_panes_that_are_not_ordered_do_not_wait(admin, workshop, job):
    body = {
        "customer": job.customer,
        "details": {"type": "window", "quantity": 1},
        "panes": [{**PANE, "routing": job.stations, "material": job.material}],
    }
    assert admin.post("/api/requests", body).status == 201
    assert waiting(admin)["materials"]["Clear 6"]["panes"] == 3


def test_sheets_of_a_laminated_pane_wait_one_by_one(admin, workshop):
    job = order_with_units(admin, workshop, sheets=3)
    cutting(admin, job.stations[0])
    (material,) = waiting(admin)["materials"].values()
    assert material["panes"] == 3


def test_panes_that_no_plan_can_have_are_listed_with_the_reason(admin, job):
    first, second, _ = (f"/api/panes/{one['_id']}" for one in job.panes)
    admin.patch(first, {"dimensions": {"width": 0, "height": 0}})
    admin.patch(second, {"edgeTasks": [{"side": "round", "edgeProfile": "polished"}]})
    clear = waiting(admin)["materials"]["Clear 6"]
    assert clear["panes"] == 3
    found = {one["reason"]: one for one in clear["unplanned"]}
    assert {name: one["count"] for name, one in found.items()} == {
        "no_size": 1,
        "unknown_side": 1,
    }
    (listed,) = found["no_size"]["panes"]
    assert listed == {"_id": job.panes[0]["_id"], "paneNumber": job.numbers[0]}


def test_panes_without_a_material_have_that_of_their_order_or_are_listed(admin, job):
    for pane in job.panes:
        admin.patch(f"/api/panes/{pane['_id']}", {"material": None})
    assert waiting(admin)["materials"]["Clear 6"]["panes"] == 3
    Material.collection().delete_many({})  # as a cascade of another release left it
    found = waiting(admin)
    assert found["materials"] == {}
    assert (found["noMaterial"]["count"], found["noMaterial"]["area"]) == (3, 3.0)
    numbers = [one["paneNumber"] for one in found["noMaterial"]["panes"]]
    assert sorted(numbers) == job.numbers


def test_stock_of_a_material_is_told_apart_into_sheets_and_remnants(admin, job):
    size = {"width": 1000, "height": 1500}
    create_lot(admin, job.material, 7)
    create_lot(admin, job.material, 2, dimensions=size)
    create_lot(admin, job.material, 1, stockType="Reuse", dimensions=size)
    create_lot(admin, job.material, 4, stockType="Reuse")  # of no known size
    create_lot(admin, job.material, 9, isActive=False)
    sizes = {"sheetSizes": [{"width": 2438, "height": 3658}]}
    admin.patch(f"/api/materials/{job.material}", sizes)
    clear = waiting(admin)["materials"]["Clear 6"]
    assert (clear["sheets"], clear["remnants"]) == (13, {"count": 1, "area": 1.5})
    assert clear["sheetSizes"] == sizes["sheetSizes"]


def test_materials_that_are_due_first_come_first(admin, workshop, job):
    other = order_with_panes(admin, workshop, pane=PANE)
    cutting(admin, other.stations[0])
    now = clock.now()
    for one, days in ((job, 3), (other, -1)):
        change = {
            "deadline": (now + timedelta(days=days)).isoformat() + "Z",
            "deadlineChangeReason": "asked for",
        }
        assert admin.patch(f"/api/requests/{one.request['_id']}", change).status == 200
    rows = admin.get(PATH).data["materials"]
    assert [(one["material"], one["late"]) for one in rows] == [
        (other.material, 1),
        (job.material, 0),
    ]


def test_it_needs_the_keys_of_the_stock_and_of_panes(admin, client_with_keys):
    assert client_with_keys("inventory:view").get(PATH).status == 403
    assert client_with_keys("panes:view").get(PATH).status == 403
    assert client_with_keys("inventory:view", "panes:view").get(PATH).status == 200
