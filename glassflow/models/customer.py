"""Customers of the workshop."""

from mongoengine import StringField

from glassflow.models.base import NumberField, Record


class Customer(Record):
    """Somebody who orders glass. `discount` is in percent, 0 to 100."""

    meta = {"collection": "customers", "indexes": ["name"]}
    label = "Customer"

    name = StringField(required=True)
    address = StringField(default="")
    phone = StringField(default="")
    discount = NumberField(default=0)
    notes = StringField(default="")
