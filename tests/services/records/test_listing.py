"""Pages of lists equal those of the plain query, however they are read.

The windows are made to be used for a handful of records already, and every result is
compared with one that is computed in plain Python.
"""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymongo.collection import Collection

from glassflow.models.pane import Pane
from glassflow.services.records import list_memory, list_totals, listing
from glassflow.services.records.list_memory import PageQuery
from glassflow.services.records.listing import ListQuery
from listed_panes import IN_TURN, NOON, PANES, READS, STEPS, Panes, ids


@pytest.fixture(autouse=True)
def few_rows_are_many(app, monkeypatch):
    monkeypatch.setattr(list_memory, "FEW", 2)


@IN_TURN
@given(
    first=st.lists(PANES, max_size=12),
    steps=st.lists(STEPS, min_size=3, max_size=14),
    undated=st.integers(0, 2),
    derived=st.booleans(),
)
def test_pages_and_totals_equal_those_of_the_plain_query(
    workshop, first, steps, undated, derived
):
    panes = Panes(workshop, first, undated=undated, derived=derived)
    for step in steps:
        panes.carry_out(*step)


@IN_TURN
@given(
    first=st.lists(PANES, min_size=3, max_size=12),
    read=READS,
    between=st.lists(STEPS, max_size=8),
    undated=st.integers(0, 2),
)
def test_a_walk_with_cursors_shows_every_row_once_whatever_is_written_meanwhile(
    workshop, first, read, between, undated
):
    panes = Panes(workshop, first, undated=undated)
    writes = iter([step for step in between if step[0] in ("create", "delete")])
    before = ids(panes.matching(read))
    seen, cursor = [], "*"
    while cursor:
        query = ListQuery(
            read.conditions,
            read.sort,
            page=1,
            limit=read.limit,
            search=read.search,
            listed_only=read.listed_only,
            cursor=cursor,
        )
        page = listing.read(Pane, query)
        assert len(page.rows) <= read.limit
        assert page.pagination["total"] >= len(page.rows)
        seen += ids(page.rows)
        cursor = page.pagination["next"]
        for step, value in [next(writes, (None, None))]:
            if step:
                getattr(panes, step)(value)
    assert len(set(seen)) == len(seen)
    after = ids(panes.matching(read))
    stayed = [one for one in before if one in after]
    assert [one for one in seen if one in stayed] == stayed
    if stayed == before == after:
        assert seen == before


@IN_TURN
@given(first=st.lists(PANES, max_size=12), read=READS, cap=st.integers(1, 5))
def test_a_capped_count_is_exact_up_to_its_limit(workshop, first, read, cap):
    panes = Panes(workshop, first)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(list_totals, "CAPPED", cap)
        query = ListQuery(
            read.conditions, read.sort, read.page, read.limit, capped=True
        )
        page = listing.read(Pane, query)
    expected = len(panes.matching(query))
    found = page.pagination
    end = (read.page - 1) * read.limit + len(page.rows)
    if found["more"]:
        assert expected > cap
        assert cap <= found["total"] <= expected
        assert found["total"] >= min(end, expected)
    else:
        assert found["total"] == expected


def completed(number):
    """A pane of a list whose panes are all completed."""
    return {"created_at": NOON, "completed_at": NOON + timedelta(days=number)}


@pytest.mark.parametrize("direction", [1, -1])
def test_pane_that_loses_its_date_between_two_readings_has_its_place(
    workshop, direction
):
    panes = Panes(workshop, map(completed, range(6)))
    order = [("completedAt", direction), ("_id", direction)]
    read = ListQuery(conditions=[], sort=order, page=1, limit=9)
    assert ids(listing.read(Pane, read).rows) == ids(panes.matching(read))
    panes.undate(3)
    assert ids(listing.read(Pane, read).rows) == ids(panes.matching(read))


def test_pane_that_is_written_while_undated_ones_are_looked_for_has_its_place(
    workshop, monkeypatch
):
    """What was looked for before the write says nothing about the time after it."""
    panes = Panes(workshop, map(completed, range(6)))
    look = Collection.find_one

    def look_and_write(self, query=None, *args, **kwargs):
        found = look(self, query, *args, **kwargs)
        if query == {"completedAt": None}:
            panes.undate(3)
        return found

    order = [("completedAt", 1), ("_id", 1)]
    read = ListQuery(conditions=[], sort=order, page=1, limit=9)
    with monkeypatch.context() as while_writing:
        while_writing.setattr(Collection, "find_one", look_and_write)
        listing.read(Pane, read)
    assert ids(listing.read(Pane, read).rows) == ids(panes.matching(read))


def test_few_rows_after_a_cursor_do_not_let_the_next_reading_be_plain(
    workshop, monkeypatch
):
    """Then each part of a second export would read all the rows that are left."""
    monkeypatch.setattr(list_memory, "FEW", 5)
    list_memory.forget()
    for number in range(16):
        created = NOON - timedelta(days=number)
        workshop.make("Pane", pane_number=f"PNE-{number}", created_at=created)
    order = [("createdAt", -1), ("_id", -1)]
    wanted = ListQuery(conditions=[], sort=order, page=1, limit=1)
    assert [len(part) for part in listing.stream(Pane, wanted, 7)] == [7, 7, 2]
    rest = {"createdAt": {"$lt": NOON}}
    assert not list_memory.has_few(PageQuery(Pane, rest, order, 0, 7))
