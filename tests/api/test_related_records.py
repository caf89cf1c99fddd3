"""What belongs to a pane: remakes, the sheets of its unit, claims."""

from lookups import pane_of
from scenarios import (
    bring_to_lamination,
    claim_pane,
    order_with_panes,
    order_with_units,
)


def related(api, number):
    return api.get(f"/api/panes/{number}/related").data


def numbers(rows):
    return [row["paneNumber"] for row in rows]


def test_remakes_and_claims_of_a_pane_are_listed(admin, worker, workshop):
    number = order_with_panes(admin, workshop).numbers[0]
    assert related(admin, number) == {"remakes": [], "unit": [], "claims": []}
    for action in ("scan_in", "complete"):
        worker.scan(number, action)
    failed = worker.scan(number, "qc_fail", reason="broken").data
    remade = failed["remadePane"]["paneNumber"]
    assert numbers(related(admin, f"stdplus:{number}")["remakes"]) == [remade]
    claim = claim_pane(worker, remade).data
    found = related(admin, remade)
    assert [row["claimNumber"] for row in found["claims"]] == [claim["claimNumber"]]
    path = f"/api/panes/{remade}/related"
    populated = admin.get(path, populate="reportedBy").data["claims"][0]
    assert populated["reportedBy"]["name"] == worker.worker.name


def test_every_pane_of_a_unit_has_its_sheets(admin, worker, workshop):
    job = order_with_units(admin, workshop)
    sheets, parent = job.sheets[0], job.parents[0]
    for number in (parent, *sheets):
        assert set(numbers(related(admin, number)["unit"])) == set(sheets)
    for sheet in sheets:
        bring_to_lamination(worker, sheet, job)
        worker.scan(sheet, "complete")
    assert worker.scan(sheets[0], "laminate").status == 200
    assert pane_of(admin, sheets[1])["currentStatus"] == "merged_into"
    for sheet in sheets:
        assert set(numbers(related(admin, sheet)["unit"])) == set(sheets)


def test_claims_need_their_key_and_the_pane_must_exist(
    admin, worker, workshop, client_with_keys
):
    number = order_with_panes(admin, workshop).numbers[0]
    claim_pane(worker, number)
    assert related(client_with_keys("panes:view"), number)["claims"] == []
    assert admin.get("/api/panes/PNE-9999/related").status == 404
