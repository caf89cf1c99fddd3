"""The limits of `bench.lists`."""

from bench.lists import Row, faults


def row(name, *, then_ms=5.0, total_ms=9.0, max_ms=10.0):
    return Row(name, 1000.0, then_ms, 1000.0, total_ms, 1.0, max_ms)


def test_targets_are_limits_for_rows_alone_and_with_their_total():
    right = [
        row("a", then_ms=10.0, total_ms=90.0),
        row("b", then_ms=900.0, max_ms=None),
        row("c", then_ms=250.0, total_ms=50.0, max_ms=300.0),
    ]
    assert list(faults(right)) == []
    found = faults([row("d", then_ms=10.1), row("e", total_ms=95.1)])
    assert [one.split(":")[0] for one in found] == ["d", "e with its total"]
