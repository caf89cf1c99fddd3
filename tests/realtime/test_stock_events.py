"""Events of the stock: each affected lot once, a move once."""

import pytest

from scenarios import order_with_panes
from stock_api import LEDGER, LOTS, WITHDRAWALS, create_lot, move_part, withdraw

ROOMS = ("join_dashboard", "join_inventory", "join_log", "join_withdrawal", "join_pane")


@pytest.fixture
def events_of(admin, screen):
    """Returns the events that a call causes, sorted by event and action."""
    watcher = screen(admin, *ROOMS)

    def during(act):
        watcher.events_during(admin, lambda: None)  # earlier events may still arrive
        events = watcher.events_during(admin, act)
        return sorted(events, key=lambda each: (each[0], str(each[1].get("action"))))

    return during


def names(events):
    return [(event, payload["action"]) for event, payload in events]


def adjusted_lots(events):
    """The lots that were published as adjusted, as id and quantity, by age."""
    lots = [s["data"] for e, s in events if (e, s["action"]) == ADJUSTED]
    return [(lot["_id"], lot["quantity"]) for lot in sorted(lots, key=number)]


def number(lot):
    return lot["inventoryNumber"]


ADJUSTED = ("inventory:updated", "adjusted")
ENTERED = ("log:updated", "created")


@pytest.fixture
def lots(admin, workshop):
    material = workshop.material()
    return [create_lot(admin, material, quantity) for quantity in (5, 3)]


def ids(lots):
    return [lot["_id"] for lot in lots]


def test_new_withdrawal_publishes_each_lot_and_each_ledger_entry(
    admin, lots, events_of
):
    made = []
    events = events_of(lambda: made.append(withdraw(admin, lots[0], 7).data))
    expected = ("withdrawal:updated", "created")
    assert names(events) == [ADJUSTED, ADJUSTED, ENTERED, ENTERED, expected]
    assert adjusted_lots(events) == list(zip(ids(lots), [0, 1], strict=True))
    assert events[-1][1]["data"] == made[0]
    lot = events[0][1]["data"]
    assert lot == admin.get(f"{LOTS}/{lot['_id']}").data


@pytest.mark.slow
def test_each_change_of_a_withdrawal_publishes_the_affected_lots(
    admin, lots, events_of
):
    one = withdraw(admin, lots[0], 4).data["_id"]
    expected = ("withdrawal:updated", "updated")
    path = f"{WITHDRAWALS}/{one}"
    events = events_of(lambda: admin.patch(path, {"quantity": 6}))
    assert names(events) == [ADJUSTED, ADJUSTED, ENTERED, ENTERED, expected]
    assert adjusted_lots(events) == list(zip(ids(lots), [0, 2], strict=True))
    events = events_of(lambda: admin.patch(path, {"quantity": 5}))
    assert names(events) == [ADJUSTED, ENTERED, expected]
    assert adjusted_lots(events) == [(lots[1]["_id"], 3)]
    events = events_of(lambda: admin.patch(path, {"notes": "x"}))
    assert names(events) == [expected]
    events = events_of(lambda: admin.patch(path, {"status": "approved"}))
    assert names(events) == [ADJUSTED, expected]
    assert adjusted_lots(events) == [(lots[0]["_id"], 0)]
    assert events[-1][1]["data"]["status"] == "approved"


def test_rejection_publishes_each_lot_once(admin, lots, events_of):
    one = withdraw(admin, lots[0], 7).data["_id"]
    path = f"{WITHDRAWALS}/{one}"
    events = events_of(lambda: admin.patch(path, {"status": "rejected"}))
    expected = ("withdrawal:updated", "updated")
    assert names(events) == [ADJUSTED, ADJUSTED, ENTERED, ENTERED, expected]
    assert adjusted_lots(events) == list(zip(ids(lots), [5, 3], strict=True))


def test_lot_with_a_return_and_a_new_allocation_is_published_once(
    admin, lots, events_of
):
    one = withdraw(admin, lots[0], 4).data["_id"]
    change = {"inventory": lots[0]["_id"], "quantity": 5}
    events = events_of(lambda: admin.patch(f"{WITHDRAWALS}/{one}", change))
    expected = ("withdrawal:updated", "updated")
    assert names(events) == [ADJUSTED, ENTERED, ENTERED, expected]
    assert adjusted_lots(events) == [(lots[0]["_id"], 0)]


