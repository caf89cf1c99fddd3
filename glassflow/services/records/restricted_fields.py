"""Which fields of records need a key besides the view key, and which callers are shown them.

- Prices: for holders of `pricing:view`, who work with prices, and of `requests:manage`,
  who agree on them with customers.
- Names, telephones and addresses of customers in other records: for holders of
  `customers:view`, and of the key with which they are written. `deliveryLocation` of a
  request is none of them: labels and stations show where a pane goes.

From others such a field is left out: null is no value of most of them in the description
of the API, and a default would be a wrong price.

`RESTRICTED` is the only list of these fields. Answers, populated references, exports,
history, searches, filters, sorts, events and `docs/permissions.md` read it.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from glassflow.domain.aliases import May
from glassflow.models.base import Record
from glassflow.services.records.populate_table import brief_fields


class Restricted(NamedTuple):
    """The restricted fields of a model, and the keys of which a caller needs one.

    A path is the name of a field, or that of an object and of its member.
    """

    paths: tuple[str, ...]
    keys: tuple[str, ...]


PRICE_KEYS = ("pricing:view", "requests:manage")
RESTRICTED: Mapping[str, Restricted] = {
    "Request": Restricted(
        ("details.estimatedPrice", "unsharedPrice", "changes"), PRICE_KEYS
    ),
    "Pane": Restricted(("agreedPrice",), PRICE_KEYS),
    "Quote": Restricted(
        ("deliveryAddress", "acceptedName", "declinedName", "customerNotes", "mail"),
        ("customers:view", "requests:manage"),
    ),
    "Delivery": Restricted(
        (
            "recipient", "address", "contact", "phone", "handOvers",
        ),
        ("customers:view", "orders:manage"),
    ),
}  # fmt: skip


def may_read(model: str, may: May) -> bool:
    """Return whether a caller is shown all fields of the records of a model, by its name.

    `may` tells whether the caller holds a key.
    """
    found = RESTRICTED.get(model)
    return found is None or any(map(may, found.keys))


def hidden_paths(model: type[Record], may: May) -> tuple[str, ...]:
    """Return the paths of a model's fields that a caller is not shown."""
    name = model.__name__
    return () if may_read(name, may) else RESTRICTED[name].paths


def searched_alone(model: type[Record], may: May) -> str:
    """Return the only field that a search of a caller reads, the number; "" for all.

    What else it finds would tell the caller what is in the fields that are hidden. Members
    of objects are not searched, nor are the fields that the model names `unsearched`.
    """
    hides_text = any(
        "." not in path and path not in model.unsearched
        for path in hidden_paths(model, may)
    )
    return brief_fields(model)[-1] if hides_text else ""


def hide(model: type[Record], rows: Iterable[dict[str, Any]], may: May) -> None:
    """Remove what a caller is not shown from rows in wire form, in place."""
    paths = [path.partition(".") for path in hidden_paths(model, may)]
    if not paths:
        return
    for row in rows:
        for name, _, member in paths:
            if not member:
                row.pop(name, None)
            elif isinstance(row.get(name), dict):
                row[name].pop(member, None)
