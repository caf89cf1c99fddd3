"""Records: their stored form, and what a change of them stores."""

import pytest
from bson import ObjectId
from mongoengine import EmbeddedDocumentField, GenericEmbeddedDocumentField

from factories import save
from glassflow.core.process.naming import camel
from glassflow.models import ALL
from glassflow.models.customer import Customer
from glassflow.models.pane import Pane


def in_store(record):
    return type(record).collection().find_one({"_id": record.pk})


def test_stored_form_is_what_the_store_has_after_every_way_to_store(workshop):
    saved = workshop.customer(name="one")
    assert saved.stored_form() == in_store(saved)
    loaded = Customer.objects.get(pk=saved.pk)
    assert loaded.stored_form() == in_store(loaded)
    loaded.name = "two"
    assert loaded.stored_form() == {**in_store(loaded), "name": "two"}
    save(loaded)
    assert loaded.stored_form() == in_store(loaded)
    inserted = Customer(pk=ObjectId(), name="three")
    assert inserted.stored_form()["name"] == "three"
    save(inserted)
    assert inserted.stored_form() == in_store(inserted)
    inserted.name = "four"
    save(inserted)
    assert inserted.stored_form() == in_store(inserted)
    assert in_store(inserted)["name"] == "four"


def test_changed_fields_are_stored_whole_and_emptied_ones_stay(workshop):
    texts = {"notes": "x", "processes": ["cut"]}
    pane = workshop.make("Pane", pane_number="PNE-1", material=ObjectId(), **texts)
    other = {"ofNewerRelease": 1, "jobType": "by another process"}
    Pane.collection().update_one({"_id": pane.pk}, {"$set": other})
    pane.processes.append("drill")  # inside a field
    pane.notes, pane.routing = "", []
    save(pane)
    row = in_store(pane)
    assert other.items() <= row.items()
    assert (row["notes"], row["routing"]) == ("", [])
    assert row["processes"] == ["cut", "drill"]
    pane.processes = []
    pane.material = None
    save(pane)
    row = in_store(pane)
    assert other.items() <= row.items()
    assert row["processes"] == []
    assert "material" not in row


def test_no_model_has_embedded_documents_whose_changes_would_not_be_noticed():
    fields = [field for model in ALL for field in model._fields.values()]
    inner = [getattr(field, "field", None) for field in fields]
    kinds = (EmbeddedDocumentField, GenericEmbeddedDocumentField)
    assert not [one for one in (*fields, *inner) if isinstance(one, kinds)]


@pytest.mark.parametrize("model", ALL)
def test_a_field_with_a_default_is_never_none_as_the_stubs_say(model, app):
    names = [name for name, field in model._fields.items() if field.default is not None]
    new = model(**dict.fromkeys(names))
    stored = model.from_stored({"_id": ObjectId()})
    unset = model.from_stored({"_id": ObjectId(), **dict.fromkeys(map(camel, names))})
    changed = model()
    for name in names:
        changed[name] = None
    for record in (model(), new, stored, unset, changed):
        assert [name for name in names if record[name] is None] == []
