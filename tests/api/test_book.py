"""The book of a material: its log with the balance after each entry."""

import pytest

from stock_api import create_lot, move_part, withdraw

LEDGER = "/api/material-logs"


@pytest.fixture
def glass(workshop):
    """A material."""
    return workshop.material()


@pytest.fixture
def path(glass):
    return f"/api/materials/{glass.pk}/book"


def balances(api, path, **query):
    """Action, change and balance of each row, oldest first."""
    rows = api.get(path, sort="createdAt", **query).data
    return [(one["actionType"], one["quantityChanged"], one["balance"]) for one in rows]


@pytest.fixture
def lots(admin, worker, glass):
    """Two lots that were taken in, corrected, withdrawn from and moved: 8.5 and 3."""
    first, second = (create_lot(admin, glass, quantity) for quantity in (10, 0.5))
    admin.patch(f"/api/inventories/{first['_id']}", {"quantity": 15})
    assert withdraw(worker, first, 4).status == 201
    third = move_part(worker, first, 3, "B-02").data["target"]
    return first, second, third


EVERYTHING = [
    ("import", 10, 10),
    ("import", 0.5, 10.5),
    ("import", 5, 15.5),
    ("withdraw", -4, 11.5),
    ("move", -3, 8.5),
    ("move", 3, 11.5),
]


def test_each_row_has_the_balance_after_it(worker, path, glass, lots):
    assert balances(worker, path) == EVERYTHING
    stock = worker.get(f"/api/materials/{glass.pk}/stock").data
    (latest,) = worker.get(path, limit=1).data
    assert latest["balance"] == stock["quantity"] == 11.5
    (first,) = worker.get(path, limit=1, page=6).data
    assert (first["balance"], first["isCounted"]) == (10, True)
    assert worker.get(path, limit=1).body["pagination"]["total"] == 6


def test_filters_leave_the_balance_as_it_was(worker, path, lots):
    imports = [row for row in EVERYTHING if row[0] == "import"]
    assert balances(worker, path, actionType="import") == imports
    rows = balances(worker, path, actionType="import,withdraw", limit=2, page=2)
    assert rows == EVERYTHING[2:4]


def test_balance_of_one_lot_adds_up_the_entries_of_that_lot(worker, path, lots):
    first, _, third = lots
    assert balances(worker, path, inventory=first["_id"]) == [
        ("import", 10, 10), ("import", 5, 15), ("withdraw", -4, 11), ("move", -3, 8),
    ]  # fmt: skip
    assert balances(worker, path, inventory=third["_id"]) == [("move", 3, 3)]


def test_notes_are_shown_and_count_for_nothing(admin, path, glass, lots):
    note = {"material": str(glass.pk), "actionType": "cut", "quantityChanged": -2}
    admin.post(LEDGER, note)
    shown, before = admin.get(path, limit=2).data
    assert (shown["quantityChanged"], shown["balance"]) == (-2, 11.5)
    assert (shown["isCounted"], before["isCounted"]) == (False, True)


def test_tenths_add_up_without_drift(admin, path, glass):
    for _ in range(10):
        create_lot(admin, glass, 0.1)
    assert [row[2] for row in balances(admin, path)][-3:] == [0.8, 0.9, 1]


def test_book_is_read_with_the_key_of_the_log_and_populated(
    client_with_keys, worker, path, glass, lots
):
    assert client_with_keys("materials:view").get(path).status == 403
    rows = client_with_keys("material_logs:view").get(path, populate="worker,material")
    assert {row["material"] for row in rows.data} == {str(glass.pk)}
    (latest,) = worker.get(path, limit=1, populate="worker").data
    assert latest["worker"]["name"] == worker.worker.name
    assert list(worker.get(path, createdAt_gte="x").faults) == ["createdAt_gte"]
    assert worker.get("/api/materials/nothing/book").status == 404
