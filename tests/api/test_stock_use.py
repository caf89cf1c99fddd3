"""What was taken and written off of each material in the last days, and what was lost."""

from glassflow.models.material_log import MaterialLog
from glassflow.models.pane import Pane
from scenarios import claim_pane, claim_under_order, order_with_panes
from stock_api import LOTS, WITHDRAWALS, create_lot, move_part, withdraw

PATH = "/api/dashboard/stock-use"
BOTH = ("inventory:view", "materials:view")


def use_of(api, material, **query):
    """Taken and written off of a material; None if it is not in the answer."""
    rows = {row["material"]: row for row in api.get(PATH, **query).data["rows"]}
    row = rows.get(str(material.pk))
    return row and (row["taken"], row["writtenOff"])


def test_taken_is_what_was_withdrawn_less_what_came_back(admin, workshop):
    glass, film = workshop.material(name="Clear 6 mm"), workshop.material(unit="m²")
    lot, other = create_lot(admin, glass, 40), create_lot(admin, film, 100)
    assert admin.get(PATH).data["rows"] == []
    reduced, rejected, deleted, kept = (withdraw(admin, lot, 5).data for _ in range(4))
    withdraw(admin, other, 12)
    admin.patch(f"{WITHDRAWALS}/{reduced['_id']}", {"quantity": 2})
    admin.patch(f"{WITHDRAWALS}/{rejected['_id']}", {"status": "rejected"})
    admin.delete(f"{WITHDRAWALS}/{deleted['_id']}")
    admin.patch(f"{WITHDRAWALS}/{kept['_id']}", {"status": "approved"})
    film_row, glass_row = admin.get(PATH).data["rows"]
    assert (film_row["material"], film_row["unit"]) == (str(film.pk), "m²")
    assert glass_row == {
        "material": str(glass.pk), "name": "Clear 6 mm", "unit": "sheet",
        "taken": 7, "writtenOff": 0, "lostPanes": 0, "lostArea": 0,
    }  # fmt: skip


def test_written_off_is_what_was_corrected_downwards_less_upwards(admin, workshop):
    glass = workshop.material()
    lot, gone = create_lot(admin, glass, 40), create_lot(admin, glass, 6)
    path = f"{LOTS}/{lot['_id']}"
    admin.patch(path, {"quantity": 30.5})
    assert use_of(admin, glass) == (0, 9.5)
    admin.patch(path, {"quantity": 37.2})  # it was counted again
    assert use_of(admin, glass) == (0, 2.8)
    admin.delete(f"{LOTS}/{gone['_id']}")
    assert use_of(admin, glass) == (0, 8.8)
    admin.patch(path, {"quantity": 50})
    assert use_of(admin, glass) == (0, -4)


def test_moved_stock_and_notes_are_no_use_and_archived_entries_are(admin, workshop):
    glass = workshop.material()
    lot = create_lot(admin, glass, 40)
    move_part(admin, lot, 15, "B-02")
    note = {"material": str(glass.pk), "actionType": "withdraw", "quantityChanged": -9}
    assert admin.post("/api/material-logs", note).status == 201
    admin.patch(f"{LOTS}/{lot['_id']}", {"stockType": "Reuse"})
    assert use_of(admin, glass) is None
    withdraw(admin, lot | {"stockType": "Reuse"}, 4)
    MaterialLog.objects(by_service=True).update(set__archived=True)
    assert use_of(admin, glass) == (4, 0)


def test_use_is_of_the_days_that_are_asked_for(admin, workshop, at):
    glass = workshop.material()
    at(0, "23:50")
    lot = create_lot(admin, glass, 40)
    withdraw(admin, lot, 3)
    admin.patch(f"{LOTS}/{lot['_id']}", {"quantity": 36})
    at(6, "12:00")
    assert use_of(admin, glass, days=7) == (3, 1)
    at(7, "00:10")
    assert use_of(admin, glass, days=7) is None
    assert use_of(admin, glass) == (3, 1)
    assert set(admin.get(PATH, days="8").faults) == {"days"}


def test_lost_panes_have_the_area_of_their_material(
    admin, worker, workshop, client_with_keys
):
    size = {"dimensions": {"width": 1000, "height": 2000, "thickness": 5}}
    job = order_with_panes(admin, workshop, steps=1, panes=3, pane=size)
    other = str(workshop.material().pk)
    of_other = Pane.objects(pane_number=job.numbers[1])
    of_other.update(set__material=other)
    for number in job.numbers[:2]:
        fail = {"reason": "broken", "beforeComplete": True}
        assert worker.scan(number, "qc_fail", **fail).status == 200
    claims = (
        claim_pane(admin, job.numbers[2]).data,
        claim_under_order(admin, job, pane=None),
    )
    for claim in claims:
        approved = {"status": "approved", "remake": claim["pane"] is not None}
        assert admin.patch(f"/api/claims/{claim['_id']}", approved).status == 200

    def lost(*keys):
        rows = client_with_keys(*BOTH, *keys).get(PATH).data["rows"]
        return {row["material"]: (row["lostPanes"], row["lostArea"]) for row in rows}

    logs = ("panes:view", "pane_logs:view")
    assert lost(*logs, "claims:view") == {job.material: (3, 4.0), other: (1, 2.0)}
    assert lost(*logs) == {job.material: (1, 2.0), other: (1, 2.0)}
    withdraw(admin, create_lot(admin, job.material, 9), 2)
    for key in logs:
        assert lost(key, "claims:view") == {job.material: (None, None)}
    for key in BOTH:
        assert client_with_keys(key, *logs).get(PATH).status == 403
