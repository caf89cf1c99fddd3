"""The limits of `bench.lists`."""

from bench.lists import Row, faults
from glassflow.core import deadlines


def row(name, *, then_ms=5.0, answer_s=0.1, max_ms=15.0):
    return Row(name, 1000.0, then_ms, answer_s, 1.0, ["find"], max_ms)


def test_targets_are_limits_and_so_is_the_time_after_which_a_service_refuses(
    monkeypatch,
):
    monkeypatch.setattr(deadlines, "REQUEST_TIMEOUT_S", 3.2)
    kept = [row("a", then_ms=15.0, answer_s=3.2), row("b", then_ms=900.0, max_ms=None)]
    assert list(faults(kept)) == []
    found = faults([row("c", then_ms=15.1), row("d", answer_s=3.3, max_ms=None)])
    assert [one.split(":")[0] for one in found] == ["c", "d"]
