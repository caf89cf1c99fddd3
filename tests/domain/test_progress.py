"""Order figures, computed from panes."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain.orders import (
    CountedPane,
    Figures,
    PaneCounts,
    count_panes,
    order_figures,
)
from glassflow.domain.panes.status import LaminateRole, Status

DONE = CountedPane("completed", None)
WAITING = CountedPane("pending", "cut")


STATUSES = ("pending", "in_progress", "completed", "cancelled")


def figures(
    *units: CountedPane,
    quantity: int = 1,
    status: str = "in_progress",
    had_panes: bool = False,
) -> Figures:
    return order_figures(units, quantity, status, had_panes=had_panes)


def test_one_finished_pane_does_not_complete_an_order_with_others_open():
    assert figures(DONE, WAITING, CountedPane("in_progress", "cut")) == Figures(
        pane_count=3,
        panes_completed=1,
        progress_percent=33,
        station_breakdown={"cut": 2},
        status="in_progress",
    )


def test_order_is_completed_with_its_last_live_pane():
    done = figures(DONE, DONE, CountedPane("cancelled", None))
    assert (done.pane_count, done.progress_percent) == (2, 100)
    assert done.status == "completed"


def test_progress_is_100_only_at_the_end():
    assert figures(*[DONE] * 199, WAITING).progress_percent == 99


@pytest.mark.parametrize("status", ["merged_into", "defected", "cancelled"])
def test_retired_panes_do_not_block_an_order(status):
    assert figures(DONE, CountedPane(status, "cut")) == Figures(
        1, 1, 100, {}, "completed"
    )


def test_remade_pane_never_blocks_its_order():
    remade = CountedPane("claimed", None, written_off=True)
    assert figures(remade, DONE).status == "completed"
    assert (
        figures(
            CountedPane("completed", None, written_off=True), WAITING
        ).panes_completed
        == 0
    )


def test_claimed_pane_is_open_work():
    assert figures(DONE, CountedPane("claimed", None)).status == "in_progress"


def test_sheets_are_counted_at_stations_and_as_one_parent():
    group = (
        CountedPane("pending", None, "parent"),
        CountedPane("pending", "cut", "sheet"),
        CountedPane("in_progress", "edge", "sheet"),
    )
    assert count_panes(group) == PaneCounts(1, 0, {"cut": 1, "edge": 1})


def test_merged_group_counts_as_one_through_its_survivor():
    group = (
        CountedPane("merged_into", None, "parent"),
        CountedPane("merged_into", None, "sheet"),
        CountedPane("awaiting_scan_out", "laminate", "single"),
    )
    assert count_panes(group) == PaneCounts(1, 0, {"laminate": 1})


def test_order_without_panes_counts_its_quantity():
    fresh = figures(quantity=9, status="pending")
    assert fresh == Figures(9, 0, 0, {}, "pending")
    done = figures(quantity=9, status="completed")
    assert done == Figures(9, 9, 100, {}, "completed")


def test_order_with_only_retired_panes_is_not_completed():
    gone = figures(CountedPane("cancelled", None))
    assert (gone.pane_count, gone.progress_percent, gone.status) == (
        0,
        0,
        "in_progress",
    )


@pytest.mark.parametrize("role", list(LaminateRole))
def test_pending_order_is_in_progress_once_a_live_piece_has_begun(role):
    begun = CountedPane("pending", "edge", role, begun=True)
    assert figures(WAITING, status="pending").status == "pending"
    assert figures(begun, WAITING, quantity=2, status="pending").status == "in_progress"
    assert figures(DONE, WAITING, quantity=2, status="pending").status == "in_progress"
    lost = replace(begun, status="defected")
    assert figures(lost, WAITING, quantity=2, status="pending").status == "pending"


def test_completed_order_reopens_with_an_open_pane():
    assert figures(DONE, WAITING, status="completed").status == "in_progress"


def test_order_that_has_lost_all_its_panes_has_completed_none():
    cancelled = figures(
        *[CountedPane("cancelled", None)] * 5, quantity=5, status="completed"
    )
    assert cancelled == Figures(0, 0, 0, {}, "in_progress")
    deleted = figures(quantity=5, status="completed", had_panes=True)
    assert deleted == Figures(5, 0, 0, {}, "in_progress")


def test_order_in_which_nothing_is_due_is_completed_by_people():
    scrapped = [CountedPane("completed", None, written_off=True)]
    asked = order_figures(scrapped, 1, "completed", closed=True)
    assert asked == Figures(0, 0, 0, {}, "completed")
    for due in ([WAITING], [DONE, WAITING], [CountedPane("defected", None)]):
        assert order_figures(due, 1, "completed", closed=True).status == "in_progress"
    lost = order_figures([], 1, "completed", had_panes=True, closed=True)
    assert lost.status == "in_progress"
    for status in ("pending", "cancelled"):
        found = order_figures(scrapped, 1, status, closed=True)
        assert found == order_figures(scrapped, 1, status)


def test_order_for_ten_with_one_pane_is_not_completed_when_that_one_is():
    assert figures(DONE, quantity=10) == Figures(10, 1, 10, {}, "in_progress")
    assert figures(*[DONE] * 10, quantity=10).status == "completed"


@pytest.mark.parametrize(
    ("pane", "due"),
    [
        (CountedPane("cancelled", None), 2),
        (CountedPane("cancelled", None, "sheet"), 3),
        (CountedPane("cancelled", None, cancelled_with_work=True), 3),
        (CountedPane("defected", None), 3),
        (CountedPane("defected", None, written_off=True), 2),
        (CountedPane("defected", None, written_off=True, remade=True), 3),
        (CountedPane("claimed", None, written_off=True), 2),
        (CountedPane("claimed", None), 3),
        (CountedPane("completed", None), 3),
        (CountedPane("merged_into", None, "parent"), 3),
    ],
)
def test_units_are_due_unless_nothing_is_made_in_their_place(pane, due):
    assert figures(pane, quantity=3).pane_count == due


PANES = st.lists(
    st.builds(
        CountedPane,
        status=st.sampled_from(list(Status)),
        station=st.sampled_from([None, "cut", "edge"]),
        role=st.sampled_from(list(LaminateRole)),
        begun=st.booleans(),
        written_off=st.booleans(),
        remade=st.booleans(),
        cancelled_with_work=st.booleans(),
    ),
    max_size=8,
)


@given(PANES, st.integers(1, 9), st.sampled_from(STATUSES))
def test_figures_fit_together_for_all_panes(panes, quantity, status):
    found = order_figures(panes, quantity, status)
    live = [p for p in panes if not p.retired and p.role != "sheet"]
    assert len(live) <= found.pane_count <= max(len(live), quantity)
    assert 0 <= found.panes_completed <= found.pane_count
    assert (found.progress_percent == 100) == (
        found.panes_completed == found.pane_count > 0
    )
    if panes and status != "cancelled":
        assert (found.status == "completed") == (found.progress_percent == 100)
    assert (found.status == "cancelled") == (status == "cancelled")
    has_begun = any(p.begun or p.status == "completed" for p in panes if not p.retired)
    assert not (has_begun and found.status == "pending")


@given(PANES, st.integers(1, 9))
def test_a_remade_pane_changes_nothing_beside_its_remake(panes, quantity):
    remade = CountedPane("defected", None, written_off=True, remade=True)
    before = order_figures([*panes, WAITING], quantity, "in_progress")
    assert order_figures([*panes, WAITING, remade], quantity, "in_progress") == before


@given(PANES, st.integers(1, 9))
def test_an_open_pane_keeps_its_order_open(panes, quantity):
    found = order_figures([*panes, WAITING], quantity, "completed")
    assert found.status == "in_progress"


def test_cancelled_order_stays_cancelled():
    assert figures(DONE, status="cancelled").status == "cancelled"
    assert figures(WAITING, status="cancelled").status == "cancelled"
