"""`services.records.populate_table`: complete, and true of the models."""

import pytest
from mongoengine import ListField

from glassflow.models import ALL, BY_NAME
from glassflow.models.fields import Ref
from glassflow.services.records.populate_table import (
    NOT_POPULATED,
    POPULATED_BY_DEFAULT,
    WORKER_FIELDS,
    reference_target,
)

POPULATED = {
    f"{model}.{path}": target
    for model, table in POPULATED_BY_DEFAULT.items()
    for path, target in table.items()
}
# Members of free JSON that are ids: no reference fields, so their models do not say so.
INSIDE_JSON = {"Order.stationHistory.station"}


def reference_fields():
    """Return every reference field as `Model.field`, with the model that it names."""
    found = {}
    for model in ALL:
        for field in model._fields.values():
            inner = field.field if isinstance(field, ListField) else field
            if isinstance(inner, Ref):
                found[f"{model.__name__}.{field.db_field}"] = inner.target
    return found


def test_every_reference_field_is_populated_or_an_exception():
    """If this fails for a new field: add it to one of the two tables."""
    undecided = reference_fields().keys() - POPULATED.keys() - NOT_POPULATED.keys()
    assert undecided == set()


def test_a_new_reference_field_is_noticed(monkeypatch):
    customer = BY_NAME["Customer"]
    agent = Ref("Worker", db_field="agent")
    monkeypatch.setattr(customer, "_fields", {**customer._fields, "agent": agent})
    with pytest.raises(AssertionError, match=r"Customer\.agent"):
        test_every_reference_field_is_populated_or_an_exception()


def test_no_reference_field_is_in_both_tables():
    assert POPULATED.keys() & NOT_POPULATED.keys() == set()


def test_every_row_names_a_reference_field_and_its_model():
    targets = reference_fields()
    assert POPULATED.keys() - targets.keys() == INSIDE_JSON
    assert NOT_POPULATED.keys() <= targets.keys()
    for name, target in POPULATED.items():
        assert target.model == targets.get(name, target.model), name


def test_every_shown_field_is_a_visible_field_of_its_model():
    for name, target in POPULATED.items():
        model = BY_NAME[target.model]
        stored = {field.db_field for field in model._fields.values()}
        visible = stored - set(model.hidden) | {"_id"}
        assert set(target.fields or ()) <= visible, name


def test_no_reference_shows_more_of_a_worker_than_its_name_and_position():
    workers = [target for target in POPULATED.values() if target.model == "Worker"]
    assert workers
    assert {target.fields for target in workers} == {WORKER_FIELDS}


@pytest.mark.parametrize("name", sorted(NOT_POPULATED))
def test_an_exception_has_a_reason_and_is_populated_when_it_is_named(name):
    model, field = name.split(".")
    assert len(NOT_POPULATED[name].split()) > 3
    assert reference_target(BY_NAME[model], field) is not None
