"""Storing changed records: what is written, and what of the store survives it."""

import pytest

from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.models.pane import Pane
from glassflow.services import records


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
    records.save_all([pane])


@unit_of_work
def place(pane_id, station):
    pane = records.load(Pane, pane_id)
    pane.current_station = station
    records.save_all([pane])


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
        if "fields" not in options:  # MongoEngine asks for the id alone
            encoded.append(record)
        return encode(record, **options)

    monkeypatch.setattr(Pane, "to_mongo", counting)
    workshop.make("Pane", pane_number="PNE-9002")
    assert len(encoded) == 2  # the other one is MongoEngine's
