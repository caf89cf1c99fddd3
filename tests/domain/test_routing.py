"""Where new and corrected panes stand."""

from dataclasses import replace

import pytest

from glassflow.domain.errors import Refusal
from glassflow.domain.pane_flow import (
    Correction,
    PaneView,
    Placement,
    correct,
    initial,
)

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


def test_a_new_pane_stands_at_its_first_step():
    assert initial(ROUTE) == Placement("pending", "cut", 0)


def test_a_new_pane_stands_at_its_given_station():
    assert initial(ROUTE, "wash") == Placement("pending", "wash", 3)
    assert initial(ROUTE, "cut").position == 0


def test_a_new_pane_cannot_stand_off_its_route():
    with pytest.raises(Refusal) as caught:
        initial(ROUTE, "drill")
    assert caught.value.code == "STATION_NOT_ON_ROUTE"


@pytest.mark.parametrize("route", [None, ()])
def test_a_new_pane_without_a_route_stands_where_it_is_said_or_nowhere(route):
    assert initial(route) == Placement("pending", None, 0)
    assert initial(route, "cut") == Placement("pending", "cut", 0)


def test_an_explicit_empty_route_is_nothing_to_do():
    assert initial((), "cut", explicit_empty=True) == Placement("completed", None, 0)


def test_a_correction_that_changes_nothing_is_none():
    merged = replace(OLD, status="merged_into")
    assert correct(merged, Correction()) == Placement("merged_into", "edge", 1)
    assert correct(OLD, moved("edge", status="in_progress", route=ROUTE)).position == 1


@pytest.mark.parametrize(("station", "position"), [("cut", 2), ("wash", 3)])
def test_a_corrected_station_moves_the_position(station, position):
    placed = correct(OLD, moved(station))
    assert placed == Placement("in_progress", station, position)


def test_a_corrected_position_may_go_back():
    at_wash = PaneView("pending", "wash", ROUTE, 3)
    assert correct(at_wash, moved("edge")).position == 1


def test_a_routed_pane_is_kept_on_its_route():
    assert code(OLD, moved("drill")) == "STATION_NOT_ON_ROUTE"
    assert code(OLD, moved(None)) == "STATION_NEEDED"
    assert code(OLD, Correction(route=("cut", "wash"))) == "STATION_NOT_ON_ROUTE"


def test_a_new_route_keeps_the_position_if_it_can():
    kept = correct(OLD, Correction(route=("wash", "edge", "edge")))
    assert kept.position == 1
    ahead = correct(OLD, Correction(route=("wash", "cut", "edge")))
    assert ahead.position == 2
    behind = correct(OLD, Correction(route=("edge", "wash")))
    assert behind.position == 0


def test_an_unrouted_pane_that_gets_a_route_goes_to_its_first_step():
    placed = correct(FREE, Correction(route=ROUTE))
    assert placed == Placement("pending", "cut", 0)


def test_an_unrouted_pane_may_stand_anywhere_or_nowhere():
    assert correct(FREE, moved("cut")).station == "cut"
    standing = replace(FREE, station="cut")
    assert correct(standing, moved(None)) == Placement("pending", None, 0)
    assert code(FREE, Correction(status="in_progress")) == "STATION_NEEDED"


def test_a_pane_that_is_corrected_to_completed_stands_nowhere():
    assert correct(OLD, Correction(status="completed")) == Placement(
        "completed", None, 4
    )
    echoed = moved("edge", status="completed")
    assert correct(OLD, echoed).station is None
    assert correct(OLD, Correction(status="cancelled")) == Placement(
        "cancelled", None, 1
    )


def test_a_completed_pane_needs_a_station_to_come_back():
    assert code(DONE, Correction(status="pending")) == "STATION_NEEDED"
    assert code(DONE, moved("cut")) == "CORRECTION_REFUSED"
    back = moved("cut", status="pending")
    assert correct(DONE, back) == Placement("pending", "cut", 2)


@pytest.mark.parametrize("status", ["merged_into", "claimed"])
def test_states_shared_with_a_group_or_a_claim_are_not_corrected(status):
    assert code(OLD, Correction(status=status)) == "CORRECTION_REFUSED"
    tied = replace(OLD, status=status, station=None)
    assert code(tied, moved("edge", status="pending")) == "CORRECTION_REFUSED"


def test_a_dormant_parent_keeps_its_place_and_may_change_its_route():
    parent = PaneView("pending", None, ("wash",), 0, laminate_role="parent")
    assert code(parent, moved("wash")) == "LAMINATE_PARENT"
    placed = correct(parent, Correction(route=("edge", "wash")))
    assert placed == Placement("pending", None, 0)


def test_a_survivor_stays_before_its_route():
    survivor = PaneView("awaiting_scan_out", "laminate", ("wash",), -1)
    placed = correct(survivor, Correction(status="in_progress"))
    assert placed == Placement("in_progress", "laminate", -1)
