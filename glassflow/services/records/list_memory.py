"""What each process remembers of the lists that it has read, to read the next one quickly.

Nothing here changes what a page has: a wrong guess costs time only.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from glassflow.core.bounded_dict import BoundedDict
from glassflow.models.base import Record
from glassflow.services.records import conditions
from glassflow.services.records.conditions import Query

Rows = list[dict[str, Any]]
Sort = Sequence[tuple[str, int]]

FEW = 100  # matches that an index finds as quickly as a window
MAX_KINDS = 1000
# How many windows take the place of one that took too long to read, and their least width.
STEPS, SHORTEST_STEP_S = 64, 1.0
SEARCHED = frozenset({"searchText", "searchDigits"})


@dataclass(frozen=True, slots=True)
class PageQuery:
    """A page of the documents that match a query.

    `matches` is how many there are, as far as that is known.
    """

    model: type[Record]
    query: Query
    sort: Sort
    skip: int
    limit: int
    projection: Mapping[str, int] | None = None
    matches: int | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """What earlier pages have shown of a kind of query: one that differs in values only.

    `edge` is the date of its first row, `per_row_s` the time between two rows, and `most`
    the largest number of matches that a query had. After a window that took too long to
    read, `edge` is where it began and `step_s` how wide the next ones are, in seconds;
    where the query itself names a date far from the first row, they remain so.
    """

    edge: datetime | None = None
    per_row_s: float = 0.0
    most: int | None = None
    step_s: float | None = None

    @property
    def is_near(self) -> bool:
        """Whether the first row is at `edge`, as far as that is known."""
        return self.edge is not None and self.step_s is None


_memories: BoundedDict[Any, Memory] = BoundedDict(MAX_KINDS)


def of(wanted: PageQuery) -> Memory:
    """Return what is known of a kind, or else of the other kinds with its sort."""
    found = _memories.get(_kind(wanted, wanted.query))
    return found or _memories.get(_sort_key(wanted), Memory())


def has_few(wanted: PageQuery) -> bool:
    """Return whether an index finds few records for the query, as far as that is known."""
    if conditions.is_equality(wanted.query.get("_id", {})):
        return True
    if wanted.matches is not None and (_is_simple(wanted) or _has_digits(wanted)):
        return wanted.matches <= FEW
    if _has_digits(wanted):
        return True
    known = [
        found for one in _parts(wanted) if (found := _most(wanted, one)) is not None
    ]
    if known:
        return min(known) <= FEW
    return any(
        conditions.is_selective(wanted.model, field, condition)
        for field, condition in wanted.query.items()
    )


def has_many(wanted: PageQuery) -> bool:
    """Return whether a query of this kind has had more than `FEW` matches."""
    return (_most(wanted, wanted.query) or 0) > FEW


def learn_total(wanted: PageQuery, total: int) -> None:
    """Remember that a query has this many matches.

    That of a range of the sort's date says nothing about other ranges: what is left after
    a cursor may be two rows or a hundred thousand.
    """
    if _is_simple(wanted) and wanted.sort[0][0] not in wanted.query:
        kind = _kind(wanted, wanted.query)
        memory = _memories.get(kind) or of(wanted)
        _memories[kind] = replace(memory, most=max(total, memory.most or 0))


def learn_page(wanted: PageQuery, rows: Rows) -> None:
    """Remember what a page has shown: where it was, or how many matches there are."""
    if not SEARCHED.isdisjoint(wanted.query):
        return  # the next text may be anywhere
    if len(rows) == wanted.limit:
        seen = _seen(wanted, of(wanted), rows)
        _memories[_kind(wanted, wanted.query)] = seen
        if wanted.sort[0][0] not in wanted.query:
            _memories[_sort_key(wanted)] = replace(seen, most=None)
    elif rows or not wanted.skip:
        learn_total(wanted, wanted.skip + len(rows))


def learn_timeout(wanted: PageQuery, begin: datetime, span_s: float) -> None:
    """Remember that a window of `span_s` seconds from a date on took too long to read.

    Without that every repeat would read the same window, and take as long.
    """
    if not SEARCHED.isdisjoint(wanted.query):
        return  # as of its pages
    step_s = max(span_s / STEPS, SHORTEST_STEP_S)
    tried = replace(of(wanted), edge=begin, per_row_s=0.0, step_s=step_s)
    _memories[_kind(wanted, wanted.query)] = tried
    # where a query with conditions has found nothing, others may find much
    if wanted.sort[0][0] not in wanted.query and not _further(wanted):
        _memories[_sort_key(wanted)] = replace(tried, most=None)


def begins_at(wanted: PageQuery) -> list[datetime]:
    """Return the dates at which the query itself lets its list begin: one, or none."""
    date, direction = wanted.sort[0]
    bounds = wanted.query.get(date, {})
    names = ("$gt", "$gte") if direction == 1 else ("$lt", "$lte")
    return [bounds[name] for name in names if name in bounds]


def forget() -> None:
    """Forget everything, as after the store was emptied."""
    _memories.clear()


def _has_digits(wanted: PageQuery) -> bool:
    return "searchDigits" in wanted.query


def _further(wanted: PageQuery) -> Query:
    """Return the conditions besides those of the sort's date and the flag `listed`."""
    known = (wanted.sort[0][0], "listed")
    return {name: one for name, one in wanted.query.items() if name not in known}


