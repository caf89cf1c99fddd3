"""The store answers as plain Python does, whatever was written before.

Random documents, writes, transactions and indexes, and the queries that the service sends,
through the driver. Afterwards each index has just the entries that its documents ask for.
The same runs on the program without the extension, but for what is known to be wrong
there, and with TEST_MONGODB_URI on a MongoDB.
"""

import copy
import random
import re
import secrets
from datetime import datetime, timedelta
from operator import itemgetter

import pytest
from bson import ObjectId
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from pymongo import MongoClient, ReturnDocument
from pymongo.errors import DuplicateKeyError

import databases
from plain_store import plain_store
from sizes import size
from store_model import matches, ordered

pytestmark = [
    pytest.mark.sized,
    pytest.mark.slow,
    pytest.mark.timeout(size(300, long=7200)),
]

BEGIN = datetime(2026, 1, 1)
IDS = [ObjectId(f"{number:024x}") for number in (1, 255, 256, 65_536)]
NAMES = ["", "in", "in\nprogress", "in\0", "in\0x", "กระจก", "กระจกใส (10 มม.)"]
INDEXES = (
    [("createdAt", 1), ("_id", 1)],
    [("order", 1), ("createdAt", 1), ("_id", 1)],
    [("order", 1), ("isListed", 1), ("createdAt", 1), ("_id", 1)],
    [("status", 1), ("createdAt", 1), ("_id", 1)],
    [("arrivedAt", 1), ("_id", 1)],
    [("routing", 1), ("createdAt", 1), ("_id", 1)],
    [("width", 1)],
    [("size.height", 1), ("_id", 1)],
    [("status", 1), ("width", 1)],
    [("order", 1), ("_id", -1)],
    [("order", 1), ("width", -1)],
    [("searchText", 1)],
)
DAYS = [BEGIN + timedelta(days=days) for days in range(13)]
SIZES = [-7, -0.5, 0, 0.0, 1, 5, 5.0, 7.25, 10, 2_400, 2**40]
DATES = st.sampled_from(DAYS)
WIDTHS = st.sampled_from(SIZES)
NUMBERS = st.integers(0, 80).map("PNE-{:04d}".format)
FIELDS = {
    "order": st.sampled_from([None, *IDS]),
    "status": st.sampled_from(NAMES),
    "isListed": st.booleans(),
    "createdAt": DATES,
    "arrivedAt": st.none() | DATES,
    "routing": st.lists(st.sampled_from(IDS), max_size=3),
    "width": st.none() | WIDTHS,
    "size": st.fixed_dictionaries(
        {"height": st.none() | WIDTHS, "n": st.integers(0, 2)}
    ),
    "searchText": st.lists(st.sampled_from(NAMES), max_size=3).map(" ".join),
}
SHOWN = ("_id", "status", "routing", "size")
OPTIONAL = ("order", "arrivedAt", "width", "routing", "size")


def ranges_of(values):
    """A range: one bound or two."""
    low, high = st.sampled_from(["$gt", "$gte"]), st.sampled_from(["$lt", "$lte"])
    one = st.builds(lambda operator, value: {operator: value}, low | high, values)
    return one | st.builds(
        lambda first, one, second, other: {first: one, second: other},
        low,
        values,
        high,
        values,
    )


def clauses_of(field, values):
    """The clauses that the service uses for a field."""
    several = st.lists(values, min_size=1, max_size=3)
    return st.one_of(
        values,
        values.map(lambda value: {"$eq": value}),
        values.map(lambda value: {"$ne": value}),
        several.map(lambda found: {"$in": found}),
        several.map(lambda found: {"$nin": found}),
        *([st.booleans().map(lambda there: {"$exists": there})] * (field in OPTIONAL)),
    )


