"""One page of a query that is sorted by an indexed date, read from windows of that date.

The embedded store collects all matches before it sorts and limits them. So a page is
read from the dates after `edge - width` first (before `edge + width`, oldest first), then
from older and wider windows until the page is full, and at last from the rest. The windows
do not overlap: at worst, everything is read once.

Each process remembers for each kind of query where its first page was. Kinds of which no
query has matched more than `FEW` are read plainly, at once. Where a window took longer
than the time limit, the next reading begins there, with many narrow windows.

Lists that are sorted by record number have windows too (`number_windows`).
"""

from dataclasses import replace
from datetime import datetime

from mongoengine import DateTimeField
from pymongo.errors import ExecutionTimeout, NetworkTimeout

from glassflow.models.base import Record
from glassflow.services.records import (
    conditions,
    list_memory,
    number_windows,
    undated,
    window_ends,
)
from glassflow.services.records.conditions import Query
from glassflow.services.records.list_memory import Memory, PageQuery, Rows, Sort
from glassflow.services.records.window_ends import (
    MARGIN,
    WIDEN,
    WIDEN_AT_MOST,
    WIDEN_FIRST,
    Bound,
)


def read(wanted: PageQuery) -> Rows:
    """Return the documents of a page, as the plain query would."""
    if not _is_windowed(wanted):
        return read_plainly(wanted)
    if list_memory.has_few(wanted):
        rows = read_plainly(wanted)
    else:
        rows = _read_windows(wanted, list_memory.of(wanted))
    list_memory.learn_page(wanted, rows)
    return rows


def read_plainly(wanted: PageQuery) -> Rows:
    """Return the documents of a page by one query, without windows."""
    return _find(wanted, conditions.ordered(wanted.model, wanted.query))


def learn_total(wanted: PageQuery, total: int) -> None:
    """Remember that a query has this many matches."""
    if _is_windowed(wanted):
        list_memory.learn_total(wanted, total)


def date_of(model: type[Record], sort: Sort) -> str | None:
    """Return the indexed date that a list is sorted by, with `_id` after it, or None."""
    field, direction = sort[0]
    if list(sort[1:]) != [("_id", direction)]:
        return None
    if field not in conditions.indexed_fields(model):
        return None
    found = next(f for f in model._fields.values() if f.db_field == field)
    return field if isinstance(found, DateTimeField) else None


def _is_windowed(wanted: PageQuery) -> bool:
    if any(field.startswith("$") for field in wanted.query):
        return False
    field, direction = wanted.sort[0]
    if date_of(wanted.model, wanted.sort):
        if not conditions.is_range(wanted.query.get(field, {})):
            return False
    elif not number_windows.pay(wanted):
        return False
    # Records without a value come first in ascending order, outside every window.
    return not (direction == 1 and undated.exist(wanted.model, field))


def _read_windows(wanted: PageQuery, memory: Memory) -> Rows:
    page = _Rows(wanted, is_near=memory.is_near)
    start: Bound | None = None
    for end, widen in window_ends.of(wanted, memory):
        if end is None:
            break
        try:
            is_full = page.take(_within(wanted, start, end))
        except (ExecutionTimeout, NetworkTimeout):
            _learn_timeout(wanted, memory, start, end)
            raise
        if is_full or _reaches(wanted, end):
            return page.rows
        widen(page.factor())
        start = end
    if start is None:  # no window is possible
        return read_plainly(wanted)
    page.take(_within(wanted, start, None))
    _take_undated(wanted, page)
    return page.rows


def _learn_timeout(
    wanted: PageQuery, memory: Memory, start: Bound | None, end: Bound
) -> None:
    """Remember the window of dates that took too long to read."""
    # The newest records may be newer than those of the last page.
    known = memory if wanted.sort[0][1] == 1 else Memory()
    begin = start or window_ends.edge_of(wanted, known)
    if isinstance(begin, datetime) and isinstance(end, datetime):
        span_s = abs((end - begin).total_seconds())
        list_memory.learn_timeout(wanted, begin, span_s)


def _take_undated(wanted: PageQuery, page: "_Rows") -> None:
    """Add the records without a date, which come last where the newest come first."""
    date, _ = wanted.sort[0]
    if page.is_full or date in wanted.query or not undated.exist(wanted.model, date):
        return
    page.take({date: None, **wanted.query})


class _Rows:
    """The rows of a page, taken from one window after the other."""

    def __init__(self, wanted: PageQuery, *, is_near: bool) -> None:
        self._wanted = wanted
        self._is_near = is_near  # to the first row, as far as that is known
        self._left_to_skip = wanted.skip
        self.rows: Rows = []

    @property
    def is_full(self) -> bool:
        """Whether the page has all its rows."""
        return len(self.rows) == self._wanted.limit

    def take(self, query: Query) -> bool:
        """Add the rows of a window; return whether the page is full."""
        left = self._wanted.limit - len(self.rows)
        part = replace(self._wanted, skip=self._left_to_skip, limit=left)
        found = _find(part, query)
        self.rows += found
        if found:
            self._left_to_skip = 0
        elif self._left_to_skip:
            collection = self._wanted.model._get_collection()
            self._left_to_skip -= collection.count_documents(query)
        return self.is_full

    def factor(self) -> float:
        """Return by how much the next window should be wider."""
        passed = self._wanted.skip - self._left_to_skip + len(self.rows)
        needed = self._wanted.skip + self._wanted.limit
        if not passed:
            return WIDEN_AT_MOST if self._is_near else WIDEN_FIRST
        return min(max(MARGIN * needed / passed, WIDEN), WIDEN_AT_MOST)


def _within(wanted: PageQuery, start: Bound | None, end: Bound | None) -> Query:
    """Return the query of the window that begins where the last one ended."""
    date, direction = wanted.sort[0]
    bounds = dict(wanted.query.get(date, {}))
    near, far = ("$lt", "$gt") if direction == -1 else ("$gt", "$lt")
    if start is not None:
        bounds = {
            name: one for name, one in bounds.items() if not name.startswith(near)
        }
        bounds[f"{near}e"] = start
    if end is not None and not _reaches(wanted, end):
        bounds = {name: one for name, one in bounds.items() if not name.startswith(far)}
        bounds[far] = end
    rest = {field: one for field, one in wanted.query.items() if field != date}
    # the sort's field first: the embedded store uses the index of the first condition
    return {date: bounds, **rest}


def _reaches(wanted: PageQuery, end: Bound) -> bool:
    """Return whether a window ends beyond the dates that the query asks for."""
    date, direction = wanted.sort[0]
    names = ("$gt", "$gte") if direction == -1 else ("$lt", "$lte")
    own = [one for name, one in wanted.query.get(date, {}).items() if name in names]
    return any(one >= end if direction == -1 else one <= end for one in own)


def _find(wanted: PageQuery, query: Query) -> Rows:
    collection = wanted.model._get_collection()
    found = collection.find(query, wanted.projection).sort(list(wanted.sort))
    return list(found.skip(wanted.skip).limit(wanted.limit))
