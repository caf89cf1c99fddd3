"""Lists: a page of records, all rows in parts, their total, cursors and search.

Use cases call these through the package: `lists.read_page(Pane, query)`.
"""

from glassflow.services.lists.page import (
    CAPPED,
    ListQuery,
    Page,
    all_of,
    has_index_of_lists,
    indexed_fields,
    is_order_of_index,
    read_page,
    stream,
    total,
)

__all__ = [
    "CAPPED",
    "ListQuery",
    "Page",
    "all_of",
    "has_index_of_lists",
    "indexed_fields",
    "is_order_of_index",
    "read_page",
    "stream",
    "total",
]
