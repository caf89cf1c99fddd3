"""What the floor hears of the stock: each lot concerned once, a move once."""

import pytest

from storeroom import BOOK, LOTS, TAKINGS, move, put_in, take
from stories import line

HEARS = ("join_dashboard", "join_inventory", "join_log", "join_withdrawal", "join_pane")


@pytest.fixture
def hear(admin, screen):
    """Gives what a watcher hears of an act, as event and action, and what it said."""
    watcher = screen(admin, *HEARS)

    def during(act):
        watcher.during(admin, lambda: None)  # what came before is still on its way
        heard = watcher.during(admin, act)
        return sorted(heard, key=lambda each: (each[0], str(each[1].get("action"))))

    return during


def names(heard):
    return [(event, said["action"]) for event, said in heard]


def lots_told(heard):
    """The lots that were told as adjusted, as id and quantity, by age."""
    told = [s["data"] for e, s in heard if (e, s["action"]) == ADJUSTED]
    return [(lot["_id"], lot["quantity"]) for lot in sorted(told, key=number)]


def number(lot):
    return lot["inventoryNumber"]


ADJUSTED = ("inventory:updated", "adjusted")
ENTERED = ("log:updated", "created")


@pytest.fixture
def lots(admin, workshop):
    material = workshop.material()
    return [put_in(admin, material, quantity) for quantity in (5, 3)]


def ids(lots):
    return [lot["_id"] for lot in lots]


def test_a_new_withdrawal_is_heard_with_each_lot_and_each_entry(admin, lots, hear):
    made = []
    heard = hear(lambda: made.append(take(admin, lots[0], 7).data))
    told = ("withdrawal:updated", "created")
    assert names(heard) == [ADJUSTED, ADJUSTED, ENTERED, ENTERED, told]
    assert lots_told(heard) == list(zip(ids(lots), [0, 1], strict=True))
    assert heard[-1][1]["data"] == made[0]
    lot = heard[0][1]["data"]
    assert lot == admin.get(f"{LOTS}/{lot['_id']}").data


@pytest.mark.slow
def test_each_change_of_a_withdrawal_tells_of_the_lots_concerned(admin, lots, hear):
    one = take(admin, lots[0], 4).data["_id"]
    told = ("withdrawal:updated", "updated")
    path = f"{TAKINGS}/{one}"
    heard = hear(lambda: admin.patch(path, {"quantity": 6}))
    assert names(heard) == [ADJUSTED, ADJUSTED, ENTERED, ENTERED, told]
    assert lots_told(heard) == list(zip(ids(lots), [0, 2], strict=True))
    heard = hear(lambda: admin.patch(path, {"quantity": 5}))
    assert names(heard) == [ADJUSTED, ENTERED, told]
    assert lots_told(heard) == [(lots[1]["_id"], 3)]
    heard = hear(lambda: admin.patch(path, {"notes": "x"}))
    assert names(heard) == [told]
    heard = hear(lambda: admin.patch(path, {"status": "approved"}))
    assert names(heard) == [ADJUSTED, told]
    assert lots_told(heard) == [(lots[0]["_id"], 0)]
    assert heard[-1][1]["data"]["status"] == "approved"


def test_a_rejection_tells_of_each_lot_once(admin, lots, hear):
    one = take(admin, lots[0], 7).data["_id"]
    path = f"{TAKINGS}/{one}"
    heard = hear(lambda: admin.patch(path, {"status": "rejected"}))
    told = ("withdrawal:updated", "updated")
    assert names(heard) == [ADJUSTED, ADJUSTED, ENTERED, ENTERED, told]
    assert lots_told(heard) == list(zip(ids(lots), [5, 3], strict=True))


