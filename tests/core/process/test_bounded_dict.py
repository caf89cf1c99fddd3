"""The dictionary of limited size that caches are made of."""

from glassflow.core.process.bounded_dict import BoundedDict


def test_entry_that_was_set_first_is_dropped_first():
    found = BoundedDict(2)
    found.update(a=1, b=2)
    found["a"] = 3  # now the newest
    found["c"] = 4
    assert list(found.items()) == [("a", 3), ("c", 4)]


def test_reading_keeps_no_entry_but_moving_it_does():
    found = BoundedDict(2)
    found.update(a=1, b=2, c=3)
    assert found["b"] == found.setdefault("b", 0) == 2
    found["d"] = 4
    assert list(found) == ["c", "d"]
    found.move_to_end("c")
    found.setdefault("e", 5)
    assert list(found) == ["c", "e"]
