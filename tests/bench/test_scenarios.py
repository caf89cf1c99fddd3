"""The order in which the requests are measured."""

from bench.scenarios import SCENARIOS


def test_what_creates_thousands_of_panes_is_measured_after_the_reads():
    """A list of the newest reads all that were created in the last hours."""
    names = [one.name for one in SCENARIOS]
    assert names.index("board") < names.index("scan scan_in")
    assert names.index("panes, newest 20") < names.index("scan scan_in")
