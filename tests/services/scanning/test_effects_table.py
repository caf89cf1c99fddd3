"""The effects that the pane table names and the functions that carry them out."""

import pytest

from glassflow.domain.panes.status import Action, Effect
from glassflow.domain.panes.table import effects_of
from glassflow.services.scanning import effects


def test_every_effect_has_a_function_of_its_name():
    assert set(effects.EFFECTS) == set(Effect)
    for effect, function in effects.EFFECTS.items():
        assert function.__name__ == effect.value


def test_every_effect_belongs_to_an_action():
    named = {effect for action in Action for effect in effects_of(action)}
    assert named == set(Effect)


@pytest.mark.parametrize("action", list(Action))
def test_an_action_has_each_effect_once(action):
    assert len(effects_of(action)) == len(set(effects_of(action)))
