"""Whether some records lack a date that a list is sorted by.

They come first in ascending order and last in descending order, outside of every window
of that date.
"""

from collections import defaultdict

from glassflow.core import kept, written
from glassflow.core.written import Write
from glassflow.models.base import Record

# How many documents this process has written without a date that lists were sorted by, by
# collection and date.
_writes: dict[str, dict[str, int]] = defaultdict(dict)


def exist(model: type[Record], date: str) -> bool:
    """Return whether some records lack a date.

    Asks the store twice a minute, and follows what this process writes meanwhile.
    """
    collection = model._get_collection()
    writes = _writes[collection.name]
    writes.setdefault(date, 0)

    def find() -> bool:
        before = writes[date]
        found = collection.find_one({date: None}, {"_id": 1}) is not None
        return found or writes[date] != before

    found: bool = kept.value(_key(collection.name, date), find)
    return found


@written.listen
def follow(write: Write) -> None:
    """Note that there are records without a date once this process has written one."""
    if write.action == "deleted":
        return
    dates = _writes.get(write.collection, {})
    for date in dates:
        if write.document().get(date) is None:
            dates[date] += 1
            kept.correct(_key(write.collection, date), True)


def _key(collection: str, date: str) -> tuple[str, str, str]:
    return "undated", collection, date