VALUES = {
    **FIELDS,
    "_id": st.integers(0, 80),
    "number": NUMBERS,
    "routing": st.sampled_from(IDS),
    "size.height": FIELDS["width"],
}
RANGES = {
    "order": ranges_of(st.sampled_from(IDS)),
    "status": ranges_of(FIELDS["status"]),
    "isListed": st.booleans(),
    "createdAt": ranges_of(DATES),
    "arrivedAt": ranges_of(DATES),
    "routing": ranges_of(st.sampled_from(IDS)),
    "width": ranges_of(WIDTHS),
    "size.height": ranges_of(WIDTHS),
    "number": ranges_of(NUMBERS),
    "searchText": ranges_of(FIELDS["searchText"]),
    "_id": ranges_of(st.integers(0, 80)),
}
PATTERNS = st.one_of(
    st.sampled_from([*NAMES[1:3], *NAMES[5:]]).map(re.escape), st.just("^in")
)
#: Words of few documents, at the begin or the end of their text, and one of none.
RARE = ["seldom", "rare"]
WORDS = st.sampled_from([*RARE, "nothing"])
#: A search for a number looks for it in one form or the other.
EITHER_WORD = st.lists(PATTERNS | WORDS, min_size=2, max_size=3).map("|".join)
TEXTS = (PATTERNS | WORDS | EITHER_WORD).map(lambda pattern: {"$regex": pattern})
CLAUSES = {
    field: clauses_of(field.partition(".")[0], VALUES[field]) | RANGES[field]
    for field in RANGES
}
CLAUSES["status"] |= TEXTS | PATTERNS.map(re.compile)
CLAUSES["routing"] |= FIELDS["routing"]  # the whole array
CLAUSES["searchText"] = TEXTS
PARTS = st.lists(st.sampled_from(sorted(CLAUSES)), max_size=3, unique=True).flatmap(
    lambda fields: st.fixed_dictionaries({field: CLAUSES[field] for field in fields})
)


def queries_of_an_index(keys):
    """Queries that bind the first fields of an index, and limit the next one."""
    fields = [field for field, _ in keys]
    return st.integers(0, len(fields) - 1).flatmap(
        lambda depth: st.fixed_dictionaries(
            {
                **{field: VALUES[field] for field in fields[:depth]},
                fields[depth]: RANGES[fields[depth]],
            }
        )
    )


#: Conditions that the store tests on the bytes of a document.
ENCODED = st.lists(
    st.sampled_from(["isListed", "searchText", "status", "order", "routing"]),
    min_size=1,
    max_size=3,
    unique=True,
).flatmap(
    lambda fields: st.fixed_dictionaries(
        {f: TEXTS if f == "searchText" else VALUES[f] for f in fields}
    )
)
#: Several conditions on one field.
OF_ONE_FIELD = st.sampled_from(sorted(RANGES)).flatmap(
    lambda field: st.lists(
        (RANGES[field] | VALUES[field]).map(lambda clause: {field: clause}),
        min_size=2,
        max_size=3,
    ).map(lambda parts: {"$and": parts})
)
INDEXED = st.sampled_from(INDEXES).flatmap(queries_of_an_index)
QUERIES = st.one_of(
    PARTS,
    INDEXED,
    INDEXED,
    st.builds(
        lambda query, either: {**query, "$or": either},
        PARTS,
        st.lists(PARTS, min_size=1, max_size=2),
    ),
    st.builds(lambda query, part: {**query, "$and": [part]}, PARTS, PARTS),
    ENCODED,
    OF_ONE_FIELD,
    st.lists(PARTS | INDEXED, min_size=2, max_size=3).map(
        lambda parts: {"$and": parts}
    ),
)
LAST = st.tuples(st.sampled_from(["_id", "number"]), st.sampled_from([1, -1]))
SORTS = st.builds(
    lambda field, direction, last: [(field, direction), last],
    st.sampled_from(["createdAt", "arrivedAt", "width", "status", "order"]),
    st.sampled_from([1, -1]),
    LAST,
) | LAST.map(lambda last: [last])


def pages_of_an_index(keys):
    """A query of the first fields of an index, in the order of those that follow."""
    fields = [field for field, _ in keys]
    return st.builds(
        lambda depth, values, extra, direction, last: (
            {**{field: values[field] for field in fields[:depth]}, **extra},
            # with an id there are no equal ones
            [(field, way * direction) for field, way in keys[depth:]]
            + [last] * ("_id" not in fields),
        ),
        # nobody sorts by an array
        st.integers(fields[0] == "routing", len(fields) - 1),
        st.fixed_dictionaries({field: VALUES[field] for field in fields}),
        st.just({}) | PARTS | WORDS.map(lambda word: {"searchText": {"$regex": word}}),
        st.sampled_from([1, -1]),
        LAST,
    )


