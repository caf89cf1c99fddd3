"""The prices of the workshop, one document that the first read creates; what panes cost."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.process.cooperative import yielding
from glassflow.domain import texts
from glassflow.domain.errors import FieldFault, Invalid, UnknownReference
from glassflow.domain.money import MOST_OF_PAPER, MOST_OF_ROW, as_decimal, as_text
from glassflow.domain.price_lists import is_valid, prices_for
from glassflow.domain.pricing import Missing, Price, Total, price_of, total_of
from glassflow.host.data_files import SEEDS
from glassflow.models.base import Record
from glassflow.models.customer import Customer
from glassflow.models.job_type import JobType
from glassflow.models.price_list import PriceList
from glassflow.models.pricing_settings import PricingSettings
from glassflow.services.records import singleton
from glassflow.services.records.serialization import to_wire

SEED = SEEDS / "pricing.json"
# The fields of a record that are no part of its prices.
OF_RECORDS = frozenset(
    {"_id", "createdAt", "updatedAt", "version", "updatedBy", "notes"}
)


@dataclass(frozen=True, slots=True)
class PricedPanes:
    """What panes cost: a price for each, or why it has none; the total of those with one.

    `discount` and `vat` are those that are taken, in percent; `price_list`
    is the name of the customer's price list, None without one that is valid now. `is_example`
    tells that the prices are the seeded ones, which nobody has saved as the
    workshop's own.
    """

    prices: Sequence[Price | Missing]
    total: Total
    discount: float
    vat: float
    is_example: bool
    price_list: str | None

    @property
    def is_complete(self) -> bool:
        """Whether every pane has a price."""
        return all(isinstance(one, Price) for one in self.prices)

    def wire_form(self) -> dict[str, Any]:
        """Return it as the API has it: amounts in baht as texts of two decimal places."""
        total = self.total
        return {
            "panes": [_wire_form(one) for one in self.prices],
            "subtotal": as_text(total.subtotal),
            "rush": as_text(total.rush),
            "discount": self.discount,
            "discountAmount": as_text(total.discount),
            "minimumCharge": as_text(total.minimum),
            "total": as_text(total.net),
            "vatPercent": self.vat,
            "vat": as_text(total.vat),
            "totalWithVat": as_text(total.gross),
            "isComplete": self.is_complete,
            "isExample": self.is_example,
            "priceList": self.price_list,
        }


@dataclass(frozen=True, slots=True)
class Terms:
    """What panes are priced by: the workshop's prices and what a customer is granted.

    `base` are the workshop's prices, `price_list` the customer's list or None, both in
    wire form; `discount` is the customer's in percent, `at` when the terms were read
    (UTC). A quote stores them.
    """

    base: Mapping[str, Any]
    price_list: Mapping[str, Any] | None
    discount: float
    at: datetime

    def stored_form(self) -> dict[str, Any]:
        """Return the terms as a quote stores them."""
        return {
            "base": self.base,
            "priceList": self.price_list,
            "discount": self.discount,
            "at": self.at,
        }

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> "Terms":
        """Return the terms that a quote has stored."""
        return cls(
            stored["base"], stored["priceList"], stored["discount"], stored["at"]
        )


def terms_for(customer: ObjectId | None) -> Terms:
    """Return the terms of today for a customer. Raises `UnknownReference`."""
    discount, own = _terms(customer) if customer else (0.0, None)
    base = _without_record_fields(PricingSettings, settings())
    return Terms(base, own, discount, clock.now())


def price_panes(
    panes: Sequence[Mapping[str, Any]],
    *,
    terms: Terms,
    is_rush: bool = False,
    discount: float | None = None,
) -> PricedPanes:
    """Return the prices of panes by these terms, in wire form with a `quantity` each.

    `discount` in percent takes the place of the customer's.
    """
    if discount is None:
        discount = terms.discount
    own = terms.price_list
    listed = prices_for(terms.base, own, terms.at)
    tempered = _tempered_job_types(panes, listed)
    quantities = [pane.get("quantity") or 1 for pane in panes]
    prices = [
        price_of(pane, listed, quantity=quantity, tempered=tempered)
        for pane, quantity in zip(yielding(panes), quantities, strict=True)
    ]
    subtotal = sum(
        (
            price.total * quantity
            for price, quantity in zip(prices, quantities, strict=True)
            if isinstance(price, Price)
        ),
        Decimal(0),
    )
    total = total_of(subtotal, listed, discount=discount, is_rush=is_rush)
    name = own["name"] if own and is_valid(own, terms.at) else None
    return PricedPanes(
        prices, total, discount, listed["vatPercent"], listed["isExample"], name
    )


def require_printable(priced: PricedPanes, panes: Sequence[Mapping[str, Any]]) -> None:
    """Raise `Invalid` for a row of more than 10⁹ baht, and for more than 10¹⁰ in all.

    `panes` are those that are priced, with a `quantity` each. Paper has no room for
    larger amounts, and no words.
    """
    faults: list[FieldFault] = []
    for index, (one, pane) in enumerate(zip(priced.prices, panes, strict=True)):
        quantity = pane.get("quantity") or 1
        if isinstance(one, Price) and one.total * quantity > MOST_OF_ROW:
            name = "unitPrice" if pane.get("unitPrice") is not None else "quantity"
            message = texts.AMOUNT_OF_ROW_TOO_LARGE.format(maximum=f"{MOST_OF_ROW:,}")
            faults.append({"field": f"panes.{index}.{name}", "message": message})
    if not faults and priced.total.gross > MOST_OF_PAPER:
        message = texts.AMOUNT_OF_PAPER_TOO_LARGE.format(maximum=f"{MOST_OF_PAPER:,}")
        faults.append({"field": "panes", "message": message})
    if faults:
        raise Invalid(faults)


def net_prices(
    panes: Sequence[Mapping[str, Any]],
    *,
    terms: Terms,
    is_rush: bool = False,
    discount: float | None = None,
) -> list[Decimal | None]:
    """Return the price of one of each pane, with its part of the rush and the discount.

    In baht before VAT, not rounded; None where the price is not known. As `price_panes`,
    without the minimum charge, which is of no pane.
    """
    priced = price_panes(panes, terms=terms, is_rush=is_rush, discount=discount)
    listed = prices_for(terms.base, terms.price_list, terms.at)
    rush = as_decimal(listed.get("rushPercent")) if is_rush else Decimal(0)
    factor = (1 + rush / 100) * (1 - as_decimal(priced.discount) / 100)
    return [
        one.total * factor if isinstance(one, Price) else None for one in priced.prices
    ]


def _tempered_job_types(
    panes: Sequence[Mapping[str, Any]], prices: Mapping[str, Any]
) -> frozenset[str]:
    """Return the codes of the tempered job types, if a price depends on them."""
    if not (prices["temperingRates"] and any(pane.get("jobType") for pane in panes)):
        return frozenset()
    return JobType.tempered_codes()


def _wire_form(price: Price | Missing) -> dict[str, Any]:
    if isinstance(price, Missing):
        return {"lines": [], "area": None, "total": None, "missing": str(price)}
    lines = [
        {
            "part": str(line.part),
            "name": line.name,
            "quantity": _short(f"{line.quantity:.4f}"),
            "unit": str(line.unit),
            "rate": _short(f"{line.rate:f}"),
            "amount": as_text(line.amount),
        }
        for line in price.lines
    ]
    area = None if price.area is None else _short(f"{price.area:f}")
    return {
        "lines": lines,
        "area": area,
        "total": as_text(price.total),
        "missing": None,
    }


def _short(number: str) -> str:
    return number.rstrip("0").rstrip(".") if "." in number else number


def _terms(customer: ObjectId) -> tuple[float, Mapping[str, Any] | None]:
    """Return the discount of a customer in percent, and their price list in wire form."""
    found = Customer.find_one({"_id": customer})
    if found is None:
        raise UnknownReference(texts.NOT_FOUND.format(label=Customer.label))
    named = found.price_list and PriceList.find_one({"_id": found.price_list})
    own = _without_record_fields(PriceList, named) if named else None
    return float(found.discount or 0), own


def _without_record_fields(model: type[Record], record: Record) -> dict[str, Any]:
    """Return the wire form of prices without what says nothing about them."""
    row = to_wire(model, record.stored_form())
    return {name: value for name, value in row.items() if name not in OF_RECORDS}


def settings() -> PricingSettings:
    """Return the prices of the workshop, in baht, by ft² and by metre.

    A transaction is opened only to create it.
    """
    return singleton.read(PricingSettings, first=_seed)


def update(*, values: Mapping[str, Any], actor: Identity) -> PricingSettings:
    """Replace the given parts of the prices, each as a whole.

    None stands for the default: the seeded value. `updated_by` is the
    worker of the last change; the same prices again are none. Changed prices are no
    example any more; one that is right as it is ends to be one by `is_example` false.
    Raises `Stale` if the caller expects another version.
    """
    return singleton.update(PricingSettings, values, actor, first=_seed, apply=_replace)


def _replace(prices: PricingSettings, values: Mapping[str, Any]) -> None:
    defaults = _seed() if None in values.values() else {}
    for name, value in values.items():
        prices[name] = defaults[name] if value is None else value
    if prices.changed_fields() - {"isExample"}:
        prices.is_example = False


def _seed() -> dict[str, Any]:
    """Return the fields of the seeded prices by attribute name."""
    seed = json.loads(SEED.read_text(encoding="utf-8"))
    fields = PricingSettings._fields.items()
    return {name: seed[f.db_field] for name, f in fields if f.db_field in seed}
