"""The request body schema of the workshop itself."""

from glassflow.schemas.attachment import PictureField
from glassflow.schemas.base import Integer, Number, RecordSchema, StrictBoolean, Text
from glassflow.schemas.customer import require_email

MAX_NAME, MAX_ADDRESS, MAX_BANK_LINE, MAX_CONDITIONS = (
    100,
    500,
    300,
    2_000,
)  # characters
MAX_DAILY_TARGET = 100_000  # panes


class WorkshopSchema(RecordSchema):
    """The fields that a client writes; fields that are left out keep their values.

    Null restores the default. The service checks `taxId`, `branch` and `logo`.
    """

    server_owned = frozenset({"updatedBy"})

    name = Text(minimum=1, maximum=MAX_NAME)
    name_english = Text(maximum=MAX_NAME)
    address = Text(maximum=MAX_ADDRESS)
    address_english = Text(maximum=MAX_ADDRESS)
    tax_id = Text()
    branch = Text()
    phone = Text()
    email = Text(validate=require_email)
    website = Text()
    bank_line = Text(maximum=MAX_BANK_LINE)
    conditions = Text(maximum=MAX_CONDITIONS)
    conditions_english = Text(maximum=MAX_CONDITIONS)
    quote_days = Integer(minimum=1, maximum=365)
    deposit_percent = Number(minimum=0, maximum=100)
    maximum_discount = Number(minimum=0, maximum=100)
    mail_has_link = StrictBoolean()
    quote_drawings = StrictBoolean()
    daily_target = Integer(minimum=1, maximum=MAX_DAILY_TARGET)
    logo = PictureField()