def choices_of_an_index(keys):
    """A page of several values of the first fields of an index, or of parts of an `$or`.

    In the order of the fields that follow, of those that have several values, or in another.
    """
    fields = [field for field, _ in keys]

    def page(depth, values, lists, chosen, has_or, start, direction, last, other):
        query = {field: values[field] for field in fields[:depth]}
        for field in chosen & query.keys():
            query[field] = {"$in": lists[field]}
        if has_or:  # some documents match both parts
            first = query.pop(fields[0])
            query["$or"] = [{fields[0]: first}, {fields[0]: values[fields[0]]}]
        ordered_by = [(f, way * direction) for f, way in keys[min(start, depth) :]]
        return query, other or ordered_by + [last] * ("_id" not in fields)

    return st.builds(
        page,
        st.integers(1, len(fields) - 1),
        st.fixed_dictionaries({field: VALUES[field] for field in fields}),
        st.fixed_dictionaries(
            {field: st.lists(VALUES[field], min_size=1, max_size=4) for field in fields}
        ),
        st.sets(st.sampled_from(fields[:2]), min_size=1),
        st.booleans(),
        st.integers(fields[0] == "routing", len(fields) - 1),
        st.sampled_from([1, -1]),
        LAST,
        st.none() | st.none() | SORTS,
    )


CHOSEN = st.sampled_from([keys for keys in INDEXES if len(keys) > 1]).flatmap(
    choices_of_an_index
)
#: Parts of an `$or` by two indexes, which have one order behind their first fields.
EITHER = st.builds(
    lambda order, status, direction: (
        {"$or": [{"order": order}, {"status": status}]},
        [("createdAt", direction), ("_id", direction)],
    ),
    VALUES["order"],
    VALUES["status"],
    st.sampled_from([1, -1]),
)
#: The order of an index without a field that the query binds.
WITHOUT_BOUND = st.builds(
    lambda is_listed, extra, direction: (
        {**extra, "isListed": is_listed},
        [("order", direction), ("createdAt", direction), ("_id", direction)],
    ),
    st.booleans(),
    st.just({}) | PARTS | RANGES["order"].map(lambda clause: {"order": clause}),
    st.sampled_from([1, -1]),
)
PAGES = st.one_of(
    st.tuples(QUERIES, SORTS),
    st.sampled_from(INDEXES).flatmap(pages_of_an_index),
    CHOSEN,
    EITHER,
    WITHOUT_BOUND,
)
SEEDS = st.integers(0, 2**32)
CHANGES = st.sampled_from(sorted(FIELDS)).flatmap(
    lambda field: st.fixed_dictionaries({field: FIELDS[field]})
)


def example_documents(chosen, first, count):
    """Documents with few different values, as a workshop's panes have them."""
    documents = []
    for number in range(first, first + count):
        document = {
            "_id": number,
            "number": f"PNE-{number:04d}",
            "order": chosen.choice([None, *IDS]),
            "status": chosen.choice([*NAMES, *["in\nprogress"] * 20]),
            "isListed": chosen.random() < 0.9,
            "createdAt": chosen.choice(DAYS),
            "arrivedAt": chosen.choice([None, *DAYS]),
            "routing": chosen.sample(IDS, chosen.randrange(4)),
            "width": chosen.choice([None, *SIZES]),
            "size": {"height": chosen.choice([None, *SIZES]), "n": chosen.randrange(3)},
            "searchText": " ".join(chosen.sample(NAMES, 3)),
        }
        if chosen.random() < 0.02:
            words = [document["searchText"], chosen.choice(RARE)]
            document["searchText"] = "".join(chosen.sample(words, 2))
        for field in OPTIONAL:
            if chosen.random() < 0.2:
                del document[field]
        documents.append(document)
    return documents


