"""Sheets of a unit: routes, presence, survivor and labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.domain.panes import lamination, refusals
from glassflow.domain.panes.lamination import Sheet
from glassflow.domain.panes.status import Status

STATIONS = st.sampled_from(["cut", "wash", "press", "autoclave", "pack"])
ROUTES = st.lists(STATIONS, min_size=1, max_size=7)


@given(ROUTES, st.sets(STATIONS, min_size=1))
def test_route_is_split_after_its_first_lamination_station(route, laminating):
    if laminating.isdisjoint(route):
        with pytest.raises(refusals.NoLaminationStation):
            lamination.split_route(route, laminating)
        return
    ways = lamination.split_route(route, laminating)
    assert [*ways.sheets, *ways.after] == route
    assert ways.sheets[-1] == ways.station
    assert [step for step in ways.sheets if step in laminating] == [ways.station]


SHEETS = st.lists(
    st.tuples(st.sampled_from(list(Status)), st.sampled_from(["press", "cut", None])),
    min_size=1,
    max_size=5,
).map(lambda rows: [Sheet(f"PNE-1-{n}", *row) for n, row in enumerate(rows)])


@given(SHEETS)
def test_only_sheets_scanned_in_at_the_station_are_present(sheets):
    there = lamination.count_present(sheets, "press", 2)
    for sheet in sheets:
        taken_in = sheet.status in ("in_progress", "awaiting_scan_out")
        present = sheet.station == "press" and taken_in
        assert (sheet.number in there.present) == present
    assert there.complete == (len(there.present) == 2)


@pytest.mark.slow
@given(SHEETS, st.data())
def test_survivor_is_a_present_sheet_of_a_complete_unit(sheets, data):
    total = data.draw(st.integers(1, 5))
    scanned = data.draw(st.sampled_from([None, *(s.number for s in sheets)]))
    wanted = data.draw(st.sampled_from([None, "PNE-9", *(s.number for s in sheets)]))
    there = lamination.count_present(sheets, "press", total)
    named = wanted or scanned

    def choose():
        return lamination.choose_survivor(
            sheets, "press", total, scanned=scanned, wanted=wanted
        )

    if named is None:
        with pytest.raises(refusals.SurvivorRequired):
            choose()
    elif there.complete and named in there.present:
        assert choose() == named
    elif named not in {sheet.number for sheet in sheets} or there.complete:
        with pytest.raises(refusals.NotASheet):
            choose()
    else:
        with pytest.raises(refusals.SheetsMissing) as refusal:
            choose()
        assert f"({len(there.present)}/{total})" in refusal.value.message


@pytest.mark.parametrize(
    ("label", "following"),
    [("A", "A2"), ("A2", "A3"), ("B9", "B10"), ("AA", "AA2"), ("", "A2")],
)
def test_remade_sheet_is_labelled_after_the_failed_one(label, following):
    assert lamination.next_label(label) == following
