"""One record has one event a unit of work, and a named action takes its place."""

from glassflow.core.outbox import Change, Message, Outbox


def change(action, key=1, **more):
    return Change("Pane", key, action, {"_id": key, "by": action}, **more)


def actions(*entries):
    box = Outbox()
    for entry in entries:
        box.add(entry)
    return [getattr(entry, "action", "message") for entry in box.entries]


def test_generic_changes_of_one_record_are_told_once():
    assert actions(change("updated"), change("updated")) == ["updated"]
    assert actions(change("created"), change("updated")) == ["created"]


def test_a_named_action_takes_the_place_of_the_generic_one_before_or_after_it():
    assert actions(change("updated"), change("scanned")) == ["scanned"]
    assert actions(change("scanned"), change("updated")) == ["scanned"]


def test_two_named_actions_are_both_told():
    assert actions(change("qc_failed"), change("scanned")) == ["qc_failed", "scanned"]


def test_a_new_record_with_a_named_action_is_told_as_both():
    assert actions(change("created"), change("scanned")) == ["created", "scanned"]


def test_a_deletion_is_the_last_word_about_what_was_there_before():
    assert actions(change("updated"), change("deleted")) == ["deleted"]
    changes = (change("moved"), change("adjusted"), change("updated", 2))
    assert actions(*changes, change("deleted")) == ["updated", "deleted"]
    assert actions(change("created"), change("deleted")) == ["created", "deleted"]


def test_a_deletion_is_told_where_the_record_was_told_of():
    box = Outbox()
    box.add(change("updated", stations=("a",)))
    box.add(change("deleted", stations=("b", "a")))
    assert [one.stations for one in box.entries] == [("b", "a")]


def test_other_records_and_messages_stand_for_themselves():
    said = Message("notification", {})
    entries = (change("updated"), said, change("updated", 2), said)
    assert actions(*entries) == ["updated", "message", "updated", "message"]


def test_a_joined_entry_keeps_its_place_takes_the_last_state_and_all_stations():
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