def test_deletion_publishes_the_lots_and_the_withdrawal(admin, lots, events_of):
    one = withdraw(admin, lots[0], 7).data
    events = events_of(lambda: admin.delete(f"{WITHDRAWALS}/{one['_id']}"))
    expected = ("withdrawal:updated", "deleted")
    assert names(events) == [ADJUSTED, ADJUSTED, ENTERED, ENTERED, expected]
    assert adjusted_lots(events) == list(zip(ids(lots), [5, 3], strict=True))
    assert events[-1][1]["data"] == one


def test_panes_of_a_withdrawal_are_published_as_updated(
    admin, lots, workshop, events_of
):
    panes = [pane["_id"] for pane in order_with_panes(admin, workshop, panes=2).panes]
    made = []
    events = events_of(
        lambda: made.append(withdraw(admin, lots[0], 1, panes=panes).data)
    )
    panes_published = [
        payload["data"] for event, payload in events if event == "pane:updated"
    ]
    assert sorted(pane["_id"] for pane in panes_published) == sorted(panes)
    assert {pane["withdrawal"] for pane in panes_published} == {made[0]["_id"]}


def test_move_publishes_one_event_with_source_target_and_quantity(
    admin, lots, events_of
):
    answers = []
    moved = ("inventory:updated", "moved")
    for to in ("B-02", "B-02"):  # a new lot there, then one that stands there
        events = events_of(
            lambda to=to: answers.append(move_part(admin, lots[0], 2, to).data)
        )
        assert names(events) == [moved, ENTERED, ENTERED]
        assert {**events[0][1]["data"], "movedQuantity": 2} == answers[-1]
        assert set(events[0][1]["data"]) == {"source", "target", "quantity"}
    assert answers[0]["target"]["_id"] == answers[1]["target"]["_id"]
    assert answers[1]["target"]["quantity"] == 4


def test_corrected_lot_is_published_as_updated(admin, lots, events_of):
    path = f"{LOTS}/{lots[0]['_id']}"
    events = events_of(lambda: admin.patch(path, {"quantity": 4}))
    assert names(events) == [("inventory:updated", "updated"), ENTERED]


def test_refused_changes_publish_nothing(admin, lots, events_of):
    def fail():
        assert withdraw(admin, lots[0], 9).status == 400
        assert move_part(admin, lots[0], 9, "B-02").status == 400
        (entry, *_) = admin.get(LEDGER).data
        assert admin.delete(f"{LEDGER}/{entry['_id']}").status == 409

    assert events_of(fail) == []


@pytest.mark.slow
def test_low_stock_is_published_once_and_notifies_workers_with_the_key(
    admin, manager, worker, workshop, events_of, screen
):
    material = workshop.material(reorder_point=5)
    lot = create_lot(admin, material, 6)
    recipient, other = screen(manager), screen(worker)
    events = []

    def withdraw_some():
        events.extend(events_of(lambda: withdraw(admin, lot, 2)))

    recipient.events_during(admin, lambda: None)
    (notification,) = recipient.events_during(admin, withdraw_some)
    low = ("material:updated", "low_stock")
    assert [name for name in record_names(events) if name[0] == low[0]] == [low]
    data = next(payload["data"] for event, payload in events if event == low[0])
    assert data == admin.get(f"/api/materials/{material.pk}").data
    event, payload = notification
    assert (event, payload["type"], payload["priority"]) == (
        "notification",
        "low_stock",
        "high",
    )
    assert (payload["referenceType"], payload["referenceId"]) == (
        "Material",
        str(material.pk),
    )
    assert payload["recipient"]["_id"] == manager.id
    assert other.events_during(admin, lambda: withdraw(admin, lot, 1)) == []
    assert low not in record_names(events_of(lambda: withdraw(admin, lot, 1)))


def record_names(events):
    return [
        (event, payload["action"]) for event, payload in events if "action" in payload
    ]
