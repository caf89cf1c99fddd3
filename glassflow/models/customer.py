"""Customers of the workshop."""

from mongoengine import BooleanField, ListField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.domain.short_names import short_name
from glassflow.models.base import Record
from glassflow.models.fields import NumberField, ObjectField, Ref


def empty_delivery_address() -> dict[str, str]:
    """Return a delivery address with the default of every member."""
    return {"name": "", "address": "", "contact": "", "phone": ""}


class Customer(Record):
    """A customer; `discount` is a percentage, 0 to 100.

    One that `pays_cash` pays before panes leave. `tax_id` and `branch` are those of `domain.tax_ids`; no `country` is Thailand.
    `shortName` of answers is made of the name; it is shown to holders of `customers:names`, too.
    """

    meta = {"collection": "customers", "indexes": ["name", "price_list"]}
    label = Bilingual("Customer", th="ลูกค้า")
    successor = "replacedBy"
    computed = {"shortName": lambda raw: short_name(raw.get("name") or "")}

    name = StringField(required=True)
    address = StringField(default="")
    contact = StringField(default="")
    phone = StringField(default="")
    email = StringField(default="")
    tax_id = StringField(default="")
    branch = StringField(default="")
    country = StringField(default="")
    delivery_addresses = ListField(ObjectField(shape=empty_delivery_address))
    pays_cash = BooleanField(default=False)
    discount = NumberField(default=0)
    price_list = Ref("PriceList")
    notes = StringField(default="")
