"""Pages of lists equal those of the plain query, however they are read.

The windows are made to be used for a handful of records already, and every result is
compared with one that is computed in plain Python.
"""

from datetime import datetime, timedelta

import pytest
from bson import ObjectId
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pymongo.collection import Collection

from glassflow.core import kept
from glassflow.models.pane import Pane
from glassflow.services.records import list_memory, list_totals, listing
from glassflow.services.records.list_memory import PageQuery
from glassflow.services.records.listing import ListQuery

NOON = datetime(2026, 3, 1, 12)
STATIONS = [ObjectId(f"{n:024x}") for n in range(1, 4)]
STATUSES = ("pending", "completed", "merged_into")
# Dates that are equal, close together, and years apart.
DATES = st.one_of(
    st.just(NOON),
    st.integers(-3, 3).map(lambda n: NOON + timedelta(milliseconds=n)),
    st.integers(-400, 400).map(lambda n: NOON + timedelta(hours=n)),
    st.integers(-9, 1).map(lambda n: NOON + timedelta(days=365 * n)),
)
PANES = st.fixed_dictionaries(
    {
        "created_at": DATES,
        "completed_at": DATES,
        "current_station": st.sampled_from(STATIONS),
        "current_status": st.sampled_from(STATUSES),
        "notes": st.sampled_from(["", "Glas 4711", "glas", "107", "ÄRGER"]),
        "route_index": st.sampled_from([0, 107, 4711]),
    }
)
CONDITIONS = st.sampled_from(
    [
        [],
        [{"currentStation": STATIONS[0]}],
        [{"currentStation": {"$in": STATIONS[:2]}}],
        [{"currentStatus": {"$nin": ["pending"]}}],
        [{"currentStation": STATIONS[1]}, {"currentStatus": "pending"}],
        [{"createdAt": {"$gte": NOON}}],
        [{"createdAt": {"$gt": NOON - timedelta(days=800)}}],
        [{"createdAt": {"$lt": NOON}}, {"createdAt": {"$gt": datetime(1, 1, 1)}}],
        [{"createdAt": {"$lte": datetime(9999, 12, 31)}}],
        [{"createdAt": NOON}],
        [{"createdAt": {"$nin": [NOON]}}],
        [{"routeIndex": {"$gte": 1}}, {"routeIndex": {"$lt": 4711}}],
    ]
)
SORTS = st.sampled_from(
    [
        [("createdAt", -1), ("_id", -1)],
        [("createdAt", 1), ("_id", 1)],
        [("createdAt", -1), ("_id", 1)],
        [("currentStatus", 1), ("createdAt", -1), ("_id", -1)],
        [("completedAt", -1), ("_id", -1)],
        [("completedAt", 1), ("_id", 1)],
        [("_id", -1)],
    ]
)
READS = st.builds(
    ListQuery,
    conditions=CONDITIONS,
    sort=SORTS,
    page=st.integers(1, 4),
    limit=st.sampled_from([1, 2, 3, 7]),
    search=st.sampled_from(["", "", "GLAS", "4711", "as 4711", "107", "ärger", "0107"]),
    listed_only=st.booleans(),
)
STEPS = st.one_of(
    READS.map(lambda read: ("read", read)),
    PANES.map(lambda pane: ("create", pane)),
    st.tuples(st.just("change"), st.tuples(st.integers(0, 99), PANES)),
    st.integers(0, 99).map(lambda index: ("undate", index)),
    st.integers(0, 99).map(lambda index: ("delete", index)),
)
IN_TURN = settings(
    max_examples=20,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture(autouse=True)
def few_rows_are_many(app, monkeypatch):
    monkeypatch.setattr(list_memory, "FEW", 2)


class Panes:
    """The panes of one example, in the store and in a list."""

    def __init__(self, workshop, first, *, undated=0, derived=True):
        self.workshop = workshop
        self.stored = {}
        kept.clear()
        list_memory.forget()
        Pane._get_collection().delete_many({})
        for values in first:
            self.create(values)
        for _ in range(undated):
            self._change_stored({"$unset": {"createdAt": 1}})
        if not derived:
            names = ("derived", "searchText", "searchDigits", "listed")
            self._change_stored({"$unset": dict.fromkeys(names, 1)})
        kept.clear()

    def create(self, values):
        number = f"PNE-{len(self.stored):04d}-{ObjectId()}"
        pane = self.workshop.make("Pane", pane_number=number, **values)
        self.stored[pane.pk] = dict(pane.to_mongo())

    def change(self, index, values):
        if self.stored:
            pane = Pane.objects(pk=self._nth(index)).first()
            for name, value in values.items():
                if name != "created_at":
                    pane[name] = value
            pane.save()
            self.stored[pane.pk] = dict(pane.to_mongo())

    def undate(self, index):
        if self.stored:
            pane = Pane.objects(pk=self._nth(index)).first()
            pane.completed_at = None
            pane.save()
            self.stored[pane.pk] = dict(pane.to_mongo())

    def delete(self, index):
        if self.stored:
            pane = Pane.objects(pk=self._nth(index)).first()
            pane.delete()
            del self.stored[pane.pk]

    def _nth(self, index):
        return list(self.stored)[index % len(self.stored)]

    def _change_stored(self, update):
        """Change the first pane with a date, past the models."""
        collection = Pane._get_collection()
        for pk, row in self.stored.items():
            if "createdAt" in row and "derived" in row:
                collection.update_one({"_id": pk}, update)
                self.stored[pk] = collection.find_one({"_id": pk})
                return

    def matching(self, read):
        """Return all the rows of a list, in its order."""
        found = [row for row in self.stored.values() if _matches(row, read)]
        for field, direction in reversed(read.sort):
            # a missing value comes before all others
            found.sort(
                key=lambda row, field=field: (
                    row.get(field) is not None,
                    row.get(field) or 0,
                ),
                reverse=direction < 0,
            )
        return found


def _matches(row, read):
    if read.listed_only and row["currentStatus"] == "merged_into":
        return False
    if read.search and not _is_found(row, read.search):
        return False
    return all(
        _meets(row.get(field), wanted)
        for condition in read.conditions
        for field, wanted in condition.items()
    )


def _is_found(row, search):
    texts = [row["notes"], row["paneNumber"], row["jobType"], row["qrCode"]]
    if any(search.lower() in text.lower() for text in texts):
        return True
    is_number = search.isdigit() and not search.startswith("0")
    return is_number and float(search) in (row["routeIndex"], row["version"])


def _meets(value, wanted):
    if not isinstance(wanted, dict):
        return value == wanted
    tests = {
        "$in": lambda one: value in one,
        "$nin": lambda one: value not in one,
        "$gt": lambda one: value is not None and value > one,
        "$gte": lambda one: value is not None and value >= one,
        "$lt": lambda one: value is not None and value < one,
        "$lte": lambda one: value is not None and value <= one,
    }
    return all(tests[name](one) for name, one in wanted.items())


def ids(rows):
    return [row["_id"] for row in rows]


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
    for step, value in steps:
        if step == "read":
            expected = panes.matching(value)
            skip = (value.page - 1) * value.limit
            page = listing.read(Pane, value)
            assert ids(page.rows) == ids(expected[skip : skip + value.limit])
            assert page.pagination["total"] == len(expected)
            assert page.pagination["totalPages"] == -(-len(expected) // value.limit)
        elif step == "change":
            panes.change(*value)
        else:
            getattr(panes, step)(value)


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
