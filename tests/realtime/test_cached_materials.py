"""Materials are cached for what refers to them, and a change by another process arrives."""

import pytest
from bson import ObjectId

from glassflow.core.process import deadlines
from glassflow.core.store.outbox_entries import Change
from glassflow.models.inventory import Inventory
from glassflow.models.material import Material
from messages import add_to_outbox
from waiting import wait_until


@pytest.fixture(autouse=True)
def _records_do_not_expire(app, monkeypatch):
    """So that a cached record that was not forgotten would be used for ever."""
    monkeypatch.setattr(deadlines, "RECORD_CACHE_S", 1e6)


@pytest.fixture
def lot(admin, workshop):
    """A lot of a material called Clear, which the process has cached."""
    body = {"material": str(workshop.material(name="Clear").pk), "quantity": 1,
            "stockType": "Raw", "location": "A"}  # fmt: skip
    created = admin.post("/api/inventories", body).data
    assert name_of_material(admin, created) == "Clear"
    return created


def name_of_material(api, lot):
    """The name of a lot's material, as a populated reference shows it."""
    path = f"/api/inventories/{lot['_id']}"
    return api.get(path, populate="material").data["material"]["name"]


def stored(model, text):
    """The stored record with this id."""
    return model.collection().find_one({"_id": ObjectId(text)})


def rename_unseen(lot):
    """Rename the material as another process does; return the change to be published."""
    material = stored(Material, lot["material"])
    query = {"_id": material["_id"]}
    Material.collection().update_one(query, {"$set": {"name": "Frosted"}})
    return Change(
        "Material", material["_id"], "updated", {**material, "name": "Frosted"}
    )


def test_change_of_another_process_arrives_through_the_event_log(admin, screen, lot):
    screen(admin).catch_up(admin)  # a process with a client follows the log
    assert name_of_material(admin, lot) == "Clear"
    change = rename_unseen(lot)
    assert name_of_material(admin, lot) == "Clear"  # not reported yet
    add_to_outbox(change)
    wait_until(lambda: name_of_material(admin, lot) == "Frosted")


def test_event_after_the_change_of_another_process_shows_it(
    admin, screen, lot, setting, set_policy
):
    setting(EXPAND_REFERENCES=True)
    set_policy(read_all=True)
    mine = screen(admin, "join_inventory").catch_up(admin)
    assert name_of_material(admin, lot) == "Clear"
    renamed = rename_unseen(lot)
    row = stored(Inventory, lot["_id"])
    moved = Change("Inventory", row["_id"], "updated", row)
    events = mine.events_during(admin, lambda: add_to_outbox(renamed, moved))
    names = [
        payload["data"]["material"]["name"]
        for event, payload in events
        if event == "inventory:updated"
    ]
    assert names == ["Frosted"]