def _is_simple(wanted: PageQuery) -> bool:
    """Return whether one index answers the whole query, so that its total says enough."""
    further = _further(wanted)
    return len(further) <= 1 and all(
        _is_looked_up(wanted, *one) for one in further.items()
    )


def _is_looked_up(wanted: PageQuery, field: str, condition: Any) -> bool:
    indexed = field in {"_id", *conditions.indexed_fields(wanted.model)}
    by_value = conditions.is_equality(condition) or conditions.is_range(condition)
    return indexed and by_value


def _parts(wanted: PageQuery) -> Iterator[Query]:
    """Yield the simple queries of which each finds all that the whole query matches."""
    listed = {name: one for name, one in wanted.query.items() if name == "listed"}
    further = _further(wanted)
    if not further:
        yield wanted.query
        return
    yield listed
    for field, condition in further.items():
        if _is_looked_up(wanted, field, condition):
            yield {field: condition, **listed}


def _most(wanted: PageQuery, query: Query) -> int | None:
    return _memories.get(_kind(wanted, query), Memory()).most


def _kind(wanted: PageQuery, query: Query) -> Any:
    operators = (
        (field, tuple(sorted(one)) if conditions.is_operators(one) else None)
        for field, one in query.items()
        if field not in SEARCHED
    )
    return *_sort_key(wanted), tuple(sorted(operators, key=lambda pair: pair[0]))


def _sort_key(wanted: PageQuery) -> Any:
    return wanted.model._get_collection_name(), tuple(wanted.sort)


def _seen(wanted: PageQuery, memory: Memory, rows: Rows) -> Memory:
    """Return what is remembered after a full page.

    The time per row falls slowly, because a page of many rows of one moment says little
    about the next one.
    """
    date, _ = wanted.sort[0]
    first, last = rows[0].get(date), rows[-1].get(date)
    if not isinstance(first, datetime) or not isinstance(last, datetime):
        return memory
    is_known = wanted.skip and memory.is_near
    edge = memory.edge if is_known and memory.edge else first
    span_s = abs((edge - last).total_seconds())
    per_row_s = span_s / (wanted.skip + wanted.limit)
    # Between the query's own date and a row far from it, wide windows may hold too much.
    is_far = any(
        abs((edge - one).total_seconds()) > span_s for one in begins_at(wanted)
    )
    return replace(
        memory,
        edge=edge,
        per_row_s=max(per_row_s, memory.per_row_s / 16),
        step_s=memory.step_s if is_far else None,
    )