def test_a_lot_that_gives_back_and_takes_anew_is_told_once(admin, lots, hear):
    one = take(admin, lots[0], 4).data["_id"]
    change = {"inventory": lots[0]["_id"], "quantity": 5}
    heard = hear(lambda: admin.patch(f"{TAKINGS}/{one}", change))
    told = ("withdrawal:updated", "updated")
    assert names(heard) == [ADJUSTED, ENTERED, ENTERED, told]
    assert lots_told(heard) == [(lots[0]["_id"], 0)]


def test_a_deletion_tells_of_the_lots_and_of_the_withdrawal(admin, lots, hear):
    one = take(admin, lots[0], 7).data
    heard = hear(lambda: admin.delete(f"{TAKINGS}/{one['_id']}"))
    told = ("withdrawal:updated", "deleted")
    assert names(heard) == [ADJUSTED, ADJUSTED, ENTERED, ENTERED, told]
    assert lots_told(heard) == list(zip(ids(lots), [5, 3], strict=True))
    assert heard[-1][1]["data"] == one


def test_panes_that_are_named_are_heard_as_updated(admin, lots, workshop, hear):
    panes = [pane["_id"] for pane in line(admin, workshop, panes=2).panes]
    made = []
    heard = hear(lambda: made.append(take(admin, lots[0], 1, panes=panes).data))
    told = [said["data"] for event, said in heard if event == "pane:updated"]
    assert sorted(pane["_id"] for pane in told) == sorted(panes)
    assert {pane["withdrawal"] for pane in told} == {made[0]["_id"]}


def test_a_move_is_heard_once_with_source_target_and_quantity(admin, lots, hear):
    answers = []
    moved = ("inventory:updated", "moved")
    for to in ("B-02", "B-02"):  # a new lot there, then one that stands there
        heard = hear(lambda to=to: answers.append(move(admin, lots[0], 2, to).data))
        assert names(heard) == [moved, ENTERED, ENTERED]
        assert heard[0][1]["data"] == answers[-1]
        assert set(answers[-1]) == {"source", "target", "quantity"}
    assert answers[0]["target"]["_id"] == answers[1]["target"]["_id"]
    assert answers[1]["target"]["quantity"] == 4


def test_a_corrected_lot_is_heard_as_updated(admin, lots, hear):
    path = f"{LOTS}/{lots[0]['_id']}"
    heard = hear(lambda: admin.patch(path, {"quantity": 4}))
    assert names(heard) == [("inventory:updated", "updated"), ENTERED]


def test_what_is_refused_is_not_heard(admin, lots, hear):
    def fail():
        assert take(admin, lots[0], 9).status == 400
        assert move(admin, lots[0], 9, "B-02").status == 400
        (entry, *_) = admin.get(BOOK).data
        assert admin.delete(f"{BOOK}/{entry['_id']}").status == 409

    assert hear(fail) == []


@pytest.mark.slow
def test_low_stock_is_heard_once_by_the_floor_and_by_those_who_see_to_it(
    admin, manager, worker, workshop, hear, screen
):
    material = workshop.material(reorder_point=5)
    lot = put_in(admin, material, 6)
    theirs, others = screen(manager), screen(worker)
    heard = []

    def fall():
        heard.extend(hear(lambda: take(admin, lot, 2)))

    theirs.during(admin, lambda: None)
    (told,) = theirs.during(admin, fall)
    low = ("material:updated", "low_stock")
    assert [name for name in names_of_records(heard) if name[0] == low[0]] == [low]
    data = next(said["data"] for event, said in heard if event == low[0])
    assert data == admin.get(f"/api/materials/{material.pk}").data
    event, said = told
    assert (event, said["type"], said["priority"]) == (
        "notification",
        "low_stock",
        "high",
    )
    assert (said["referenceType"], said["referenceId"]) == (
        "Material",
        str(material.pk),
    )
    assert said["recipient"]["_id"] == manager.id
    assert others.during(admin, lambda: take(admin, lot, 1)) == []
    assert low not in names_of_records(hear(lambda: take(admin, lot, 1)))


def names_of_records(heard):
    return [(event, said["action"]) for event, said in heard if "action" in said]
