"""The export of billing for the accounts: what a tax invoice needs of each entry, as a file.

An export that is marked notes on each entry what it had (`BillingEntry.exported`), in the
unit of work that writes the file. So two exports at once never have the same new entry.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property, partial
from typing import IO, Any

from bson import ObjectId

from glassflow import runtime
from glassflow.core.identity import Identity
from glassflow.core.process import clock, time_limit
from glassflow.core.process.cooperative import yielding
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import billing as rules
from glassflow.domain import calendar, texts
from glassflow.domain.aliases import May, Raw
from glassflow.domain.bilingual import Bilingual, listed
from glassflow.domain.billing import BillingStatus, ExportState
from glassflow.domain.calendar import in_zone
from glassflow.domain.errors import TooMany
from glassflow.domain.money import as_decimal, as_text, rounded
from glassflow.domain.tax_ids import HEAD_OFFICE
from glassflow.models.billing_entry import BillingEntry
from glassflow.models.customer import Customer
from glassflow.models.delivery import Delivery
from glassflow.models.order import Order
from glassflow.models.pane import Pane
from glassflow.models.request import Request
from glassflow.services import records
from glassflow.services.panes import wording
from glassflow.services.records import lookup
from glassflow.services.records.populate_table import VIEW_KEYS
from glassflow.services.tables.cells import Cell, Row
from glassflow.services.tables.export import PART_ROWS, Table, part_limit

MOST_MARKED = 3000  # entries of one export; a record takes 3 to 4 ms
OPEN, BILLED, VOID = map(str, BillingStatus)
# Columns that need the view key of another record.
OF_OTHERS: Mapping[str, tuple[str, ...]] = {
    "Customer": ("customerName", "taxId", "branch", "address", "country"),
    "Delivery": ("deliveryNumber",),
    "Request": ("requestNumber", "referenceId"),
    "Order": ("orderNumber",),
    "Pane": ("paneNumber", "size", "glass"),
}
PANES_OF_ENTRY = 10  # about
Values = dict[str, Cell]


@dataclass(frozen=True, slots=True)
class Choice:
    """Which entries: of an invoice, of days, of one customer; else what is to be exported.

    `first` and `last` are moments of the first and the last day: of the invoice, and of the
    delivery where an entry has none. Without days and invoice these are the entries that were
    not exported yet, and those that changed since. Void ones are left out unless an earlier
    export had them.
    """

    customer: ObjectId | None = None
    invoice_number: str | None = None
    first: datetime | None = None
    last: datetime | None = None

    def ids(self) -> list[ObjectId]:
        """Return the ids of the entries: by the days of invoices, then of deliveries."""
        return [row["_id"] for row in self.rows()]

    def rows(self, *fields: str) -> list[Raw]:
        """Return fields of the entries, in their order; raises `Invalid`."""
        found: list[Raw] = []
        for query, day in self._queries():
            shown = dict.fromkeys(("_id", day, *fields), 1)
            rows = BillingEntry.collection().find(query, shown)
            found += sorted(rows, key=partial(_place, day))
        return found

    def _queries(self) -> Iterator[tuple[dict[str, Any], str]]:
        """Yield the filters of the store, and the field by which each part is ordered."""
        own: dict[str, Any] = {"customer": self.customer} if self.customer else {}
        days = self._days()
        is_new = not days and not self.invoice_number
        state = {"$in": [None, str(ExportState.CHANGED)]}
        billed = own | {"status": BILLED}
        if self.invoice_number:
            billed["invoiceNumber"] = self.invoice_number
        if days:
            billed["billedAt"] = days
        if is_new:
            billed["exportState"] = state
        yield billed, "billedAt"
        if self.invoice_number:
            return
        others = own | ({"exportState": state} if is_new else {"deliveredAt": days})
        yield others | {"status": OPEN}, "deliveredAt"
        known = str(ExportState.CHANGED) if is_new else {"$ne": None}
        yield others | {"status": VOID, "exportState": known}, "deliveredAt"

    def _days(self) -> dict[str, datetime]:
        zone = runtime.current().policy.timezone
        found = {}
        if self.first:
            day = calendar.local_date(self.first, zone)
            found["$gte"] = calendar.read_span(day, zone).start
        if self.last:
            day = calendar.local_date(self.last, zone)
            found["$lt"] = calendar.read_span(day, zone).end
        return found


def _place(day: str, row: Raw) -> tuple[datetime, ObjectId]:
    return row.get(day) or datetime.min, row["_id"]


def figures(choice: Choice) -> dict[str, Any]:
    """Return how many entries an export has, and their sum in baht before VAT as a text.

    `changed` counts those that changed since an earlier export.
    """
    rows = choice.rows("net", "exportState")
    net = sum((as_decimal(row.get("net")) for row in rows), Decimal(0))
    changed = sum(row.get("exportState") == ExportState.CHANGED for row in rows)
    return {"count": len(rows), "changed": changed, "net": as_text(net)}


@unit_of_work
def write_marked(
    *, file: IO[bytes], format: str, accounts: "AccountsTable", actor: Identity
) -> None:
    """Write an export into a file, as `csv` or `xlsx`, and note on its entries what it had.

    Raises `Invalid` for more rows than the limit, and `TooMany`.
    """
    file.seek(0)
    file.truncate()  # of an attempt that is repeated
    accounts.mark_for = actor
    accounts.write(file, format)


class AccountsTable(Table):
    """The rows of an export for the accounts, for a reader and in a language.

    An entry has a row for each request, or order without one, that it charges, and one for
    its adjustment; with `by_pane` a row for each pane. Columns of records that the reader
    may not see are left out. The VAT of the rows of an invoice adds up to that of the invoice.
    """

    def __init__(
        self, choice: Choice, *, language: str, by_pane: bool, may: May, max_rows: int
    ) -> None:
        self.choice, self.language, self.max_rows = choice, language, max_rows
        self.mark_for: Identity | None = None
        self.may = {model for model in OF_OTHERS if may(VIEW_KEYS[model])}
        self.by_pane = by_pane and "Pane" in self.may
        shown = self.may if self.by_pane else self.may - {"Pane"}
        hidden = {n for model in OF_OTHERS.keys() - shown for n in OF_OTHERS[model]}
        self.columns = [one for one in texts.ACCOUNTS_HEADS if one not in hidden]

    @property
    def names(self) -> list[str]:
        """The heads of the columns."""
        return [self._word(texts.ACCOUNTS_HEADS[one]) for one in self.columns]

    def parts(self) -> Iterator[list[Row]]:
        """Yield the rows in parts; raises `Invalid` if there are too many, and `TooMany`."""
        with part_limit():
            ids = self.choice.ids()
        if len(ids) > self.most:
            raise self.too_long()
        if self.mark_for:
            if len(ids) > MOST_MARKED:
                raise TooMany(maximum=MOST_MARKED)
            time_limit.allow_for(len(ids))
        found, size = 0, PART_ROWS // PANES_OF_ENTRY if self.by_pane else PART_ROWS
        for start in range(0, len(ids), size):
            with part_limit():
                part = ids[start : start + size]
                entries = lookup.by_id(BillingEntry, part)
                rows = self._rows([entries[one] for one in part if one in entries])
            found += len(rows)
            if found > self.most:
                raise self.too_long()
            if self.mark_for:
                _mark([*entries.values()], self.mark_for)
            yield rows

    def _rows(self, entries: Sequence[Raw]) -> list[Row]:
        facts = _Facts(entries, self.may, self.language)
        before = _billed_before(entries)
        rows = []
        for entry in yielding(entries):
            of_entry = self._of_entry(entry, facts)
            for values in self._rows_of(entry, facts, before.get(entry["_id"])):
                found = of_entry | values
                rows.append([found.get(column) for column in self.columns])
        return rows

    def _of_entry(self, entry: Raw, facts: "_Facts") -> Values:
        zone = runtime.current().policy.timezone
        billed_at = entry.get("billedAt")
        exported = entry.get("exported")
        return {
            "invoiceNumber": entry.get("invoiceNumber") or None,
            "billedAt": _day(billed_at) if billed_at else None,
            "entryNumber": entry.get("entryNumber"),
            "kind": self._word(texts.ACCOUNTS_KINDS[_kind(entry)]),
            "deliveredAt": _day(entry["deliveredAt"]),
            "deliveryNumber": facts.delivery(entry),
            **facts.customer(entry["customer"]),
            "vatPercent": entry.get("vatPercent"),
            "reason": entry.get("reason") or None,
            "notes": entry.get("notes") or None,
            "status": self._word(texts.ACCOUNTS_STATUSES[entry["status"]]),
            "exportedAt": in_zone(exported["at"], zone) if exported else None,
            "changed": self._changed(entry),
        }

    def _changed(self, entry: Raw) -> str | None:
        if entry.get("exportState") != ExportState.CHANGED:
            return None
        exported, was = entry["exported"], []
        if exported["net"] != entry["net"]:
            amount = as_text(as_decimal(exported["net"]))
            was.append(texts.ACCOUNTS_NET_WAS.format(amount=amount))
        if exported["invoiceNumber"] not in ("", entry.get("invoiceNumber")):
            number = exported["invoiceNumber"]
            was.append(texts.ACCOUNTS_INVOICE_WAS.format(number=number))
        return self._word(listed(was))

    def _rows_of(
        self, entry: Raw, facts: "_Facts", before: Decimal | None
    ) -> Iterator[Values]:
        """Yield what the rows of an entry have of their own; `before` see `_billed_before`."""
        lines = list(self._lines(entry, facts))
        percent = as_decimal(entry.get("vatPercent"))
        nets = [net for net, _ in lines]
        vats = rules.vat_shares(nets, percent, before=before or Decimal(0))
        for (net, values), vat in zip(lines, vats, strict=True):
            amounts = {"net": net, "vat": vat, "gross": net + vat}
            yield {name: float(one) for name, one in amounts.items()} | values

    def _lines(
        self, entry: Raw, facts: "_Facts"
    ) -> Iterator[tuple[Decimal, dict[str, Any]]]:
        """Yield the net amounts that an entry charges, each with the values of its row."""
        left = as_decimal(entry.get("net"))
        parts = entry.get("parts") or ()
        for part in parts:
            net, lines = as_decimal(part["net"]), part.get("panes") or ()
            left -= net
            job = facts.job(part)
            counts = 0 if entry.get("creditOf") else 1
            for line in lines if self.by_pane else ():
                charged = as_decimal(line["net"])
                net -= charged
                pane = facts.pane(line["pane"])
                yield charged, {**job, **pane, "paneCount": counts}
            if not self.by_pane:
                yield net, {**job, "paneCount": counts * len(lines)}
            elif net or not lines:
                yield net, job
        if rounded(left) or not parts:
            word = texts.ACCOUNTS_KINDS["adjustment"]
            is_whole = not parts  # such as a void entry, or a credit for no pane
            yield left, {} if is_whole else {"kind": self._word(word)}

    def _word(self, text: Bilingual) -> str:
        return text.in_language(self.language)


class _Facts:
    """What other records say about a part of the entries; a query for each kind."""

    def __init__(self, entries: Sequence[Raw], may: set[str], language: str) -> None:
        self._entries, self._may, self._language = entries, may, language
        self._parts = [part for one in entries for part in one.get("parts") or ()]

    def customer(self, customer: ObjectId) -> Values:
        """Return the columns of a customer; none where the reader may not see them."""
        found = self._customers.get(customer)
        if found is None:
            return {}
        named = {name: found.get(name) or None for name in OF_OTHERS["Customer"][1:]}
        branch = found.get("branch")
        if branch == HEAD_OFFICE:
            named["branch"] = texts.PAPER_HEAD_OFFICE.in_language(self._language)
        elif branch:
            word = texts.PAPER_BRANCH.format(branch=branch)
            named["branch"] = word.in_language(self._language)
        return {"customerName": found.get("name"), **named}

    def delivery(self, entry: Raw) -> str | None:
        """Return the number of a delivery note: of the delivery, and of a later hand-over."""
        number: str | None = self._deliveries.get(entry.get("delivery"))
        later = (entry.get("handOver") or 1) > 1
        return f"{number}/{entry['handOver']}" if number and later else number

    def job(self, part: Raw) -> Values:
        """Return the columns of the request of a part, or of its order."""
        request = self._requests.get(part["request"], {})
        names = OF_OTHERS["Request"]
        named: Values = {name: request.get(name) or None for name in names}
        return {**named, "orderNumber": self._orders.get(part["order"])}

    def pane(self, pane: ObjectId) -> Values:
        """Return the columns of a pane; none of a deleted one."""
        found = self._panes.get(pane)
        if found is None:
            return {}
        size = found.get("dimensions") or {}
        sides = [f"{size.get(name) or 0:.10g}" for name in ("width", "height")]
        return {
            "paneNumber": found.get("paneNumber"),
            "size": " × ".join(sides) if any(size.values()) else None,
            "glass": wording.describe(found, self._job_types, self._language) or None,
        }

    @cached_property
    def _customers(self) -> dict[Any, Raw]:
        if "Customer" not in self._may:
            return {}
        fields = ("name", *OF_OTHERS["Customer"][1:])
        return lookup.referred(Customer, self._entries, "customer", fields)

    @cached_property
    def _deliveries(self) -> dict[Any, Any]:
        ids = [one.get("delivery") for one in self._entries]
        return lookup.field_of(Delivery, "deliveryNumber", self._seen("Delivery", ids))

    @cached_property
    def _requests(self) -> dict[Any, Raw]:
        ids = self._seen("Request", [one["request"] for one in self._parts])
        return lookup.by_id(Request, ids, OF_OTHERS["Request"])

    @cached_property
    def _orders(self) -> dict[Any, Any]:
        ids = self._seen("Order", [one["order"] for one in self._parts])
        return lookup.field_of(Order, "orderNumber", ids)

    @cached_property
    def _panes(self) -> dict[Any, Raw]:
        lines = [line for one in self._parts for line in one.get("panes") or ()]
        return lookup.by_id(Pane, [line["pane"] for line in lines])

    @cached_property
    def _job_types(self) -> dict[str, str]:
        return wording.job_type_names(self._panes.values())

    def _seen(self, model: str, ids: Iterable[Any]) -> Iterable[Any]:
        return ids if model in self._may else ()


def _billed_before(entries: Sequence[Raw]) -> dict[ObjectId, Decimal]:
    """Return by entry what its invoice has before it at the same VAT, in baht before VAT.

    Of all entries of the invoices, whether they are exported or not: the VAT of what is
    exported one after the other adds up, too. One query.
    """
    numbers = {one["invoiceNumber"] for one in entries if one["status"] == BILLED}
    if not numbers:
        return {}
    query = {"invoiceNumber": {"$in": [*numbers]}, "status": BILLED}
    names = ("customer", "invoiceNumber", "billedAt", "net", "vatPercent")
    found = list(BillingEntry.collection().find(query, dict.fromkeys(names, 1)))
    found.sort(key=lambda row: (row["billedAt"], row["_id"]))
    totals: dict[tuple[Any, ...], Decimal] = defaultdict(Decimal)
    before = {}
    for row in found:
        percent = as_decimal(row.get("vatPercent"))
        invoice = row["customer"], row["invoiceNumber"], percent
        before[row["_id"]] = totals[invoice]
        totals[invoice] += as_decimal(row.get("net"))
    return before


def _kind(entry: Raw) -> str:
    if entry.get("creditOf"):
        return "credit"
    return "delivery" if entry.get("delivery") else "charge"


def _day(moment: datetime) -> date:
    return in_zone(moment, runtime.current().policy.timezone).date()


def _mark(entries: Sequence[Raw], actor: Identity) -> None:
    """Note on entries what an export has of them; call it inside its unit of work."""
    marked = []
    for raw in entries:
        entry = BillingEntry.from_stored(raw)
        entry.exported = {
            "at": clock.now(),
            "by": actor.worker_id,
            "net": entry.net,
            "invoiceNumber": entry.invoice_number,
        }
        marked.append(entry)
    records.store(*marked)
