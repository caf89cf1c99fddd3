"""A page of a list: its rows, their total, and the cursor of the next page.

A page is one `find` with a sort and a limit, and one count where the page does not tell
the total itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from bson import ObjectId

from glassflow.domain import texts
from glassflow.domain.errors import Invalid
from glassflow.models import indexes
from glassflow.models.base import Record
from glassflow.services.lists import cursors, sort_paths

Query = dict[str, Any]
Rows = list[dict[str, Any]]

CAPPED = 1000  # where `count=capped` stops
LISTED: Query = {"listed": True}  # see `models.derived`
# Rows that are sorted without an index. 24,000 panes take the embedded store 0.9 s and
# 160 MB, or 0.7 s where the service sorts them.
MAX_UNINDEXED_SORT = 30_000


@dataclass(frozen=True, slots=True)
class ListQuery:
    """A page of a list: the store's conditions, order and slice; fields shown.

    A path of `sort` may lead into an object or a referenced record: `customer.name`.
    `cursor` is that of the request, if any; it replaces `page`. `search` is the
    condition of `lists.search`. `listed_only` leaves out the records that `Record.unlisted`
    names.
    """

    conditions: list[dict[str, Any]]
    sort: list[tuple[str, int]]
    page: int
    limit: int
    fields: tuple[str, ...] = field(default=())
    search: Query = field(default_factory=dict)
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

    @property
    def filter(self) -> Query:
        """The filter of the store that all rows of the list meet."""
        listed = [LISTED] if self.listed_only else []
        return all_of([*self.conditions, self.search, *listed])


@dataclass(frozen=True, slots=True)
class Page:
    """The stored documents of a page, and the `pagination` of the envelope."""

    rows: Rows
    pagination: dict[str, Any]


def all_of(conditions: Sequence[Query]) -> Query:
    """Return the filter of the documents that meet all of these conditions."""
    given = [one for one in conditions if one]
    if len(given) < 2:
        return given[0] if given else {}
    return {"$and": given}


def read_page(model: type[Record], wanted: ListQuery) -> Page:
    """Read a page of a list.

    Raises `Invalid` for a cursor that does not fit, and for a sort by a field without an
    index where that would sort more than `MAX_UNINDEXED_SORT` rows.
    """
    _require_indexed_sort(model, wanted)
    if wanted.cursor is not None:
        return _read_after_cursor(model, wanted, wanted.cursor)
    skip = (wanted.page - 1) * wanted.limit
    if sort_paths.has_references(model, wanted.sort):
        ids = sort_paths.ordered_ids(model, wanted.filter, wanted.sort)
        rows = _in_order(model, ids[skip : skip + wanted.limit])
        pagination = _pagination(model, wanted, len(ids), is_last=True)
        return Page(rows, {"page": wanted.page, **pagination})
    rows = _find(model, wanted, wanted.filter, wanted.limit, skip)
    is_last = 0 < len(rows) < wanted.limit or not (rows or skip)
    end = skip + len(rows) if rows else 0
    pagination = _pagination(model, wanted, end, is_last=is_last)
    return Page(rows, {"page": wanted.page, **pagination})


def stream(model: type[Record], wanted: ListQuery, size: int) -> Iterator[Rows]:
    """Read all rows of a list in parts of this size; its page, limit and cursor do not count.

    In an order that an index has, each part is read as the page after a cursor, which
    takes as little memory of the store as a page. Otherwise it is one query, or one for
    the ids of all rows where the order is that of other records. Raises `Invalid` as
    `read_page` does.
    """
    _require_indexed_sort(model, wanted)
    if is_order_of_index(model, wanted.sort):
        rows = _find(model, wanted, wanted.filter, size)
        while rows:
            yield rows
            if len(rows) < size:
                return
            values = [rows[-1].get(name) for name, _ in wanted.sort]
            rows = _rows_after(model, wanted, values, size)
        return
    if sort_paths.has_references(model, wanted.sort):
        ids = iter(sort_paths.ordered_ids(model, wanted.filter, wanted.sort))
        while part := list(islice(ids, size)):
            yield _in_order(model, part)
        return
    found = model.collection().find(wanted.filter).sort(wanted.sort)
    with found.batch_size(size) as cursor:
        while rows := list(islice(cursor, size)):
            yield rows


def total(model: type[Record], wanted: ListQuery) -> int:
    """Return how many rows a list has."""
    return model.collection().count_documents(wanted.filter)


def _find(
    model: type[Record], wanted: ListQuery, query: Query, limit: int, skip: int = 0
) -> Rows:
    found = model.collection().find(query).sort(wanted.sort)
    return list(found.skip(skip).limit(limit))


def _in_order(model: type[Record], ids: Sequence[ObjectId]) -> Rows:
    """Return the records with these ids, in their order, that are not deleted meanwhile."""
    found = model.collection().find({"_id": {"$in": list(ids)}})
    rows = {row["_id"]: row for row in found}
    return [rows[one] for one in ids if one in rows]


def _read_after_cursor(model: type[Record], wanted: ListQuery, cursor: str) -> Page:
    """Read the page after a cursor, and one row more to know whether it is the last."""
    cursors.require_sortable(model, wanted.sort)
    is_first = cursor == cursors.FIRST
    if is_first:
        found = _find(model, wanted, wanted.filter, wanted.limit + 1)
    else:
        values = cursors.decode(cursor, model, wanted.sort)
        found = _rows_after(model, wanted, values, wanted.limit + 1)
    rows = found[: wanted.limit]
    is_last = len(found) == len(rows)
    pagination = _pagination(model, wanted, len(found), is_last=is_first and is_last)
    following = None if is_last else cursors.encode(wanted.sort, rows[-1])
    return Page(rows, {**pagination, "next": following})


def _rows_after(
    model: type[Record], wanted: ListQuery, values: Sequence[Any], limit: int
) -> Rows:
    """Return the rows that come after the row with these sort values."""
    rows: Rows = []
    for beyond in cursors.after(wanted.sort, values):
        query = all_of([wanted.filter, beyond])
        rows += _find(model, wanted, query, limit - len(rows))
        if len(rows) == limit:
            break
    return rows


def _pagination(
    model: type[Record], wanted: ListQuery, at_least: int, *, is_last: bool
) -> dict[str, Any]:
    """Return the total and the number of pages.

    The list has `at_least` so many rows, just as many if `is_last`. A page behind the end
    has the exact total, also with `capped`.
    """
    count, more = at_least, False
    if not is_last:
        limit: dict[str, Any] = {}
        if wanted.capped and at_least:
            limit["limit"] = CAPPED + 1
        found = model.collection().count_documents(wanted.filter, **limit)
        more = bool(limit) and found > CAPPED
        # rows may have been deleted since the page was read
        count = max(at_least, CAPPED if more else found)
    pages = -(-count // wanted.limit)
    pagination = {"limit": wanted.limit, "total": count, "totalPages": pages}
    return {**pagination, "more": more} if wanted.capped else pagination


def _require_indexed_sort(model: type[Record], wanted: ListQuery) -> None:
    indexed = {"_id", *indexed_fields(model)}
    joined = sort_paths.has_references(model, wanted.sort)
    if wanted.sort[0][0] in indexed and not joined:
        return
    collection, most = model.collection(), MAX_UNINDEXED_SORT
    if collection.count_documents(wanted.filter, limit=most + 1) > most:
        names = ", ".join(sorted(indexed - set(model.hidden)))
        message = texts.SORT_NEEDS_INDEX.format(rows=most, fields=names)
        raise Invalid([{"field": "sort", "message": message}])


def indexed_fields(model: type[Record]) -> frozenset[str]:
    """Return the stored names of the fields with which an index begins."""
    return frozenset(index.keys[0][0] for index in indexes.declared(model))


def has_index_of_lists(model: type[Record], field: str) -> bool:
    """Return whether an index of the lists with a value of a field is in their order.

    See `models.base.for_lists`. A list that leaves records out has `listed` in it.
    """
    return any(
        [name for name, _ in index.keys if name not in LISTED]
        == [field, "createdAt", "_id"]
        for index in indexes.declared(model)
    )


def is_order_of_index(model: type[Record], sort: Sequence[tuple[str, int]]) -> bool:
    """Return whether an index has the order of a sort, forwards or backwards.

    The order of a unique index needs no `_id` behind it.
    """
    opposite = [(name, -direction) for name, direction in sort]
    return any(
        list(index.keys) in (order, order[:-1] if index.unique else order)
        for index in indexes.declared(model)
        if not index.sparse
        for order in (list(sort), opposite)
    )
