"""The outbox merges the changes of one record in a unit of work."""

from glassflow.core.store.outbox import Outbox
from glassflow.core.store.outbox_entries import Change, Message


def change(action, key=1, **more):
    return Change("Pane", key, action, {"_id": key, "by": action}, **more)


def actions(*entries):
    box = Outbox()
    for entry in entries:
        box.add(entry)
    return [getattr(entry, "action", "message") for entry in box.entries]


def test_generic_changes_of_one_record_are_published_once():
    assert actions(change("updated"), change("updated")) == ["updated"]
    assert actions(change("created"), change("updated")) == ["created"]


def test_named_action_replaces_the_generic_one_before_or_after_it():
    assert actions(change("updated"), change("scanned")) == ["scanned"]
    assert actions(change("scanned"), change("updated")) == ["scanned"]


def test_two_named_actions_are_both_published():
    assert actions(change("qc_failed"), change("scanned")) == ["qc_failed", "scanned"]


def test_new_record_with_a_named_action_is_published_as_both():
    assert actions(change("created"), change("scanned")) == ["created", "scanned"]


def test_delete_replaces_earlier_changes_of_an_existing_record():
    assert actions(change("updated"), change("deleted")) == ["deleted"]
    changes = (change("moved"), change("adjusted"), change("updated", 2))
    assert actions(*changes, change("deleted")) == ["updated", "deleted"]
    assert actions(change("created"), change("deleted")) == ["created", "deleted"]


def test_delete_is_published_to_the_stations_of_earlier_changes():
    box = Outbox()
    box.add(change("updated", stations=("a",)))
    box.add(change("deleted", stations=("b", "a")))
    assert [one.stations for one in box.entries] == [("b", "a")]


def test_changes_of_other_records_and_messages_are_not_merged():
    message = Message("notification", {})
    entries = (change("updated"), message, change("updated", 2), message)
    assert actions(*entries) == ["updated", "message", "updated", "message"]


def test_merged_entry_keeps_its_position_with_the_last_state_and_all_stations():
    box = Outbox()
    box.add(change("updated", stations=("a",)))
    box.add(Message("notification", {}))
    box.add(change("scanned", stations=("b", "a")))
    first = box.entries[0]
    assert (first.action, first.data["by"], first.stations) == (
        "scanned",
        "scanned",
        ("a", "b"),
    )
