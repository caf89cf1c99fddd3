"""The workshop itself: its name, what its paper says and its daily target, one document."""

from mongoengine import BooleanField, IntField, StringField

from glassflow.domain.bilingual import Bilingual
from glassflow.models.base import Record
from glassflow.models.fields import NumberField, Ref


class Workshop(Record):
    """The data of the workshop that are printed on quotes and other paper, and its target.

    `name_english`, `address_english` and `conditions_english` are for paper in English;
    an empty one stands for the Thai text. `tax_id` and `branch` are those of
    `domain.tax_ids`. A quote is valid for `quote_days` days,
    and asks for a deposit of `deposit_percent` of its total. `maximum_discount` is the
    percentage that a worker may give without the key to change prices. `mail_has_link`:
    e-mails with quotes have the link by which the customer accepts. `quote_drawings`: quotes
    have a page with the drawing of each worked pane. `daily_target` panes are to be finished
    on a working day; None without a target. `logo` is a PNG or
    JPEG as a data URL; it is hidden, so that neither history nor events carry it.
    """

    meta = {"collection": "workshop"}
    label = Bilingual("Workshop", th="โรงงาน")
    hidden = secret = ("logo",)

    name = StringField(default="glassflow")
    name_english = StringField(default="")
    address = StringField(default="")
    address_english = StringField(default="")
    tax_id = StringField(default="")
    branch = StringField(default="")
    phone = StringField(default="")
    email = StringField(default="")
    website = StringField(default="")
    bank_line = StringField(default="")
    conditions = StringField(default="")
    conditions_english = StringField(default="")
    quote_days = IntField(default=30)
    deposit_percent = NumberField(default=0)
    maximum_discount = NumberField(default=0)
    mail_has_link = BooleanField(default=True)
    quote_drawings = BooleanField(default=False)
    daily_target = IntField()
    logo = StringField()
    updated_by = Ref("Worker")
