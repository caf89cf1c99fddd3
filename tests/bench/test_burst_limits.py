"""The limits of `bench.burst`."""

from bench.burst_rows import Row, faults


def row(name, health_ms, customer_ms, **values):
    return Row(name, [health_ms], [customer_ms], **values)


def test_health_is_limited_in_every_burst_and_others_where_nothing_should_change():
    idle = row("nothing", 2, 10)
    kept = [row("events", 250, 200), row("resumes", 2, 20, is_quiet=True)]
    assert list(faults([idle, *kept])) == []
    found = faults(
        [
            idle,
            row("events", 251, 10),
            row("resumes", 2, 21, is_quiet=True),
            row("streams", 251, 10, is_quiet=True),
        ]
    )
    assert [one.split(":")[0] for one in found] == ["events", "resumes", "streams"]
