"""The query of the figures of the last days."""

from glassflow.schemas.base import Choice, RecordSchema

DAYS = ("7", "30", "90")


class PeriodQuery(RecordSchema):
    """The query parameters of figures of a period: how many days, today included."""

    days = Choice(*DAYS, load_default="30")
