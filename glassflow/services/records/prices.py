"""Which fields of records are prices, and which callers are shown them.

A price is shown to holders of `pricing:view`, who work with prices, and of
`requests:manage`, who agree on them with customers. To others it is left out: null is no
value of the field in the description of the API, and a default would be a wrong price.

`PRICES` is the only list of these fields. Answers, populated references, exports, history,
sorts and events read it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from glassflow.models.base import Record

May = Callable[[str], bool]

KEYS = ("pricing:view", "requests:manage")
# By model: the paths of its prices, each a member of an object.
PRICES: Mapping[str, tuple[str, ...]] = {"Request": ("details.estimatedPrice",)}


def may_read(may: May) -> bool:
    """Return whether a caller is shown prices; `may` tells whether it holds a key."""
    return any(map(may, KEYS))


def hidden_paths(model: type[Record], may: May) -> tuple[str, ...]:
    """Return the paths of a model's fields that a caller is not shown."""
    found = PRICES.get(model.__name__, ())
    return () if not found or may_read(may) else found


def hide(model: type[Record], rows: Iterable[dict[str, Any]], may: May) -> None:
    """Remove what a caller is not shown from rows in wire form, in place."""
    paths = [path.split(".") for path in hidden_paths(model, may)]
    if not paths:
        return
    for row in rows:
        for name, member in paths:
            if isinstance(row.get(name), dict):
                row[name].pop(member, None)
