"""What `created_twice` finds: requests that were carried out again after a lost answer."""

import pytest
from acknowledged import CREATED_BY_POST, AcknowledgedRecords

LOT, TARGET = "a" * 24, "b" * 24


def workshop(**records):
    """A state of the workshop: the records of each kind, by id."""
    empty = dict.fromkeys((*CREATED_BY_POST, "material-logs"), ())
    given = {kind.replace("_", "-"): rows for kind, rows in records.items()}
    return {
        kind: {row["_id"]: row for row in rows}
        for kind, rows in (empty | given).items()
    }


def lot(lot_id):
    return {"_id": lot_id, "version": 1}


def entry(number, action, quantity, inventory, reference=LOT):
    return {
        "_id": f"{number:024}",
        "actionType": action,
        "quantityChanged": quantity,
        "inventory": inventory,
        "referenceId": reference,
    }


RECEIVED = entry(1, "import", 20, LOT)
LEFT, ARRIVED = entry(2, "move", -4, LOT), entry(3, "move", 4, TARGET)
LEFT_AGAIN, ARRIVED_AGAIN = entry(4, "move", -4, LOT), entry(5, "move", 4, TARGET)


@pytest.fixture
def acknowledged():
    """A lot was received, and a part of it moved to a new one."""
    made = AcknowledgedRecords()
    made.add("POST", "inventories", lot(LOT))
    moved = {"source": lot(LOT), "target": lot(TARGET), "quantity": 4}
    made.add("POST", f"inventories/{LOT}/move", moved)
    return made


def found(acknowledged, *entries, lots=(LOT, TARGET), before=()):
    state = workshop(inventories=[lot(one) for one in lots], material_logs=entries)
    return acknowledged.created_twice(state, workshop(material_logs=before))


def test_what_was_carried_out_once_is_no_fault(acknowledged):
    assert found(acknowledged, RECEIVED, LEFT, ARRIVED) == []
    earlier = [LEFT_AGAIN, ARRIVED_AGAIN]
    once = (RECEIVED, LEFT, ARRIVED, *earlier)
    assert found(acknowledged, *once, before=earlier) == []


def test_move_that_was_carried_out_twice_is_found(acknowledged):
    twice = (RECEIVED, LEFT, ARRIVED, LEFT_AGAIN, ARRIVED_AGAIN)
    assert found(acknowledged, *twice) == [f"4 of lot {LOT} was moved 1 times besides"]


def test_receipt_that_was_carried_out_twice_is_found(acknowledged):
    other = "c" * 24
    again = entry(6, "import", 20, other, other)
    (fault,) = found(
        acknowledged, RECEIVED, again, LEFT, ARRIVED, lots=(LOT, TARGET, other)
    )
    assert fault.startswith(f"inventories {other} was created besides")
    again = entry(6, "import", 20, LOT)
    assert found(acknowledged, RECEIVED, again, LEFT, ARRIVED) == [
        f"lot {LOT} was received 2 times"
    ]
