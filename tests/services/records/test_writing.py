"""Writing records: what is stored, what of the store survives, what is announced."""

import ast
from pathlib import Path

import pytest
from bson import ObjectId
from mongoengine.errors import ValidationError
from pymongo.errors import DuplicateKeyError

import glassflow
from factories import delete, save
from glassflow import runtime
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain.errors import NotFound
from glassflow.models import ALL
from glassflow.models.customer import Customer
from glassflow.models.material import Material
from glassflow.models.pane import Pane
from glassflow.services import records
from store_commands import record_commands

SOURCES = Path(glassflow.__file__).parent


@pytest.fixture
def announced(app, _empty_collections, monkeypatch):
    """Collects what is announced: kind, id, action and stations."""
    found = []

    def collect(batches):
        for batch in batches:
            for one in batch.entries:
                found.append((one.kind, one.id, one.action, one.stations))

    monkeypatch.setattr(runtime.current(), "publish_soon", collect)
    return found


@pytest.fixture
def newer_pane(workshop):
    """A pane with a field that only a newer release knows."""
    pane = workshop.make("Pane", pane_number="PNE-9001", notes="old")
    Pane.collection().update_one({"_id": pane.pk}, {"$set": {"coating": {"side": 2}}})
    return pane.pk


def stored(pane_id):
    return Pane.collection().find_one({"_id": pane_id})


@unit_of_work
def change_notes(pane_id, notes):
    pane = records.load(Pane, pane_id)
    pane.notes = notes
    records.store(pane)


@unit_of_work
def place(pane_id, station):
    pane = records.load(Pane, pane_id)
    pane.current_station = station
    records.store(pane)


def test_a_bulk_write_keeps_the_fields_of_a_newer_release(app, newer_pane):
    change_notes(newer_pane, "new")
    found = stored(newer_pane)
    assert (found["notes"], found["coating"]) == ("new", {"side": 2})


def test_a_scan_and_a_change_keep_the_fields_of_a_newer_release(
    admin, worker, workshop, newer_pane
):
    station = str(workshop.station().pk)
    assert admin.patch(f"/api/panes/{newer_pane}", {"notes": "x"}).status == 200
    assert worker.scan("PNE-9001", "scan_in", station=station).status == 200
    found = stored(newer_pane)
    assert found["currentStatus"] == "in_progress"
    assert found["coating"] == {"side": 2}


def test_a_bulk_write_stores_the_default_of_a_field_that_was_emptied(app, newer_pane):
    change_notes(newer_pane, None)
    assert stored(newer_pane)["notes"] == ""


def test_a_bulk_write_removes_a_field_without_a_default_that_was_emptied(
    workshop, newer_pane
):
    station = workshop.station().pk
    for value in (station, None):
        place(newer_pane, value)
        assert stored(newer_pane).get("currentStation") == value


def test_a_bulk_write_raises_the_version_once(app, newer_pane):
    before = stored(newer_pane)["version"]
    change_notes(newer_pane, "new")
    assert stored(newer_pane)["version"] == before + 1


def test_a_saved_record_is_encoded_once_for_its_event_and_its_history(
    app, workshop, monkeypatch
):
    encoded = []
    encode = Pane.to_mongo

    def counting(record, **options):
        encoded.append(record)
        return encode(record, **options)

    monkeypatch.setattr(Pane, "to_mongo", counting)
    workshop.make("Pane", pane_number="PNE-9002")
    assert len(encoded) == 1


def test_each_stored_record_is_announced_by_what_happened_to_it(announced):
    pane, other = Pane(pane_number="PNE-1"), Customer(name="a")

    @unit_of_work
    def make():
        records.store(pane, other)
        assert announced == []

    make()
    assert announced == [
        ("Pane", pane.pk, "created", ()),
        ("Customer", other.pk, "created", ()),
    ]
    announced.clear()
    pane.notes, new = "x", Pane(pane_number="PNE-2")
    records.store(other, new, pane, stations={pane.pk: ["left"]})
    assert announced == [
        ("Pane", new.pk, "created", ()),
        ("Pane", pane.pk, "updated", ("left",)),
    ]
    announced.clear()
    pane.notes = "y"
    records.store(pane, other, event="scanned", even_unchanged=True)
    assert announced == [
        ("Pane", pane.pk, "scanned", ()),
        ("Customer", other.pk, "scanned", ()),
    ]
    assert other.version == 2
    announced.clear()
    pane.notes = "z"
    records.write(pane)
    assert (announced, stored(pane.pk)["notes"]) == ([], "z")
    records.announce(pane, "qc_failed", stations=["there"])
    assert announced == [("Pane", pane.pk, "qc_failed", ("there",))]
    announced.clear()
    delete(pane)
    assert announced == [("Pane", pane.pk, "deleted", ())]
    assert stored(pane.pk) is None


