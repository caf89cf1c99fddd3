"""Placement of new and corrected panes."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain.errors import Refusal
from glassflow.domain.panes.route import (
    Correction,
    Placement,
    correct,
    initial,
    restore,
)
from glassflow.domain.panes.status import PaneView

ROUTE = ("cut", "edge", "cut", "wash")
OLD = PaneView("in_progress", "edge", ROUTE, 1)
DONE = PaneView("completed", None, ROUTE, 4)
FREE = PaneView("pending", None, (), 0)


def code(view: PaneView, change: Correction) -> str:
    with pytest.raises(Refusal) as caught:
        correct(view, change)
    return caught.value.code


def moved(station: str | None, **more: object) -> Correction:
    return Correction(station=station, station_given=True, **more)  # type: ignore[arg-type]


def test_new_pane_is_at_its_first_step():
    assert initial(ROUTE) == Placement("pending", "cut", 0)


def test_new_pane_is_at_its_given_station():
    assert initial(ROUTE, "wash") == Placement("pending", "wash", 3)
    assert initial(ROUTE, "cut").route_index == 0


def test_new_pane_off_its_route_is_refused():
    with pytest.raises(Refusal) as caught:
        initial(ROUTE, "drill")
    assert caught.value.code == "STATION_NOT_ON_ROUTE"


@pytest.mark.parametrize("route", [None, ()])
def test_new_pane_without_a_route_has_the_given_station_or_none(route):
    assert initial(route) == Placement("pending", None, 0)
    assert initial(route, "cut") == Placement("pending", "cut", 0)


def test_new_pane_with_an_empty_route_is_completed():
    assert initial((), "cut", explicit_empty=True) == Placement("completed", None, 0)


def test_correction_without_a_change_keeps_the_placement():
    merged = replace(OLD, status="merged_into")
    assert correct(merged, Correction()) == Placement("merged_into", "edge", 1)
    assert (
        correct(OLD, moved("edge", status="in_progress", route=ROUTE)).route_index == 1
    )


@pytest.mark.parametrize(("station", "route_index"), [("cut", 2), ("wash", 3)])
def test_corrected_station_moves_the_route_index(station, route_index):
    placed = correct(OLD, moved(station))
    assert placed == Placement("in_progress", station, route_index)


def test_corrected_route_index_may_move_back():
    at_wash = PaneView("pending", "wash", ROUTE, 3)
    assert correct(at_wash, moved("edge")).route_index == 1


def test_routed_pane_cannot_be_corrected_off_its_route():
    assert code(OLD, moved("drill")) == "STATION_NOT_ON_ROUTE"
    assert code(OLD, moved(None)) == "STATION_NEEDED"
    assert code(OLD, Correction(route=("cut", "wash"))) == "STATION_NOT_ON_ROUTE"


def test_new_route_keeps_the_route_index_where_possible():
    kept = correct(OLD, Correction(route=("wash", "edge", "edge")))
    assert kept.route_index == 1
    ahead = correct(OLD, Correction(route=("wash", "cut", "edge")))
    assert ahead.route_index == 2
    behind = correct(OLD, Correction(route=("edge", "wash")))
    assert behind.route_index == 0


def test_unrouted_pane_with_a_new_route_is_at_its_first_step():
    placed = correct(FREE, Correction(route=ROUTE))
    assert placed == Placement("pending", "cut", 0)


def test_unrouted_pane_may_have_any_station_or_none():
    assert correct(FREE, moved("cut")).station == "cut"
    standing = replace(FREE, station="cut")
    assert correct(standing, moved(None)) == Placement("pending", None, 0)
    assert code(FREE, Correction(status="in_progress")) == "STATION_NEEDED"


def test_pane_corrected_to_completed_has_no_station():
    assert correct(OLD, Correction(status="completed")) == Placement(
        "completed", None, 4
    )
    echoed = moved("edge", status="completed")
    assert correct(OLD, echoed).station is None
    assert correct(OLD, Correction(status="cancelled")) == Placement(
        "cancelled", None, 1
    )


def test_completed_pane_needs_a_station_to_be_reopened():
    assert code(DONE, Correction(status="pending")) == "STATION_NEEDED"
    assert code(DONE, moved("cut")) == "CORRECTION_REFUSED"
    back = moved("cut", status="pending")
    assert correct(DONE, back) == Placement("pending", "cut", 2)


@pytest.mark.parametrize("status", ["merged_into", "claimed"])
def test_merged_and_claimed_statuses_cannot_be_corrected(status):
    assert code(OLD, Correction(status=status)) == "CORRECTION_REFUSED"
    tied = replace(OLD, status=status, station=None)
    assert code(tied, moved("edge", status="pending")) == "CORRECTION_REFUSED"


def test_unmerged_parent_keeps_its_placement_and_may_change_its_route():
    parent = PaneView("pending", None, ("wash",), 0, laminate_role="parent")
    assert code(parent, moved("wash")) == "LAMINATE_PARENT"
    placed = correct(parent, Correction(route=("edge", "wash")))
    assert placed == Placement("pending", None, 0)


def test_survivor_stays_before_its_route():
    survivor = PaneView("awaiting_scan_out", "laminate", ("wash",), -1)
    placed = correct(survivor, Correction(status="in_progress"))
    assert placed == Placement("in_progress", "laminate", -1)


def test_restored_pane_is_where_it_was():
    cancelled = replace(OLD, status="cancelled", station=None)
    assert restore(cancelled, "in_progress", "edge") == Placement(
        "in_progress", "edge", 1
    )
    survivor = PaneView("cancelled", None, ("wash",), -1)
    placed = restore(survivor, "awaiting_scan_out", "laminate")
    assert placed == Placement("awaiting_scan_out", "laminate", -1)
    parent = PaneView("cancelled", None, ("wash",), 0, laminate_role="parent")
    assert restore(parent, "pending", None) == Placement("pending", None, 0)
    unrouted = PaneView("cancelled", None, (), 0)
    assert restore(unrouted, "in_progress", "cut") == Placement("in_progress", "cut", 0)


@given(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=5),
    st.integers(0, 5),
    st.sampled_from([None, *"abcd"]),
)
def test_restored_pane_is_at_a_step_of_its_route(route, route_index, station):
    cancelled = PaneView("cancelled", None, tuple(route), min(route_index, len(route)))
    placed = restore(cancelled, "in_progress", station)
    assert route[placed.route_index] == placed.station
    assert placed.station == station or station not in route
