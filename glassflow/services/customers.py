"""Customers: their tax data, and the merge of those that were entered more than once."""

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId

from glassflow.core.identity import Identity
from glassflow.core.process.cooperative import yielding
from glassflow.core.store import locks, reference_locks
from glassflow.core.store.unit_of_work import lock_before, unit_of_work
from glassflow.domain import tax_ids, texts
from glassflow.domain.errors import FieldFault, Invalid, NotFound
from glassflow.models.base import Record
from glassflow.models.customer import Customer
from glassflow.services import discount_limit, records
from glassflow.services.records import references

KIND = Customer.__name__
# Filled from the customers that are merged, where the one that stays has none.
FILLED = ("contact", "phone", "email", "address", "price_list", "notes")
# Filled together, because one says how another is read.
TAX_DATA = ("tax_id", "branch", "country")


# What a document says about a customer.
PARTY = ("name", "address", "tax_id", "branch", "phone", "email", "contact")


def as_party(customer: Customer) -> dict[str, str]:
    """Return what a document says about a customer: the fields of `documents.Party`."""
    return {name: customer[name] for name in PARTY}


def create(
    *, model: type[Customer], values: Mapping[str, Any], actor: Identity
) -> Customer:
    """Create a customer. Raises `Invalid` for a wrong tax id or branch.

    Besides, for a discount or a price list that the actor may not give.
    """
    _require_granted([values], actor)
    return records.create(model=model, values=with_tax_data(values), actor=actor)


def create_all(
    *, model: type[Customer], items: Sequence[Mapping[str, Any]], actor: Identity
) -> list[Customer]:
    """Create customers, all or none. Raises `Invalid` with the faults of all of them."""
    _require_granted(items, actor, path="items.{}.")
    checked: list[Mapping[str, Any]] = []
    faults: list[FieldFault] = []
    for index, values in enumerate(yielding(items)):
        try:
            checked.append(with_tax_data(values))
        except Invalid as invalid:
            faults += [
                {**one, "field": f"items.{index}.{one['field']}"}
                for one in invalid.faults
            ]
    if faults:
        raise Invalid(faults)
    return records.create_all(model=model, items=checked, actor=actor)


@unit_of_work
def update(
    *,
    model: type[Customer],
    record_id: ObjectId,
    values: Mapping[str, Any],
    actor: Identity,
) -> Customer:
    """Change a customer. Raises `NotFound`, and `Invalid` for a wrong tax id or branch.

    Both are judged with the country, also where only one of the three changes. Raises
    `Invalid` for a discount or a price list that the actor may not give, too.
    """
    customer = records.load(Customer, record_id)
    _require_granted([values], actor, stored=customer)
    if not values.keys().isdisjoint(TAX_DATA):
        stored = {name: customer[name] for name in TAX_DATA}
        values = with_tax_data({**stored, **values})
    references.require_exist(
        references.references_in(Customer, values, stored=customer)
    )
    records.apply_changes(customer, values)
    records.store(customer)
    return customer


def _require_granted(
    items: Sequence[Mapping[str, Any]],
    actor: Identity,
    *,
    path: str = "",
    stored: Customer | None = None,
) -> None:
    """Raise `Invalid` for discounts and price lists that the actor may not give.

    What the `stored` customer has stays, and so does a lower discount. `path` has the place
    of the values in the body.
    """
    if actor.may(discount_limit.KEY):
        return
    had = (float(stored.discount or 0), stored.price_list) if stored else (0.0, None)
    faults: list[FieldFault] = []
    for index, values in enumerate(items):
        place = path.format(index)
        percent = float(values.get("discount") or 0)
        if percent > had[0]:
            most = discount_limit.most_percent()
            faults += discount_limit.faults_of_discount(
                f"{place}discount", percent, most=most
            )
        if values.get("price_list") not in (None, had[1]):
            message = texts.AGREED_PRICE_NEEDS_KEY
            faults.append({"field": f"{place}priceList", "message": message})
    if faults:
        raise Invalid(faults)


def with_tax_data(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values with tax id and branch as they are stored; no country is Thailand.

    Raises `Invalid` for a wrong tax id or branch.
    """
    country = values.get("country") or ""
    checked, faults = dict(values), list[FieldFault]()
    for name, wire, stored_form in (
        ("tax_id", "taxId", tax_ids.stored_tax_id),
        ("branch", "branch", tax_ids.stored_branch),
    ):
        try:
            if values.get(name):
                checked[name] = stored_form(values[name], country)
        except ValueError as error:
            faults.append({"field": wire, "message": error.args[0]})
    if faults:
        raise Invalid(faults)
    return checked


@unit_of_work
def merge(*, record_id: ObjectId, others: Sequence[ObjectId]) -> Customer:
    """Merge other customers into one: it gets all that refers to them, they are deleted.

    Its own fields stay; of `FILLED` the empty ones are filled from the others, and so are
    its tax data where it has none. It gets all their delivery addresses. Raises
    `Invalid` for a customer that is named twice or is the one that stays, `NotFound`,
    `Stale` if the caller expects another version of it, and `TooMany`.
    """
    if len({record_id, *others}) <= len(others):
        raise Invalid([{"field": "customers", "message": texts.MERGED_TWICE}])
    names = [reference_locks.lock_name(KIND, one) for one in others]
    reference_locks.wait_for_equal_deletions(names)
    kept = records.load(Customer, record_id)
    merged = {one.pk: one for one in Customer.find_many({"_id": {"$in": [*others]}})}
    if len(merged) < len(others):
        raise NotFound(texts.NOT_FOUND.format(label=Customer.label))
    lock_before(names, reference_locks.deleting)
    # who deletes it meanwhile, or merges it into another, conflicts
    locks.touch(Customer, [record_id])
    _move_references(others, kept)
    for one in others:
        _fill(kept, merged[one])
    records.store(kept)
    rows = [merged[one].stored_form() for one in others]
    records.delete(Customer, rows, successor=kept.pk)
    return kept


def _fill(kept: Customer, other: Customer) -> None:
    for name in FILLED:
        kept[name] = kept[name] or other[name]
    if not any(kept[name] for name in TAX_DATA):
        for name in TAX_DATA:
            kept[name] = other[name]
    known = [*kept.delivery_addresses]
    for address in other.delivery_addresses:
        if address not in known:
            known.append(address)
    if len(known) > len(kept.delivery_addresses):
        kept.delivery_addresses = known


def _move_references(others: Sequence[ObjectId], kept: Customer) -> None:
    for model, name in references.fields_naming(KIND):
        field = model._fields[name].db_field
        moved: list[Record] = model.find_many({field: {"$in": [*others]}})
        for record in moved:
            record[name] = kept.pk
        records.store(*moved)
