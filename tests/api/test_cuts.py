"""Panes that name a lot: a `cut` in the material log, which changes no stock."""

import pytest

from stock_api import (
    LEDGER,
    assert_stock_matches_ledger,
    create_lot,
    quantities_of,
)


@pytest.fixture
def lots(admin, workshop):
    glass = workshop.material()
    return [create_lot(admin, glass, 5, location=place) for place in ("A", "B")]


@pytest.fixture
def unit_body(workshop):
    lamination = workshop.station(is_laminate_station=True)
    return {"routing": [str(lamination.pk)], "rawGlass": {"sheetsPerPane": 3}}


@pytest.fixture(autouse=True)
def _stock_is_unchanged(admin, lots):
    yield
    assert quantities_of(admin, *lots) == [5, 5]
    assert_stock_matches_ledger()


def cuts_of(api):
    """Lot and panes of each cut, oldest first."""
    rows = api.get(LEDGER, actionType="cut", sort="_id").data
    assert {row["quantityChanged"] for row in rows} <= {0}
    return [(row["inventory"], row["panes"]) for row in rows]


def test_new_pane_logs_its_cut(admin, lots):
    lot, _ = lots
    pane = admin.post("/api/panes", {"inventory": lot["_id"]}).data
    (row,) = admin.get(LEDGER, actionType="cut").data
    assert (row["inventory"], row["panes"]) == (lot["_id"], [pane["_id"]])
    assert (row["material"], row["stockType"]) == (lot["material"], "Raw")
    assert (row["referenceType"], row["referenceId"]) == ("inventory", lot["_id"])
    assert (row["worker"], row["quantityChanged"]) == (admin.id, 0)
    assert admin.patch(f"{LEDGER}/{row['_id']}", {"totalPrice": 1}).status == 409


def test_pane_without_a_lot_logs_no_cut(admin):
    pane = admin.post("/api/panes", {"notes": "a"}).data
    admin.patch(f"/api/panes/{pane['_id']}", {"notes": "b"})
    assert cuts_of(admin) == []


def test_each_lot_that_a_change_sets_is_logged_once(admin, lots):
    first, second = (lot["_id"] for lot in lots)
    pane = admin.post("/api/panes", {}).data["_id"]
    for lot in (first, first, second, None, None, first):
        assert admin.patch(f"/api/panes/{pane}", {"inventory": lot}).status == 200
    assert cuts_of(admin) == [(first, [pane]), (second, [pane]), (first, [pane])]


def test_unit_logs_a_cut_of_each_sheet(admin, lots, unit_body):
    first, second = (lot["_id"] for lot in lots)
    unit = admin.post("/api/panes", {**unit_body, "inventory": first}).data
    sheets = [sheet["_id"] for sheet in unit["sheets"]]
    assert cuts_of(admin) == [(first, [sheet]) for sheet in sheets]
    admin.patch(f"/api/panes/{unit['parent']['_id']}", {"inventory": second})
    assert cuts_of(admin)[3:] == [(second, [sheet]) for sheet in sheets]


def test_pane_that_becomes_a_unit_with_its_lot_logs_a_cut_of_each_sheet(
    admin, lots, unit_body
):
    pane = admin.post("/api/panes", {}).data["_id"]
    body = {**unit_body, "inventory": lots[0]["_id"]}
    assert admin.patch(f"/api/panes/{pane}", body).status == 200
    sheets = admin.get("/api/panes", parentPane=pane, sort="_id").data
    assert cuts_of(admin) == [(lots[0]["_id"], [sheet["_id"]]) for sheet in sheets]
    assert len(sheets) == 3


def test_unknown_lot_is_refused_and_logs_nothing(admin):
    answer = admin.post("/api/panes", {"inventory": "0" * 24})
    assert (answer.status, answer.message) == (400, "Inventory not found")
    assert cuts_of(admin) == []
