"""Read one page of a list: its rows, how many there are, and where the next one begins.

How the rows are found quickly is in `windows`; here is what the page consists of.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import Any

from glassflow.core import totals
from glassflow.domain import texts
from glassflow.domain.errors import Invalid
from glassflow.models.base import Record
from glassflow.services.records import (
    conditions,
    cursors,
    derivation,
    list_totals,
    search,
    undated,
    windows,
)
from glassflow.services.records.conditions import Query
from glassflow.services.records.list_memory import PageQuery, Rows

MAX_UNINDEXED_SORT = 20_000  # rows that are sorted without an index


@dataclass(frozen=True, slots=True)
class ListQuery:
    """A page of a list: the store's conditions, order and slice; fields shown.

    `cursor` is that of the request, if any; it replaces `page`. `search` is the text to
    look for. `listed_only` leaves out the records that `Record.unlisted` names.
    """

    conditions: list[dict[str, Any]]
    sort: list[tuple[str, int]]
    page: int
    limit: int
    fields: tuple[str, ...] = field(default=())
    search: str = ""
    cursor: str | None = None
    capped: bool = False
    listed_only: bool = False

    def restricted(
        self, condition: Mapping[str, Any], *, listed_only: bool = False
    ) -> "ListQuery":
        """Return the query with a further condition."""
        further = [dict(condition)] if condition else []
        return replace(
            self,
            conditions=[*self.conditions, *further],
            listed_only=self.listed_only or listed_only,
        )


@dataclass(frozen=True, slots=True)
class Page:
    """The stored documents of a page, and the `pagination` of the envelope."""

    rows: Rows
    pagination: dict[str, Any]


def read(model: type[Record], wanted: ListQuery) -> Page:
    """Read a page of a list.

    Raises `Invalid` for a cursor that does not fit, and for a sort by a field without an
    index where that would sort more than `MAX_UNINDEXED_SORT` rows.
    """
    query = _query(model, wanted)
    skip = 0 if wanted.cursor is not None else (wanted.page - 1) * wanted.limit
    page = _page_query(model, wanted, query, skip)
    _require_indexed_sort(page)
    if wanted.cursor is not None:
        return _read_from_cursor(wanted, page)
    rows = windows.read(page)
    total = list_totals.of_page(
        page, wanted.capped, end=skip + len(rows), on_page=len(rows)
    )
    return Page(rows, {"page": wanted.page, **_pagination(wanted, total)})


def stream(model: type[Record], wanted: ListQuery, size: int) -> Iterator[Rows]:
    """Read all rows of a list in parts of this size; its page, limit and cursor do not count.

    Sorted by an indexed date, each part is read as a page after a cursor. Other lists are
    one query of the store. Raises `Invalid` as `read` does.
    """
    query = _query(model, wanted)
    first = _page_query(model, replace(wanted, limit=size), query, 0)
    _require_indexed_sort(first)
    if windows.date_of(model, first.sort) is None:
        yield from _parts(first)
        return
    rows = windows.read(first)
    while rows:
        yield rows
        if len(rows) < size:
            return
        rows = _rows_after(first, [rows[-1].get(name) for name, _ in first.sort])


def _parts(page: PageQuery) -> Iterator[Rows]:
    ordered = conditions.ordered(page.model, page.query)
    collection = page.model._get_collection()
    found = collection.find(ordered).sort(list(page.sort)).batch_size(page.limit)
    with found as cursor:
        while rows := list(islice(cursor, page.limit)):
            yield rows


def total(model: type[Record], wanted: ListQuery) -> int | None:
    """Return how many rows a list has; None if counting them takes too long."""
    return list_totals.count(_page_query(model, wanted, _query(model, wanted), 0))


def _query(model: type[Record], wanted: ListQuery) -> Query:
    further: list[Query] = []
    if wanted.search:
        further.append(search.condition_for(model, wanted.search))
    if wanted.listed_only:
        further.append(listed(model))
    return conditions.merged([*wanted.conditions, *further])


def listed(model: type[Record]) -> Query:
    """Return the condition of the records that the list of their kind shows."""
    if derivation.is_complete(model):
        return dict(list_totals.LISTED)
    fields = model._fields
    return {
        fields[name].db_field: {"$ne": value} for name, value in model.unlisted.items()
    }


def _page_query(
    model: type[Record], wanted: ListQuery, query: Query, skip: int
) -> PageQuery:
    return PageQuery(
        model=model,
        query=query,
        sort=tuple(wanted.sort),
        skip=skip,
        limit=wanted.limit,
        matches=totals.known(model._get_collection_name(), query),
    )


def _require_indexed_sort(page: PageQuery) -> None:
    indexed = {"_id", *conditions.indexed_fields(page.model)}
    if page.sort[0][0] in indexed:
        return
    if list_totals.count_or_estimate(page) > MAX_UNINDEXED_SORT:
        names = ", ".join(sorted(indexed - set(page.model.hidden)))
        message = texts.SORT_NEEDS_INDEX.format(rows=MAX_UNINDEXED_SORT, fields=names)
        raise Invalid([{"field": "sort", "message": message}])


def _read_from_cursor(wanted: ListQuery, first: PageQuery) -> Page:
    """Read the page after a cursor, and one row more to know whether it is the last."""
    cursors.require_sortable(first.model, wanted.sort)
    page = replace(first, limit=wanted.limit + 1)
    if wanted.cursor == cursors.FIRST:
        found = windows.read(page)
    else:
        values = cursors.decode(wanted.cursor or "", wanted.sort)
        found = _rows_after(page, values)
    rows = found[: wanted.limit]
    is_last = len(found) == len(rows)
    if is_last and wanted.cursor == cursors.FIRST:
        total = list_totals.ends_at(page, len(rows))
    else:
        total = list_totals.counted(page, wanted.capped, at_least=len(found))
    following = None if is_last else cursors.encode(wanted.sort, rows[-1])
    return Page(rows, {**_pagination(wanted, total), "next": following})


def _rows_after(page: PageQuery, values: Sequence[Any]) -> Rows:
    """Return the rows that come after the row with these sort values.

    Where the list is sorted by a date, first those of the same date, then those of the
    dates after it: two queries, each with an index.
    """
    date = windows.date_of(page.model, page.sort)
    own = page.query.get(date, {}) if date else {}
    has_range = not own or conditions.is_range(own)
    if not date or not has_range or undated.exist(page.model, date):
        beyond = cursors.after(page.sort, values)
        query = conditions.merged([page.query, beyond])
        return windows.read(replace(page, query=query, matches=None))
    if not isinstance(values[0], datetime):
        raise cursors.invalid(texts.CURSOR_INVALID)
    operator = "$gt" if page.sort[0][1] == 1 else "$lt"
    others = {name: one for name, one in page.query.items() if name != date}
    same_date = conditions.merged(
        [{date: values[0], "_id": {operator: values[1]}}, others]
    )
    rows = windows.read(replace(page, query=same_date, matches=None))
    left = page.limit - len(rows)
    if not left:
        return rows
    opposite = {name: one for name, one in own.items() if not name.startswith(operator)}
    query = {**others, date: {**opposite, operator: values[0]}}
    return rows + windows.read(replace(page, query=query, limit=left, matches=None))


def _pagination(wanted: ListQuery, total: list_totals.Total) -> dict[str, Any]:
    pages = -(-total.count // wanted.limit)
    found: dict[str, Any] = {
        "limit": wanted.limit,
        "total": total.count,
        "totalPages": pages,
    }
    return {**found, "more": total.more} if wanted.capped or total.more else found
