"""How many rows a list has, as its pages show it."""

from dataclasses import dataclass, replace

import bson

from glassflow.core import kept, totals
from glassflow.services.records import conditions, list_memory, windows
from glassflow.services.records.conditions import Query
from glassflow.services.records.list_memory import PageQuery

CAPPED = 1000  # where `count=capped` stops
LISTED: Query = {"listed": True}


@dataclass(frozen=True, slots=True)
class Total:
    """How many rows a list has; with `more`, it may have more than were counted."""

    count: int
    more: bool = False


def of_page(page: PageQuery, capped: bool, *, end: int, on_page: int) -> Total:
    """Return how many rows there are; `end` is the position after the last of the page.

    A page that is not full ends the list, so its end is the total. A kept total may be
    wrong, and must not hide a page: one that ends the list with a full page, or lies
    beyond an empty one, is counted again.
    """
    if 0 < on_page < page.limit or (not on_page and not page.skip):
        return ends_at(page, end)
    name = page.model._get_collection_name()
    known = totals.known(name, page.query)
    if known is not None and (known <= end if on_page else known > page.skip):
        totals.forget(name, page.query)
    if on_page:
        return counted(page, capped, at_least=end)
    total = counted(page, capped=False, at_least=0)
    # it ended somewhere before this page; while that is counted, no page is hidden
    return replace(
        total, count=page.skip if total.more else min(total.count, page.skip)
    )


def ends_at(page: PageQuery, end: int) -> Total:
    """Return and keep the total of a list whose last page has been read."""
    totals.put(page.model._get_collection_name(), page.query, end)
    return Total(end)


def counted(page: PageQuery, capped: bool, *, at_least: int) -> Total:
    """Return the total; with `capped` that of the first `CAPPED` rows, if it has more."""
    if capped and _has_more_than_capped(page):
        return Total(max(CAPPED, at_least), more=True)
    total = count(page, at_least)
    if total is None:  # it is being counted; there may be one page more
        return Total(at_least + 1, more=True)
    windows.learn_total(page, total)
    return Total(max(total, at_least))


def _has_more_than_capped(page: PageQuery) -> bool:
    """Return whether a list has more than `CAPPED` rows, without counting them all."""
    name = page.model._get_collection_name()
    known = totals.known(name, page.query)
    if known is not None:
        return known > CAPPED
    names = dict.fromkeys(["_id", page.sort[0][0]], 1)
    first = replace(page, skip=0, limit=CAPPED + 1, projection=names)
    key = "capped", name, bson.encode(page.query)
    found: bool = kept.value(key, lambda: len(windows.read(first)) > CAPPED)
    return found


def count(page: PageQuery, at_least: int = 0) -> int | None:
    """Return the kept total of a query, or count now; None if that takes too long.

    The store's estimate, which needs no scan, is used only where it lies beyond the page.
    """
    collection = page.model._get_collection()

    def ask() -> int:
        if at_least and (estimate := _estimate(page)) > at_least:
            return estimate
        ordered = conditions.ordered(page.model, page.query)
        counted: int = collection.count_documents(ordered)
        return counted

    return totals.of(collection.name, page.query, ask)


def count_or_estimate(page: PageQuery) -> int:
    """Return the total of a query, or of its collection where counting takes too long."""
    total = count(page)
    if total is None:
        total = page.model._get_collection().estimated_document_count()
    return total


def _estimate(page: PageQuery) -> int:
    """Return the store's estimate of a total; 0 if it has none, or counts as quickly."""
    collection = page.model._get_collection()
    estimate: int = 0
    if not page.query:
        estimate = collection.estimated_document_count()
    elif page.query == LISTED and list_memory.has_many(page):
        unlisted = collection.count_documents({"listed": False})
        estimate = collection.estimated_document_count() - unlisted
    return estimate