def test_new_records_of_a_model_are_one_round_trip_and_changed_ones_another(
    app, monkeypatch
):
    panes = [save(Pane(pane_number=f"PNE-{n}")) for n in range(3)]
    new = [Pane(pane_number=f"PNE-1{n}") for n in range(3)]
    for pane in panes:
        pane.notes = "x"

    @unit_of_work
    def change():
        records.write(*panes, *new)

    commands = record_commands(monkeypatch)
    change()
    written = [
        name
        for name in ("insert", "update")
        for command in commands.named(name)
        if command[name] == Pane.collection_name()
    ]
    assert written == ["insert", "update"]


def test_what_is_not_valid_is_not_stored_and_what_was_stored_before_stays(announced):
    with pytest.raises(ValidationError):
        records.store(Material(name="a"))  # without a unit
    material = save(Material(name="a", unit="sheet", reorder_point=0))
    of_earlier_release = {"$set": {"reorderPoint": "many"}}
    Material.collection().update_one({"_id": material.pk}, of_earlier_release)
    announced.clear()
    loaded = records.load(Material, material.pk)
    loaded.unit = None
    with pytest.raises(ValidationError):
        records.store(loaded)
    loaded.unit = 5
    with pytest.raises(ValidationError):
        records.store(loaded)
    assert announced == []
    loaded.unit = "piece"
    records.store(loaded)
    assert [action for _, _, action, _ in announced] == ["updated"]
    row = Material.collection().find_one({"_id": material.pk})
    assert (row["unit"], row["reorderPoint"]) == ("piece", "many")


def test_record_that_was_deleted_meanwhile_is_neither_stored_nor_announced(announced):
    pane = save(Pane(pane_number="PNE-1"))
    delete(records.load(Pane, pane.pk))
    announced.clear()
    pane.notes = "late"
    with pytest.raises(NotFound):
        records.store(pane)
    assert (announced, stored(pane.pk)) == ([], None)


def test_taken_value_is_one_error_for_one_record_and_for_many(announced):
    save(Pane(pane_number="PNE-1"))
    announced.clear()
    for numbers in (["PNE-1"], ["PNE-2", "PNE-1"]):
        made = [Pane(id=ObjectId(), pane_number=number) for number in numbers]
        with pytest.raises(DuplicateKeyError) as caught:
            unit_of_work(records.store)(*made)
        assert caught.value.details["keyPattern"] == {"paneNumber": 1}
    assert announced == []
    assert Pane.objects.count() == 1


@pytest.mark.parametrize("model", ALL)
def test_no_model_stores_or_deletes_its_records_by_itself(model):
    record = model()
    for act in (record.save, record.delete):
        with pytest.raises(TypeError, match=r"records\."):
            act()


def calls_of(*names):
    """Return the modules that call each of these functions, by the name in the call."""
    found = {}
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and (name := ast.unparse(node.func)) in names:
                module = path.relative_to(SOURCES).with_suffix("").as_posix()
                found.setdefault(name, set()).add(module)
    return found


def test_changes_are_recorded_in_one_place_and_those_without_an_event_are_known():
    assert calls_of("outbox.record", "outbox.send", "records.write") == {
        "outbox.record": {"services/records/writing"},
        "outbox.send": {
            "realtime/check_in",
            "services/notices/announcements",
            "services/notices/system_alerts",
        },
        "records.write": {
            "services/claims/photos",  # stored in another way, and the same to see
            "services/notices/call_notices",  # somebody comes, or it has ended
            "services/notices/notifications",  # read by their recipient
            "services/panes/logs",  # the change of the pane is the event
            "services/scanning/scan",  # announced by scan: the pane, then its log
            "services/stock/moves",  # both lots are in the event of the move
        },
    }
