"""Pages, totals and cursors of lists are those that plain Python computes."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glassflow.models.pane import Pane
from glassflow.services import lists
from glassflow.services.lists import ListQuery
from glassflow.services.lists import page as list_page
from listed_panes import IN_TURN, NOON, PANES, READS, STEPS, Panes, ids
from store_commands import record_commands

pytestmark = pytest.mark.usefixtures("app")


@IN_TURN
@given(
    first=st.lists(PANES, max_size=12),
    steps=st.lists(STEPS, min_size=3, max_size=14),
    undated=st.integers(0, 2),
)
def test_pages_and_totals_are_those_of_plain_python(workshop, first, steps, undated):
    panes = Panes(workshop, first, undated=undated)
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
        page = lists.read_page(Pane, query)
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
@given(
    first=st.lists(PANES, max_size=12),
    read=READS,
    undated=st.integers(0, 2),
    size=st.integers(1, 5),
)
def test_a_stream_has_every_row_in_the_order_of_the_list(
    workshop, first, read, undated, size
):
    panes = Panes(workshop, first, undated=undated)
    parts = list(lists.stream(Pane, read, size))
    assert [one for part in parts for one in ids(part)] == ids(panes.matching(read))
    assert all(len(part) == size for part in parts[:-1])
    assert lists.total(Pane, read) == len(panes.matching(read))


@IN_TURN
@given(first=st.lists(PANES, max_size=12), read=READS, cap=st.integers(1, 5))
def test_a_capped_count_is_exact_up_to_its_limit(workshop, first, read, cap):
    panes = Panes(workshop, first)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(list_page, "CAPPED", cap)
        query = ListQuery(
            read.conditions, read.sort, read.page, read.limit, capped=True
        )
        page = lists.read_page(Pane, query)
    expected = len(panes.matching(query))
    found = page.pagination
    end = (read.page - 1) * read.limit + len(page.rows)
    if found["more"]:
        assert expected > cap
        assert cap <= found["total"] <= expected
        assert found["total"] >= min(end, expected)
    else:
        assert found["total"] == expected


@pytest.mark.parametrize(
    ("sort", "is_by_pages"), [("createdAt", True), ("notes", False)]
)
def test_a_stream_is_read_by_pages_where_an_index_has_its_order(
    workshop, monkeypatch, sort, is_by_pages
):
    """The embedded store holds all rows that a query without a limit will return."""
    for number in range(5):
        created = NOON - timedelta(days=number)
        workshop.make("Pane", pane_number=f"PNE-{number}", created_at=created)
    wanted = ListQuery([], [(sort, -1), ("_id", -1)], page=1, limit=1)
    recorder = record_commands(
        monkeypatch, lambda command: command.get("find") == "panes", of_all=True
    )
    assert [len(part) for part in lists.stream(Pane, wanted, 2)] == [2, 2, 1]
    assert all(("limit" in command) == is_by_pages for command in recorder.sent)
    assert recorder.sent
