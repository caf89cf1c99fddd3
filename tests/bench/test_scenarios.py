"""The order in which the scenarios of the table are measured."""

from bench.table.scenarios import SCENARIOS


def test_what_creates_tens_of_thousands_of_panes_is_measured_after_the_lists():
    """A list of the newest reads all that were created in the last hours."""
    names = [one.name for one in SCENARIOS]
    lists = [n for n, one in enumerate(SCENARIOS) if "panes" in one.floor]
    created = [names.index(f"request with {panes} panes") for panes in (20, 500)]
    assert lists
    assert max(lists) < min(created)
    assert names.index("dashboard") < min(created)
