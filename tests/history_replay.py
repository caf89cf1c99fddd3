"""The history of the stored records, replayed: it leads from nothing to what is stored."""

from collections import defaultdict

from mongoengine.connection import get_db
from pymongo import MongoClient

from demo_workshop import DATABASE
from glassflow.core.events import history
from glassflow.models import ALL
from glassflow.models.base import NOT_IN_HISTORY
from glassflow.services.history import update


def assert_history_leads_to_the_records():
    """Replay the history of the application under test; return how many records it had."""
    update()
    return len(replay_all(get_db()))


def replay_history_of(service):
    """Verify the history of a service with an embedded store, and replay it.

    The daily figures that were added up are those that a rebuild counts.
    """
    service.assert_history_is_whole()
    rebuilt = service.flask("figures", "rebuild")
    assert rebuilt.returncode == 0, rebuilt.stderr
    assert "different" not in rebuilt.stdout, rebuilt.stdout
    with MongoClient(service.store.uri) as client:
        return replay_all(client[DATABASE])


def replay_all(database):
    """Replay the history of every stored record whose creation it has.

    Each change begins with what the one before has left. Returns the ids of the records
    that were replayed, as texts.
    """
    rows = defaultdict(list)
    for row in database[history.COLLECTION].find({}).sort("_id", 1):
        rows[row["kind"], row["record"]].append(row)
    replayed = set()
    for model in ALL:
        hidden = {*NOT_IN_HISTORY, *model.hidden}
        names = {field.db_field for field in model._fields.values()} - hidden
        for stored in database[model.collection_name()].find({}):
            found = rows[model.__name__, stored["_id"]]
            if found and found[0]["action"] == "created":
                visible = {k: v for k, v in stored.items() if k in names}
                assert _without_unset(replay(found)) == _without_unset(visible), found
                replayed.add(str(stored["_id"]))
    return replayed


def replay(rows):
    """Apply the changes of one record, the oldest first, to nothing."""
    state = {}
    for row in rows:
        changed = {*row["was"], *row["now"]}
        before = {name: state.get(name) for name in changed}
        assert _without_unset(before) == row["was"], row
        state |= dict.fromkeys(changed) | row["now"]
    return state


def _without_unset(fields):
    return {name: value for name, value in fields.items() if value is not None}
