"""Panes for tests of lists: random ones in the store, and the pages they should give."""

from datetime import datetime, timedelta

from bson import ObjectId
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from factories import delete, save
from glassflow.models.pane import Pane
from glassflow.services import lists
from glassflow.services.lists import ListQuery
from glassflow.services.lists.search import condition

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
        [("paneNumber", 1), ("_id", 1)],
        [("paneNumber", -1), ("_id", -1)],
        [("_id", -1)],
    ]
)


class Searched(dict):
    """The condition of a search for a text, which it notes."""

    def __init__(self, text):
        super().__init__(condition(text, Pane) if text else {})
        self.text = text


TEXTS = ["", "", "GLAS", "4711", "as 4711", "107", "ärger", "0107"]
READS = st.builds(
    ListQuery,
    conditions=CONDITIONS,
    sort=SORTS,
    page=st.integers(1, 4),
    limit=st.sampled_from([1, 2, 3, 7]),
    search=st.sampled_from(TEXTS).map(Searched),
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


class Panes:
    """The panes of one example, in the store and in a list."""

    def __init__(self, workshop, first, *, undated=0):
        self.workshop = workshop
        self.stored = {}
        Pane.collection().delete_many({})
        for values in first:
            self.create(values)
        for _ in range(undated):
            self._take_a_date_away()

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
            save(pane)
            self.stored[pane.pk] = dict(pane.to_mongo())

    def undate(self, index):
        if self.stored:
            pane = Pane.objects(pk=self._nth(index)).first()
            pane.completed_at = None
            save(pane)
            self.stored[pane.pk] = dict(pane.to_mongo())

    def delete(self, index):
        if self.stored:
            pane = Pane.objects(pk=self._nth(index)).first()
            delete(pane)
            del self.stored[pane.pk]

    def carry_out(self, step, value):
        """Carry out one of `STEPS`; a page that is read must be that of plain Python."""
        if step == "change":
            self.change(*value)
        elif step != "read":
            getattr(self, step)(value)
        else:
            expected = self.matching(value)
            skip = (value.page - 1) * value.limit
            page = lists.read_page(Pane, value)
            assert ids(page.rows) == ids(expected[skip : skip + value.limit])
            assert page.pagination["total"] == len(expected)
            assert page.pagination["totalPages"] == -(-len(expected) // value.limit)

    def _nth(self, index):
        return list(self.stored)[index % len(self.stored)]

    def _take_a_date_away(self):
        """Let the first pane with a date have none, past the models."""
        collection = Pane.collection()
        for pk, row in self.stored.items():
            if "createdAt" in row:
                collection.update_one({"_id": pk}, {"$unset": {"createdAt": 1}})
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
    if read.search and not _is_found(row, read.search.text):
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
