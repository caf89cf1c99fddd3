"""Customers of the workshop."""

from mongoengine import StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.models.base import Record
from glassflow.models.fields import NumberField


class Customer(Record):
    """A customer; `discount` is a percentage, 0 to 100."""

    meta = {"collection": "customers", "indexes": ["name"]}
    label = Bilingual("Customer", th="ลูกค้า")
    successor = "replacedBy"

    name = StringField(required=True)
    address = StringField(default="")
    phone = StringField(default="")
    discount = NumberField(default=0)
    notes = StringField(default="")
