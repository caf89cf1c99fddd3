"""How many documents match a query: counted by the store, kept for a short time.

Counting costs as much as reading everything, on the embedded store. A kept total follows
what this process writes; what others write it may miss for `kept.KEPT_S`.
"""

import re
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

import bson

from glassflow.core import deadlines, kept, written
from glassflow.core.long_reads import LongRead, StillReading
from glassflow.core.written import Write

Query = Mapping[str, Any]

# Smaller totals are counted again after a change that may concern them. Larger ones are
# kept: counting them is slow, and one more or less matters little.
SMALL = 1000

# Counts pass beside the gate, and one of a whole collection keeps the store busy. Without
# limits, lists with different filters would take all connections of the driver's pool.
AT_ONCE, MAX_WAITING = 2, 20
_turns = threading.BoundedSemaphore(AT_ONCE)

# Counts that are running or waiting, by the key of their total.
_counts: dict[Any, LongRead[int]] = {}
_queries: dict[str, dict[bytes, Query]] = defaultdict(dict)
_grouped: dict[str, set[str]] = defaultdict(set)
_writes: dict[str, int] = defaultdict(int)


def of(collection: str, query: Query, count: Callable[[], int]) -> int | None:
    """Return the total of a query, kept or counted now; None if that takes too long.

    The count goes on then, and its result is kept. Callers who need the same total at
    once wait for one count. `AT_ONCE` totals are counted at once; while `MAX_WAITING`
    others wait for that, no further count is begun. Raises what `count` raises.
    """
    key = _key(collection, query)
    total: int | None = kept.peek(key)
    if total is not None:
        return total
    counting = _counts.get(key)
    if counting is None:
        if len(_counts) >= AT_ONCE + MAX_WAITING:
            return None
        read = _count_and_keep(collection, query, count)
        counting = _counts[key] = LongRead("count", read, turn=_turns)
        counting.start()
    try:
        return counting.result(deadlines.COUNT_WAIT_S)
    except StillReading:
        return None


def _count_and_keep(
    collection: str, query: Query, count: Callable[[], int]
) -> Callable[[], int]:
    def read() -> int:
        try:
            total = _counted(collection, count)
            put(collection, query, total)
        finally:
            _counts.pop(_key(collection, query), None)
        return total

    return read


def by_value(
    collection: str, field: str, group: Callable[[], dict[Any, int]]
) -> dict[Any, int]:
    """Return how many documents have each value of a field, kept or grouped now."""

    def compute() -> dict[Any, int]:
        before = _writes[collection]
        counts = group()
        return counts if _writes[collection] == before else group()

    counts: dict[Any, int] = kept.value(("by value", collection, field), compute)
    _grouped[collection].add(field)
    return dict(counts)


def known(collection: str, query: Query) -> int | None:
    """Return the kept total of a query; None if there is none."""
    total: int | None = kept.peek(_key(collection, query))
    return total


def put(collection: str, query: Query, total: int) -> None:
    """Keep a total that a page has shown."""
    kept.put(_key(collection, query), total)
    _remember(collection, query)


def forget(collection: str, query: Query) -> None:
    """Forget a total that has proved to be wrong."""
    kept.forget(_key(collection, query))


def _key(collection: str, query: Query) -> tuple[str, str, bytes]:
    return "total", collection, bson.encode(query)


def _remember(collection: str, query: Query) -> None:
    queries = _queries[collection]
    if len(queries) >= kept.MAX_VALUES:
        queries.clear()  # totals without their query are not corrected, only forgotten
        kept.clear()
    queries[bson.encode(query)] = query


def _counted(collection: str, count: Callable[[], int]) -> int:
    """Count; a write meanwhile may be missing in the result, so it is counted again."""
    before = _writes[collection]
    total = count()
    if _writes[collection] != before and total <= SMALL:
        total = count()
    return total


@written.listen
def follow(write: Write) -> None:
    """Correct or forget the kept totals that a write concerns."""
    _writes[write.collection] += 1
    for field in _grouped.get(write.collection, ()):
        _follow_values(write, field)
    queries = _queries.get(write.collection, {})
    for encoded, query in list(queries.items()):
        key = "total", write.collection, encoded
        total = kept.peek(key)
        if total is None:
            del queries[encoded]
        elif write.action == "changed":
            if total <= SMALL and not write.fields.isdisjoint(query):
                kept.forget(key)
        elif matches(write.document(), query):
            kept.correct(key, total + (1 if write.action == "created" else -1))


def _follow_values(write: Write, field: str) -> None:
    key = "by value", write.collection, field
    counts = kept.peek(key)
    if counts is None or (write.action == "changed" and field not in write.fields):
        return
    if sum(counts.values()) <= SMALL:
        kept.forget(key)
    elif write.action != "changed":
        value, step = (
            write.document().get(field),
            1 if write.action == "created" else -1,
        )
        kept.correct(key, {**counts, value: counts.get(value, 0) + step})


def matches(document: Mapping[str, Any], query: Query) -> bool:
    """Return whether a document matches a query of a list.

    It knows what lists use: equality, `$in`, `$nin`, `$ne`, ranges, `$regex`, and `$and`
    and `$or` around them.
    """
    for field, condition in query.items():
        if field in ("$and", "$or"):
            combine = all if field == "$and" else any
            if not combine(matches(document, one) for one in condition):
                return False
        elif not _meets(document.get(field), condition):
            return False
    return True


def _meets(value: Any, condition: Any) -> bool:
    if not isinstance(condition, dict):
        return _equals(value, condition)
    if "$regex" in condition:
        flags = re.IGNORECASE if "i" in condition.get("$options", "") else 0
        pattern = condition["$regex"]
        return isinstance(value, str) and bool(re.search(pattern, value, flags))
    return all(
        _TESTS[operator](value, wanted) for operator, wanted in condition.items()
    )


def _equals(value: Any, wanted: Any) -> bool:
    if isinstance(value, list):
        return wanted in value or value == wanted
    return bool(value == wanted) and isinstance(value, bool) == isinstance(wanted, bool)


def _is_in(value: Any, wanted: Any) -> bool:
    return any(_equals(value, one) for one in wanted)


def _compares(test: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def compare(value: Any, wanted: Any) -> bool:
        try:
            return value is not None and test(value, wanted)
        except TypeError:  # values of different types are not compared
            return False

    return compare


_TESTS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": _equals,
    "$in": _is_in,
    "$ne": lambda value, wanted: not _equals(value, wanted),
    "$nin": lambda value, wanted: not _is_in(value, wanted),
    "$gt": _compares(lambda value, wanted: bool(value > wanted)),
    "$gte": _compares(lambda value, wanted: bool(value >= wanted)),
    "$lt": _compares(lambda value, wanted: bool(value < wanted)),
    "$lte": _compares(lambda value, wanted: bool(value <= wanted)),
}
