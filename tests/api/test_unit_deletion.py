"""Deletion of units and remakes: only together with what belongs to them."""

from types import SimpleNamespace

import pytest

from glassflow.models.pane import Pane
from lookups import dangling_references, order_of, remakes_of
from scenarios import claim_pane, order_with_panes


@pytest.fixture
def unit(admin, worker, workshop):
    """A laminated unit of two sheets in an order, and what can be done to it."""
    job = order_with_panes(admin, workshop, steps=1)
    laminating = str(workshop.station(is_laminate_station=True).pk)
    body = {
        "order": job.order["_id"],
        "request": job.request["_id"],
        "routing": [*job.stations, laminating],
        "rawGlass": {"sheetsPerPane": 2},
    }
    made = admin.post("/api/panes", body).data
    numbers = [sheet["paneNumber"] for sheet in made["sheets"]]

    def merge():
        for number in numbers:
            for action in ("complete", "scan_out", "scan_in"):
                assert worker.scan(number, action).status == 200
        assert worker.scan(numbers[0], "laminate").status == 200

    return SimpleNamespace(
        job=job,
        merge=merge,
        numbers=numbers,
        parent=made["parent"]["_id"],
        sheets=[sheet["_id"] for sheet in made["sheets"]],
    )


def refused(answer, message):
    assert (answer.status, answer.message) == (409, message), answer


def test_parent_is_deleted_with_its_unscanned_sheets(admin, unit):
    assert admin.delete(f"/api/panes/{unit.parent}").status == 200
    left = admin.get("/api/panes").data
    assert [pane["_id"] for pane in left] == [unit.job.panes[0]["_id"]]
    order = order_of(admin, unit.job.order)
    assert order["paneCount"] == 1


def test_sheet_is_deleted_with_its_unit_only(admin, unit):
    refused(admin.delete(f"/api/panes/{unit.sheets[0]}"), "Pane has 1 unit")
    refused(admin.delete("/api/panes", {"ids": unit.sheets}), "Pane has 1 unit")
    both = {"ids": [unit.sheets[0], unit.parent]}
    assert admin.delete("/api/panes", both).data == {"deletedCount": 2}
    assert len(admin.get("/api/panes").data) == 1


def test_unit_with_a_scanned_sheet_cannot_be_deleted(admin, worker, unit):
    worker.scan(unit.numbers[1], "scan_in")
    refused(admin.delete(f"/api/panes/{unit.parent}"), "Pane has 1 scanned sheet")
    order = admin.delete(f"/api/orders/{unit.job.order['_id']}")
    refused(order, "Order has 1 scanned pane")


@pytest.mark.parametrize("what", ["order", "request"])
def test_unscanned_work_is_deleted_with_its_units(admin, unit, what):
    found = getattr(unit.job, what)["_id"]
    assert admin.delete(f"/api/{what}s/{found}").status == 200
    assert admin.get("/api/panes").data == []


@pytest.mark.slow
def test_laminated_pane_is_deleted_with_its_merged_panes_only(admin, unit):
    unit.merge()
    survivor, retired = unit.sheets
    refused(admin.delete(f"/api/panes/{survivor}"), "Pane has 2 merged panes")
    refused(admin.delete(f"/api/panes/{retired}"), "Pane has 1 survivor")
    assert admin.delete(f"/api/panes/{unit.parent}").status == 409
    whole = {"ids": [survivor, retired, unit.parent]}
    assert admin.delete("/api/panes", whole).data == {"deletedCount": 3}
    assert Pane.objects.count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("which", ["retired", "parent", "survivor"])
def test_under_cascade_a_merged_pane_takes_its_whole_unit_along(
    admin, unit, set_policy, which
):
    unit.merge()
    set_policy(delete_policy="cascade")
    survivor, retired = unit.sheets
    named = {"retired": retired, "parent": unit.parent, "survivor": survivor}[which]
    assert admin.delete(f"/api/panes/{named}").status == 200
    left = admin.get("/api/panes", includeMerged="true").data
    assert [pane["_id"] for pane in left] == [unit.job.panes[0]["_id"]]
    assert dangling_references() == []


@pytest.fixture(params=["retired", "parent"])
def damaged(request, unit):
    """A survivor that has lost a pane of its unit, as an earlier release deleted it."""
    unit.merge()
    _, retired = unit.sheets
    if request.param == "retired":
        Pane.objects(pk=retired).delete()
    else:
        Pane.objects(pk=unit.parent).delete()
        Pane.objects(parent_pane=unit.parent).update(parent_pane=None)
    return unit


@pytest.mark.slow
def test_damaged_unit_that_fails_its_check_is_remade_as_a_pane(admin, worker, damaged):
    number = damaged.numbers[0]
    (next_station,) = damaged.job.stations
    path = f"/api/panes/{damaged.sheets[0]}"
    assert admin.patch(path, {"routing": [next_station]}).status == 200
    failed = worker.scan(number, "qc_fail", reason="broken")
    assert failed.status == 200, failed
    remade = failed.data["remadePane"]
    assert (remade["laminateRole"], remade["remakeOf"]) == ("single", damaged.sheets[0])
    assert (remade["currentStation"], remade["routing"]) == (
        next_station,
        [next_station],
    )
    assert admin.patch(f"/api/panes/{remade['_id']}", {"notes": "x"}).status == 200
    order = order_of(admin, damaged.job.order)
    assert (order["paneCount"], order["panesCompleted"]) == (2, 0)


@pytest.mark.slow
def test_claim_of_a_damaged_unit_is_approved_with_a_remake(admin, worker, damaged):
    number = damaged.numbers[0]
    claim = claim_pane(worker, number).data
    path = f"/api/claims/{claim['_id']}"
    said = admin.get(f"{path}/outcomes").data["outcomes"][1]
    assert (said["remade"]["kind"], said["remade"]["pieces"]) == ("pane", 1)
    decision = {"status": "approved", "decision": "destroy", "remake": True}
    assert admin.patch(path, decision).status == 200
    (made,) = remakes_of(admin, number)
    assert made["laminateRole"] == "single"
    order = order_of(admin, damaged.job.order)
    said_figures = (said["order"]["paneCount"], said["order"]["panesCompleted"])
    assert said_figures == (order["paneCount"], order["panesCompleted"])


def test_failed_pane_is_deleted_with_its_remake_only(admin, worker, unit):
    (number,) = unit.job.numbers
    worker.scan(number, "complete")
    failed = worker.scan(number, "qc_fail", reason="broken").data
    refused(admin.delete(f"/api/panes/{failed['pane']['_id']}"), "Pane has 1 remake")
    remade = failed["remadePane"]["_id"]
    both = {"ids": [failed["pane"]["_id"], remade]}
    assert admin.delete("/api/panes", both).data == {"deletedCount": 2}
    assert admin.get(f"/api/panes/{remade}").status == 404
