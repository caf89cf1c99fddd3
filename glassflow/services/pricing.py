"""The price list: one document, created from the seeds when it is first read; and quotes."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process import clock
from glassflow.core.process.cooperative import yielding
from glassflow.core.store import expect_version
from glassflow.core.store.unit_of_work import unit_of_work
from glassflow.domain import texts
from glassflow.domain.errors import UnknownReference
from glassflow.domain.price_lists import is_valid, prices_for
from glassflow.domain.pricing import Missing, Price, after_discount, price_of
from glassflow.host.data_files import SEEDS
from glassflow.models.customer import Customer
from glassflow.models.price_list import PriceList
from glassflow.models.pricing_settings import PricingSettings
from glassflow.services import records
from glassflow.services.records.serialization import to_wire

SEED = SEEDS / "pricing.json"
# A fixed id, so that of two concurrent creations one finds the other's document.
SETTINGS_ID = ObjectId("000000000000000000000001")


@dataclass(frozen=True, slots=True)
class Quote:
    """What panes cost: a price for each, or why it has none; sums of those that have one.

    `discount` is the customer's, in percent; `price_list` is the name of the customer's
    price list, None without one that is valid now. `is_example` tells that the prices are those
    of the seeded price list, which nobody has saved as the workshop's own.
    """

    prices: Sequence[Price | Missing]
    subtotal: Decimal
    discount: float
    total: Decimal
    is_example: bool
    price_list: str | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every pane has a price."""
        return all(isinstance(one, Price) for one in self.prices)


def quote(panes: Sequence[Mapping[str, Any]], *, customer: ObjectId | None) -> Quote:
    """Return the prices of new panes, in wire form with a `quantity` each.

    The caller sees the discount of the customer. Raises `UnknownReference`.
    """
    discount, own = _terms(customer) if customer else (0.0, None)
    base = to_wire(PricingSettings, settings().stored_form())
    now = clock.now()
    listed = prices_for(base, own, now)
    prices = [price_of(pane, listed) for pane in yielding(panes)]
    subtotal = sum(
        (
            price.total * (pane.get("quantity") or 1)
            for pane, price in zip(panes, prices, strict=True)
            if isinstance(price, Price)
        ),
        Decimal(0),
    )
    total = after_discount(subtotal, discount)
    name = own["name"] if own and is_valid(own, now) else None
    return Quote(prices, subtotal, discount, total, listed["isExample"], name)


def _terms(customer: ObjectId) -> tuple[float, Mapping[str, Any] | None]:
    """Return the discount of a customer in percent, and their price list in wire form."""
    found = Customer.find_one({"_id": customer})
    if found is None:
        raise UnknownReference(texts.NOT_FOUND.format(label=Customer.label))
    named = found.price_list and PriceList.find_one({"_id": found.price_list})
    own = to_wire(PriceList, named.stored_form()) if named else None
    return float(found.discount or 0), own


def settings() -> PricingSettings:
    """Return the price list; amounts are in baht, areas in ft², edges per metre.

    A transaction is opened only to create it.
    """
    return _stored() or _create()


@unit_of_work
def update(*, values: Mapping[str, Any], actor: Identity) -> PricingSettings:
    """Replace the given parts of the price list, each as a whole.

    None stands for the default: the value of the seeded price list. `updated_by` is the
    worker of the last change; the same prices again are none. A changed price list is no
    example any more; one that is right as it is ends to be one by `is_example` false.
    Raises `Stale` if the caller expects another version.
    """
    prices = settings()
    expect_version.check(PricingSettings.__name__, SETTINGS_ID, prices.version)
    defaults = _seed() if None in values.values() else {}
    for name, value in values.items():
        prices[name] = defaults[name] if value is None else value
    if prices.changed_fields() - {"isExample"}:
        prices.is_example = False
    if prices.is_changed:
        prices.updated_by = actor.worker_id
        prices.save()
    return prices


def _stored() -> PricingSettings | None:
    return PricingSettings.objects(pk=SETTINGS_ID).first()


@unit_of_work
def _create() -> PricingSettings:
    stored = _stored()
    if stored is not None:
        return stored
    created = PricingSettings(id=SETTINGS_ID)
    records.apply_changes(created, _seed())
    created.save()
    return created


def _seed() -> dict[str, Any]:
    """Return the fields of the seeded price list by attribute name."""
    seed = json.loads(SEED.read_text(encoding="utf-8"))
    fields = PricingSettings._fields.items()
    return {name: seed[f.db_field] for name, f in fields if f.db_field in seed}
