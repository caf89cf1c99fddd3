"""Search: the panes, orders, requests, deliveries and others that one text finds."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from glassflow import runtime
from glassflow.domain.aliases import May
from glassflow.domain.numbering import parse_pane_number, typed_number
from glassflow.models.base import Record
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.claim import Claim
from glassflow.models.customer import Customer
from glassflow.models.delivery import Delivery
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.payment import Payment
from glassflow.models.quote import Quote
from glassflow.models.rack import Rack
from glassflow.models.request import Request
from glassflow.services.lists import search
from glassflow.services.records import restricted_fields
from glassflow.services.records.populate import populate
from glassflow.services.records.populate_table import VIEW_KEYS, brief_fields
from glassflow.services.records.serialization import to_wire

MAX_FOUND = 20

Row = dict[str, Any]


class RecordKind(NamedTuple):
    """A kind of record that is found: the fields shown, and the references populated.

    One with `needs_digit` is found by its numbers: a text without a digit is not looked for.
    """

    model: type[Record]
    fields: tuple[str, ...]
    references: tuple[str, ...] = ()
    needs_digit: bool = False


KINDS: Mapping[str, RecordKind] = {
    "pane": RecordKind(
        Pane,
        (
            "paneNumber",
            "mark",
            "glassTypeLabel",
            "currentStatus",
            "currentStation",
            "rack",
            "order",
        ),
        ("currentStation", "rack", "order"),
    ),
    "order": RecordKind(Order, ("orderNumber", "status", "customer"), ("customer",)),
    "request": RecordKind(
        Request, ("requestNumber", "status", "customer", "deadline"), ("customer",)
    ),
    "quote": RecordKind(Quote, ("quoteNumber", "status", "customer"), ("customer",)),
    "delivery": RecordKind(
        Delivery, ("deliveryNumber", "status", "customer"), ("customer",)
    ),
    "customer": RecordKind(Customer, ("name", "phone")),
    "claim": RecordKind(
        Claim, ("claimNumber", "status", "pane", "order"), ("pane", "order")
    ),
    "billingEntry": RecordKind(
        BillingEntry,
        ("entryNumber", "invoiceNumber", "status", "customer"),
        ("customer",),
        needs_digit=True,
    ),
    "payment": RecordKind(
        Payment,
        ("paymentNumber", "invoiceNumber", "status", "customer"),
        ("customer",),
        needs_digit=True,
    ),
    "rack": RecordKind(Rack, ("rackNumber", "name", "place", "station"), ("station",)),
}
# Those whose labels have QR payloads.
_WITH_CODES = (Pane, Rack)
# What is shown of a record that a found one names.
_BRIEF = {name for kind in KINDS.values() for name in brief_fields(kind.model)}


def find(text: str, *, may: May) -> list[Row]:
    """Return the records that a text finds, `MAX_FOUND` at most, as briefs.

    A brief has its `kind`, its `_id` and the fields of `KINDS`. Records with the number
    that the text means come first, with `exact: true`; then those that contain it, the
    newest of each kind, every kind getting its share of the rows. The QR payload of a
    pane or rack finds that one only. `may` tells whether the caller holds a view key: without
    it a kind is left out.
    """
    kinds = {
        name: kind
        for name, kind in KINDS.items()
        if may(VIEW_KEYS[kind.model.__name__])
    }
    number = parse_pane_number(text, runtime.current().policy.qr_prefix)
    if number != text.strip().upper():
        coded = {k: kind for k, kind in kinds.items() if kind.model in _WITH_CODES}
        return _shown(coded, _exact(coded, number), may)
    exact = _exact(kinds, text)
    seen = {row["_id"] for row in chain(*exact.values())}
    left = MAX_FOUND - len(seen)
    found = {
        name: [row for row in _containing(kind, text, may) if row["_id"] not in seen]
        for name, kind in kinds.items()
    }
    return [*_shown(kinds, exact, may), *_shown(kinds, _shares(found, left), may)]


def _exact(kinds: Mapping[str, RecordKind], text: str) -> dict[str, list[Row]]:
    """Return the records whose number a text is, by kind; each an index lookup."""
    return {name: list(_with_number(kind, text)) for name, kind in kinds.items()}


def _with_number(kind: RecordKind, text: str) -> Iterator[Row]:
    if kind.model.numbered is None:
        return
    name, prefix = kind.model.numbered
    number = typed_number(text, prefix)
    if number is not None:
        field = kind.model._fields[name].db_field
        for raw in kind.model.collection().find({field: number}, kind.fields):
            yield _brief(kind, raw, exact=True)


def _containing(kind: RecordKind, text: str, may: May) -> list[Row]:
    """Return the newest records that contain a text, `MAX_FOUND` at most."""
    if kind.needs_digit and not any(map(str.isdigit, text)):
        return []
    shown = dict.fromkeys(("createdAt", *kind.fields), 1)
    number = restricted_fields.searched_alone(kind.model, may)
    condition = search.condition(text, kind.model, number=number)
    found = kind.model.collection().find(condition, shown)
    newest = found.sort([("createdAt", -1), ("_id", -1)]).limit(MAX_FOUND)
    return [_brief(kind, raw, exact=False) for raw in newest]


def _brief(kind: RecordKind, raw: Mapping[str, Any], *, exact: bool) -> Row:
    wire = to_wire(kind.model, raw)
    return {name: wire[name] for name in ("_id", *kind.fields)} | {"exact": exact}


def _shares(found: Mapping[str, Sequence[Row]], left: int) -> dict[str, list[Row]]:
    """Return the first rows of each kind in turn, `left` together."""
    named = [[(name, row) for row in rows] for name, rows in found.items()]
    in_turn = [one for rank in zip_longest(*named) for one in rank if one is not None]
    shares: dict[str, list[Row]] = {name: [] for name in found}
    for name, row in in_turn[:left]:
        shares[name].append(row)
    return shares


def _shown(
    kinds: Mapping[str, RecordKind], found: Mapping[str, list[Row]], may: May
) -> list[Row]:
    """Return the briefs of rows, one kind after the other."""
    shown = []
    for name, rows in found.items():
        populate(kinds[name].model, rows, ",".join(kinds[name].references), may=may)
        shown += [{"kind": name, **_cut(row)} for row in rows]
    return shown


def _cut(row: Row) -> Row:
    """Reduce the records that a row names to their numbers or names."""
    return {
        name: {key: one for key, one in value.items() if key in _BRIEF}
        if isinstance(value, dict)
        else value
        for name, value in row.items()
    }
