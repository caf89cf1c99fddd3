"""Every field of a pane is copied by a remake, or listed as not copied."""

import pytest

from glassflow.domain.panes.remake import COPIED, NOT_COPIED
from glassflow.models.pane import Pane
from glassflow.services.panes import factory


def test_every_field_of_the_model_is_copied_or_listed_as_not_copied():
    assert set(Pane._fields) == {*COPIED, *NOT_COPIED}


def test_no_field_is_listed_twice():
    listed = [*COPIED, *NOT_COPIED]
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("name", COPIED)
def test_a_copied_field_has_the_value_of_the_original(name):
    values = {
        "StringField": "6 mm",
        "BooleanField": True,
        "ObjectField": {"width": 100},
        "ListField": [],
        "Ref": "0" * 24,
    }
    value = values[type(Pane._fields[name]).__name__]
    original = Pane(**{name: value})
    copy = Pane(**factory.copy_fields(original, COPIED))
    assert copy[name] == original[name]
