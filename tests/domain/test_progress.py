"""Order figures, derived from panes."""

import pytest

from glassflow.domain.progress import Figures, PaneTally, Unit, order_figures, tally

DONE = Unit("completed", None)
WAITING = Unit("pending", "cut")


def figures(*units: Unit, status: str = "in_progress", started: bool = True) -> Figures:
    return order_figures(units, quantity=9, status=status, started=started)


def test_one_finished_pane_does_not_complete_an_order_with_others_open():
    assert figures(DONE, WAITING, Unit("in_progress", "cut")) == Figures(
        pane_count=3,
        panes_completed=1,
        progress_percent=33,
        station_breakdown={"cut": 2},
        status="in_progress",
    )


def test_an_order_is_completed_with_its_last_live_pane():
    done = figures(DONE, DONE, Unit("cancelled", None))
    assert (done.pane_count, done.progress_percent) == (2, 100)
    assert done.status == "completed"


def test_progress_reaches_a_hundred_at_the_end_only():
    assert figures(*[DONE] * 199, WAITING).progress_percent == 99


@pytest.mark.parametrize("status", ["merged_into", "defected", "cancelled"])
def test_retired_panes_are_not_waited_for(status):
    assert figures(DONE, Unit(status, "cut")) == Figures(1, 1, 100, {}, "completed")


def test_a_remade_pane_never_blocks_its_order():
    remade = Unit("claimed", None, written_off=True)
    assert figures(remade, DONE).status == "completed"
    assert (
        figures(Unit("completed", None, written_off=True), WAITING).panes_completed == 0
    )


def test_a_claimed_pane_is_open_work():
    assert figures(DONE, Unit("claimed", None)).status == "in_progress"


def test_sheets_are_found_at_stations_and_count_as_their_parent():
    group = (
        Unit("pending", None, "parent"),
        Unit("pending", "cut", "sheet"),
        Unit("in_progress", "edge", "sheet"),
    )
    assert tally(group) == PaneTally(1, 0, {"cut": 1, "edge": 1})


def test_a_merged_group_counts_as_one_through_its_survivor():
    group = (
        Unit("merged_into", None, "parent"),
        Unit("merged_into", None, "sheet"),
        Unit("awaiting_scan_out", "laminate", "single"),
    )
    assert tally(group) == PaneTally(1, 0, {"laminate": 1})


def test_an_order_without_panes_counts_its_quantity():
    assert figures(status="pending", started=False) == Figures(9, 0, 0, {}, "pending")
    assert figures(status="completed") == Figures(9, 9, 100, {}, "completed")


def test_an_order_whose_panes_are_all_retired_has_nothing_to_complete():
    gone = figures(Unit("cancelled", None))
    assert (gone.pane_count, gone.progress_percent, gone.status) == (
        0,
        0,
        "in_progress",
    )


def test_the_first_scan_moves_a_pending_order():
    assert figures(WAITING, status="pending", started=False).status == "pending"
    assert figures(WAITING, status="pending").status == "in_progress"


def test_a_completed_order_reopens_with_an_open_pane():
    assert figures(DONE, WAITING, status="completed").status == "in_progress"


def test_a_completed_order_is_not_reopened_by_losing_its_panes():
    assert figures(Unit("cancelled", None), status="completed").status == "completed"


def test_a_cancelled_order_stays_cancelled():
    assert figures(DONE, status="cancelled").status == "cancelled"
    assert figures(WAITING, status="cancelled").status == "cancelled"