class Store(RuleBasedStateMachine):
    """A collection of the store, and what it should hold."""

    is_plain = False

    @staticmethod
    def connected():
        """The client of the store; a function, as Hypothesis examines all attributes."""
        raise NotImplementedError

    def __init__(self):
        super().__init__()
        self.client = self.connected()
        self.rows = self.client["answers"][f"c{secrets.token_hex(6)}"]
        self.committed = {}
        self.inside = None  # the documents as the open transaction sees them
        self.session = None
        self.last = 0
        self.rows.create_index("number", unique=True)
        for keys in INDEXES:
            self.rows.create_index(keys)

    @property
    def documents(self):
        """The documents as the next statement sees them."""
        return self.committed if self.inside is None else self.inside

    @property
    def is_open(self):
        """Whether a transaction is open."""
        return self.inside is not None

    def found(self, query, sort=(("_id", 1),)):
        """The ids of the documents that should be found, in order."""
        some = [one for one in self.documents.values() if matches(one, query)]
        return [one["_id"] for one in ordered(some, sort)]

    def allows(self, query):
        """Whether the store should answer: the plain program is known to err for some."""
        return not self.is_plain or not is_known_fault(query)

    @initialize(count=st.sampled_from([0, 1, 20, 60]), seed=SEEDS)
    def fill(self, count, seed):
        """Begin with some documents."""
        if count:
            self.insert(count, seed)

    @rule(count=st.integers(1, 8), seed=SEEDS)
    def insert(self, count, seed):
        """Add documents with new numbers."""
        added = example_documents(random.Random(seed), self.last + 1, count)
        self.last += count
        self.rows.insert_many(copy.deepcopy(added), session=self.session)
        self.documents.update((one["_id"], one) for one in added)

    @precondition(lambda self: self.documents and not self.is_open)
    @rule(seed=SEEDS)
    def insert_a_number_twice(self, seed):
        """Refuse a number that exists."""
        number = next(iter(self.documents.values()))["number"]
        [document] = example_documents(random.Random(seed), -1, 1)
        with pytest.raises(DuplicateKeyError):
            self.rows.insert_one({**document, "number": number})

    @precondition(lambda self: self.documents)
    @rule(change=CHANGES, data=st.data())
    def update_one(self, change, data):
        """Change a field of a document, or take one away."""
        chosen = data.draw(st.sampled_from(sorted(self.documents)), label="id")
        field = next(iter(change))
        if field in OPTIONAL and data.draw(st.booleans(), label="unset"):
            self.rows.update_one(
                {"_id": chosen}, {"$unset": {field: ""}}, session=self.session
            )
            self.documents[chosen].pop(field, None)
        else:
            self.rows.update_one(
                {"_id": chosen}, {"$set": change}, session=self.session
            )
            self.documents[chosen].update(copy.deepcopy(change))

    @rule(query=QUERIES, change=CHANGES)
    def update_many(self, query, change):
        """Change a field of all that match."""
        if self.allows(query):
            wanted = self.found(query)
            done = self.rows.update_many(query, {"$set": change}, session=self.session)
            assert done.matched_count == len(wanted)
            for one in wanted:
                self.documents[one].update(copy.deepcopy(change))

    @rule(query=QUERIES, sort=SORTS, change=CHANGES)
    def find_one_and_update(self, query, sort, change):
        """Change the first that matches."""
        if self.allows(query):
            wanted = self.found(query, sort)
            found = self.rows.find_one_and_update(
                query,
                {"$set": change},
                sort=sort,
                session=self.session,
                return_document=ReturnDocument.AFTER,
            )
            assert (found and found["_id"]) == (wanted[0] if wanted else None)
            if wanted:
                self.documents[wanted[0]].update(copy.deepcopy(change))
                assert found == self.documents[wanted[0]]

    @rule(query=QUERIES, is_one=st.booleans(), data=st.data())
    def delete(self, query, is_one, data):
        """Delete all that match, or one of them."""
        wanted = self.found(query)
        if is_one and wanted:
            wanted = [data.draw(st.sampled_from(wanted), label="id")]
            query = {"_id": wanted[0]}
        if self.allows(query):
            done = self.rows.delete_many(query, session=self.session)
            assert done.deleted_count == len(wanted)
            for one in wanted:
                del self.documents[one]

    @precondition(lambda self: not self.is_open)
    @rule()
    def begin(self):
        """Open a transaction."""
        self.session = self.client.start_session()
        self.session.start_transaction()
        self.rows.find_one(session=self.session)  # its view is of this moment
        self.inside = copy.deepcopy(self.committed)

    @precondition(lambda self: self.is_open)
    @rule(commits=st.booleans())
    def end(self, commits):
        """Commit the transaction, or abort it."""
        if commits:
            self.session.commit_transaction()
            self.committed = self.inside
        else:
            self.session.abort_transaction()
        self.session.end_session()
        self.session = self.inside = None

    @precondition(lambda self: not self.is_open)
    @rule(keys=st.sampled_from(INDEXES))
    def drop_and_create_an_index(self, keys):
        """Make an index again."""
        self.rows.drop_index(keys)
        self.rows.create_index(keys)

    @rule(
        page=PAGES,
        skip=st.sampled_from([0, 0, 1, 7]),
        limit=st.sampled_from([0, 1, 3, 20]),
    )
    def find_a_page(self, page, skip, limit):
        """Find a page of the matches in order."""
        query, sort = page
        if self.allows(query):
            wanted = self.found(query, sort)[skip:][: limit or None]
            rows = self.rows.find(query, session=self.session).sort(sort)
            found = [one["_id"] for one in rows.skip(skip).limit(limit)]
            assert found == wanted

    @rule(query=QUERIES, limit=st.sampled_from([None, None, 2]))
    def find_and_count(self, query, limit):
        """Find all matches, whole, and count them."""
        if self.allows(query):
            wanted = self.found(query)
            rows = list(self.rows.find(query, session=self.session))
            assert sorted(one["_id"] for one in rows) == wanted
            assert all(one == self.documents[one["_id"]] for one in rows)
            options = {"limit": limit} if limit else {}
            counted = self.rows.count_documents(query, session=self.session, **options)
            assert counted == min(len(wanted), limit or len(wanted))

    @precondition(lambda self: self.is_open)
    @rule(query=QUERIES)
    def find_beside_the_transaction(self, query):
        """Find outside of the transaction what was committed."""
        if self.allows(query):
            wanted = {k for k, one in self.committed.items() if matches(one, query)}
            assert {one["_id"] for one in self.rows.find(query)} == wanted
            assert self.rows.count_documents(query) == len(wanted)

    @invariant()
    def all_documents_are_there(self):
        """Find each committed document, and no other one."""
        assert self.rows.count_documents({}) == len(self.committed)

    def teardown(self):
        """Compare the entries of all indexes with the documents."""
        if self.is_open:
            self.end(commits=False)
        answer = self.rows.database.command("validate", self.rows.name)
        assert answer["valid"], answer["errors"]
        self.rows.drop()


