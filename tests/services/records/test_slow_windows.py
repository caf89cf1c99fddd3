"""Lists whose windows take longer to read than the time limit of the store.

In these tests the store gives up where a range of dates has more than so many panes, as
the embedded one does with tens of thousands of them.
"""

from contextlib import contextmanager, suppress
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymongo.collection import Collection
from pymongo.errors import ExecutionTimeout

from glassflow.core import clock
from glassflow.models.pane import Pane
from glassflow.services.records import list_memory, listing
from glassflow.services.records.listing import ListQuery
from listed_panes import IN_TURN, PANES, READS, Panes, ids

DATES = {"createdAt", "completedAt"}
MOST = 25
IMPORTED, SPACING = 40, timedelta(seconds=75)  # so many panes, in 50 minutes


@pytest.fixture(autouse=True)
def few_rows_are_many(app, monkeypatch):
    monkeypatch.setattr(list_memory, "FEW", 2)


@contextmanager
def reading_at_most(most):
    """Let the store give up a query of more panes than this between two dates."""
    find = Collection.find

    def find_in_time(self, query=None, *args, **options):
        for name in DATES & (query or {}).keys():
            if self.count_documents({name: query[name]}) > most:
                raise ExecutionTimeout("operation exceeded time limit", 50)
        return find(self, query, *args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Collection, "find", find_in_time)
        yield


def make_panes(workshop, count, *, newest_age, spacing):
    """Store panes at equal distances; return their ids, newest first."""
    newest = clock.now() - newest_age
    return [
        workshop.make(
            "Pane",
            pane_number=f"PNE-{newest_age.total_seconds():g}-{n}",
            created_at=newest - n * spacing,
        ).pk
        for n in range(count)
    ]


def first_page(*conditions, direction=-1):
    order = [("createdAt", direction), ("_id", direction)]
    return ListQuery(conditions=list(conditions), sort=order, page=1, limit=5)


@pytest.mark.parametrize("direction", [1, -1])
def test_page_of_panes_with_one_date_reads_only_these(workshop, direction):
    """As the panes of a request have, and requests may come several in a second."""
    for request in range(3):
        age = timedelta(seconds=60 + request / 4)
        make_panes(workshop, MOST, newest_age=age, spacing=timedelta())
    listing.read(Pane, first_page(direction=direction))
    with reading_at_most(MOST):
        assert len(listing.read(Pane, first_page(direction=direction)).rows) == 5


@pytest.mark.parametrize("direction", [1, -1])
def test_list_after_an_import_times_out_once_in_a_process(workshop, direction):
    age = timedelta(hours=5)
    imported = make_panes(workshop, IMPORTED, newest_age=age, spacing=SPACING)
    wanted = first_page(direction=direction)
    with reading_at_most(MOST):
        with pytest.raises(ExecutionTimeout):
            listing.read(Pane, wanted)
        for _ in range(2):  # the second one begins where the first one has found it
            found = ids(listing.read(Pane, wanted).rows)
            assert found == imported[::-direction][:5]


def test_list_that_was_read_before_an_import_times_out_once(workshop):
    age = timedelta(hours=2)
    make_panes(workshop, 10, newest_age=age, spacing=timedelta(minutes=1))
    with reading_at_most(MOST):
        listing.read(Pane, first_page())
        imported = make_panes(
            workshop, IMPORTED, newest_age=timedelta(0), spacing=SPACING
        )
        with pytest.raises(ExecutionTimeout):
            listing.read(Pane, first_page())
        assert ids(listing.read(Pane, first_page()).rows) == imported[:5]


def test_list_up_to_a_date_after_an_import_times_out_once(workshop):
    age = timedelta(hours=5)
    imported = make_panes(workshop, IMPORTED, newest_age=age, spacing=SPACING)
    wanted = first_page({"createdAt": {"$lt": clock.now() - timedelta(hours=1)}})
    with reading_at_most(MOST):
        with pytest.raises(ExecutionTimeout):
            listing.read(Pane, wanted)
        for _ in range(2):  # wide windows from the date on would reach the import again
            assert ids(listing.read(Pane, wanted).rows) == imported[:5]


def test_first_list_of_a_process_right_after_an_import_does_not_time_out(workshop):
    imported = make_panes(workshop, IMPORTED, newest_age=timedelta(0), spacing=SPACING)
    with reading_at_most(MOST):
        assert ids(listing.read(Pane, first_page()).rows) == imported[:5]


@IN_TURN
@given(
    first=st.lists(PANES, min_size=4, max_size=12),
    read=READS,
    attempts=st.integers(1, 4),
)
def test_page_is_that_of_the_plain_query_whatever_has_timed_out_before(
    workshop, first, read, attempts
):
    panes = Panes(workshop, first)
    start = (read.page - 1) * read.limit
    expected = ids(panes.matching(read)[start : start + read.limit])
    with reading_at_most(2):
        for _ in range(attempts):
            with suppress(ExecutionTimeout):
                assert ids(listing.read(Pane, read).rows) == expected
    assert ids(listing.read(Pane, read).rows) == expected
