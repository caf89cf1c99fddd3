"""One page of a query that is sorted by an indexed date, read from windows of that date.

The embedded store collects all matches before it sorts and limits them. So a page is
read from the dates after `edge - width` first (before `edge + width`, oldest first), then
from older and wider windows until the page is full, and at last from the rest. The windows
do not overlap: at worst, everything is read once.

Each process remembers for each kind of query where its first page was. Kinds of which no
query has matched more than `FEW` are read plainly, at once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from mongoengine import DateTimeField

from glassflow.core import clock
from glassflow.models.base import Record
from glassflow.services.records import conditions, list_memory, undated
from glassflow.services.records.conditions import Query
from glassflow.services.records.list_memory import Memory, PageQuery, Rows, Sort

DAY_S = 86_400.0
# The first window of a list in a process: a busy day has thousands of records, and all of
# them are read for its page.
FIRST_WIDTH_S, SHORTEST_S, LONGEST_S = DAY_S / 4, 1.0, 20_000 * DAY_S
MARGIN = 1.5  # of a window, over the rows that it has to hold
WIDEN, WIDEN_AT_MOST = 4, 16  # factors
ATTEMPTS = 5  # windows for one page; then the rest is read
# Where the newest records are is not known at first; old data is approached slowly.
FIRST_ATTEMPTS, WIDEN_FIRST = 15, 2
# Where the oldest records are is not known at first; it is looked for from the past on.
FIRST_AGES_S = tuple(6000 * DAY_S / 8**step for step in range(8))


def read(wanted: PageQuery) -> Rows:
    """Return the documents of a page, as the plain query would."""
    if not _is_windowed(wanted):
        return _find(wanted, conditions.ordered(wanted.model, wanted.query))
    if list_memory.has_few(wanted):
        rows = _find(wanted, conditions.ordered(wanted.model, wanted.query))
    else:
        rows = _read_windows(wanted, list_memory.of(wanted))
    list_memory.learn_page(wanted, rows)
    return rows


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
    date = date_of(wanted.model, wanted.sort)
    if date is None or any(field.startswith("$") for field in wanted.query):
        return False
    if date in wanted.query and not conditions.is_range(wanted.query[date]):
        return False
    # Records without a date come first in ascending order, outside every window.
    is_ascending = wanted.sort[0][1] == 1
    return not (is_ascending and undated.exist(wanted.model, date))


def _read_windows(wanted: PageQuery, memory: Memory) -> Rows:
    page = _Rows(wanted, is_near=memory.edge is not None)
    start: datetime | None = None
    for end, widen in _windows(wanted, memory):
        if end is None:
            break
        if page.take(_within(wanted, start, end)) or _reaches(wanted, end):
            return page.rows
        widen(page.factor())
        start = end
    if start is None:  # no window is possible
        return _find(wanted, conditions.ordered(wanted.model, wanted.query))
    page.take(_within(wanted, start, None))
    _take_undated(wanted, page)
    return page.rows


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


Widen = Callable[[float], None]  # makes the next window wider, by a factor


def _windows(
    wanted: PageQuery, memory: Memory
) -> Iterator[tuple[datetime | None, Widen]]:
    """Yield the dates where the windows of a page end, None for no date."""
    _, direction = wanted.sort[0]
    edge = _edge(wanted, memory)
    if edge is None:
        for age_s in FIRST_AGES_S:
            yield _shifted(clock.now(), -age_s), lambda factor: None
        return
    width = _Width(_first_width_s(wanted, memory))
    for _ in range(ATTEMPTS if memory.edge else FIRST_ATTEMPTS):
        yield _shifted(edge, direction * width.seconds), width.widen


@dataclass(slots=True)
class _Width:
    """The width of a window."""

    seconds: float

    def widen(self, factor: float) -> None:
        self.seconds *= factor


def _first_width_s(wanted: PageQuery, memory: Memory) -> float:
    if memory.edge is None:
        return FIRST_WIDTH_S
    needed = wanted.skip + wanted.limit
    return max(memory.per_row_s * needed * MARGIN, SHORTEST_S)


def _edge(wanted: PageQuery, memory: Memory) -> datetime | None:
    """Return the date where the list begins, as far as it is known."""
    date, direction = wanted.sort[0]
    bounds = wanted.query.get(date, {})
    if direction == 1:
        given = [bounds[name] for name in ("$gt", "$gte") if name in bounds]
        return max(given) if given else memory.edge
    given = [bounds[name] for name in ("$lt", "$lte") if name in bounds]
    now: datetime = clock.now()
    return min([now, *given]) if given else memory.edge or now


def _shifted(moment: datetime, seconds: float) -> datetime | None:
    """Return a moment before or after another; None beyond the years that dates have."""
    if abs(seconds) > LONGEST_S:
        return None
    try:
        return moment + timedelta(seconds=seconds)
    except OverflowError:
        return None


def _within(wanted: PageQuery, start: datetime | None, end: datetime | None) -> Query:
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
    # the date first: the embedded store uses the index of the first condition
    return {date: bounds, **rest}


def _reaches(wanted: PageQuery, end: datetime) -> bool:
    """Return whether a window ends beyond the dates that the query asks for."""
    date, direction = wanted.sort[0]
    names = ("$gt", "$gte") if direction == -1 else ("$lt", "$lte")
    own = [one for name, one in wanted.query.get(date, {}).items() if name in names]
    return any(one >= end if direction == -1 else one <= end for one in own)


def _find(wanted: PageQuery, query: Query) -> Rows:
    collection = wanted.model._get_collection()
    found = collection.find(query, wanted.projection).sort(list(wanted.sort))
    return list(found.skip(wanted.skip).limit(wanted.limit))