@st.composite
def reads(draw):
    """A query, a sort, how many to skip and how many to read, 0 for all."""
    skips, limits = st.sampled_from([0, 0, 5, 700]), st.sampled_from([0, 1, 20, 400])
    return *draw(PAGES), draw(skips), draw(limits)


def part_of(document):
    """The part of a document that the reads project."""
    return {name: document[name] for name in SHOWN if name in document}


def assert_read_as_python_does(rows, documents, read):
    """Compare a page, the number of all matches, their ids and some with Python's."""
    query, sort, skip, limit = read
    wanted = ordered((one for one in documents if matches(one, query)), sort)
    page = [part_of(one) for one in wanted[skip:][: limit or None]]
    found = rows.find(query, dict.fromkeys(SHOWN, 1)).sort(sort).skip(skip).limit(limit)
    assert list(found) == page
    assert rows.count_documents(query) == len(wanted)
    ids = sorted(one["_id"] for one in wanted)
    everyone = sorted(rows.find(query, dict.fromkeys(SHOWN, 1)), key=itemgetter("_id"))
    assert everyone == sorted(map(part_of, wanted), key=itemgetter("_id"))
    some = {one["_id"] for one in rows.find(query).skip(skip).limit(limit)}
    assert len(some) == len(page)
    assert some <= set(ids)


def is_known_fault(query):
    """Whether the plain program may answer wrongly: see the tests below."""
    for field, clause in query.items():
        if field in ("$or", "$and"):
            if any(map(is_known_fault, clause)):
                return True
        elif isinstance(clause, re.Pattern):
            return True
        elif isinstance(clause, dict):
            bounds = {"$gt", "$gte", "$lt", "$lte"} & clause.keys()
            if "$lte" in bounds and len(query) > 1:
                return True
            if len(bounds) > 1 and field == "routing":
                return True
    return False


def explore(client, *, is_plain=False):
    """Run the state machine on a store."""
    own = {"connected": staticmethod(lambda: client), "is_plain": is_plain}
    of_store = type("OfStore", (Store,), own)
    run_state_machine_as_test(
        of_store,
        settings=settings(
            max_examples=size(15 if is_plain else 40, 1_500),
            stateful_step_count=size(30, 60),
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        ),
    )


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A client of the program without the extension."""
    if databases.TEST_URI:
        pytest.skip(databases.EMBEDDED_ONLY)
    with (
        plain_store(tmp_path_factory.mktemp("plain")) as uri,
        MongoClient(uri) as client,
    ):
        yield client


def test_store_answers_as_plain_python_does(store):
    with MongoClient(store) as client:
        explore(client)


def test_store_reads_of_many_documents_what_plain_python_does(store):
    """With so many it chooses between an index, candidates, and reading all."""
    documents = example_documents(random.Random(7), 1, size(1_300, 2_500))
    with MongoClient(store) as client:
        rows = client["answers"]["many"]
        rows.drop()
        for keys in INDEXES:
            rows.create_index(keys)
        rows.create_index("number", unique=True)
        rows.insert_many(documents)

        @settings(max_examples=size(80, 1_500), phases=[Phase.generate])
        @given(reads())
        def compare(read):
            assert_read_as_python_does(rows, documents, read)

        compare()
        rows.drop()


@pytest.mark.long
@pytest.mark.embedded_store
def test_program_without_the_extension_answers_so_but_for_its_known_faults(plain):
    explore(plain, is_plain=True)
